"""Read CSV with a heading, and say where each row stands."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from typing import Any, BinaryIO

from annotate.importers.reading import Place, describe

# What spreadsheets of some languages write between columns.
OTHER_MARKS = {";": "semicolons", "\t": "tabs"}


def read_csv_rows(file: BinaryIO, name: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield each row as texts by the names in the first line. Raises `BadInput`."""
    reader = csv.DictReader(TextIOWrapper(file, encoding="utf-8-sig", newline=""), strict=True)
    try:
        _refuse_bad_heading(reader.fieldnames or (), name)
        for row in reader:
            place = Place(name, reader.line_num)
            if None in row or None in row.values():
                place.refuse("", "more or fewer columns than in the first line", "as many")
            yield place, row
    except csv.Error as error:
        Place(name, reader.line_num + 1).refuse("", f"no CSV ({error})", "rows with a heading")
    except UnicodeDecodeError as error:
        Place(name).refuse("", f"byte 0x{error.object[error.start]:02x}", "UTF-8 text")


def _refuse_bad_heading(names: Sequence[str], file: str) -> None:
    """Refuse columns that are not parted by commas, and a name given twice, whose values would be dropped."""
    place = Place(file, 1)
    for mark, words in OTHER_MARKS.items():
        if len(names) == 1 and mark in names[0]:
            place.refuse("", f"columns parted by {words}", "columns parted by commas")
    if len(set(names)) < len(names):
        [(repeated, _)] = Counter(names).most_common(1)
        place.refuse(f"column {describe(repeated)}", "it twice", "each column once")
