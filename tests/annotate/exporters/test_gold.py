"""Gold releases and labels as files, and the datasheet."""

import csv
import io
import json
from datetime import datetime, timedelta, timezone

import pyarrow.parquet as pq
import pytest

from annotate.actions.gold import freeze_gold_release, import_gold_release
from annotate.actions.settling import set_aside_item
from annotate.allocation import RandomOrder
from annotate.exporters.datasheet import datasheet
from annotate.exporters.gold import GOLD_COLUMNS, gold_rows
from annotate.exporters.labels import LABEL_COLUMNS, label_rows
from annotate.exporters.tabular import encode_rows
from annotate.importers.corpus import GoldRow
from annotate.models import Campaign, Context, Guideline, Label, LabelRevision
from tests.annotate.factories import give_labels, make_campaign, make_dataset

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(contexts=2, preferences=3)
    give_labels(campaign, ["111", "000", "110", "11-", "000", "111"])
    return campaign


def encoded(suffix, columns, rows) -> bytes:
    return b"".join(encode_rows(suffix, columns, rows))


def test_a_release_has_the_same_rows_in_each_form(campaign):
    release = freeze_gold_release(campaign)
    rows = [json.loads(line) for line in encoded(".jsonl", GOLD_COLUMNS, gold_rows(release)).splitlines()]
    assert rows[0] == {
        "release": "small-1",
        "origin": "frozen from a campaign",
        "recipient": "Recipient 0",
        "task": "Task 0",
        "domains": ["health"],
        "category": "tone",
        "preference": "Preference 0",
        "nickname": "",
        "label": "apply",
        "value": 1,
    }
    assert [(row["recipient"], row["preference"], row["label"]) for row in rows] == [
        ("Recipient 0", "Preference 0", "apply"),
        ("Recipient 0", "Preference 1", "suppress"),
        ("Recipient 1", "Preference 1", "suppress"),
        ("Recipient 1", "Preference 2", "apply"),
    ]
    table = list(csv.DictReader(io.StringIO(encoded(".csv", GOLD_COLUMNS, gold_rows(release)).decode())))
    assert [row["preference"] for row in table] == [row["preference"] for row in rows]
    parquet = pq.read_table(io.BytesIO(encoded(".parquet", GOLD_COLUMNS, gold_rows(release))))
    assert parquet.to_pylist() == rows


def test_a_preference_that_looks_like_a_formula_is_neutral_in_csv(campaign):
    campaign.dataset.preferences.filter(text="Preference 0").update(text="=HYPERLINK(1)")
    rows = encoded(".csv", GOLD_COLUMNS, gold_rows(freeze_gold_release(campaign))).decode()
    assert "'=HYPERLINK(1)" in rows
    assert ",=HYPERLINK" not in rows


def test_labels_carry_the_place_in_the_annotators_own_order(campaign):
    rows = [dict(zip(LABEL_COLUMNS, row, strict=True)) for row in label_rows(campaign)]
    assert len(rows) == 17
    items = {(i.context.recipient, i.preference.text): i.number for i in campaign.items.all()}
    for row in rows:
        seat = campaign.annotators.get(pseudonym=row["annotator"])
        order = RandomOrder(seat.seed, len(items))
        assert order.number_at(row["place"] - 1) == items[row["recipient"], row["preference"]]


def test_a_changed_label_is_exported_with_its_version_and_guideline(campaign):
    guideline = Guideline.objects.create(campaign=campaign, version=2, text="Clearer.")
    label = Label.objects.get(item__number=0, annotator__pseudonym="A1")
    Label.objects.filter(pk=label.pk).update(value=0, version=2)
    token = "12345678-1234-5678-1234-567812345678"
    LabelRevision.objects.create(label=label, version=2, value=0, guideline=guideline, token=token)
    rows = [dict(zip(LABEL_COLUMNS, row, strict=True)) for row in label_rows(campaign)]
    changed = [row for row in rows if row["version"] == 2]
    assert [(row["annotator"], row["label"], row["guideline"]) for row in changed] == [("A1", "suppress", 2)]
    assert len(rows) == 17


def test_a_label_carries_the_time_at_which_it_was_saved(campaign):
    saved_at = datetime(2026, 3, 1, 14, 5, 6, 789, tzinfo=timezone(timedelta(hours=2)))
    LabelRevision.objects.update(saved_at=saved_at)
    assert {row[-1] for row in label_rows(campaign)} == {"2026-03-01T12:05:06+00:00"}


def test_exports_of_labels_name_nobody(campaign):
    text = encoded(".jsonl", LABEL_COLUMNS, label_rows(campaign)).decode()
    assert "person-" not in text
    assert "A1" in text


def test_example_labels_are_called_so_in_every_row_and_in_the_datasheet(campaign):
    Campaign.objects.update(is_example=True)
    campaign.refresh_from_db()
    release = freeze_gold_release(campaign)
    notice = "example labels that no recruited person gave"
    assert {row[1] for row in gold_rows(release)} == {notice}
    assert {row[1] for row in label_rows(campaign)} == {notice}
    sheet = datasheet(release)
    assert "**Example labels that no recruited person gave.**" in sheet
    assert "nobody was asked" in sheet
    assert "annotators answer each item by themselves" not in sheet


def test_the_datasheet_tells_what_the_release_stored(campaign):
    Guideline.objects.create(campaign=campaign, version=2, text="# Rules\n\nLabel what fits.")
    set_aside_item(campaign.items.get(number=5), "Taste | <b>varies</b>")
    release = freeze_gold_release(campaign)
    text = datasheet(release)
    for expected in (
        "## Guideline, version 2\n\n> # Rules\n>\n> Label what fits.\n",
        "| 1 | 17 |",
        "| in this release | 3 |",
        "| left out: set aside as borderline | 1 |",
        "| left out: split | 1 |",
        "| left out: incomplete | 1 |",
        "| Taste \\| &lt;b&gt;varies&lt;/b&gt; | 1 |",
        "| a context (2) | 0.50 (1) | 1.00 (2) |",
        "| Yield: unanimous of complete | 80.0 % | 4 of 5 |",
        "| Cohen's kappa of A1 and A2 | 1.000 | 5 items |",
        f"`{release.content_hash}`",
    ):
        assert expected in text
    assert "person-" not in text
    label = campaign.items.get(number=0).labels.first()
    Label.objects.filter(pk=label.pk).update(value=1 - label.value)
    assert datasheet(release) == text


def test_the_datasheet_says_that_the_corpus_moved_on(campaign):
    release = freeze_gold_release(campaign)
    assert "has changed since" not in datasheet(release)
    campaign.dataset.version, campaign.dataset.content_hash = 2, "d" * 64
    campaign.dataset.save(update_fields=["version", "content_hash"])
    release.refresh_from_db()
    assert "it is at version 2 now" in datasheet(release)


def test_an_imported_release_says_so_and_claims_no_protocol():
    dataset = make_dataset()
    release = import_gold_release(dataset, [GoldRow("Recipient 0", "Task 0", "Preference 0", 1)])
    text = datasheet(release)
    assert "were imported with their corpus" in text
    assert "## Protocol" not in text
    assert "## Agreement" not in text
    assert next(gold_rows(release))[1] == "imported with its corpus"


def test_a_context_of_another_dataset_is_never_read(campaign):
    make_dataset(slug="other")
    assert Context.objects.count() == 4
    assert len(list(label_rows(campaign))) == 17
