"""Forms of reviewers that come at the same moment, in real threads on a real database."""

from uuid import uuid4

import pytest
from django.db.models import F

from annotate.actions.reviewing import StaleSheet, save_sheet
from annotate.actions.reviews import close_review
from annotate.models import Judgement, Review, Reviewer, Sheet, SheetRevision
from annotate.pairs import SIDES
from annotate.problems import Problem
from annotate.sheets import Given, own_answers
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review, page_of
from tests.annotate.test_concurrent_labelling import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def review() -> Review:
    return make_review(make_pair_dataset(preferences=2, pairs=2), reviewers=4)


@pytest.fixture
def reviewer(review: Review) -> Reviewer:
    return review.reviewers.get(pseudonym="A1")


def given(value: str) -> list[Given]:
    return [Given(question, "positive", value) for question in ("applicability", "validity", "naturalness")]


def check_sheets() -> None:
    """Hold every sheet against its saves: as many as its version says, each with three answers."""
    for sheet in Sheet.objects.all():
        assert list(sheet.revisions.values_list("version", flat=True)) == list(range(1, sheet.version + 1))
        assert len(own_answers(sheet)) == 3
    assert Judgement.objects.count() == 3 * SheetRevision.objects.count()
    assert not SheetRevision.objects.filter(version__gt=F("sheet__version")).exists()


def test_reviewers_do_not_disturb_each_other(review):
    at_once(answer_all, list(review.reviewers.all()))
    assert Sheet.objects.count() == 4 * 3 * 4
    check_sheets()


def test_one_form_sent_eight_times_at_once_saves_once(review, reviewer):
    page, token = page_of(reviewer, review.reviewed_pairs.first(), "positive"), uuid4()
    sheets = at_once(lambda _: save_sheet(reviewer, page, given("no"), version=0, token=token), range(8))
    assert len({sheet.pk for sheet in sheets}) == 1
    assert SheetRevision.objects.count() == 1
    check_sheets()


def test_eight_windows_with_different_answers_save_one_and_tell_the_others(review, reviewer):
    page = page_of(reviewer, review.reviewed_pairs.first(), "positive")

    def send(window: int) -> bool:
        try:
            save_sheet(reviewer, page, given(("yes", "no")[window % 2]), version=0, token=uuid4())
        except StaleSheet:
            return False
        return True

    assert sum(at_once(send, range(8))) == 1
    check_sheets()


def test_first_pass_never_changes_once_a_pair_is_answered(review, reviewer):
    """A pair and a change of a situation, at once: whichever comes second is held to the rule."""
    pairs = list(review.reviewed_pairs.all())
    for pair in pairs:
        for side in SIDES:
            answer(reviewer, pair, side)

    def change(side: str) -> bool:
        try:
            answer(reviewer, pairs[0], side)
        except Problem:
            return False
        return True

    at_once(change, ["", *SIDES])
    began = Sheet.objects.get(reviewer=reviewer, side="").revisions.get().saved_at
    late = SheetRevision.objects.filter(sheet__side__in=SIDES, saved_at__gt=began)
    assert not late.exists()
    check_sheets()


def test_no_answer_comes_in_after_a_review_was_closed(review):
    """What is there when closing returns is all that there will be."""
    counts: list[int] = []

    def work(reviewer: Reviewer | None) -> None:
        if reviewer is None:
            close_review(review)
            counts.append(SheetRevision.objects.count())
            return
        for pair in review.reviewed_pairs.all():
            for side in SIDES:
                try:
                    answer(reviewer, pair, side)
                except Problem:
                    return

    at_once(work, [*review.reviewers.all(), None])
    assert counts == [SheetRevision.objects.count()]
    check_sheets()
