"""Pair reviews through the API: for leads only, and the same as on the pages."""

import json

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from annotate.actions.adjudicating import adjudicate
from annotate.actions.reviews import close_review
from annotate.models import Review
from annotate.review_reports import review_report
from tests.annotate.api.conftest import CAST
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review

FOR_LEADS = (401, 403, 403, 403)
ANSWERS = {
    "": (*FOR_LEADS, 200),
    "review-1/": (*FOR_LEADS, 200),
    "review-2/": (*FOR_LEADS, 404),
    "review-1/report/": (*FOR_LEADS, 200),
    "review-1/all-answers.jsonl": (*FOR_LEADS, 200),
    "review-1/all-settled.csv": (*FOR_LEADS, 404),
    "review-1/all-answers.xlsx": (*FOR_LEADS, 404),
    "review-1/all-secrets.csv": (*FOR_LEADS, 404),
    "review-1/reviewed-pairs.jsonl": (*FOR_LEADS, 200),
    "review-1/confirmed-pairs.jsonl": (*FOR_LEADS, 200),
    "review-1/other-pairs.jsonl": (*FOR_LEADS, 404),
    "review-2/reviewed-pairs.jsonl": (*FOR_LEADS, 404),
}


@pytest.fixture
def review(campaign) -> Review:
    """Two pairs; the annotator of the cast, who has a seat in the campaign, has one here too."""
    users = [campaign.annotators.get(pseudonym=name).user for name in ("A1", "A2")]
    return make_review(make_pair_dataset(preferences=2, pairs=1), users=users)


@pytest.fixture
def settled(review) -> Review:
    """The same, answered whole, closed, with one disagreement that is settled."""
    first, second = review.reviewers.all()
    answer_all(first, {(n, "negative"): {"applicability": "no"} for n in (0, 1)})
    answer_all(second, {(0, "negative"): {"applicability": "no"}})
    close_review(review)
    adjudicate(review.reviewed_pairs.get(number=1), "applicability", "negative", "no", "The van is full.")
    return review


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_the_settled_set_can_be_had_once_all_have_finished(settled, lead, suffix):
    assert lead.get(f"/api/v1/reviews/review-1/all-settled.{suffix}").status_code == 200


@pytest.mark.parametrize("address", ANSWERS)
@pytest.mark.parametrize("who", CAST)
def test_reviews_are_for_leads_even_where_an_annotator_has_a_seat(review, ask_as, who, address):
    answer = ask_as(who).get(f"/api/v1/reviews/{address}")
    assert answer.status_code == ANSWERS[address][CAST.index(who)]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_of_a_review_is_changed_through_the_api(review, lead, method):
    for address in ("", "review-1/", "review-1/report/", "review-1/all-answers.jsonl"):
        assert getattr(lead, method)(f"/api/v1/reviews/{address}").status_code == 405


def test_a_list_tells_what_is_judged(review, lead):
    [row] = lead.get("/api/v1/reviews/").json()["results"]
    assert row.pop("created_at")
    assert row == {
        "slug": "review-1",
        "name": "review-1",
        "dataset": "pairs",
        "corpus_version": 1,
        "corpus_hash": "d" * 64,
        "state": "open",
        "pairs": 2,
        "annotators": 2,
        "stratum": "category",
        "seed": 7,
        "is_example": False,
        "notice": "",
    }


def test_example_answers_are_called_so(review, lead):
    Review.objects.update(is_example=True)
    for row in (
        lead.get("/api/v1/reviews/").json()["results"][0],
        lead.get("/api/v1/reviews/review-1/").json(),
    ):
        assert row["notice"] == "Example labels that no recruited person gave."


def test_a_lead_sees_how_far_each_annotator_is_in_each_pass(review, lead):
    first, second = review.reviewers.all()
    answer_all(first)
    answer(second, review.reviewed_pairs.first(), "positive")
    found = lead.get("/api/v1/reviews/review-1/").json()
    assert sum(found["strata"].values()) == 2
    rows = {row["pseudonym"]: row for row in found["progress"]}
    assert rows["A1"]["account"] == first.user.username
    passes = ("situations", "of_situations", "pairs", "of_pairs")
    assert [rows["A1"][name] for name in passes] == [4, 4, 2, 2]
    assert [rows["A2"][name] for name in passes] == [1, 4, 0, 2]


def test_the_report_is_that_of_the_page(settled, lead):
    assert lead.get("/api/v1/reviews/review-1/report/").json() == json.loads(
        json.dumps(review_report(settled))
    )


@pytest.mark.parametrize(
    ("view", "address"),
    [
        ("review-answers", ["answers", "jsonl"]),
        ("review-answers", ["settled", "csv"]),
        ("review-set", ["reviewed"]),
        ("review-set", ["confirmed"]),
    ],
)
def test_files_are_those_of_the_page(settled, lead, client, view, address):
    client.force_login(User.objects.get(username="lead"))
    page = client.get(reverse(view, args=["review-1", *address]))
    there = lead.get(page.request["PATH_INFO"].replace("/reviews/", "/api/v1/reviews/"))
    assert b"".join(there) == b"".join(page) != b""
    assert there["Content-Disposition"] == page["Content-Disposition"]


def test_the_confirmed_set_rests_on_independent_answers(settled, lead):
    rows = b"".join(lead.get("/api/v1/reviews/review-1/confirmed-pairs.jsonl")).decode().splitlines()
    assert [json.loads(row)["id"] for row in rows] == [settled.reviewed_pairs.get(number=0).pair.identifier]
