"""Reads a file of answers on the items of a validation sample: one row an item and annotator.

Such a file is what `export_validation --what items` writes, with its empty columns filled in; the texts of
the items may be left out.
"""

from dataclasses import dataclass
from typing import Any, BinaryIO

from annotate.formulas import original
from annotate.importers.fields import Fields, Seen
from annotate.importers.reading import Place, describe
from annotate.importers.reviews import LONGEST_COMMENT, read_count
from annotate.importers.row_files import reader_of
from annotate.validation import QUESTIONS, Asked, Question, words_of

LONGEST_PSEUDONYM = 40


@dataclass(frozen=True)
class ValidationRow:
    """An annotator's answer on an item; an answer without a value says *cannot tell*.

    A row whose value was left empty is no answer, whoever it names. No comment is a file that has none to
    give, which leaves a saved one as it is. `texts` are those of the item, by name, as far as the file has
    them.
    """

    item: int
    annotator: str
    is_answered: bool
    value: float | None
    comment: str | None
    sample: str
    texts: dict[str, str]
    at: Place


def read_validation_labels(file: BinaryIO, name: str, question: str) -> list[ValidationRow]:
    """Return the rows of an open .jsonl, .csv or .parquet file called `name`, all checked.

    Raises `Problem`, for what the file holds `BadInput` with line and field.
    """
    asked = QUESTIONS[Question(question)]
    read = reader_of(name, value_of)
    rows = [read_row(Fields(value, place), question, asked) for place, value in read(file)]
    answers = [row for row in rows if row.is_answered]
    if not answers:
        Place(name).refuse("", "no answers", "one row an answer, with item, annotator and value")
    _refuse_repeats(answers)
    return rows


def _refuse_repeats(answers: list[ValidationRow]) -> None:
    seen: Seen[tuple[int, str]] = Seen("answer", lambda key: f"item {key[0]} of {key[1]}")
    for row in answers:
        seen.add((row.item, row.annotator), row.at)


def value_of(column: str, cell: str) -> Any:
    """Return what a cell stands for; a number that is none stays a text, to be refused as such."""
    if column != "item":
        return original(cell)
    return int(cell) if cell.isdecimal() and len(cell) < 20 else cell


def read_row(fields: Fields, question: str, asked: Asked) -> ValidationRow:
    """Read one row; only item, annotator and value are needed."""
    fields.only("sample", "item", *asked.texts, "annotator", "value", "comment")
    row = ValidationRow(
        item=read_number(fields),
        annotator=read_annotator(fields),
        is_answered=is_answered(fields.get("value")),
        value=read_value(fields, question, asked),
        comment=fields.optional_text("comment", LONGEST_COMMENT).strip() if has(fields, "comment") else None,
        sample=fields.optional_text("sample"),
        texts={name: fields.optional_text(name) for name in asked.texts if has(fields, name)},
        at=fields.place,
    )
    if row.is_answered and not row.annotator:
        raise fields.problem("annotator", "an empty text beside an answer", "whose answer it is")
    if row.comment and not row.is_answered:
        raise fields.problem(
            "value", "nothing beside a comment", "the answer that it is about, or cannot_tell"
        )
    return row


def is_answered(value: Any) -> bool:
    """Tell an answer from a value that was left empty."""
    return value is not None and (not isinstance(value, str) or bool(value.strip()))


def has(fields: Fields, name: str) -> bool:
    """Tell whether a row has a field."""
    return name in fields.values


def read_number(fields: Fields) -> int:
    """Read the number of an item."""
    fields.get("item")
    number = read_count(fields, "item")
    if number is None:
        raise fields.problem("item", "null", "a whole number from 1 on")
    return number


def read_annotator(fields: Fields) -> str:
    """Read a name that a seat can have; empty where nobody answered."""
    name = fields.checked("annotator", fields.get("annotator"), LONGEST_PSEUDONYM).strip()
    if not name.isprintable():
        raise fields.problem("annotator", describe(name), "a name without line breaks and the like")
    return name


def read_value(fields: Fields, question: str, asked: Asked) -> float | None:
    """Read an answer: its number, its words, or `cannot_tell`; None also for a value left empty."""
    found: Any = fields.get("value")
    value = answer_in(found, question, asked) if isinstance(found, str) else found
    if value is None:
        return None
    if isinstance(value, bool) or value not in asked.values:
        menu = ", ".join(f"{option.value:g} ({option.words})" for option in asked.options)
        raise fields.problem("value", describe(found), f"one of {menu}, or cannot_tell")
    return float(value)


def answer_in(text: str, question: str, asked: Asked) -> Any:
    """Return the answer that a text stands for; one that is none stays a text."""
    answers = {words_of(question, value).casefold(): value for value in (None, *asked.values)}
    words = text.strip().casefold().replace("_", " ")
    if not words or words in answers:
        return answers.get(words)
    try:
        return float(words)
    except ValueError:
        return text
