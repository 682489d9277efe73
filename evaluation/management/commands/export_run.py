"""Export a run as one zip."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from evaluation.exporters.archive import export_run
from evaluation.names import run_named


class Command(TactCommand):
    """What it writes, `recompute` makes the report from, without a database."""

    help = (
        "Write a run to a zip file: plan, prompts, every answer, verdict and call, as JSON lines. "
        "`recompute` prints the report from it, without the database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the run and where to write it."""
        parser.add_argument("run", help="number of the run, or `last`")
        parser.add_argument("path", metavar="PATH.zip", type=Path)
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        run = run_named(options["run"])
        lines = export_run(run, options["path"])
        if options["format"] == "json":
            self.write_json({"run": run.pk, "path": str(options["path"]), "lines": lines})
        else:
            told = ", ".join(f"{number:,} lines in {name}" for name, number in lines.items())
            self.stdout.write(f"Wrote run {run.pk} to {options['path']}: {told}.")
