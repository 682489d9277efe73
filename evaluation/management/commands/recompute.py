"""Compute the report of a run again, from its archive alone."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from annotate.problems import Problem
from evaluation.importers.archive import read_archive
from evaluation.management.printing import print_report
from evaluation.reporting.report import report_of


class Command(TactCommand):
    """It needs no database: none is asked, and none has to be there."""

    help = "Print the report of a run from its archive, as `report` prints it from the database."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the archive and the format."""
        parser.add_argument("path", metavar="PATH.zip", type=Path, help="a zip that export_run wrote")
        self.add_format(parser, "csv", "latex")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        record = read_archive(options["path"])
        try:
            report = report_of(record)
        except (LookupError, TypeError, ValueError) as error:
            raise Problem(
                f"The parts of {options['path'].name} do not fit together ({type(error).__name__}: {error}); "
                "expected an archive as export_run wrote it."
            ) from error
        print_report(self, report, options["format"])
