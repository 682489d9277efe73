"""A comparison of two runs as text for a terminal, as rows for CSV, and as LaTeX."""

from collections.abc import Iterator
from typing import Any

from evaluation.exporters.report import table_lines, table_rows, tables_latex
from evaluation.reporting.comparison_tables import comparison_tables

Report = dict[str, Any]


def comparison_text(report: Report) -> str:
    """Return the comparison as plain text: which runs, what to know of them, the tables."""
    lines = [line for table in comparison_tables(report) for line in table_lines(table)]
    return "\n".join([*_heading(report), *lines])


def comparison_csv_rows(report: Report) -> Iterator[list[Any]]:
    """Yield a row of the columns of a run's report for each number."""
    for table in comparison_tables(report):
        yield from table_rows(table)


def comparison_latex(report: Report) -> str:
    """Return the tables as LaTeX, each ready to be put into a document."""
    return tables_latex(comparison_tables(report))


def _heading(report: Report) -> Iterator[str]:
    first, second = report["first"], report["second"]
    gold = f", gold release {first['gold_release']}" if first["gold_release"] else ""
    yield (
        f"Run {first['run']} ({first['model']}) against run {second['run']} ({second['model']}) on "
        f"{report['dataset']}{gold}"
    )
    for side in (first, second):
        if side["not_compared"]:
            yield f"Not compared, of run {side['run']}: {'; '.join(side['not_compared'])}."
    yield from (f"Note: {notice}" for notice in report["notices"])
