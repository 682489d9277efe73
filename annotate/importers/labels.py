"""Reads a labels file: who labelled what how, as JSON lines or CSV.

Each row has `annotator`, `recipient`, `task`, `preference` (its text) and `label`, which is
apply/suppress, 1/0 or true/false.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

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
    readers = {".jsonl": read_json_lines, ".csv": _read_csv}
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


def _read_csv(file: BinaryIO, name: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    reader = csv.DictReader(TextIOWrapper(file, encoding="utf-8-sig", newline=""), strict=True)
    try:
        for row in reader:
            place = Place(name, reader.line_num)
            if None in row or None in row.values():
                place.refuse("", "more or fewer columns than in the first line", "as many")
            yield place, row
    except csv.Error as error:
        Place(name, reader.line_num + 1).refuse("", f"no CSV ({error})", "rows with a heading")
    except UnicodeDecodeError as error:
        Place(name).refuse("", f"byte 0x{error.object[error.start]:02x}", "UTF-8 text")


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
