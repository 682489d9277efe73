"""Who gets what answer: each address, asked by a visitor, a stranger, two annotators and a lead."""

import pytest

from annotate.actions.gold import freeze_gold_release
from tests.annotate.api.conftest import CAST
from tests.annotate.factories import give_labels

FOR_LEADS = (401, 403, 403, 403)
NOT_THERE_WITHOUT_A_SEAT = (401, 404, 404)
ANSWERS = {
    ("get", "corpora/"): (*FOR_LEADS, 200),
    ("get", "corpora/small/"): (*FOR_LEADS, 200),
    ("get", "corpora/other/"): (*FOR_LEADS, 404),
    ("get", "corpora/small/download.jsonl"): (*FOR_LEADS, 200),
    ("get", "corpora/small/pairs/"): (*FOR_LEADS, 200),
    ("get", "corpora/other/pairs/"): (*FOR_LEADS, 404),
    ("get", "corpora/small/pairs/M01-C1-s0/"): (*FOR_LEADS, 404),
    ("get", "corpora/small/pairs.jsonl"): (*FOR_LEADS, 200),
    ("get", "campaigns/"): (401, 200, 200, 200, 200),
    ("post", "campaigns/"): (*FOR_LEADS, 400),
    ("get", "campaigns/round-1/"): (*NOT_THERE_WITHOUT_A_SEAT, 200, 200),
    ("get", "campaigns/other/"): (401, 404, 404, 404, 404),
    ("get", "campaigns/round-1/report/"): (*FOR_LEADS, 200),
    ("post", "campaigns/round-1/freeze/"): (*FOR_LEADS, 400),
    ("get", "campaigns/round-1/next/"): (*NOT_THERE_WITHOUT_A_SEAT, 200, 404),
    ("post", "campaigns/round-1/items/0/skip/"): (*NOT_THERE_WITHOUT_A_SEAT, 409, 404),
    ("post", "campaigns/round-1/items/0/flag/"): (*NOT_THERE_WITHOUT_A_SEAT, 400, 404),
    ("get", "campaigns/round-1/labels/"): (*NOT_THERE_WITHOUT_A_SEAT, 200, 404),
    ("post", "campaigns/round-1/labels/"): (*NOT_THERE_WITHOUT_A_SEAT, 400, 404),
    ("get", "campaigns/round-1/labels/0/"): (*NOT_THERE_WITHOUT_A_SEAT, 200, 404),
    ("patch", "campaigns/round-1/labels/0/"): (*NOT_THERE_WITHOUT_A_SEAT, 400, 404),
    ("get", "gold/"): (*FOR_LEADS, 200),
    ("get", "gold/small-1/"): (*FOR_LEADS, 200),
    ("get", "gold/small-2/"): (*FOR_LEADS, 404),
    ("get", "gold/small-1/download.jsonl"): (*FOR_LEADS, 200),
    ("get", "gold/small-1/download.md"): (*FOR_LEADS, 200),
    ("get", "gold/small-1/download.xls"): (*FOR_LEADS, 404),
    ("delete", "campaigns/round-1/"): (401, 403, 403, 403, 405),
    ("delete", "campaigns/round-1/labels/0/"): (401, 405, 405, 405, 405),
    ("delete", "gold/small-1/"): (*FOR_LEADS, 405),
}


@pytest.mark.parametrize(("method", "address"), ANSWERS)
@pytest.mark.parametrize("who", CAST)
def test_each_address_answers_each_person_as_its_page_would(campaign, ask_as, who, method, address):
    give_labels(campaign, ["111"])
    freeze_gold_release(campaign)
    answer = getattr(ask_as(who), method)(
        f"/api/v1/{address}", {}, format="json" if method != "get" else None
    )
    assert answer.status_code == ANSWERS[method, address][CAST.index(who)]


@pytest.mark.parametrize("who", ["stranger", "elsewhere"])
def test_a_campaign_without_a_seat_looks_like_one_that_does_not_exist(ask_as, who):
    client = ask_as(who)
    assert client.get("/api/v1/campaigns/").json()["results"] == []
    for address in ("", "next/", "labels/", "labels/0/"):
        there = client.get(f"/api/v1/campaigns/round-1/{address}")
        nowhere = client.get(f"/api/v1/campaigns/round-2/{address}")
        assert there.content == nowhere.content


@pytest.mark.parametrize(
    "address", ["campaigns/", "campaigns/round-1/", "campaigns/round-1/next/", "campaigns/round-1/labels/"]
)
def test_what_an_annotator_sees_is_never_cached(annotator, address):
    assert "no-store" in annotator.get(f"/api/v1/{address}")["Cache-Control"]
    assert "no-store" in annotator.post(f"/api/v1/{address}")["Cache-Control"]
