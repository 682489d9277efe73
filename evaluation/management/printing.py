"""How commands print a report, from the database or from an archive."""

from typing import Any

from annotate.exporters.tabular import encode_rows
from annotate.management.command import TactCommand
from evaluation.exporters.report import COLUMNS, report_latex, report_rows, report_text


def print_report(command: TactCommand, report: dict[str, Any], output_format: str) -> None:
    """Print a report as text, json, csv or latex."""
    if output_format == "json":
        command.write_json(report)
    elif output_format == "csv":
        for piece in encode_rows(".csv", COLUMNS, report_rows(report)):
            command.stdout.write(piece.decode(), ending="")
    elif output_format == "latex":
        command.stdout.write(report_latex(report), ending="")
    else:
        command.stdout.write(report_text(report))
