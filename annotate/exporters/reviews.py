"""Every answer of a review with the order shown, and the settled set beside them."""

from collections.abc import Iterator
from typing import Any

from annotate.exporters.tabular import Columns
from annotate.models import Judgement, Review, Sheet
from annotate.models.campaign import EXAMPLE_LABELS
from annotate.problems import Problem
from annotate.review_reports import confirmed_pairs
from annotate.review_work import (
    QUESTIONS_OF_PAIR,
    decisions,
    judgements_by_place,
    present_judgements,
    reviewed_pairs,
    why_not_settled,
)

# One row a question and save, earlier versions included; `is_present` marks the answers that hold. `place`
# counts from 1 in the annotator's own order of the pass; `shown` is the order on the page: the sides of a
# pair for its control question, the roles of the replies for acceptability.
ANSWER_COLUMNS: Columns = {
    "review": str,
    "origin": str,
    "annotator": str,
    "pair": str,
    "side": str,
    "question": str,
    "answer": str,
    "comment": str,
    "place": int,
    "shown": list,
    "version": int,
    "is_present": bool,
    "saved_at": str,
}
# One row a question that every active annotator answered; `settled_by` is unanimous or lead.
SETTLED_COLUMNS: Columns = {
    "review": str,
    "origin": str,
    "pair": str,
    "side": str,
    "question": str,
    "answers": list,
    "answer": str,
    "settled_by": str,
    "reason": str,
    "decided_at": str,
}


def answer_rows(review: Review) -> Iterator[tuple[Any, ...]]:
    """Give one row a judgement, in the order of annotators, pairs and questions."""
    rows = Judgement.objects.filter(revision__sheet__reviewer__review=review).select_related(
        "revision__sheet__reviewer", "revision__sheet__pair__pair"
    )
    order = ("revision__sheet__reviewer__pseudonym", "revision__sheet__pair__pair__position")
    rows = rows.order_by(*order, "revision__sheet__side", "revision__version", "pk")
    origin = origin_of(review)
    for row in rows.iterator(chunk_size=2_000):
        revision, sheet = row.revision, row.revision.sheet
        yield (
            review.slug,
            origin,
            sheet.reviewer.pseudonym,
            sheet.pair.pair.identifier,
            row.side,
            row.question,
            row.answer,
            row.comment,
            None if sheet.place is None else sheet.place + 1,
            shown_for(sheet, row.side),
            revision.version,
            revision.version == sheet.version,
            revision.saved_at.isoformat(timespec="microseconds"),
        )


def shown_for(sheet: Sheet, side: str) -> list[str]:
    """Return the order on a page that matters for one of its questions; empty in the first pass."""
    return [] if sheet.side else list(sheet.shown.get(side or "sides", []))


def settled_rows(review: Review) -> Iterator[tuple[Any, ...]]:
    """Give one row a question; one that annotators answered differently has no answer without a decision.

    Raises `Problem` while the review is open or somebody has not finished.
    """
    if why := why_not_settled(review):
        raise Problem(why)
    return _settled_rows(review)


def _settled_rows(review: Review) -> Iterator[tuple[Any, ...]]:
    reviewers = review.reviewers.filter(is_active=True).count()
    answers, decided = judgements_by_place(present_judgements(review)), decisions(review)
    for pair in review.reviewed_pairs.select_related("pair").order_by("pair__position"):
        for question, side in QUESTIONS_OF_PAIR:
            place = (pair.pk, question, side)
            given = answers.get(place, {})
            if not reviewers or len(given) < reviewers:
                continue
            independent = [f"{name}: {judgement.answer}" for name, judgement in given.items()]
            different = {judgement.answer for judgement in given.values()}
            decision = decided.get(place)
            answer = decision.answer if decision else different.pop() if len(different) == 1 else None
            yield (
                review.slug,
                origin_of(review),
                pair.pair.identifier,
                side,
                question,
                independent,
                answer,
                "lead" if decision else "unanimous" if answer else None,
                decision.reason if decision else "",
                decision.decided_at.isoformat(timespec="seconds") if decision else None,
            )


def origin_of(review: Review) -> str:
    """Say where the answers come from."""
    return EXAMPLE_LABELS if review.is_example else "annotators of the review"


# What can be written as rows, and the sets of pairs that can be written to be imported again.
ANSWERS = {"answers": (ANSWER_COLUMNS, answer_rows), "settled": (SETTLED_COLUMNS, settled_rows)}
SETS = {"reviewed": reviewed_pairs, "confirmed": confirmed_pairs}
