"""Say what a run would take, and send nothing."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from evaluation.actions.planning import BENCHMARKS, plan_run
from evaluation.management.plan_options import add_limits, add_plan_options, wanted_plan
from evaluation.management.printing import print_plan


class Command(TactCommand):
    """`plan_run` takes the options of `run_benchmark`."""

    help = "Print the calls, tokens and cost that a run is expected to take. Nothing is saved or sent."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what a run is made of."""
        add_plan_options(parser, BENCHMARKS)
        add_limits(parser)
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan and tell; a limit that the plan exceeds ends in an error, as starting it would."""
        print_plan(self, plan_run(**wanted_plan(options)), options)
