"""A review's report out of the database: what enters, what is left out, what is listed, what is confirmed."""

import json
from collections import Counter
from itertools import product

import pytest
from sklearn.metrics import cohen_kappa_score

from annotate.actions.adjudicating import adjudicate
from annotate.actions.reviews import close_review, end_reviewer
from annotate.judgements import YES_NO
from annotate.models import Adjudication, Judgement, Review
from annotate.pairs import SIDES
from annotate.review_reports import (
    confirmation_of,
    confirmed_pairs,
    disagreements,
    read_answers,
    review_report,
)
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.django_db

ORIGINAL = {"applicability": "no"}


@pytest.fixture
def review() -> Review:
    """Six pairs, two reviewers, nothing answered yet."""
    return make_review()


def identifier(review: Review, number: int) -> str:
    return review.reviewed_pairs.get(number=number).pair.identifier


def finish(review: Review) -> None:
    """Answer all: pairs 0, 1, 2 as written, 3 the other way round, 4 only one sees so, 5 applies twice."""
    first, second = review.reviewers.all()
    original = {(n, "negative"): ORIGINAL for n in (0, 1, 2)}
    reverse = {(3, "positive"): ORIGINAL}
    answer_all(first, {**original, **reverse, (4, "negative"): ORIGINAL, (1, ""): {"acceptability": "none"}})
    answer_all(
        second,
        {
            **original,
            **reverse,
            (1, ""): {("acceptability", "negative"): "none"},
            (2, ""): {"control": "no", ("acceptability", "negative"): "plain"},
            (5, "positive"): {"naturalness": "uncertain"},
        },
    )


def rates_of(report: dict) -> dict:
    return {
        row["criterion"]: (row["rate"]["numerator"], row["rate"]["denominator"])
        for row in report["confirmation"]["rates"]
    }


def test_a_review_without_answers_reports_reasons_and_no_zeros(review):
    report = review_report(review)
    assert (report["pairs"], report["complete_pairs"]) == (6, 0)
    (both,) = report["agreement"]
    for row in both["dimensions"]:
        assert (row["judgements"], row["pairs_left_out"]) == (0, 6)
        assert row["agreement"]["value"] is row["kappa"]["value"] is row["prevalence_index"]["value"] is None
        assert row["kappa"]["undefined_reason"]
    assert all(row["rate"]["value"] is None for row in report["confirmation"]["rates"])
    assert (report["opposite"], report["no_reply"], report["uncertain"]) == ([], [], [])
    assert report["confirmation"]["left_out"] == 6
    assert not confirmed_pairs(review).exists()


def test_what_both_confirm_is_counted_and_listed(review):
    finish(review)
    report = review_report(review)
    assert rates_of(report) == {
        "positive_applicable": (5, 6),
        "negative_inapplicable": (3, 6),
        "original": (3, 6),
        "contrast": (4, 6),
        "memory_accepted": (5, 6),
        "memory_rejected": (1, 6),
        "no_reply": (1, 12),
    }
    assert report["opposite"] == [identifier(review, 3)]
    assert report["no_reply"] == [{"pair": identifier(review, 1), "side": "negative"}]
    assert [(row["pair"], row["side"], row["question"], row["reviewers"]) for row in report["uncertain"]] == [
        (identifier(review, 5), "positive", "naturalness", ["A2"])
    ]


def test_confirmed_pairs_are_those_of_which_all_confirm_the_original_direction(review):
    finish(review)
    expected = {identifier(review, number) for number in (0, 1, 2)}
    assert {pair.identifier for pair in confirmed_pairs(review)} == expected
    found = confirmation_of(review)
    assert {name for name, confirmed in found.items() if confirmed.original} == expected
    assert found[identifier(review, 3)].opposite
    positions = [pair.position for pair in confirmed_pairs(review)]
    assert positions == sorted(positions)


def test_a_pair_is_confirmed_only_once_every_active_reviewer_has_finished_it():
    review = make_review(reviewers=3)
    seats = list(review.reviewers.all())
    for seat in seats[:2]:
        answer_all(seat, {(n, "negative"): ORIGINAL for n in range(6)})
    assert not confirmed_pairs(review).exists()
    pair = review.reviewed_pairs.get(number=4)
    for other, side in product(review.reviewed_pairs.all(), SIDES):
        answer(seats[2], other, side, ORIGINAL if side == "negative" else {})
    assert not confirmed_pairs(review).exists()
    answer(seats[2], pair)
    assert [row.identifier for row in confirmed_pairs(review)] == [pair.pair.identifier]
    report = review_report(review)
    assert (report["confirmation"]["pairs"], report["confirmation"]["left_out"]) == (1, 5)
    left_out = {
        (both["first"], both["second"]): [row["pairs_left_out"] for row in both["dimensions"]]
        for both in report["agreement"]
    }
    of_the_third = [0, 0, 0, 5, 5]  # the first pass is done, the second has begun
    assert left_out == {("A1", "A2"): [0] * 5, ("A1", "A3"): of_the_third, ("A2", "A3"): of_the_third}


