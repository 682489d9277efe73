"""Reads a file of review answers in each form that `export_reviews` writes: one row a question and save."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from annotate.formulas import original
from annotate.importers.fields import Fields
from annotate.importers.files import opened
from annotate.importers.limits import KEY
from annotate.importers.pairs import one_of
from annotate.importers.reading import Place, describe
from annotate.importers.row_files import reader_of
from annotate.judgements import ACCEPTABILITY, CONTROL, QUESTIONS, answers_to
from annotate.pairs import ROLES, SIDES

FIELDS = (
    "review",
    "origin",
    "annotator",
    "pair",
    "side",
    "question",
    "answer",
    "comment",
    "place",
    "shown",
    "version",
    "is_present",
    "saved_at",
)
LONGEST_COMMENT = 5_000


@dataclass(frozen=True)
class AnswerRow:
    """One answer of one save; `place` counts from 1 in the annotator's order, `shown` is the order shown."""

    annotator: str
    pair: str
    side: str
    question: str
    answer: str
    comment: str
    place: int | None
    shown: tuple[str, ...]
    version: int
    saved_at: datetime | None
    is_present: bool | None
    at: Place


def read_answers(path: Path) -> list[AnswerRow]:
    """Return the rows of a .jsonl, .csv or .parquet file, all checked.

    Raises `Problem`, for what the file holds `BadInput` with line and field.
    """
    read = reader_of(path.name, value_of)
    with opened(path) as file:
        rows = [read_row(Fields(value, place)) for place, value in read(file)]
    if not rows:
        Place(path.name).refuse("", "no answers", "one row an answer")
    return rows


def value_of(column: str, cell: str) -> Any:
    """Return what a cell stands for; one that is not as expected stays a text, to be refused as such."""
    match column:
        case "place" | "version":
            return int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < 20 else cell or None
        case "shown":
            try:
                return json.loads(cell or "[]")
            except (ValueError, RecursionError):
                return cell
        case _:
            return original(cell)


def read_row(fields: Fields) -> AnswerRow:
    """Read one row; only annotator, pair, side, question and answer are needed."""
    fields.only(*FIELDS)
    question = one_of(fields, "question", QUESTIONS)
    return AnswerRow(
        annotator=fields.text("annotator"),
        pair=fields.text("pair", KEY),
        side=read_side(fields, question),
        question=question,
        answer=read_answer(fields, question),
        comment=fields.optional_text("comment", LONGEST_COMMENT),
        place=read_count(fields, "place"),
        shown=read_shown(fields, question),
        version=read_count(fields, "version") or 1,
        saved_at=read_time(fields),
        is_present=read_flag(fields, "is_present"),
        at=fields.place,
    )


def read_side(fields: Fields, question: str) -> str:
    """Read the side that an answer is about: none for pair control."""
    side = fields.optional_text("side")
    if question == CONTROL and side:
        raise fields.problem("side", describe(side), "an empty text, for control is about the whole pair")
    if question != CONTROL and side not in SIDES:
        raise fields.problem("side", describe(side), f"one of {', '.join(SIDES)}")
    return side


def read_answer(fields: Fields, question: str) -> str:
    """Read an answer that the question has."""
    answer = fields.text("answer")
    if answer not in answers_to(question):
        sets = f"none, uncertain, or roles joined by + in the order {', '.join(ROLES)}"
        expected = sets if question == ACCEPTABILITY else f"one of {', '.join(answers_to(question))}"
        raise fields.problem("answer", describe(answer), expected)
    return answer


def read_count(fields: Fields, name: str) -> int | None:
    """Read a whole number from 1 on; None where it is missing or null."""
    value: Any = fields.values.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 2**31:
        raise fields.problem(name, describe(value), "a whole number from 1 on")
    return value


def read_flag(fields: Fields, name: str) -> bool | None:
    """Read true or false; None where it is missing or null."""
    value: Any = fields.values.get(name)
    known = {None: None, "": None, True: True, "true": True, False: False, "false": False}
    if not isinstance(value, bool | str | None) or value not in known:
        raise fields.problem(name, describe(value), "true or false")
    return known[value]


def read_shown(fields: Fields, question: str) -> tuple[str, ...]:
    """Read the order shown: all sides or roles, or nothing."""
    names: Sequence[str] = {CONTROL: SIDES, ACCEPTABILITY: ROLES}.get(question, ())
    shown = fields.texts("shown") if "shown" in fields.values else ()
    if shown and sorted(shown) != sorted(names):
        expected = f"{', '.join(names)} in any order" if names else "an empty list"
        raise fields.problem("shown", describe(", ".join(shown)), expected)
    return shown


def read_time(fields: Fields) -> datetime | None:
    """Read when the answer was saved: ISO 8601 with a zone."""
    value = fields.optional_text("saved_at")
    if not value:
        return None
    try:
        given = datetime.fromisoformat(value)
        found = given.astimezone(UTC) if given.tzinfo else None
    except (ValueError, OverflowError):
        found = None
    if found is None:
        raise fields.problem("saved_at", describe(value), "a time such as 2026-03-01T12:00:00+00:00")
    return found
