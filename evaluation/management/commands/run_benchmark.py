"""Plan a run and start it."""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from annotate.names import dataset_named, release_named, row_named
from evaluation.actions import create_run, start_run
from evaluation.actions.planning import BENCHMARKS, NamedJudge
from evaluation.benchpres.prompting import CONDITIONS
from evaluation.management.waiting import wait_for
from evaluation.models import Endpoint


class Command(TactCommand):
    """`run_benchmark benchpres --dataset SLUG --gold RELEASE --endpoint NAME --judge NAME`."""

    help = (
        "Plan a run and queue it for the workers. With --wait, show the progress and print the report at the "
        "end; where no worker takes the run up within some seconds, this process does it. Ctrl-C pauses it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what a run is made of."""
        parser.add_argument("benchmark", choices=BENCHMARKS)
        parser.add_argument("--dataset", required=True, help="name of the dataset")
        parser.add_argument("--gold", required=True, help="name of the gold release, e.g. sample-1")
        parser.add_argument("--endpoint", required=True, help="name of the endpoint under test")
        parser.add_argument(
            "--judge",
            action="append",
            default=[],
            metavar="[CATEGORY=]NAME",
            help="endpoint that judges, for all categories or for one; may be repeated",
        )
        parser.add_argument(
            "--condition", action="append", choices=CONDITIONS, help="may be repeated (default: default)"
        )
        parser.add_argument("--samples", type=int, default=3, help="messages for each prompt (default 3)")
        parser.add_argument("--seed", type=int, default=1, help="for draws and intervals (default 1)")
        parser.add_argument("--temperature", type=float, default=1.0, help="default 1.0")
        parser.add_argument("--profiles", help="how many, drawn by the seed, or keys such as p01,p04")
        parser.add_argument("--contexts", type=int, help="how many, drawn by the seed")
        parser.add_argument("--wait", action="store_true", help="work and watch until the run ends")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan, start, and either say where to look or wait for the end."""
        run = create_run(
            benchmark=options["benchmark"],
            dataset=dataset_named(options["dataset"]),
            release=release_named(options["gold"]),
            endpoint=row_named(Endpoint, options["endpoint"], "name"),
            judges=named_judges(options["judge"]),
            conditions=options["condition"] or ["default"],
            samples=options["samples"],
            seed=options["seed"],
            temperature=options["temperature"],
            profiles=_profiles(options["profiles"]),
            contexts=options["contexts"],
        )
        start_run(run)
        if options["wait"]:
            wait_for(run, self, options["format"])
        elif options["format"] == "json":
            self.write_json({"run": run.pk, "state": run.state})
        else:
            self.stdout.write(f"Run {run.pk} is queued. `manage.py report {run.pk}` tells how far it is.")


def named_judges(names: Sequence[str]) -> list[NamedJudge]:
    """Read `NAME` and `CATEGORY=NAME`."""
    parts = [name.rpartition("=") for name in names]
    return [(row_named(Endpoint, endpoint, "name"), category) for category, _, endpoint in parts]


def _profiles(wanted: str | None) -> int | list[str] | None:
    """Read a number or a list of keys."""
    if wanted is None:
        return None
    return int(wanted) if wanted.isdecimal() else [key.strip() for key in wanted.split(",")]
