"""The commands from labels to a gold file: exit status, text and JSON."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.models import Campaign
from tests.annotate.factories import give_labels, make_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(contexts=2, preferences=3)
    give_labels(campaign, ["111", "000", "110", "11-", "000", "111"])
    return campaign


def run(*arguments: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def test_agreement_as_text_prints_counts_and_what_was_left_out(campaign):
    text = run("agreement", "round-1")
    assert "Complete: 5 of 6 items (3 labels each); left out as incomplete: 1, with 2 labels." in text
    assert "Yield (unanimous of complete): 80.0 % (4 of 5); 95 % interval" in text
    assert "Percent agreement (pairs of labels): 86.7 % (13 of 15)" in text
    assert "A1 and A2 (complete items not labelled by both: 0)" in text


def test_agreement_as_json_is_the_report(campaign):
    report = json.loads(run("agreement", "round-1", "--format", "json"))
    assert report["yield"]["value"] == 0.8
    assert set(report["fleiss_kappa"]) >= {
        "value",
        "numerator",
        "denominator",
        "interval",
        "undefined_reason",
    }


def test_freeze_gold_says_what_was_kept_and_left_out(campaign):
    text = run("freeze_gold", "round-1")
    assert "Gold release small-1: 4 of 6 items, 2 apply and 2 suppress." in text
    assert "1 incomplete, 1 split" in text


def test_freeze_gold_fails_when_nothing_changed(campaign):
    report = json.loads(run("freeze_gold", "round-1", "--format", "json"))
    assert report["release"] == "small-1"
    with pytest.raises(CommandError, match="small-1"):
        run("freeze_gold", "round-1")


def test_example_labels_are_called_so(campaign):
    Campaign.objects.update(is_example=True)
    for command in ("agreement", "freeze_gold"):
        assert "Example labels that no recruited person gave." in run(command, "round-1")


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_export_gold_writes_labels_with_the_datasheet_beside_them(campaign, tmp_path, suffix):
    run("freeze_gold", "round-1")
    path = tmp_path / f"gold{suffix}"
    assert "Wrote 4 labels of small-1" in run("export_gold", "small-1", path)
    assert path.stat().st_size > 0
    assert (tmp_path / "gold.datasheet.md").read_text().startswith("# Gold release small-1")


def test_export_gold_writes_the_datasheet_alone(campaign, tmp_path):
    run("freeze_gold", "round-1")
    report = json.loads(run("export_gold", "small-1", tmp_path / "sheet.md", "--format", "json"))
    assert report["labels"] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.md"]


def test_export_gold_refuses_an_unknown_ending_and_writes_nothing(campaign, tmp_path):
    run("freeze_gold", "round-1")
    with pytest.raises(CommandError, match=r"'\.xlsx'; expected one of \.jsonl"):
        run("export_gold", "small-1", tmp_path / "gold.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_export_labels_writes_every_label(campaign, tmp_path):
    assert "Wrote 17 labels" in run("export_labels", "round-1", tmp_path / "labels.jsonl")
    assert len((tmp_path / "labels.jsonl").read_text().splitlines()) == 17


@pytest.mark.parametrize(
    "command", [("agreement", "x"), ("freeze_gold", "x"), ("export_labels", "x", "y.csv")]
)
def test_an_unknown_campaign_is_named_with_those_there_are(campaign, command):
    with pytest.raises(CommandError, match="no campaign 'x'; expected one of: round-1"):
        run(*command)


def test_an_unknown_release_is_named(campaign):
    with pytest.raises(CommandError, match="no gold release 'small-7'; expected one of: none yet"):
        run("export_gold", "small-7", "gold.csv")
