"""Answers of a review that were given elsewhere, brought in by a file: all of them or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from annotate.actions.reviewing import (
    Given,
    Key,
    Page,
    append_revision,
    checked_answers,
    own_answers,
    questions_on,
)
from annotate.importers.reviews import AnswerRow
from annotate.judgements import ACCEPTABILITY, CONTROL
from annotate.models import Review, ReviewedPair, Reviewer
from annotate.problems import Problem

type PageKey = tuple[str, str, str]  # (annotator, pair, side, empty for a pair of the second pass)


@dataclass(frozen=True)
class ReviewImport:
    """What an import of answers did, in pages."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0


@transaction.atomic
def import_reviews(
    review: Review, rows: Sequence[AnswerRow], saved_by: User | None = None, *, accept_changes: bool = False
) -> ReviewImport:
    """Save the answers of a file in the review; the same file again changes nothing.

    1. Every row must name a seat and a pair of the review; of each page and version all three questions.
    2. Pages that are there already may only go on with versions that the file adds after the present one.
    3. Pages that differ from what is saved are refused unless `accept_changes`; then they are changes with
       the earlier answers kept.
    """
    locked = Review.objects.select_for_update().get(pk=review.pk)
    if locked.state == Review.State.CLOSED:
        raise Problem(f"Review {review} is closed; answers can no longer be given or changed.")
    seats = {seat.pseudonym: seat for seat in review.reviewers.select_for_update(no_key=True).order_by("pk")}
    pairs = {row.pair.identifier: row for row in review.reviewed_pairs.select_related("pair")}
    counts = {"added": 0, "changed": 0, "unchanged": 0}
    for (annotator, pair, side), versions in _pages(review, rows, seats, pairs).items():
        counts[_bring(seats[annotator], pairs[pair], side, versions, saved_by, accept_changes)] += 1
    return ReviewImport(**counts)


def _pages(
    review: Review, rows: Sequence[AnswerRow], seats: dict[str, Reviewer], pairs: dict[str, ReviewedPair]
) -> dict[PageKey, dict[int, list[AnswerRow]]]:
    """Group the rows into pages, each with its versions in order."""
    pages: dict[PageKey, dict[int, list[AnswerRow]]] = {}
    for row in rows:
        _refuse_unknown(review, row, "annotator", row.annotator, seats)
        _refuse_unknown(review, row, "pair", row.pair, pairs)
        side = "" if row.question in (CONTROL, ACCEPTABILITY) else row.side
        pages.setdefault((row.annotator, row.pair, side), {}).setdefault(row.version, []).append(row)
    return {key: dict(sorted(versions.items())) for key, versions in pages.items()}


def _refuse_unknown(
    review: Review, row: AnswerRow, field: str, name: str, known: Mapping[str, object]
) -> None:
    if name not in known:
        listed = ", ".join(sorted(known)[:5]) + (", ..." if len(known) > 5 else "")
        row.at.refuse(f"field {field}", repr(name), f"one of review {review}: {listed}")


def _bring(
    seat: Reviewer,
    pair: ReviewedPair,
    side: str,
    versions: dict[int, list[AnswerRow]],
    saved_by: User | None,
    accept_changes: bool,
) -> str:
    """Bring one page to what the file says; tell whether it was added, changed or unchanged."""
    answers = [(_answers(side, rows), rows[0]) for rows in versions.values()]
    sheet = seat.sheets.filter(pair=pair, side=side).first()
    outcome = "changed" if sheet else "added"
    if sheet:
        saved = own_answers(sheet)
        if saved == _plain(answers[-1][0]):
            return "unchanged"
        if not accept_changes:
            found = f"other answers than those saved for {seat.pseudonym} on {pair.pair}"
            answers[-1][1].at.refuse("", found, "the same ones, or --accept-changes")
        answers = answers[-1:]
    for given, row in answers:
        sheet = append_revision(
            seat, _page(pair, side, versions), given, sheet, uuid4(), saved_by, row.saved_at or timezone.now()
        )
    return outcome


def _answers(side: str, rows: Sequence[AnswerRow]) -> dict[Key, Given]:
    """Return the answers of one version of a page; refuse one that is not whole."""
    found: dict[Key, AnswerRow] = {}
    for row in rows:
        key = (row.question, row.side)
        if key in found:
            twice = f"{row.question} again, as in {found[key].at}"
            row.at.refuse("field question", twice, "each question once a version")
        found[key] = row
    if missing := [key for key in questions_on(side) if key not in found]:
        names = ", ".join(" ".join(part for part in key if part) for key in missing)
        page = f"a page of {rows[0].annotator} on {rows[0].pair} without {names}"
        rows[0].at.refuse("", page, "all three questions")
    given = [Given(row.question, row.side, row.answer, row.comment) for row in found.values()]
    return checked_answers(side, given)


def _plain(given: dict[Key, Given]) -> dict[Key, tuple[str, str]]:
    return {key: (each.answer, each.comment) for key, each in given.items()}


def _page(pair: ReviewedPair, side: str, versions: dict[int, list[AnswerRow]]) -> Page:
    """Return the page with the orders that the file gives."""
    rows = next(iter(versions.values()))
    place = rows[0].place
    shown = {row.side or "sides": row.shown for row in rows if row.shown}
    return Page(pair, side, None if place is None else place - 1, shown)
