"""Say what a run would take, and send nothing."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from evaluation.actions.planning import BENCHMARKS, plan_run
from evaluation.cost import RETRIES_ON_TOP, RULE_OF_THUMB, Estimated, check_limit, dollars
from evaluation.management.plan_options import add_limits, add_plan_options, wanted_plan
from evaluation.planning.plan import Plan
from evaluation.spending import estimate_of, money


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
        plan = plan_run(**wanted_plan(options))
        estimated = estimate_of(plan)
        if options["format"] == "json":
            self.write_json(_plain(plan, estimated))
        else:
            for line in _lines(plan, estimated):
                self.stdout.write(line)
        limits = {"cost_limit": money(options["cost_limit"]), "token_limit": options["token_limit"]}
        if note := check_limit(estimated, **limits):
            self.stderr.write(note)


def _lines(plan: Plan, estimated: Estimated) -> list[str]:
    names = [arm["name"] for arm in plan.run.arms]
    lines = [f"{len(names)} conditions: {'; '.join(names)}"]
    lines.append(f"{'':<12}{'calls':>10}{'input':>14}{'output':>14}{'US dollars':>14}")
    for share in (*estimated.shares, estimated.total):
        lines.append(
            f"{share.who:<12}{share.calls:>10,}{share.input_tokens:>14,}{share.output_tokens:>14,}"
            f"{dollars(share.cost):>14}"
        )
    return [*lines, RULE_OF_THUMB, RETRIES_ON_TOP]


def _plain(plan: Plan, estimated: Estimated) -> dict[str, Any]:
    return {
        "conditions": [arm["name"] for arm in plan.run.arms],
        "shares": [vars(share) for share in (*estimated.shares, estimated.total)],
        "without_price": list(estimated.unknown),
    }
