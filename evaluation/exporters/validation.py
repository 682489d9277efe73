"""The report of a validation sample as text for a terminal, as rows for CSV, and as LaTeX."""

from collections.abc import Iterator
from typing import Any

from evaluation.exporters.report import APART, table_lines, table_rows, tables_latex
from evaluation.reporting.published_tables import published_agreement
from evaluation.reporting.validation_tables import disagreement_table, validation_tables

Report = dict[str, Any]


def validation_text(report: Report) -> str:
    """Return the report as plain text: the sample, what to know of it, its tables; published values last."""
    tables = [*validation_tables(report), disagreement_table(report)]
    lines = [*_heading(report), *(_in_one_line(line) for table in tables for line in table_lines(table))]
    if published := published_agreement(report["target"]):
        lines += ["", f"{APART}:", *(line for table in published for line in table_lines(table))]
    return "\n".join(lines)


def validation_rows(report: Report) -> Iterator[list[Any]]:
    """Yield a row of the columns of a run's report for each number, and for what the disagreements say."""
    for table in (*validation_tables(report), disagreement_table(report)):
        yield from table_rows(table)


def validation_latex(report: Report) -> str:
    """Return our own tables as LaTeX, each ready to be put into a document, without the texts of items."""
    return tables_latex(table for table in validation_tables(report) if table.rows)


def _heading(report: Report) -> Iterator[str]:
    yield (
        f"Validation sample {report['sample']} of run {report['run']}: {report['name']}, target "
        f"{report['target']}, {report['state']}"
    )
    yield f"Question: {report['question']}"
    yield f"Conditions: {', '.join(report['arms'])}. Seed {report['seed']}."
    for rater in report["raters"]:
        model = rater["endpoint"].get("model")
        yield f"  {rater['kind']}: {rater['name']}{f' ({model})' if model else ''}"
    yield from (f"Note: {notice}" for notice in report["notices"])


def _in_one_line(text: str) -> str:
    """Return a line of a table with the text of a message in it, which has line breaks of its own."""
    return text.replace("\n", " ")
