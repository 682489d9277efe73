"""Export a dataset as a file of the project's own form, or its pairs as flat rows."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.corpus import export_corpus, export_pairpref
from annotate.management.command import TactCommand
from annotate.names import dataset_named

EXPORTS = {"tact": export_corpus, "pairpref": export_pairpref}


class Command(TactCommand):
    """What it writes, `import_corpus` reads back unchanged."""

    help = (
        "Write a dataset as a Tact corpus (JSON lines), whose SHA-256 is the dataset's content hash; with "
        "--form pairpref write its contrast pairs as flat rows."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the dataset and where to write it."""
        parser.add_argument("dataset", metavar="SLUG")
        parser.add_argument("path", metavar="PATH", type=Path)
        parser.add_argument("--form", choices=EXPORTS, default="tact", help="default: tact")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        dataset = dataset_named(options["dataset"])
        lines = EXPORTS[options["form"]](dataset, options["path"])
        if options["format"] == "json":
            self.write_json({"dataset": dataset.slug, "path": str(options["path"]), "lines": lines})
        else:
            self.stdout.write(f"Wrote {lines} lines to {options['path']}.")
