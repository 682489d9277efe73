"""Open a review of a dataset's contrast pairs, or show the sample that it would judge."""

import secrets
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from annotate.actions.reviews import SEED_BITS, create_review, draw_pairs
from annotate.actions.seating import refuse_bad_slug
from annotate.forms import usual_review_guideline
from annotate.importers.files import text_of
from annotate.management.command import TactCommand
from annotate.models import Review
from annotate.names import dataset_named, row_named
from annotate.sampling import Sample


class Command(TactCommand):
    """`create_review SLUG --dataset SLUG --sample N --stratum category --seed N --annotators a,b`."""

    help = (
        "Open a review: a sample of the dataset's pairs, one of each preference and the rest in proportion "
        "to a stratum, judged by two annotators or more. With --preview, only show the sample."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what the review needs."""
        parser.add_argument("slug", help="name of the new review in addresses and commands")
        parser.add_argument("--dataset", required=True, help="name of the dataset")
        parser.add_argument("--sample", type=int, help="how many pairs (default: all)")
        parser.add_argument("--stratum", choices=Review.Stratum.values, default=Review.Stratum.CATEGORY)
        parser.add_argument("--seed", type=int, help="makes the sample repeatable")
        parser.add_argument("--annotators", default="", help="account names, separated by commas")
        parser.add_argument(
            "--label-sets", default="", help="names of seats without an account, for answers from a file"
        )
        parser.add_argument("--name", default="", help="title on the pages")
        parser.add_argument("--guideline", type=Path, help="Markdown file (default: Tact's own)")
        parser.add_argument("--example", action="store_true", help="mark the answers as examples")
        parser.add_argument("--preview", action="store_true", help="show the sample and create nothing")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Draw the sample, open the review unless it is a preview, and say what it holds."""
        dataset = dataset_named(options["dataset"])
        seed = secrets.randbits(SEED_BITS) if options["seed"] is None else options["seed"]
        chosen = {"sample": options["sample"], "stratum": options["stratum"], "seed": seed}
        users = [row_named(User, name, "username") for name in _names(options["annotators"])]
        refuse_bad_slug(Review, options["slug"])
        drawn = draw_pairs(dataset, **chosen)
        if not options["preview"]:
            create_review(
                slug=options["slug"],
                dataset=dataset,
                users=users,
                label_sets=_names(options["label_sets"]),
                name=options["name"],
                guideline=text_of(options["guideline"]) if options["guideline"] else usual_review_guideline(),
                is_example=options["example"],
                **chosen,
            )
        self._report(options, drawn, seed)

    def _report(self, options: dict[str, Any], drawn: Sample, seed: int) -> None:
        strata = [
            {
                "stratum": row.stratum,
                "pairs": row.pairs,
                "first": row.first,
                "rest": row.rest,
                "drawn": row.drawn,
            }
            for row in drawn.strata
        ]
        if options["format"] == "json":
            return self.write_json(
                {
                    "review": options["slug"],
                    "is_created": not options["preview"],
                    "pairs": len(drawn.ids),
                    "preferences": drawn.preferences,
                    "seed": seed,
                    "strata": strata,
                }
            )
        what = "would have" if options["preview"] else "has"
        self.stdout.write(
            f"Review {options['slug']} {what} {len(drawn.ids)} pairs: one of each of {drawn.preferences} "
            f"preferences, the rest in proportion by {options['stratum']}, seed {seed}."
        )
        self.stdout.write(f"  {'stratum':<24}{'there are':>10}{'first':>8}{'rest':>8}{'drawn':>8}")
        for row in strata:
            self.stdout.write("  {stratum:<24}{pairs:>10}{first:>8}{rest:>8}{drawn:>8}".format(**row))


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]
