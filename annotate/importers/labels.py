"""Reads a labels file: who labelled what how, as JSON lines or CSV.

Each row has `annotator`, `recipient`, `task`, `preference` (its text) and `label`, which is
apply/suppress, 1/0 or true/false.
"""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    readers = {".jsonl": _json_rows, ".csv": _csv_rows}
    if path.suffix not in readers:
        raise Problem(f"{path.name}: the name ends in {path.suffix or 'nothing'!r}; expected .jsonl or .csv.")
    rows = [_label_row(path.name, line, row) for line, row in readers[path.suffix](path.name, _text(path))]
    if not rows:
        raise Problem(f"{path.name}: there are no labels in it; expected one row a label.")
    return rows


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise Problem(f"{path}: there is no such file.") from error
    except UnicodeDecodeError as error:
        raise Problem(
            f"{path.name}, byte {error.start}: this is not UTF-8; expected a file in UTF-8."
        ) from error


def _json_rows(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(io.StringIO(text), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise Problem(
                f"{name}, line {number}: this is not JSON ({error.msg}, column {error.colno}); "
                "expected one object a line."
            ) from error
        if not isinstance(row, dict):
            raise Problem(f"{name}, line {number}: found {line.strip()[:60]}; expected an object.")
        yield number, row


def _csv_rows(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise Problem(f"{name}, line {reader.line_num}: this is not CSV ({error}).") from error


def _label_row(name: str, line: int, row: dict[str, Any]) -> LabelRow:
    where = f"{name}, line {line}"
    for field in FIELDS:
        if row.get(field) is None:
            raise Problem(f"{where}, field {field!r}: it is missing; expected {', '.join(FIELDS)}.")
    annotator, recipient, task, preference = (_filled_text(where, name, row[name]) for name in FIELDS[:-1])
    return LabelRow(annotator, recipient, task, preference, _value(where, row["label"]), line)


def _filled_text(where: str, field: str, found: Any) -> str:
    if not isinstance(found, str) or not found.strip():
        raise Problem(f"{where}, field {field!r}: found {found!r}; expected a text that is not empty.")
    return found


def _value(where: str, found: Any) -> int:
    value = VALUES.get(str(found).strip().lower())
    if value is None:
        raise Problem(
            f"{where}, field 'label': found {found!r}; expected apply or suppress, 1 or 0, true or false."
        )
    return value
