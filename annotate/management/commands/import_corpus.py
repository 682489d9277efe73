"""Import a corpus into a dataset."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.actions.corpus import CorpusImport, UnacceptedChanges, import_corpus
from annotate.importers.files import read_corpus_files
from annotate.importers.formats import FORMATS
from annotate.management.command import TactCommand


class Command(TactCommand):
    """The file is checked as a whole before anything is written."""

    help = (
        "Import a corpus into a dataset, new or known. The same content again changes nothing. A file that "
        "would change a dataset is shown and refused (exit status 1) until --accept-changes is given."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take format, path and dataset."""
        parser.add_argument("corpus_format", metavar="FORMAT", choices=FORMATS, help=", ".join(FORMATS))
        parser.add_argument("path", metavar="PATH", type=Path)
        parser.add_argument("--dataset", metavar="SLUG", required=True)
        parser.add_argument(
            "--preferences",
            metavar="FILE",
            type=Path,
            help="JSON lines of profile, category, text, nickname for cimemories and benchpres; of "
            "preference_key, domain, companions for pairpref.",
        )
        parser.add_argument(
            "--field-map",
            metavar="FILE",
            type=Path,
            help="JSON that says what the fields of a pairpref file are called; see docs/file-formats.md.",
        )
        parser.add_argument("--accept-changes", action="store_true", help="The shown changes are meant.")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Parse, import, and say what came of it."""
        read = read_corpus_files(
            options["corpus_format"], options["path"], options["preferences"], options["field_map"]
        )
        try:
            done = import_corpus(
                read.corpus,
                slug=options["dataset"],
                file_name=read.name,
                file_hash=read.hash,
                accept_changes=options["accept_changes"],
            )
        except UnacceptedChanges as asked:
            self.ask(asked, options["format"])
        else:
            self.report(done, options["format"])

    def ask(self, asked: UnacceptedChanges, output_format: str) -> None:
        """Show what would change, and end with status 1."""
        if output_format == "json":
            found = {"dataset": asked.dataset.slug, "outcome": "refused", "changes": asked.changes.counts()}
            self.write_json({**found, "details": asked.changes.lines()})
        else:
            self.stdout.write("\n".join(asked.changes.lines()))
        raise CommandError(f"{asked} The option for it is --accept-changes.")

    def report(self, done: CorpusImport, output_format: str) -> None:
        """Say what was imported."""
        if output_format == "json":
            self.write_json(done.as_dict())
            return
        dataset = done.dataset
        if done.outcome == "unchanged":
            self.stdout.write(f"Dataset {dataset} has this content already; nothing changed.")
        else:
            if done.outcome == "changed":
                self.stdout.write("\n".join(done.changes.lines()))
            self.stdout.write(f"Dataset {dataset}, version {dataset.version}: {done.outcome}.")
        self.stdout.write(
            f"It has {dataset.profiles.count()} profiles, {dataset.preferences.count()} preferences, "
            f"{dataset.contexts.count()} contexts and {dataset.pairs.count()} contrast pairs. "
            f"Content hash {dataset.content_hash}."
        )
        if done.release:
            self.stdout.write(
                f"Its labels are the gold release {done.release}, imported, not frozen from a campaign."
            )
        if dataset.licence:
            self.stdout.write(f"Licence: {dataset.licence}. Source: {dataset.source or 'not given'}.")
