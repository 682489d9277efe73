"""Bring answers on the items of a validation sample from a file."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.actions.validation_import import import_validation_labels
from annotate.importers.files import opened
from annotate.importers.validation_labels import read_validation_labels
from annotate.management.command import TactCommand
from annotate.names import sample_named


class Command(TactCommand):
    """`import_validation_labels SAMPLE PATH`."""

    help = (
        "Import answers from PATH (.jsonl, .csv or .parquet), rows of item, annotator, value and comment: "
        "what export_validation --what items writes, filled in. A value is a number or the words of the "
        "question's menu; none, or cannot_tell, says that the annotator cannot tell. All are saved, or none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the sample and the file."""
        parser.add_argument("sample", help="name of the validation sample")
        parser.add_argument("path", type=Path)
        parser.add_argument(
            "--new-label-sets", action="store_true", help="give unknown annotators seats without an account"
        )
        parser.add_argument(
            "--accept-changes", action="store_true", help="also save answers that differ from the saved ones"
        )
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, check and save, then say what was done."""
        sample = sample_named(options["sample"])
        with opened(options["path"]) as file:
            rows = read_validation_labels(file, options["path"].name, sample.question)
        chosen = {name: options[name] for name in ("new_label_sets", "accept_changes")}
        done = import_validation_labels(sample, rows, **chosen)
        if options["format"] == "json":
            return self.write_json(asdict(done))
        self.stdout.write(
            f"Validation sample {sample}: {done.added} answers added, {done.changed} changed, "
            f"{done.unchanged} were there already; {done.cannot_tell} of these say *cannot tell*. "
            f"{done.unanswered} rows have no answer. "
            f"New label sets: {', '.join(done.new_label_sets) or 'none'}."
        )
