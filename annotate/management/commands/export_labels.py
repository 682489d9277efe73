"""Write every label of a campaign to a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.labels import LABEL_COLUMNS, label_rows
from annotate.exporters.tabular import write_rows
from annotate.management.command import TactCommand
from annotate.names import campaign_named


class Command(TactCommand):
    """`export_labels CAMPAIGN PATH`."""

    help = (
        "Write every label of a campaign, split and incomplete items included, to PATH (.jsonl, .csv or "
        ".parquet): annotators as pseudonyms, with the place in each one's own order."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the campaign and the file."""
        parser.add_argument("campaign", help="name of the campaign")
        parser.add_argument("path", type=Path)
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file, and say how many labels it holds."""
        campaign, path = campaign_named(options["campaign"]), options["path"]
        labels = write_rows(path, path.suffix, LABEL_COLUMNS, label_rows(campaign))
        if options["format"] == "json":
            return self.write_json({"campaign": campaign.slug, "labels": labels, "path": path})
        self.stdout.write(f"Wrote {labels:,} labels of campaign {campaign} to {path}.")
