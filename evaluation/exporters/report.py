"""A report's tables as text for a terminal, as rows for CSV, and as LaTeX."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotate.exporters.latex import latex_table
from evaluation.reporting.all_tables import report_tables
from evaluation.reporting.published_tables import published_tables
from evaluation.reporting.tables import (
    Cell,
    Column,
    Row,
    Table,
    counts,
    interval,
    why_undefined,
    written,
)

Report = dict[str, Any]

COLUMNS: dict[str, type] = {
    "section": str,
    "table": str,
    "condition": str,
    "part": str,
    "name": str,
    "metric": str,
    "value": float,
    "numerator": float,
    "denominator": float,
    "interval_low": float,
    "interval_high": float,
    "undefined_reason": str,
    "no_interval_reason": str,
    "note": str,
    "words": str,
}
LONGEST_NUMBER = 60
APART = "For comparison only, not measured here"


def report_rows(report: Report) -> Iterator[list[Any]]:
    """Yield one row of `COLUMNS` a number of our own tables; published values are in no file of ours."""
    for table in report_tables(report):
        yield from table_rows(table)


def table_rows(table: Table) -> Iterator[list[Any]]:
    """Yield one row of `COLUMNS` for each cell that there is."""
    for row in table.rows:
        for column in table.columns:
            cell = row.cells.get(column.key)
            if cell is not None:
                place = [table.section, table.title, table.arm, row.part, row.name, column.key]
                yield [*place, *_numbers(cell)]


def report_text(report: Report) -> str:
    """Return the report as plain text, the published values last and apart."""
    lines = [
        *_heading(report),
        *(line for table in report_tables(report) for line in table_lines(table)),
    ]
    lines += ["", *_closing(report)]
    if published := published_tables(report["benchmark"]):
        lines += ["", f"{APART}:", *(line for table in published for line in table_lines(table))]
    return "\n".join(lines)


def table_lines(table: Table) -> Iterator[str]:
    """Yield a table as lines: a row's name, then a line for each number with all that belongs to it."""
    yield ""
    yield table.title
    if table.note:
        yield f"  {table.note}"
    for row in table.rows:
        yield f"  {_name(row)}"
        yield from (f"    {line}" for line in _cell_lines(table, row))


def report_latex(report: Report) -> str:
    """Return our own tables as LaTeX, each ready to be put into a document."""
    tables = [table for table in report_tables(report) if table.rows]
    return tables_latex(tables)


def tables_latex(tables: Iterable[Table]) -> str:
    """Return tables as LaTeX, one after the other."""
    return "\n\n".join(map(_latex, tables)) + "\n"


def _latex(table: Table) -> str:
    """Return one table; the interval of a number stands behind it in brackets."""
    head = ["", *(column.heading for column in table.columns)]
    rows = [[_name(row), *(_short(row, column) for column in table.columns)] for row in table.rows]
    notes = [table.note] if table.note else []
    columns = "l" + "".join(_alignment(row[place] for row in rows) for place in range(1, len(head)))
    return latex_table(table.title, columns, head, rows, notes)


def _alignment(cells: Iterable[str]) -> str:
    """Let sentences run over several lines, and numbers stand to the right."""
    return r"p{6cm}" if max(map(len, cells), default=0) > LONGEST_NUMBER else "r"


def _heading(report: Report) -> Iterator[str]:
    plan = report["plan"]
    against = "".join(
        f", {words} {plan[name]}"
        for name, words in (("gold_release", "gold release"), ("review", "confirmed in review"))
        if plan[name]
    )
    yield (
        f"Run {report['run']}: {plan['endpoint']['model']} on {plan['dataset']} version "
        f"{plan['corpus_version']}{against}, {report['state']}"
    )
    sizes = [f"{name} {plan[name]:,}" for name in ("profiles", "contexts", "pairs") if plan[name]]
    sizes += [f"samples {plan['samples']}", f"seed {plan['seed']}"]
    yield f"{_judging(plan)} {', '.join(sizes).capitalize()}."
    yield from (f"Note: {notice}" for notice in report["notices"])


def _judging(plan: Report) -> str:
    if sample := plan.get("validation"):
        return f"Judges the sample {sample['sample']} of answers of run {sample['run']} ({sample['model']})."
    return f"Judges: {', '.join(judge['name'] for judge in plan['judges']) or 'none'}."


def _closing(report: Report) -> Iterator[str]:
    seconds = report["duration_seconds"]
    yield "Duration: not started" if seconds is None else f"Duration: {seconds:,.1f} s"


def _name(row: Row) -> str:
    return row.name if row.part in ("", "all") else f"{row.part} {row.name}"


def _cell_lines(table: Table, row: Row) -> Iterator[str]:
    width = max(len(column.heading) for column in table.columns)
    for column in table.columns:
        cell = row.cells.get(column.key)
        if cell is not None:
            yield f"{column.heading:<{width}}  {_told(cell, column)}"


def _told(cell: Cell, column: Column) -> str:
    if reason := why_undefined(cell):
        return f"undefined: {reason}"
    parts = [f"{written(cell, column.unit):>9}", counts(cell)]
    if found := interval(cell, column.unit):
        parts.append(f"[{found}]")
    return "  ".join(part for part in parts if part)


def _short(row: Row, column: Column) -> str:
    cell = row.cells.get(column.key)
    text = written(cell, column.unit)
    has_interval = isinstance(cell, Mapping) and cell["value"] is not None and cell["interval"]
    return f"{text} [{interval(cell, column.unit).partition(' (')[0]}]" if has_interval else text


def _numbers(cell: Cell) -> list[Any]:
    if not isinstance(cell, Mapping):
        is_number = isinstance(cell, int | float)
        return [cell if is_number else None, *[None] * 4, "", "", "", "" if is_number else str(cell)]
    ends = cell["interval"] or {"low": None, "high": None, "note": ""}
    return [
        cell["value"],
        cell["numerator"],
        cell["denominator"],
        ends["low"],
        ends["high"],
        cell["undefined_reason"],
        cell["no_interval_reason"],
        ends["note"],
        "",
    ]
