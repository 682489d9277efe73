"""How many tests a reader has before them, said in words wherever it is more than one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evaluation.reporting.tables import Row, Table


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
