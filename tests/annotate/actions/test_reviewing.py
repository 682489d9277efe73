"""A reviewer's answers: saved whole, kept when changed, refused when out of turn."""

import pytest

from annotate.actions.reviewing import answers_of
from annotate.problems import Problem
from tests.annotate.review_factories import answer, answer_all, make_review

pytestmark = pytest.mark.django_db


def test_changing_an_answer_keeps_the_old_one():
    review = make_review()
    reviewer = review.reviewers.get(pseudonym="A1")
    pair = review.reviewed_pairs.first()
    answer(reviewer, pair, "positive", {"applicability": "no"}, comment="Too spicy for the guest?")
    sheet = answer(reviewer, pair, "positive", {"applicability": "uncertain"})
    first, second = sheet.revisions.all()
    assert answers_of(first)["applicability", "positive"] == ("no", "Too spicy for the guest?")
    assert answers_of(second)["applicability", "positive"] == ("uncertain", "")
    assert sheet.version == 2


def test_second_pass_begins_after_the_first_and_the_first_then_stays():
    review = make_review()
    reviewer = review.reviewers.get(pseudonym="A1")
    pair = review.reviewed_pairs.first()
    with pytest.raises(Problem, match="the first pass comes first"):
        answer(reviewer, pair)
    answer_all(reviewer)
    assert reviewer.sheets.count() == 3 * review.reviewed_pairs.count()
    with pytest.raises(Problem, match="each situation alone"):
        answer(reviewer, pair, "negative", {"applicability": "no"})
