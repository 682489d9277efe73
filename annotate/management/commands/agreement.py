"""Print how well the annotators of a campaign agree."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.agreement import agreement_text
from annotate.management.command import TactCommand
from annotate.names import campaign_named
from annotate.reports import agreement_report


class Command(TactCommand):
    """`agreement CAMPAIGN`."""

    help = "Measure agreement on all complete items of a campaign, before the unanimity filter."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the campaign."""
        parser.add_argument("campaign", help="name of the campaign")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        report = agreement_report(campaign_named(options["campaign"]))
        if options["format"] == "json":
            return self.write_json(report)
        self.stdout.write(agreement_text(report))
