"""Write a gold release to a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.datasheet import datasheet
from annotate.exporters.gold import GOLD_COLUMNS, gold_rows
from annotate.exporters.tabular import write_rows
from annotate.exporters.whole_file import whole_file
from annotate.management.command import TactCommand
from annotate.models import GoldRelease
from annotate.names import release_named


class Command(TactCommand):
    """`export_gold RELEASE PATH`."""

    help = (
        "Write a gold release to PATH, in the form that its ending names: .jsonl, .csv or .parquet, each "
        "with its datasheet beside it (PATH ending in .datasheet.md), or .md for the datasheet alone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the release and the file."""
        parser.add_argument("release", help="name of the release, such as sample-1")
        parser.add_argument("path", type=Path)
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files, and say which."""
        release, path = release_named(options["release"]), options["path"]
        sheet = path if path.suffix == ".md" else path.with_suffix(".datasheet.md")
        labels = 0
        if path != sheet:
            labels = write_rows(path, path.suffix, GOLD_COLUMNS, gold_rows(release))
        write_datasheet(release, sheet)
        if options["format"] == "json":
            return self.write_json(
                {"release": release.name, "labels": labels, "path": path, "datasheet": sheet}
            )
        if path != sheet:
            self.stdout.write(f"Wrote {labels:,} labels of {release.name} to {path}.")
        self.stdout.write(f"Wrote the datasheet of {release.name} to {sheet}.")


def write_datasheet(release: GoldRelease, path: Path) -> None:
    """Write the datasheet to a file."""
    with whole_file(path) as file:
        file.write(datasheet(release).encode())
