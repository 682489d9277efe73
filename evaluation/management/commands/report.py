"""Print what a run found."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.tabular import encode_rows
from annotate.management.command import TactCommand
from evaluation.exporters.report import COLUMNS, report_rows, report_text
from evaluation.names import run_named
from evaluation.reports import run_report


class Command(TactCommand):
    """Print a run's report as text, JSON or CSV."""

    help = "Print what a run found: MR, AAR and gap with their intervals, parts, counts and cost."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the number of the run and the format."""
        parser.add_argument("run", help="number of the run, or `last`")
        self.add_format(parser, "csv")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        report = run_report(run_named(options["run"]))
        if options["format"] == "json":
            self.write_json(report)
        elif options["format"] == "csv":
            for piece in encode_rows(".csv", COLUMNS, report_rows(report)):
                self.stdout.write(piece.decode(), ending="")
        else:
            self.stdout.write(report_text(report))
