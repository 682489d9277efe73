"""Print how well judges agree with people."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.tabular import encode_rows
from annotate.management.command import TactCommand
from evaluation.exporters.report import COLUMNS
from evaluation.exporters.validation import validation_latex, validation_rows, validation_text
from evaluation.names import sample_of
from evaluation.validation_reports import validation_report


class Command(TactCommand):
    """`judge_report SAMPLE` prints the report of a validation sample as text, JSON, CSV or LaTeX."""

    help = (
        "Print how well judges agree with people on a validation sample: each two raters, each judge against "
        "people, people against each other, in parts, and the items that they differ on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the name of the sample and the format."""
        parser.add_argument("sample", help="name of the sample, as draw_validation tells it")
        self.add_format(parser, "csv", "latex")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        report = validation_report(sample_of(options["sample"]))
        if options["format"] == "json":
            self.write_json(report)
        elif options["format"] == "csv":
            for piece in encode_rows(".csv", COLUMNS, validation_rows(report)):
                self.stdout.write(piece.decode(), ending="")
        elif options["format"] == "latex":
            self.stdout.write(validation_latex(report), ending="")
        else:
            self.stdout.write(validation_text(report))
