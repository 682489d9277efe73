"""Bring labels from a file into a campaign."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.actions.label_import import import_labels
from annotate.importers.labels import read_labels
from annotate.management.command import TactCommand
from annotate.names import campaign_named


class Command(TactCommand):
    """`import_labels CAMPAIGN PATH`."""

    help = (
        "Import labels from PATH (.jsonl or .csv): rows of annotator, recipient, task, preference (its text) "
        "and label (apply or suppress, 1 or 0, true or false). All rows are saved, or none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the campaign and the file."""
        parser.add_argument("campaign", help="name of the campaign")
        parser.add_argument("path", type=Path)
        parser.add_argument(
            "--accept-changes", action="store_true", help="also save labels that differ from the saved ones"
        )
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, check and save, then say what was done."""
        campaign = campaign_named(options["campaign"])
        rows = read_labels(options["path"])
        done = import_labels(campaign, rows, accept_changes=options["accept_changes"])
        if options["format"] == "json":
            return self.write_json(asdict(done))
        self.stdout.write(
            f"Campaign {campaign}: {done.added} labels added, {done.changed} changed, "
            f"{done.unchanged} were there already."
        )
