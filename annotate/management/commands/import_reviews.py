"""Bring answers from a file into a review."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.actions.review_import import import_reviews
from annotate.importers.reviews import read_answers
from annotate.management.command import TactCommand
from annotate.names import review_named


class Command(TactCommand):
    """`import_reviews REVIEW PATH`."""

    help = (
        "Import answers from PATH (.jsonl, .csv or .parquet), rows as export_reviews writes them: annotator, "
        "pair, side, question, answer, and what else is known. Each page needs its three questions. All rows "
        "are saved, or none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the review and the file."""
        parser.add_argument("review", help="name of the review")
        parser.add_argument("path", type=Path)
        parser.add_argument(
            "--accept-changes", action="store_true", help="also save answers that differ from the saved ones"
        )
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, check and save, then say what was done."""
        review = review_named(options["review"])
        rows = read_answers(options["path"])
        done = import_reviews(review, rows, accept_changes=options["accept_changes"])
        if options["format"] == "json":
            return self.write_json(asdict(done))
        self.stdout.write(
            f"Review {review}: {done.added} pages added, {done.changed} changed, "
            f"{done.unchanged} were there already."
        )
