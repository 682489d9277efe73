"""Write the items of a validation sample, to be labelled elsewhere, or every answer on them."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.tabular import encode_rows, write_rows
from annotate.exporters.validation import FILES, file_of
from annotate.management.command import TactCommand
from annotate.names import sample_named


class Command(TactCommand):
    """`export_validation SAMPLE --what items|labels [--output PATH]`."""

    help = (
        "Write a validation sample as .jsonl, .csv or .parquet: its items as people see them, with columns "
        "to fill in for import_validation_labels (--what items); or every answer, earlier ones included "
        "(--what labels). Without --output, JSON lines are printed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the sample, what of it and where to write it."""
        parser.add_argument("sample", help="name of the validation sample")
        parser.add_argument("--what", choices=FILES, required=True)
        parser.add_argument("--output", type=Path, metavar="PATH", help="file to write (default: print)")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file, and say how many rows it holds."""
        sample, what, path = sample_named(options["sample"]), options["what"], options["output"]
        columns, rows = file_of(sample, what)
        if path is None:
            for piece in encode_rows(".jsonl", columns, rows):
                self.stdout.write(piece.decode(), ending="")
            return None
        number = write_rows(path, path.suffix, columns, rows)
        if options["format"] == "json":
            report = {"sample": sample.slug, "what": what, "rows": number, "path": path}
            return self.write_json(report)
        self.stdout.write(f"Wrote {number:,} rows ({what}) of validation sample {sample} to {path}.")
        return None
