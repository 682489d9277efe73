"""Export a dataset as a file of the project's own form."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.corpus import export_corpus
from annotate.management.command import TactCommand
from annotate.names import dataset_named


class Command(TactCommand):
    """What it writes, `import_corpus tact` reads back unchanged."""

    help = "Write a dataset as a Tact corpus (JSON lines). Its SHA-256 is the dataset's content hash."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the dataset and where to write it."""
        parser.add_argument("dataset", metavar="SLUG")
        parser.add_argument("path", metavar="PATH", type=Path)
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        dataset = dataset_named(options["dataset"])
        lines = export_corpus(dataset, options["path"])
        if options["format"] == "json":
            self.write_json({"dataset": dataset.slug, "path": str(options["path"]), "lines": lines})
        else:
            self.stdout.write(f"Wrote {lines} lines to {options['path']}.")
