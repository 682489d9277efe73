"""Write rows as JSON lines, CSV or Parquet: streamed, so that a million rows take no more memory than a few.

`encode_rows` gives the bytes piece by piece, for a download; `write_rows` puts them into a file.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import batched
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from annotate.exporters.whole_file import whole_file
from annotate.formulas import neutral
from annotate.problems import Problem

Columns = Mapping[str, type]
Row = Sequence[Any]

ROWS_AT_ONCE = 10_000
ARROW_TYPES = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    list: pa.list_(pa.string()),
}


def write_rows(target: str | Path | BinaryIO, suffix: str, columns: Columns, rows: Iterable[Row]) -> int:
    """Write `rows` to a path or an open binary file in the form that `suffix` names; return their number.

    A path gets the whole file or none: it is written beside its place and moved there at the end.
    """
    if isinstance(target, (str, Path)):
        with whole_file(target) as file:
            return write_rows(file, suffix, columns, rows)
    counted = Counted(rows)
    for piece in encode_rows(suffix, columns, counted):
        target.write(piece)
    return counted.number


def encode_rows(suffix: str, columns: Columns, rows: Iterable[Row]) -> Iterator[bytes]:
    """Encode `rows`, each with one value a column in the order of `columns`, as pieces of one file.

    `columns` maps a name to `str`, `int`, `float`, `bool` or `list` (of strings); any value may be None.
    Raises `Problem` for a suffix other than .jsonl, .csv and .parquet.
    """
    if suffix.lower() not in ENCODERS:
        raise Problem(f"Cannot write a file that ends in {suffix!r}; expected one of {', '.join(ENCODERS)}.")
    return ENCODERS[suffix.lower()](columns, rows)


class Counted:
    """Passes rows on and counts them."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = rows
        self.number = 0

    def __iter__(self) -> Iterator[Row]:
        for row in self.rows:
            self.number += 1
            yield row


def encode_json_lines(columns: Columns, rows: Iterable[Row]) -> Iterator[bytes]:
    """Write one object a line, keys in the order of the columns."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    names = list(columns)
    for batch in batched(rows, ROWS_AT_ONCE):
        yield "".join(encode(dict(zip(names, row, strict=True))) + "\n" for row in batch).encode()


def encode_csv(columns: Columns, rows: Iterable[Row]) -> Iterator[bytes]:
    """Write a header and a line a row; None is empty, a list is JSON, and no text can be a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(columns)
    for batch in batched(rows, ROWS_AT_ONCE):
        writer.writerows([cell(value) for value in row] for row in batch)
        yield drain(buffer)
    yield drain(buffer)


def cell(value: Any) -> Any:
    """Return what a CSV cell holds for a value."""
    if isinstance(value, str):
        return neutral(value)
    if isinstance(value, (list, tuple)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def drain(buffer: io.StringIO) -> bytes:
    """Take what was written so far out of a buffer."""
    piece = buffer.getvalue().encode()
    buffer.seek(0)
    buffer.truncate()
    return piece


def encode_parquet(columns: Columns, rows: Iterable[Row]) -> Iterator[bytes]:
    """Write one row group a batch, with the types that the columns name."""
    schema = pa.schema([(name, ARROW_TYPES[kind]) for name, kind in columns.items()])
    sink = Sink()
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        for batch in batched(rows, ROWS_AT_ONCE):
            values = list(zip(*batch, strict=True))
            arrays = [pa.array(column, field.type) for column, field in zip(values, schema, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
            yield sink.drain()
    yield sink.drain()


class Sink(io.RawIOBase):
    """A file that Parquet is written to and whose bytes are taken out as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    def writable(self) -> bool:
        """Tell the writer that it may write."""
        return True

    def write(self, piece: Any) -> int:
        """Keep a piece until it is drained."""
        self.pieces.append(bytes(piece))
        return len(self.pieces[-1])

    def drain(self) -> bytes:
        """Take what was written so far."""
        taken, self.pieces = b"".join(self.pieces), []
        return taken


ENCODERS: dict[str, Callable[[Columns, Iterable[Row]], Iterator[bytes]]] = {
    ".jsonl": encode_json_lines,
    ".csv": encode_csv,
    ".parquet": encode_parquet,
}
