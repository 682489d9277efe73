"""Leads who freeze at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from annotate.actions.gold import freeze_gold_release
from annotate.gold_content import stored_hash
from annotate.models import Campaign, GoldRelease, Label
from annotate.problems import Problem
from annotate.ratings import read_labels
from tests.annotate.factories import give_label, give_labels, make_campaign

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = ["111", "000", "110", "111"]


def freeze_at_once(campaigns: list[Campaign]) -> list[str]:
    start = Barrier(len(campaigns))

    def freeze(campaign: Campaign) -> str:
        try:
            start.wait(timeout=30)
            return freeze_gold_release(Campaign.objects.get(pk=campaign.pk)).name
        except Problem as problem:
            return str(problem)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(campaigns)) as threads:
        return list(threads.map(freeze, campaigns))


def test_one_campaign_frozen_four_times_at_once_is_one_release():
    campaign = make_campaign()
    give_labels(campaign, ROWS)
    outcomes = freeze_at_once([campaign] * 4)
    assert sorted(outcomes)[-1] == "small-1"
    assert sum("Nothing changed since small-1" in outcome for outcome in outcomes) == 3
    release = GoldRelease.objects.get()
    assert stored_hash(release) == release.content_hash


def test_four_campaigns_of_one_dataset_get_four_numbers():
    first = make_campaign()
    campaigns = [first, *(make_campaign(slug=f"other-{n}", dataset=first.dataset) for n in range(3))]
    for campaign in campaigns:
        give_labels(campaign, ROWS)
    assert sorted(freeze_at_once(campaigns)) == ["small-1", "small-2", "small-3", "small-4"]


def test_a_release_is_of_one_moment_whatever_is_labelled_meanwhile(monkeypatch):
    campaign = make_campaign()
    give_labels(campaign, ROWS)

    def label_meanwhile() -> None:
        give_label(Campaign.objects.get(pk=campaign.pk), 5, "A1", 1)
        connection.close()

    def read_while_others_label(*args):
        labels = read_labels(*args)
        with ThreadPoolExecutor(1) as threads:
            threads.submit(label_meanwhile).result(timeout=30)
        return labels

    monkeypatch.setattr("annotate.actions.gold.read_labels", read_while_others_label)
    release = freeze_gold_release(campaign)
    assert release.counts["labels_by_guideline"] == {"1": 12}
    assert release.agreement["left_out"]["labels"] == 0
    assert Label.objects.count() == 13
