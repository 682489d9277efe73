"""Reads a labels file: who labelled what how, as JSON lines or CSV.

Each row has `annotator`, `recipient`, `task`, `preference` (its text) and `label`, which is
apply/suppress, 1/0 or true/false.
"""

from dataclasses import dataclass
from pathlib import Path

from annotate.importers.csv_rows import read_csv_rows
from annotate.importers.fields import Fields
from annotate.importers.reading import Place, describe, read_json_lines
from annotate.problems import Problem

FIELDS = ("annotator", "recipient", "task", "preference", "label")
VALUES = {"apply": 1, "1": 1, "true": 1, "suppress": 0, "0": 0, "false": 0}


@dataclass(frozen=True)
class LabelRow:
    """One label of one annotator: `value` is 1 for apply, 0 for suppress; `line` is where it stood."""

    annotator: str
    recipient: str
    task: str
    preference: str
    value: int
    line: int = 0


def read_labels(path: Path) -> list[LabelRow]:
    """Return the rows of a .jsonl or .csv file, all checked.

    Raises `Problem` with the file, line and field of the first thing that is not as expected.
    """
    readers = {".jsonl": read_json_lines, ".csv": read_csv_rows}
    if path.suffix not in readers:
        raise Problem(f"{path.name}: the name ends in {path.suffix or 'nothing'!r}; expected .jsonl or .csv.")
    try:
        with path.open("rb") as file:
            rows = [_label_row(Fields(row, at), at) for at, row in readers[path.suffix](file, path.name)]
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}.") from error
    if not rows:
        Place(path.name).refuse("", "no labels", "one row a label")
    return rows


def _label_row(fields: Fields, place: Place) -> LabelRow:
    fields.only(*FIELDS)
    annotator, recipient, task, preference = (fields.text(name) for name in FIELDS[:-1])
    return LabelRow(annotator, recipient, task, preference, _value(fields), place.line or 0)


def _value(fields: Fields) -> int:
    found = fields.get("label")
    value = VALUES.get(str(found).strip().lower()) if isinstance(found, str | int) else None
    if value is None:
        raise fields.problem("label", describe(found), "apply or suppress, 1 or 0, true or false")
    return value
