"""Read the stored replies of a run again."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from annotate.importers.reading import describe
from annotate.management.command import TactCommand
from evaluation.actions.rereading import store_rereading
from evaluation.names import run_named
from evaluation.running.rereading import KINDS, Reread, Rereading, reread


class Command(TactCommand):
    """Without `--apply` nothing changes."""

    help = (
        "Read the stored replies of a run with the reader of today and list where it reads something else "
        "than what is stored. No model is asked."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the run."""
        parser.add_argument("run", help="number of the run, or `last`")
        parser.add_argument("--apply", action="store_true", help="store what is read now")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, tell, and store where that is asked for."""
        run, is_stored = run_named(options["run"]), options["apply"]
        found = store_rereading(run) if is_stored else reread(run)
        if options["format"] == "json":
            self.write_json(_plain(found, is_stored))
        else:
            for line in _lines(found, is_stored):
                self.stdout.write(line)


def _plain(found: Rereading, is_stored: bool) -> dict[str, Any]:
    return {
        "run": found.run,
        "stored_reader": found.stored_reader,
        "reader": found.reader,
        "counts": found.counts,
        "note": found.note,
        "stored_now": len(found.to_store) if is_stored else 0,
        "differences": [unit.as_dict() for unit in found.differences],
    }


def _lines(found: Rereading, is_stored: bool) -> Iterator[str]:
    """Yield the counts first, then each difference, then what became of it."""
    yield f"Run {found.run}: read by reader {found.stored_reader}, read again by reader {found.reader}."
    for kind, counts in found.counts.items():
        held_back = f", of these held back {counts['held_back']:,}" if counts["held_back"] else ""
        yield f"{KINDS[kind]}: read again {counts['read_again']:,}, different {counts['differ']:,}{held_back}"
    if found.note:
        yield found.note
    for unit in found.differences:
        yield from _difference(unit)
    number = len(found.to_store)
    if is_stored:
        yield f"New readings stored: {number:,}."
    elif number:
        yield f"Nothing was changed. New readings that --apply stores: {number:,}."


def _difference(unit: Reread) -> Iterator[str]:
    yield f"{unit.kind} {unit.row.pk}: {' '.join(unit.name.split())}"
    for column, stored in unit.stored.items():
        if unit.now[column] != stored:
            yield f"  {column}: {describe(stored)} -> {describe(unit.now[column])}"
    if unit.held_back:
        yield f"  held back: {unit.held_back}"
