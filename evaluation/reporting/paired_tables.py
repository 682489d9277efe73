"""Two arms beside each other: the columns, the cells of McNemar's test, and how many tests a reader sees."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluation.reporting.tables import Column, Row, Table, Unit


def compared_columns(yes: str) -> tuple[Column, ...]:
    """Return the columns of a comparison; `yes` is what McNemar's test counts on one side only."""
    return (
        Column("first", "First"),
        Column("second", "Second"),
        Column("difference", "Second - first, points", Unit.POINTS),
        Column("b", f"{yes} in the first only", Unit.COUNT),
        Column("c", f"{yes} in the second only", Unit.COUNT),
        Column("exact_p", "McNemar, exact p", Unit.P),
    )


def mcnemar_cells(table: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the cells of a test; none where a measure has no test."""
    if table is None:
        return {}
    return {"b": table["b"], "c": table["c"], "exact_p": table["test"]["exact_p"]}


def against(found: Mapping[str, Any]) -> str:
    """Name the two arms of a comparison."""
    return f"{found['first']} against {found['second']}"


def with_tests_counted(tables: Sequence[Table]) -> Iterator[Table]:
    """Yield the tables, each saying in its note how many tests it and all of them hold, if several."""
    counted = [count_tests(table.rows) for table in tables]
    for table, here in zip(tables, counted, strict=True):
        words = many_tests(here, sum(counted)) if here else ""
        yield replace(table, note=f"{table.note} {words}".strip())


def count_tests(rows: Iterable[Row]) -> int:
    """Return how many p-values stand in the rows: cells whose key ends in `exact_p`."""
    return sum(
        key.endswith("exact_p") and cell is not None for row in rows for key, cell in row.cells.items()
    )


def many_tests(here: int, in_all: int) -> str:
    """Say how many tests a table holds, and all tables together; empty for one test in all."""
    if in_all < 2:
        return ""
    together = f", the tables of these comparisons together {in_all:,}" if in_all > here else ""
    return (
        f"This table holds {here:,} test{'' if here == 1 else 's'}{together}. Nothing is corrected for their "
        "number: of many, some come out small by chance alone."
    )
