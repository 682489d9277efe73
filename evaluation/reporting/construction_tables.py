"""The tables of a construction report."""

from collections.abc import Iterator

from evaluation.reporting.tables import Report, Table


def construction_tables(report: Report) -> Iterator[Table]:
    """Yield the tables of a report."""
    yield from ()
