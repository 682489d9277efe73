"""Read CSV with a heading, and say where each row stands."""

import csv
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Any, BinaryIO

from annotate.importers.reading import Place


def read_csv_rows(file: BinaryIO, name: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield each row as texts by the names in the first line. Raises `BadInput`."""
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
