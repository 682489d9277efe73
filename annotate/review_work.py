"""What a lead sees of a review: how far each reviewer is, what they answered differently, what is settled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from annotate.judgements import questions_on
from annotate.models import Adjudication, ContrastPair, Judgement, Review, ReviewedPair, Reviewer
from annotate.models.review import STRATA
from annotate.pairs import SIDES

Place = tuple[int, str, str]  # (id of the reviewed pair, question, side)
# Every question of a pair with the side it is about.
QUESTIONS_OF_PAIR = [key for side in (*SIDES, "") for key in questions_on(side)]


@dataclass(frozen=True)
class Disagreement:
    """A question that not all active reviewers answered alike: who said what, and what was decided."""

    pair: ReviewedPair
    question: str
    side: str
    answers: dict[str, Judgement]
    decision: Adjudication | None = None


@dataclass(frozen=True)
class ReviewerProgress:
    """How far one reviewer is in both passes."""

    reviewer: Reviewer
    situations: int
    pairs: int
    last_saved: Any
    of_pairs: int

    @property
    def of_situations(self) -> int:
        """Return how many pages the first pass has."""
        return 2 * self.of_pairs

    @property
    def is_done(self) -> bool:
        """Tell whether both passes are answered whole."""
        return self.situations == self.of_situations and self.pairs == self.of_pairs

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "pseudonym": self.reviewer.pseudonym,
            "account": self.reviewer.user.get_username() if self.reviewer.user else None,
            "is_active": self.reviewer.is_active,
            "situations": self.situations,
            "of_situations": self.of_situations,
            "pairs": self.pairs,
            "of_pairs": self.of_pairs,
            "last_saved_at": self.last_saved.isoformat(timespec="seconds") if self.last_saved else None,
        }


def progress(review: Review) -> list[ReviewerProgress]:
    """Return how far each reviewer is, those whose seat ended too."""
    pairs = review.reviewed_pairs.count()
    seats = review.reviewers.select_related("user").annotate(
        situations=Count("sheets", filter=~Q(sheets__side="")),
        pairs=Count("sheets", filter=Q(sheets__side="")),
        last=Max("sheets__changed_at"),
    )
    return [ReviewerProgress(seat, seat.situations, seat.pairs, seat.last, pairs) for seat in seats]


def reviewed_pairs(review: Review) -> QuerySet[ContrastPair]:
    """Return the pairs of the sample in the order of the corpus."""
    return ContrastPair.objects.filter(reviewed__review=review).order_by("position")


def strata_of(review: Review) -> dict[str, int]:
    """Count the pairs of the sample by the stratum that it was drawn over."""
    field = STRATA[Review.Stratum(review.stratum)]
    rows = reviewed_pairs(review).order_by(field).values_list(field).annotate(number=Count("pk"))
    return dict(rows)


def why_not_settled(review: Review) -> str:
    """Say why disagreements cannot be settled yet; empty when they can."""
    active = [row for row in progress(review) if row.reviewer.is_active]
    if review.state == Review.State.OPEN:
        return f"Review {review} is open. Close it first; then the independent answers stay as they are."
    if len(active) < 2:
        return f"Review {review} has {len(active)} active annotators; disagreements need two or more."
    if unfinished := [row.reviewer.pseudonym for row in active if not row.is_done]:
        names = ", ".join(unfinished)
        return f"Not finished with both passes: {names}. Reopen the review, or end the seat, and then settle."
    return ""


def present_judgements(review: Review) -> QuerySet[Judgement]:
    """Return the judgements of active reviewers that hold at present."""
    judgements = Judgement.objects.filter(revision__version=F("revision__sheet__version"))
    return judgements.filter(
        revision__sheet__reviewer__review=review, revision__sheet__reviewer__is_active=True
    ).select_related("revision__sheet__reviewer")


def judgements_by_place(judgements: QuerySet[Judgement]) -> dict[Place, dict[str, Judgement]]:
    """Return judgements by what they are about, then by pseudonym."""
    found: dict[Place, dict[str, Judgement]] = {}
    for judgement in judgements.order_by("revision__sheet__reviewer__pseudonym"):
        sheet = judgement.revision.sheet
        place = (sheet.pair_id, judgement.question, judgement.side)
        found.setdefault(place, {})[sheet.reviewer.pseudonym] = judgement
    return found


def decisions(review: Review) -> dict[Place, Adjudication]:
    """Return the latest decision on each question."""
    rows = Adjudication.objects.filter(pair__review=review).select_related("decided_by")
    return {(row.pair_id, row.question, row.side): row for row in rows}


def disagreements(review: Review) -> list[Disagreement]:
    """Return every question with different answers, in the order of the corpus and of the questions."""
    answers, decided = judgements_by_place(present_judgements(review)), decisions(review)
    pairs = review.reviewed_pairs.select_related("pair__preference").order_by("pair__position")
    return [
        Disagreement(pair, question, side, given, decided.get((pair.pk, question, side)))
        for pair in pairs
        for question, side in QUESTIONS_OF_PAIR
        if differ(given := answers.get((pair.pk, question, side), {}))
    ]


def disagreement_on(pair: ReviewedPair, question: str, side: str) -> Disagreement | None:
    """Return the disagreement on one question, None where there is none."""
    answers = judgements_by_place(present_judgements(pair.review).filter(revision__sheet__pair=pair))
    given = answers.get((pair.pk, question, side), {})
    return Disagreement(pair, question, side, given) if differ(given) else None


def differ(given: dict[str, Judgement]) -> bool:
    """Tell whether reviewers gave different answers."""
    return len({judgement.answer for judgement in given.values()}) > 1


def answers_on(pair: ReviewedPair) -> list[tuple[str, str, dict[str, Judgement], Adjudication | None]]:
    """Return each question of a pair with its side, who answered what, and the decision."""
    answers = judgements_by_place(present_judgements(pair.review).filter(revision__sheet__pair=pair))
    decided = decisions(pair.review)
    return [
        (question, side, answers.get((pair.pk, question, side), {}), decided.get((pair.pk, question, side)))
        for question, side in QUESTIONS_OF_PAIR
    ]


def earlier_judgements(pair: ReviewedPair) -> Sequence[Judgement]:
    """Return the answers on a pair that were changed later, oldest first."""
    rows = Judgement.objects.filter(revision__sheet__pair=pair)
    rows = rows.exclude(revision__version=F("revision__sheet__version"))
    return list(rows.select_related("revision__sheet__reviewer").order_by("revision__saved_at", "pk"))
