"""Print what the reviewers of contrast pairs agree on and confirm."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.review_report import COLUMNS, report_latex, report_rows, report_text
from annotate.exporters.tabular import encode_rows
from annotate.management.command import TactCommand
from annotate.names import review_named
from annotate.review_reports import review_report


class Command(TactCommand):
    """`review_report REVIEW`."""

    help = "Measure agreement and joint confirmation of a review, from its independent answers."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the review."""
        parser.add_argument("review", help="name of the review")
        self.add_format(parser, "csv", "latex")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        report = review_report(review_named(options["review"]))
        match options["format"]:
            case "json":
                self.write_json(report)
            case "csv":
                self.stdout.write(
                    b"".join(encode_rows(".csv", COLUMNS, report_rows(report))).decode(), ending=""
                )
            case "latex":
                self.stdout.write(report_latex(report), ending="")
            case _:
                self.stdout.write(report_text(report))
