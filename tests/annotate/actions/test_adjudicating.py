"""What a lead may settle, when, and what it leaves as it was."""

import pytest
from django.db import IntegrityError, transaction

from annotate.actions.adjudicating import LONGEST_REASON, adjudicate
from annotate.actions.reviews import close_review, end_reviewer, take_up_reviewer
from annotate.models import Adjudication, Judgement, Review, ReviewedPair
from annotate.problems import Problem
from annotate.review_reports import confirmed_pairs, review_report
from annotate.review_work import disagreements, why_not_settled
from tests.annotate.factories import make_user
from tests.annotate.review_factories import answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.django_db

DIFFERENT = {
    (0, "negative"): {"applicability": "no"},
    (1, "positive"): {"validity": "uncertain"},
    (1, ""): {"control": "no", ("acceptability", "negative"): "none"},
}


@pytest.fixture
def review() -> Review:
    """Two pairs, two reviewers who have finished and differ on four questions; closed."""
    review = make_review(make_pair_dataset(preferences=2, pairs=1))
    first, second = review.reviewers.all()
    answer_all(first)
    answer_all(second, DIFFERENT)
    close_review(review)
    return review


def pair(review: Review, number: int) -> ReviewedPair:
    return review.reviewed_pairs.get(number=number)


def test_every_question_with_different_answers_is_listed_in_the_order_of_the_corpus(review):
    found = [(row.pair.number, row.question, row.side) for row in disagreements(review)]
    expected = [
        (0, "applicability", "negative"),
        (1, "validity", "positive"),
        (1, "control", ""),
        (1, "acceptability", "negative"),
    ]
    position = {number: pair(review, number).pair.position for number in (0, 1)}
    assert found == sorted(expected, key=lambda row: position[row[0]])
    [control] = [row for row in disagreements(review) if row.question == "control"]
    assert {name: given.answer for name, given in control.answers.items()} == {"A1": "yes", "A2": "no"}


def test_a_decision_keeps_who_when_and_why_and_the_latest_holds(review):
    lena = make_user("lena", "lead")
    adjudicate(pair(review, 0), "applicability", "negative", "no", " The van is full. ", lena)
    adjudicate(pair(review, 0), "applicability", "negative", "uncertain", "On second thoughts.", lena)
    kept = Adjudication.objects.order_by("decided_at", "pk")
    assert [(row.answer, row.reason, row.decided_by.username) for row in kept] == [
        ("no", "The van is full.", "lena"),
        ("uncertain", "On second thoughts.", "lena"),
    ]
    [settled] = [row for row in disagreements(review) if row.decision]
    assert settled.decision.answer == "uncertain"


def test_settling_changes_no_answer_no_report_and_no_confirmation(review):
    answers = list(Judgement.objects.order_by("pk").values())
    report, confirmed = review_report(review), list(confirmed_pairs(review))
    adjudicate(pair(review, 0), "applicability", "negative", "no", "Plainly.")
    assert list(Judgement.objects.order_by("pk").values()) == answers
    assert list(confirmed_pairs(review)) == confirmed
    assert review_report(review) == report | {"settled": 1}


@pytest.mark.parametrize(
    ("number", "question", "side", "answer", "reason", "words"),
    [
        (0, "applicability", "positive", "no", "Why.", "agree; nothing to settle"),
        (0, "control", "", "no", "Why.", "agree; nothing to settle"),
        (0, "applicability", "", "no", "Why.", "nothing to settle"),
        (0, "truth", "negative", "no", "Why.", "nothing to settle"),
        (0, "applicability", "negative", "maybe", "Why.", "is 'maybe'; expected yes, no, uncertain"),
        (0, "applicability", "negative", "none", "Why.", "is 'none'; expected yes, no, uncertain"),
        (
            1,
            "acceptability",
            "negative",
            "plain+memory",
            "Why.",
            "is 'plain\\+memory'; expected none, memory",
        ),
        (0, "applicability", "negative", "no", "  ", "The reason is empty"),
        (0, "applicability", "negative", "no", "x" * (LONGEST_REASON + 1), "expected 2,000 at most"),
    ],
)
def test_what_cannot_be_settled_is_refused_in_words(review, number, question, side, answer, reason, words):
    with pytest.raises(Problem, match=words):
        adjudicate(pair(review, number), question, side, answer, reason)
    assert not Adjudication.objects.exists()


@pytest.mark.parametrize("answer", ["none", "uncertain", "memory", "acknowledged+plain"])
def test_acceptability_is_settled_as_a_set_none_or_uncertain(review, answer):
    assert adjudicate(pair(review, 1), "acceptability", "negative", answer, "Why.").answer == answer


def test_nothing_is_settled_while_the_review_is_open():
    review = make_review(make_pair_dataset(preferences=1, pairs=1))
    first, second = review.reviewers.all()
    answer_all(first)
    answer_all(second, {(0, ""): {"control": "no"}})
    with pytest.raises(Problem, match="is open"):
        adjudicate(pair(review, 0), "control", "", "no", "Why.")


def test_nothing_is_settled_before_every_active_reviewer_is_done():
    review = make_review(make_pair_dataset(preferences=1, pairs=1), reviewers=3)
    first, second, third = review.reviewers.all()
    answer_all(first)
    answer_all(second, {(0, ""): {"control": "no"}})
    close_review(review)
    with pytest.raises(Problem, match="Not finished with both passes: A3"):
        adjudicate(pair(review, 0), "control", "", "no", "Why.")
    end_reviewer(third)
    assert why_not_settled(review) == ""
    end_reviewer(second)
    assert "1 active annotators; disagreements need two or more" in why_not_settled(review)
    take_up_reviewer(second)
    adjudicate(pair(review, 0), "control", "", "no", "Why.")
    for change in (end_reviewer, take_up_reviewer):
        with pytest.raises(Problem, match="have been settled already; its annotators stay"):
            change(second)


def test_answers_of_an_ended_seat_make_no_disagreement():
    review = make_review(make_pair_dataset(preferences=1, pairs=1), reviewers=3)
    first, second, third = review.reviewers.all()
    answer_all(first)
    answer_all(second)
    answer_all(third, {(0, ""): {"control": "no"}})
    assert len(disagreements(review)) == 1
    end_reviewer(third)
    assert disagreements(review) == []


@pytest.mark.parametrize(
    "wrong", [{"answer": "perhaps"}, {"question": "truth"}, {"side": ""}, {"question": "control"}]
)
def test_the_database_refuses_a_decision_that_no_question_has(review, wrong):
    row = {"question": "validity", "side": "positive", "answer": "yes", "reason": "Why."} | wrong
    with pytest.raises(IntegrityError), transaction.atomic():
        Adjudication.objects.create(pair=pair(review, 0), **row)
