"""Have a judge say what it finds of a validation sample."""

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from annotate.management.command import TactCommand
from annotate.names import row_named
from evaluation.actions import start_run
from evaluation.actions.validation_judging import judge_sample, plan_judging
from evaluation.management.plan_options import add_limits
from evaluation.management.printing import print_estimate, print_plan
from evaluation.management.waiting import wait_for
from evaluation.models import Endpoint, Run
from evaluation.names import sample_of
from evaluation.spending import run_estimate


class Command(TactCommand):
    """`judge_sample SAMPLE --judge NAME`."""

    help = (
        "Have a judge judge every item of a validation sample, as a run of its own: no answer is made again, "
        "and the judge is asked just what a judge inside a run is. With --wait, show the progress and print "
        "the report at the end; where no worker takes the run up within some seconds, this process does it. "
        "Ctrl-C pauses it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the sample, the judge, and what it may cost."""
        parser.add_argument("sample", help="name of the validation sample")
        parser.add_argument("--judge", required=True, metavar="NAME", help="endpoint that judges")
        add_limits(parser)
        parser.add_argument("--plan-only", action="store_true", help="print calls and cost; send nothing")
        parser.add_argument("--wait", action="store_true", help="work and watch until the run ends")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan, tell what it takes, start, and either say where to look or wait for the end."""
        run_sample = sample_of(options["sample"])
        judge = row_named(Endpoint, options["judge"], "name")
        if options["plan_only"]:
            print_plan(self, plan_judging(run_sample, judge), options)
            return
        limits = {name: options[name] for name in ("cost_limit", "token_limit")}
        with transaction.atomic():  # a run that may not start is not left behind
            run = judge_sample(run_sample, judge, **limits)
            start_run(run)
        self._tell(run, options)

    def _tell(self, run: Run, options: dict[str, Any]) -> None:
        if options["format"] == "text":
            print_estimate(self, run_estimate(run))
        if options["wait"]:
            wait_for(run, self, options["format"])
        elif options["format"] == "json":
            self.write_json({"run": run.pk, "state": run.state})
        else:
            self.stdout.write(f"Run {run.pk} is queued. `manage.py report {run.pk}` tells how far it is.")
