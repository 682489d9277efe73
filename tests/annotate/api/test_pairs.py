"""Contrast pairs through the API: paged, one by its identifier, and as the file that imports again."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.annotate.review_factories import make_pair_dataset

LIST = "/api/v1/corpora/pairs/pairs/"


@pytest.fixture
def dataset(db):
    return make_pair_dataset(preferences=3, pairs=2)


def test_pairs_come_in_pages_in_the_order_of_the_corpus(lead, dataset):
    page = lead.get(LIST, {"limit": 4}).json()
    assert page["count"] == 6
    assert [row["id"] for row in page["results"]] == ["M01-C1-s0", "M01-C2-s1", "M02-C3-s2", "M02-C4-s3"]
    assert [row["id"] for row in lead.get(page["next"]).json()["results"]] == ["M03-C5-s4", "M03-C6-s5"]


def test_a_pair_is_the_row_of_the_file(lead, dataset):
    row = lead.get(f"{LIST}M02-C3-s2/").json()
    companions = row.pop("companions")
    assert row == {
        "id": "M02-C3-s2",
        "preference_key": "M02",
        "preference": "User holds preference 2.",
        "domain": "film",
        "category": "time_constraint",
        "tier": "clean",
        "distance": 6,
        "request": "Request 2?",
        "positive": "I am in situation 2x.",
        "negative": "I am in situation 2y.",
        "memory": "Advice 2p.",
        "acknowledged": "Advice 2q.",
        "plain": "Advice 2r.",
        "off_task": "Advice 2s.",
    }
    assert {kind: len(texts) for kind, texts in companions.items()} == {
        "near": 4,
        "middle": 5,
        "far": 6,
        "control": 15,
    }
    sent = lead.get("/api/v1/corpora/pairs/pairs.jsonl").getvalue().splitlines()
    assert json.loads(sent[2]) == {**row, "companions": companions}


def test_pairs_of_another_corpus_are_not_found(lead, dataset):
    make_pair_dataset(preferences=1, pairs=1, slug="others")
    assert lead.get("/api/v1/corpora/others/pairs/M01-C1-s0/").status_code == 200
    assert lead.get("/api/v1/corpora/others/pairs/M02-C3-s2/").status_code == 404
    assert lead.get("/api/v1/corpora/pairs/").json()["pairs"] == 6


def test_a_longer_page_takes_no_more_queries(lead, dataset):
    def queries(limit):
        with CaptureQueriesContext(connection) as captured:
            lead.get(LIST, {"limit": limit})
        return len(captured)

    assert queries(6) == queries(1)
