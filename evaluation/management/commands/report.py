"""Print what a run found."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.tabular import encode_rows
from annotate.management.command import TactCommand
from annotate.problems import Problem
from evaluation.exporters.report import COLUMNS, report_rows, report_text
from evaluation.models import Run
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
        report = run_report(find_run(options["run"]))
        if options["format"] == "json":
            self.write_json(report)
        elif options["format"] == "csv":
            for piece in encode_rows(".csv", COLUMNS, report_rows(report)):
                self.stdout.write(piece.decode(), ending="")
        else:
            self.stdout.write(report_text(report))


def find_run(name: str) -> Run:
    """Return the run of that number, or the newest for `last`."""
    runs = Run.objects.select_related("dataset", "release__dataset", "endpoint").order_by("-pk")
    run = runs.first() if name == "last" else runs.filter(pk=name).first() if name.isdecimal() else None
    if run is None:
        newest = runs.first()
        found = f"the newest is {newest.pk}" if newest else "there is none yet; start one with run_benchmark"
        raise Problem(f"There is no run {name!r}; expected the number of a run ({found}).")
    return run
