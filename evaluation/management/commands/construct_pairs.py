"""Construct contrast pairs: a model writes candidates, rules and models filter them, people review them."""

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from annotate.actions.corpus import check_slug
from annotate.management.command import TactCommand
from annotate.names import dataset_named, row_named
from annotate.pairs import CATEGORIES, TIERS
from evaluation.actions import collect_pairs, create_run, start_run
from evaluation.management.plan_options import add_limits, some
from evaluation.management.waiting import wait_for
from evaluation.models import Endpoint


class Command(TactCommand):
    """`construct_pairs --dataset SLUG --generator NAME --verifier NAME --screener NAME`."""

    help = (
        "Have a model write new contrast pairs of a dataset's preferences, drop those that rule checks, a "
        "second model's verification or a third model's screening reject, each with its reason, and with "
        "--into put what passes into a dataset that people can review (create_review). "
        "Passing is acceptance by a filter."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare who writes, verifies and screens, and what is asked for."""
        parser.add_argument("--dataset", required=True, help="dataset that holds the preferences")
        for name, does in (
            ("generator", "writes"),
            ("verifier", "verifies"),
            ("screener", "screens without context"),
        ):
            parser.add_argument(f"--{name}", required=True, help=f"endpoint that {does}")
        parser.add_argument("--preferences", type=some, help="how many, drawn by the seed, or keys: M01,M02")
        parser.add_argument("--category", dest="categories", action="append", choices=CATEGORIES)
        parser.add_argument("--tier", dest="tiers", action="append", choices=TIERS)
        parser.add_argument(
            "--number", type=int, default=1, help="of each preference, category and tier (default 1)"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--into", metavar="SLUG", help="wait, then put what passed into this dataset")
        parser.add_argument("--wait", action="store_true", help="work and watch until the run ends")
        add_limits(parser)
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan, start, and wait if asked to; collect what passed."""
        if options["into"]:
            check_slug(options["into"])
        with transaction.atomic():  # a run that may not start is not left behind
            run = create_run(
                benchmark="construction",
                dataset=dataset_named(options["dataset"]),
                endpoint=row_named(Endpoint, options["generator"], "name"),
                verifier=row_named(Endpoint, options["verifier"], "name"),
                screener=row_named(Endpoint, options["screener"], "name"),
                preferences=options["preferences"],
                categories=options["categories"] or CATEGORIES,
                tiers=options["tiers"] or TIERS,
                samples=options["number"],
                seed=options["seed"],
                cost_limit=options["cost_limit"],
                token_limit=options["token_limit"],
            )
            start_run(run)
        if options["wait"] or options["into"]:
            wait_for(run, self, options["format"])
        elif options["format"] == "json":
            self.write_json({"run": run.pk, "state": run.state})
        else:
            self.stdout.write(f"Run {run.pk} is queued. `manage.py report {run.pk}` tells how far it is.")
        if options["into"]:
            found = collect_pairs(run, slug=options["into"])
            self.stderr.write(
                f"Dataset {found.dataset.slug}, version {found.dataset.version}, holds what passed. Open a "
                f"review with: manage.py create_review NAME --dataset {found.dataset.slug} ..."
            )
