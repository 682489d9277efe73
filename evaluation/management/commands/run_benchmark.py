"""Plan a run and start it."""

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from annotate.management.command import TactCommand
from evaluation.actions import create_run, start_run
from evaluation.actions.planning import BENCHMARKS
from evaluation.management.plan_options import add_limits, add_plan_options, wanted_plan
from evaluation.management.waiting import wait_for


class Command(TactCommand):
    """`run_benchmark benchpres --dataset SLUG --gold RELEASE --endpoint NAME --judge NAME`."""

    help = (
        "Plan a run and queue it for the workers. With --wait, show the progress and print the report at the "
        "end; where no worker takes the run up within some seconds, this process does it. Ctrl-C pauses it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what a run is made of."""
        add_plan_options(parser, BENCHMARKS)
        add_limits(parser)
        parser.add_argument("--wait", action="store_true", help="work and watch until the run ends")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan, start, and either say where to look or wait for the end."""
        limits = {name: options[name] for name in ("cost_limit", "token_limit")}
        with transaction.atomic():  # a run that may not start is not left behind
            run = create_run(**limits, **wanted_plan(options))
            start_run(run)
        if options["wait"]:
            wait_for(run, self, options["format"])
        elif options["format"] == "json":
            self.write_json({"run": run.pk, "state": run.state})
        else:
            self.stdout.write(f"Run {run.pk} is queued. `manage.py report {run.pk}` tells how far it is.")