def test_an_ended_seat_takes_no_part(review):
    finish(review)
    end_reviewer(review.reviewers.get(pseudonym="A2"))
    report = review_report(review)
    assert (report["reviewers"], report["agreement"]) == (["A1"], [])
    assert not confirmed_pairs(review).exists()
    assert all(row["rate"]["value"] is None for row in report["confirmation"]["rates"])


def test_one_reviewer_alone_disagrees_with_nobody(review):
    finish(review)
    end_reviewer(review.reviewers.get(pseudonym="A2"))
    rates = disagreements(read_answers(review), "category")
    assert {rate["denominator"] for questions in rates.values() for rate in questions.values()} == {0}


def test_a_changed_answer_replaces_the_earlier_one_in_the_report(review):
    finish(review)
    pair = review.reviewed_pairs.get(number=0)
    changed = {("acceptability", "positive"): "uncertain"}
    answer(review.reviewers.get(pseudonym="A1"), pair, "", changed, "The van?")
    report = review_report(review)
    assert rates_of(report)["memory_accepted"] == (4, 6)
    row = next(row for row in report["uncertain"] if row["pair"] == pair.pair.identifier)
    assert (row["question"], row["reviewers"], row["comments"]) == ("acceptability", ["A1"], ["The van?"])


def test_what_was_settled_changes_no_number(review):
    finish(review)
    before = review_report(review)
    close_review(review)
    adjudicate(review.reviewed_pairs.get(number=4), "applicability", "negative", "no", "It is a working day.")
    assert Adjudication.objects.exists()
    assert review_report(review) == before | {"settled": 1}
    assert "before anything was settled" in before["what_enters"]


def test_kappa_is_that_of_scikit_learn_over_the_rows(review):
    finish(review)
    given = {"A1": {}, "A2": {}}
    for row in Judgement.objects.filter(question="applicability").select_related("revision__sheet__reviewer"):
        sheet = row.revision.sheet
        given[sheet.reviewer.pseudonym][sheet.pair_id, row.side] = row.answer
    keys = sorted(given["A1"])
    expected = cohen_kappa_score(
        [given["A1"][key] for key in keys], [given["A2"][key] for key in keys], labels=YES_NO
    )
    row = review_report(review)["agreement"][0]["dimensions"][0]
    assert row["question"] == "applicability"
    assert row["kappa"]["value"] == pytest.approx(expected)


def test_disagreements_by_category_and_by_preference_add_up_to_the_same(review):
    finish(review)
    report = review_report(review)
    sums = {}
    for part in ("category", "preference"):
        sums[part] = Counter()
        for questions in report["disagreements"][part].values():
            for question, rate in questions.items():
                sums[part][question, "differ"] += rate["numerator"]
                sums[part][question, "judged"] += rate["denominator"]
    assert sums["category"] == sums["preference"]
    assert sums["category"] == {
        ("applicability", "differ"): 1,
        ("validity", "differ"): 0,
        ("naturalness", "differ"): 1,
        ("control", "differ"): 1,
        ("acceptability", "differ"): 2,
        **{(question, "judged"): 12 for question in ("applicability", "validity", "naturalness")},
        ("control", "judged"): 6,
        ("acceptability", "judged"): 12,
    }
    assert set(report["disagreements"]["preference"]) == {"M01", "M02", "M03"}


def test_the_same_answers_give_the_same_report_and_it_is_plain_data(review):
    finish(review)
    report = review_report(review)
    assert json.loads(json.dumps(report, allow_nan=False)) == json.loads(json.dumps(review_report(review)))


def test_an_example_says_so(review):
    Review.objects.filter(pk=review.pk).update(is_example=True)
    assert review_report(Review.objects.get(pk=review.pk))["notice"]
    assert review_report(review)["notice"] == ""


def test_reading_takes_the_same_queries_however_many_pairs_there_are(django_assert_num_queries):
    small = make_review(make_pair_dataset(preferences=1, pairs=1, slug="one"), slug="one")
    large = make_review(make_pair_dataset(preferences=3, pairs=3, slug="nine"), slug="nine")
    for review in (small, large):
        for seat in review.reviewers.all():
            answer_all(seat)
    for review in (small, large):
        with django_assert_num_queries(3):
            read_answers(review)
