"""Print how two runs differ."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.tabular import encode_rows
from annotate.management.command import TactCommand
from evaluation.comparisons import compare_runs
from evaluation.exporters.comparison import comparison_csv_rows, comparison_latex, comparison_text
from evaluation.exporters.report import COLUMNS
from evaluation.names import run_named


class Command(TactCommand):
    """`compare_runs A B` prints B - A as text, JSON, CSV or LaTeX."""

    help = (
        "Compare two runs, model against model or condition against condition, on the instances that both "
        "have: differences with paired intervals and McNemar's test. The same run may stand on both sides."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the numbers of the runs, the arms and the format."""
        parser.add_argument("first", help="number of a run, or `last`")
        parser.add_argument("second", help="number of the run to lay beside it, or `last`")
        parser.add_argument(
            "--arm",
            action="append",
            default=[],
            metavar="NAME_A[=NAME_B]",
            help="an arm of the first run, and the arm of the second that it is compared with (default: of "
            "the same name); repeatable. Without it: all arms of equal names, else the first ones",
        )
        self.add_format(parser, "csv", "latex")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare and print."""
        first, second = run_named(options["first"]), run_named(options["second"])
        report = compare_runs(first, second, [_pair(words) for words in options["arm"]])
        if options["format"] == "json":
            self.write_json(report)
        elif options["format"] == "csv":
            for piece in encode_rows(".csv", COLUMNS, comparison_csv_rows(report)):
                self.stdout.write(piece.decode(), ending="")
        elif options["format"] == "latex":
            self.stdout.write(comparison_latex(report), ending="")
        else:
            self.stdout.write(comparison_text(report))


def _pair(words: str) -> tuple[str, str]:
    """Read `NAME_A=NAME_B`, or one name for both."""
    first, _, second = words.partition("=")
    return first.strip(), second.strip() or first.strip()
