"""Print what a run found."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from evaluation.management.printing import print_report
from evaluation.names import run_named, sample_of
from evaluation.reporting.benchpres import CLUSTERS
from evaluation.reporting.correction import SCORE_WIDTH, WIDTH
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
        parser.add_argument(
            "--corrected",
            action="append",
            default=[],
            metavar="SAMPLE",
            help="set the rates beside the same corrected for the judges' errors, by what people labelled of "
            "this validation sample; may be repeated, as for uptake and for fit",
        )
        parser.add_argument(
            "--width",
            type=float,
            default=WIDTH,
            help="with --corrected: tell how many labels more it takes until the interval of a rate is so "
            f"wide at most (default {WIDTH:g}, which is {100 * WIDTH:g} points)",
        )
        parser.add_argument(
            "--score-width",
            type=float,
            default=SCORE_WIDTH,
            help=f"the same for mean scores, in steps of the scale (default {SCORE_WIDTH:g})",
        )
        self.add_format(parser, "csv", "latex")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        samples = [sample_of(slug) for slug in options["corrected"]]
        widths = {name: options[name] for name in ("width", "score_width")}
        report = report_with_cards(run_named(options["run"]), options["resample"], samples, **widths)
        print_report(self, report, options["format"])
