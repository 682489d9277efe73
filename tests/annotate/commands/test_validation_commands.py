"""Taking the items of a validation sample out, and answers in and out, from the terminal."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.models import ValidationLabel, ValidationLabelRevision
from tests.annotate.validation_samples import exported, make_sample

pytestmark = pytest.mark.django_db
FILLED_IN = [("C", "Follows", ""), ("C", "0", "=1+1"), ("C", "cannot_tell", "Torn."), ("", "", "")]


@pytest.fixture
def sample():
    return make_sample(messages=["=1+1", "Dear Sir,\nno.", "Ahoy!", "Hello."], label_sets=["D"])


def run(*arguments) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def fill_in(path: Path, answers) -> None:
    """Fill the empty columns as somebody with a spreadsheet or an editor would."""
    if path.suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row, (annotator, value, comment) in zip(rows, answers, strict=True):
        row |= {"annotator": annotator, "value": value, "comment": comment}
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_items_go_out_are_filled_in_and_come_back_as_answers(sample, tmp_path, suffix):
    items, labels = tmp_path / f"items.{suffix}", tmp_path / f"labels.{suffix}"
    assert run("export_validation", "sample-1", "--what", "items", "--output", items) == (
        f"Wrote 4 rows (items) of validation sample sample-1 to {items}.\n"
    )
    fill_in(items, FILLED_IN)
    wanted = ("import_validation_labels", "sample-1", items, "--new-label-sets")
    assert run(*wanted) == (
        "Validation sample sample-1: 3 answers added, 0 changed, 0 were there already; "
        "1 of these say *cannot tell*. 1 rows have no answer. New label sets: C.\n"
    )
    assert json.loads(run(*wanted, "--format", "json")) == {
        "added": 0,
        "changed": 0,
        "unchanged": 3,
        "cannot_tell": 1,
        "unanswered": 1,
        "new_label_sets": [],
    }
    told = run("export_validation", "sample-1", "--what", "labels", "--output", labels, "--format", "json")
    assert json.loads(told) == {"sample": "sample-1", "what": "labels", "rows": 3, "path": str(labels)}
    names = ("item", "value", "words", "comment")
    assert [tuple(row[name] for name in names) for row in exported(sample, "labels")] == [
        (1, 1.0, "Follows", ""),
        (2, 0.0, "Does not follow", "=1+1"),
        (3, None, "Cannot tell", "Torn."),
    ]
    assert ("'=1+1" if suffix == "csv" else '"=1+1"') in labels.read_text(encoding="utf-8")


def test_changes_ask_before_they_are_saved(sample, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("item,annotator,value\n1,D,1\n2,D,0\n")
    run("import_validation_labels", "sample-1", path)
    path.write_text("item,annotator,value\n1,D,1\n2,D,cannot_tell\n")
    words = r"1 answers differ .*line 3, item 2 of D: Does not follow -> Cannot tell.*\(--accept-changes\)"
    with pytest.raises(CommandError, match=words):
        run("import_validation_labels", "sample-1", path)
    assert ValidationLabelRevision.objects.count() == 2
    assert "0 answers added, 1 changed, 1 were" in run(
        "import_validation_labels", "sample-1", path, "--accept-changes"
    )
    assert list(ValidationLabelRevision.objects.filter(version=2).values_list("value", flat=True)) == [None]


def test_one_bad_line_ends_in_one_clear_line_and_leaves_nothing(sample, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("item,annotator,value\n1,D,1\n2,D,maybe\n")
    words = r"^answers.csv, line 3, field value: found 'maybe'; expected one of 1 \(Follows\), 0 \(Does not"
    with pytest.raises(CommandError, match=words):
        run("import_validation_labels", "sample-1", path)
    assert not ValidationLabel.objects.exists()


def test_without_a_file_to_write_json_lines_are_printed(sample):
    printed = run("export_validation", "sample-1", "--what", "items")
    assert [json.loads(line) for line in printed.splitlines()] == exported(sample, "items")


def test_what_cannot_be_found_read_or_written_is_said(sample, tmp_path):
    export = ("export_validation", "sample-1", "--what", "labels", "--output")
    with pytest.raises(CommandError, match="no validation sample 'other'; expected one of: sample-1"):
        run("export_validation", "other", "--what", "items")
    with pytest.raises(CommandError, match="no validation sample 'other'; expected one of: sample-1"):
        run("import_validation_labels", "other", tmp_path / "labels.csv")
    with pytest.raises(CommandError, match=r"Cannot read .*labels\.csv: No such file"):
        run("import_validation_labels", "sample-1", tmp_path / "labels.csv")
    with pytest.raises(CommandError, match=r"ends in '\.xlsx'; expected one of \.jsonl, \.csv, \.parquet"):
        run(*export, tmp_path / "labels.xlsx")
    with pytest.raises(CommandError, match=r"Cannot write .*labels\.csv: No such file"):
        run(*export, tmp_path / "nowhere" / "labels.csv")
    assert list(tmp_path.iterdir()) == []
