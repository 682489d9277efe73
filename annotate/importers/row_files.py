"""Read the rows of a file in each of the forms that rows are exported in."""

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any, BinaryIO

from annotate.importers.benchpres import read_parquet
from annotate.importers.csv_rows import read_csv_rows
from annotate.importers.reading import Place, read_json_lines
from annotate.problems import Problem

type ValueOf = Callable[[str, str], Any]


def read_rows(file: BinaryIO, name: str, value_of: ValueOf) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Return the rows of an open .jsonl, .csv or .parquet file called `name`; its ending says which it is.

    `value_of(column, cell)` says what a cell of CSV stands for.

    Raises:
        Problem: for another ending; for what the file holds `BadInput` with line and field.
    """
    suffix = PurePath(name).suffix.lower()
    match suffix:
        case ".jsonl":
            return read_json_lines(file, name)
        case ".csv":
            return _read_cells(file, name, value_of)
        case ".parquet":
            return read_parquet(file, name)
    found = suffix or "nothing"
    raise Problem(f"{name}: the name ends in {found!r}; expected one of .jsonl, .csv, .parquet.")


def _read_cells(file: BinaryIO, name: str, value_of: ValueOf) -> Iterator[tuple[Place, dict[str, Any]]]:
    for place, row in read_csv_rows(file, name):
        yield place, {column: value_of(column, cell) for column, cell in row.items()}
