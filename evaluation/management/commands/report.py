"""Print what a run found."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from evaluation.management.printing import print_report
from evaluation.names import run_named
from evaluation.reporting.benchpres import CLUSTERS
from evaluation.reports import report_with_cards


class Command(TactCommand):
    """Print a run's report as text, JSON, CSV or LaTeX."""

    help = "Print what a run found: its rates with their intervals, parts, counts and cost."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the number of the run and the format."""
        parser.add_argument("run", help="number of the run, or `last`")
        parser.add_argument(
            "--resample", choices=CLUSTERS, default="context", help="BenchPreS: what intervals draw whole"
        )
        self.add_format(parser, "csv", "latex")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        report = report_with_cards(run_named(options["run"]), options["resample"])
        print_report(self, report, options["format"])
