"""Campaigns through the API: what annotators read of them, what leads do with them."""

import pytest

from annotate.models import Campaign, GoldRelease
from annotate.reports import agreement_report, balance, consensus_counts, progress
from tests.annotate.factories import give_labels, make_dataset, make_user, raise_flag


def open_campaign(lead, **changes):
    for name in ("ana", "ben", "cem"):
        make_user(name, "annotator")
    wanted = {"slug": "letters", "dataset": "small", "annotators": ["ana", "ben", "cem"]} | changes
    return lead.post("/api/v1/campaigns/", wanted, format="json")


def test_an_annotator_reads_the_guideline_and_nothing_of_the_work(annotator, campaign):
    give_labels(campaign, ["111"])
    assert annotator.get("/api/v1/campaigns/round-1/").json() == {
        "slug": "round-1",
        "name": "round-1",
        "dataset": "small",
        "overlap": 3,
        "state": "open",
        "is_example": False,
        "notice": "",
        "guideline": {"version": 1, "text": "Label what *fits*."},
    }


def test_example_labels_are_called_so(lead, campaign):
    Campaign.objects.update(is_example=True)
    assert (
        lead.get("/api/v1/campaigns/").json()["results"][0]["notice"]
        == "Example labels that no recruited person gave."
    )


def test_a_lead_opens_a_campaign(lead, campaign):
    answer = open_campaign(lead, guideline="Be *fair*.", overlap=2, label_limit=4, seed=5)
    assert answer.status_code == 201
    assert answer.json()["guideline"] == {"version": 1, "text": "Be *fair*."}
    opened = Campaign.objects.get(slug="letters")
    assert (opened.overlap, opened.label_limit, opened.seed, opened.items.count()) == (2, 4, 5, 6)
    assert sorted(opened.annotators.values_list("user__username", flat=True)) == ["ana", "ben", "cem"]
    assert opened.created_by.username == "lead"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"slug": "no spaces"}, "slug: "),
        ({"slug": "round-1"}, "There is a campaign 'round-1' already"),
        ({"dataset": "lost"}, "dataset: There is no dataset of that name; import it first. Found 'lost'."),
        ({"annotators": ["ana", "nobody"]}, "There is no such annotator"),
        ({"annotators": ["ana", "lead"]}, "There is no such annotator"),
        ({"annotators": ["ana", "ana"]}, "name each annotator once"),
        ({"overlap": 0}, "overlap: Ensure this value is greater than or equal to 1. Found 0."),
        ({"seed": -1}, "seed: "),
    ],
)
def test_a_campaign_that_cannot_be_opened_is_refused_in_words(lead, campaign, wrong, words):
    answer = open_campaign(lead, **wrong)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert Campaign.objects.count() == 1


def test_an_empty_dataset_is_refused(lead):
    make_dataset(contexts=0, preferences=0, slug="empty")
    answer = open_campaign(lead, dataset="empty")
    assert answer.status_code == 400
    assert "0 contexts and 0 preferences" in answer.json()["detail"]


def test_the_report_is_that_of_the_page(lead, campaign):
    give_labels(campaign, ["111", "110", "00-"])
    assert lead.get("/api/v1/campaigns/round-1/report/").json() == {
        "progress": progress(campaign),
        "consensus": consensus_counts(campaign),
        "balance": balance(campaign),
        "agreement": agreement_report(campaign),
    }


def test_a_lead_freezes_gold(lead, campaign):
    give_labels(campaign, ["111", "110", "000", "00-"])
    raise_flag(campaign, 2, "A1")
    answer = lead.post("/api/v1/campaigns/round-1/freeze/")
    assert answer.status_code == 201
    release = answer.json()
    assert (release["name"], release["labels"], release["created_by"]) == ("small-1", 1, "lead")
    assert release["counts"]["left_out"] == {"set_aside": 0, "flagged": 1, "incomplete": 3, "split": 1}


def test_freezing_the_same_again_is_refused(lead, campaign):
    give_labels(campaign, ["111"])
    lead.post("/api/v1/campaigns/round-1/freeze/")
    answer = lead.post("/api/v1/campaigns/round-1/freeze/")
    assert answer.status_code == 400
    assert "Nothing changed since small-1" in answer.json()["detail"]
    assert GoldRelease.objects.count() == 1
