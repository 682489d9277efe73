"""What a reviewer may know of a review: the own pages, by their places in the own orders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Case, F, QuerySet, When

from annotate.blinding import ReviewOrder
from annotate.judgements import Key
from annotate.models import Judgement, Review, ReviewedPair, Reviewer, Sheet
from annotate.own_work import LABELS_FOR_PACE, minutes_left
from annotate.review_page import in_words
from annotate.sheets import Page, second_pass_has_begun

Answers = dict[Key, tuple[str, str]]  # answer and comment


class Pass(StrEnum):
    """Situations one by one, then pairs."""

    SITUATIONS = "situations"
    PAIRS = "pairs"


@dataclass(frozen=True)
class OwnReview:
    """How far a reviewer is in one pass; places count from 0.

    `is_over` says that nothing can be answered any more, `is_locked` that this pass cannot.
    """

    reviewer: Reviewer
    which: Pass
    pairs: int
    answered: frozenset[int]
    minutes_left: int | None
    last_saved: datetime | None
    first_pass_is_done: bool
    second_pass_has_begun: bool

    @property
    def total(self) -> int:
        """Return the number of pages."""
        return 2 * self.pairs if self.which == Pass.SITUATIONS else self.pairs

    @property
    def done(self) -> int:
        """Return the number of pages answered."""
        return len(self.answered)

    @property
    def next_place(self) -> int | None:
        """Return the first place without answers, None where every page has them."""
        return next((place for place in range(self.total) if place not in self.answered), None)

    @property
    def is_over(self) -> bool:
        """Tell whether the review is closed or the seat ended."""
        return self.reviewer.review.state == Review.State.CLOSED or not self.reviewer.is_active

    @property
    def is_locked(self) -> bool:
        """Tell whether answers of this pass stay as they are."""
        return self.is_over or (self.which == Pass.SITUATIONS and self.second_pass_has_begun)

    def before(self, place: int | None) -> int | None:
        """Return the last answered place before one, or before the end."""
        earlier = [each for each in self.answered if place is None or each < place]
        return max(earlier, default=None)


def own_review(reviewer: Reviewer, which: Pass) -> OwnReview:
    """Read how far a reviewer is in a pass."""
    pairs = reviewer.review.reviewed_pairs.count()
    rows = list(reviewer.sheets.order_by("-changed_at").values_list("side", "place", "changed_at"))
    first, second = ([row for row in rows if bool(row[0]) is has_side] for has_side in (True, False))
    mine = first if which == Pass.SITUATIONS else second
    total = 2 * pairs if which == Pass.SITUATIONS else pairs
    times = [changed_at for _, _, changed_at in mine[:LABELS_FOR_PACE]]
    return OwnReview(
        reviewer=reviewer,
        which=which,
        pairs=pairs,
        answered=frozenset(place for _, place, _ in mine if place is not None),
        minutes_left=minutes_left(times, total - len(mine)),
        last_saved=times[0] if times else None,
        first_pass_is_done=len(first) == 2 * pairs,
        second_pass_has_begun=bool(second or reviewer.second_pass_at),
    )


def review_work(user: User) -> list[OwnReview]:
    """Return how far a user is in each of the own reviews, in the pass at hand."""
    seats = (
        user.reviewer_seats.filter(is_active=True).select_related("review").order_by("-review__created_at")
    )
    work = []
    for seat in seats:
        first = own_review(seat, Pass.SITUATIONS)
        work.append(own_review(seat, Pass.PAIRS) if first.first_pass_is_done else first)
    return work


def page_at(own: OwnReview, place: int) -> Page:
    """Return the page at a place of the reviewer's order, with the orders on it."""
    order = ReviewOrder(own.reviewer.seed, own.pairs)
    if own.which == Pass.SITUATIONS:
        number, side = order.situation_at(place)
        return Page(_pair(own.reviewer, number), side, place)
    number = order.pair_at(place)
    return Page(_pair(own.reviewer, number), "", place, order.shown(number))


def _pair(reviewer: Reviewer, number: int) -> ReviewedPair:
    pairs = ReviewedPair.objects.select_related("pair__preference")
    return pairs.prefetch_related("pair__situations", "pair__replies").get(
        review=reviewer.review_id, number=number
    )


def own_sheet(reviewer: Reviewer, page: Page) -> Sheet | None:
    """Return the sheet of a page, if the reviewer has answered it."""
    return reviewer.sheets.filter(pair=page.pair, side=page.side).first()


def own_sheets(reviewer: Reviewer) -> QuerySet[Sheet]:
    """Return the reviewer's sheets, those of the second pass last, in the own order: never by side."""
    sheets = reviewer.sheets.select_related("pair__pair__preference")
    second_pass_last = Case(When(side="", then=1), default=0)
    return sheets.prefetch_related("pair__pair__situations").order_by(second_pass_last, "place")


def own_rows(reviewer: Reviewer, sheets: Sequence[Sheet]) -> Iterator[dict[str, Any]]:
    """Say of each sheet what its reviewer answered: never its side.

    What a situation says comes with it only when the second pass has begun: until then both situations of
    a pair would stand on one page, where each is to be judged alone.
    """
    order = ReviewOrder(reviewer.seed, reviewer.review.reviewed_pairs.count())
    answers, has_texts = _answers_of(sheets), second_pass_has_begun(reviewer)
    for sheet in sheets:
        texts = {situation.side: situation.text for situation in sheet.pair.pair.situations.all()}
        shown = {} if sheet.side else order.shown(sheet.pair.number)
        yield {
            "which": Pass.SITUATIONS if sheet.side else Pass.PAIRS,
            "place": (sheet.place or 0) + 1,
            "preference": sheet.pair.pair.preference.text if has_texts else "",
            "text": (texts[sheet.side] if sheet.side else sheet.pair.pair.request) if has_texts else "",
            "answers": in_words(Page(sheet.pair, sheet.side, sheet.place, shown), answers[sheet.pk]),
            "saved_at": sheet.changed_at,
        }


def _answers_of(sheets: Sequence[Sheet]) -> dict[int, Answers]:
    """Return the present answers of sheets, by their ids."""
    present = Judgement.objects.filter(
        revision__sheet__in=sheets, revision__version=F("revision__sheet__version")
    )
    answers: dict[int, Answers] = {sheet.pk: {} for sheet in sheets}
    for each in present.select_related("revision"):
        answers[each.revision.sheet_id][each.question, each.side] = (each.answer, each.comment)
    return answers
