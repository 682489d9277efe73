"""Read the rows of a file in each of the forms that rows are exported in."""

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any, BinaryIO

from annotate.importers.benchpres import read_parquet
from annotate.importers.csv_rows import read_csv_rows
from annotate.importers.reading import Place, read_json_lines
from annotate.problems import Problem

type ValueOf = Callable[[str, str], Any]
type Rows = Iterator[tuple[Place, dict[str, Any]]]


def reader_of(name: str, value_of: ValueOf) -> Callable[[BinaryIO], Rows]:
    """Return what reads the rows of an open .jsonl, .csv or .parquet file; the ending of its name says which.

    `value_of(column, cell)` says what a cell of CSV stands for. What the file holds amiss is told as
    `BadInput` with line and field.

    Raises:
        Problem: for another ending.
    """
    readers: dict[str, Callable[[BinaryIO, str], Rows]] = {
        ".jsonl": read_json_lines,
        ".csv": lambda file, name: _read_cells(file, name, value_of),
        ".parquet": read_parquet,
    }
    suffix = PurePath(name).suffix.lower()
    if suffix not in readers:
        known = ", ".join(readers)
        raise Problem(f"{name}: the name ends in {suffix or 'nothing'!r}; expected one of {known}.")
    return lambda file: readers[suffix](file, name)


def _read_cells(file: BinaryIO, name: str, value_of: ValueOf) -> Rows:
    for place, row in read_csv_rows(file, name):
        yield place, {column: value_of(column, cell) for column, cell in row.items()}
