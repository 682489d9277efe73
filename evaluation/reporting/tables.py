"""A report as tables: one description that page, terminal, CSV and LaTeX each set in their own way."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Report = dict[str, Any]
Cell = Any  # an estimate as a dictionary, a count, words, or None for an empty cell


class Unit(StrEnum):
    """How the number of a column is written."""

    PERCENT = "%"
    POINTS = "points"
    SCORE = "score"
    WORDS = "words"
    P = "p"
    COUNT = "count"
    TEXT = ""


DIGITS = {
    Unit.PERCENT: 2,
    Unit.POINTS: 2,
    Unit.SCORE: 3,
    Unit.WORDS: 1,
    Unit.P: 4,
    Unit.COUNT: 0,
    Unit.TEXT: 0,
}
PER_HUNDRED = (Unit.PERCENT, Unit.POINTS)


@dataclass(frozen=True)
class Column:
    """A column by its name in files, its heading on pages, and the unit of its numbers."""

    key: str
    heading: str
    unit: Unit = Unit.PERCENT


@dataclass(frozen=True)
class Row:
    """A row: the kind of part, the name of the part, and a cell for each column that has one."""

    part: str
    name: str
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Table:
    """A table of a section; `arm` is the arm that all of it is about, empty where it is about several.

    A detail is folded on pages.
    """

    section: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    note: str = ""
    arm: str = ""
    is_detail: bool = False
    groups: Sequence[tuple[str, Sequence[Row]]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", list(_grouped(self.rows)))


def written(cell: Cell, unit: Unit) -> str:
    """Write the value of a cell, without its counts and its interval."""
    if cell is None:
        return ""
    if isinstance(cell, Mapping):
        return "undefined" if cell["value"] is None else number(cell["value"], unit)
    return number(cell, unit) if isinstance(cell, int | float) else str(cell)


def number(value: float, unit: Unit) -> str:
    """Write a number in its unit, a rate in per cent."""
    scaled = 100 * value if unit in PER_HUNDRED else value
    return f"{scaled:,.{DIGITS[unit]}f}"


def counts(cell: Cell) -> str:
    """Write what a rate rests on; empty where it rests on no counts."""
    if not isinstance(cell, Mapping) or cell.get("numerator") is None:
        return ""
    return f"{_count(cell['numerator'])} of {_count(cell['denominator'])}"


def _count(number: float) -> str:
    """Write a count, a sum of grades, or an effective count, which are not always whole."""
    rounded = round(number, 2)
    return f"{rounded:,.0f}" if rounded == int(rounded) else f"{rounded:,.2f}".rstrip("0")


def interval(cell: Cell, unit: Unit) -> str:
    """Write an interval, or why there is none; empty for what has no interval."""
    if not isinstance(cell, Mapping) or cell["value"] is None:
        return ""
    found = cell["interval"]
    if found is None:
        return f"no interval: {cell['no_interval_reason']}" if cell["no_interval_reason"] else ""
    text = f"{number(found['low'], unit)} to {number(found['high'], unit)}"
    return f"{text} ({found['note']})" if found["note"] else text


def why_undefined(cell: Cell) -> str:
    """Return why an estimate has no value; empty where it has one."""
    is_undefined = isinstance(cell, Mapping) and cell["value"] is None
    return cell["undefined_reason"] if is_undefined else ""


def rows_of(part: str, named: Mapping[str, Mapping[str, Cell]]) -> list[Row]:
    """Return a row for each name."""
    return [Row(part, name, cells) for name, cells in named.items()]


def _grouped(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.part, []).append(row)
    yield from groups.items()
