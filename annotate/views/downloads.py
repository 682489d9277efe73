"""Files that are written while they are sent."""

from collections.abc import Iterable

from django.http import HttpResponse, StreamingHttpResponse

from annotate.exporters.tabular import Columns, Row, encode_rows

CONTENT_TYPES = {
    "jsonl": "application/jsonl",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}


def download(name: str, suffix: str, columns: Columns, rows: Iterable[Row]) -> StreamingHttpResponse:
    """Send rows as a file `name.suffix`, a piece at a time."""
    pieces = encode_rows(f".{suffix}", columns, rows)
    return StreamingHttpResponse(pieces, content_type=CONTENT_TYPES[suffix], headers=_saved_as(name, suffix))


def download_text(name: str, suffix: str, content_type: str, text: str) -> HttpResponse:
    """Send a text as a file."""
    return HttpResponse(text, content_type=content_type, headers=_saved_as(name, suffix))


def _saved_as(name: str, suffix: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}.{suffix}"'}
