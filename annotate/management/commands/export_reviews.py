"""Write the answers of a review, what was settled, or its pairs to a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.exporters.corpus import write_lines
from annotate.exporters.pairpref import encoded_pairpref
from annotate.exporters.reviews import ANSWERS, SETS
from annotate.exporters.tabular import write_rows
from annotate.management.command import TactCommand
from annotate.models import Review
from annotate.names import review_named
from annotate.problems import Problem


class Command(TactCommand):
    """`export_reviews REVIEW PATH`."""

    help = (
        "Write a review to PATH: every answer with the order shown (--what answers, the default) or the "
        "settled set (--what settled) as .jsonl, .csv or .parquet; or the pairs reviewed (--what reviewed), "
        "or those that every annotator confirms (--what confirmed), as rows for import_corpus pairpref."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the review, the file and what it holds."""
        parser.add_argument("review", help="name of the review")
        parser.add_argument("path", type=Path)
        parser.add_argument("--what", choices=[*ANSWERS, *SETS], default="answers", help="default: answers")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file, and say how many rows it holds."""
        review, path, what = review_named(options["review"]), options["path"], options["what"]
        rows = self._write(review, path, what)
        if options["format"] == "json":
            return self.write_json({"review": review.slug, "what": what, "rows": rows, "path": path})
        self.stdout.write(f"Wrote {rows:,} rows ({what}) of review {review} to {path}.")

    def _write(self, review: Review, path: Path, what: str) -> int:
        if what in SETS:
            if path.suffix != ".jsonl":
                raise Problem(
                    f"Pairs are written as JSON lines; {path.name} ends in {path.suffix!r}, not .jsonl."
                )
            return write_lines(encoded_pairpref(SETS[what](review)), path)
        columns, rows_of = ANSWERS[what]
        return write_rows(path, path.suffix, columns, rows_of(review))
