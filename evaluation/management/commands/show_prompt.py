"""Show the exact messages of any unit, before anything is sent."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from annotate.problems import Problem
from evaluation.actions.planning import BENCHMARKS, plan_run
from evaluation.management.plan_options import add_plan_options, wanted_plan
from evaluation.planning.plan import PlannedUnit


class Command(TactCommand):
    """`show_prompt BENCHMARK` takes the options of `run_benchmark`, and the place of a unit."""

    help = (
        "Print the messages of a unit of a plan, and what its judges are asked, exactly as they would be "
        "sent. Nothing is saved or sent. --find picks units by words such as a profile's key, a recipient, "
        "the identifier of a pair, a side or a condition."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the plan and the unit."""
        add_plan_options(parser, BENCHMARKS)
        parser.add_argument("--find", action="append", default=[], help="words that the unit has; repeatable")
        parser.add_argument("--unit", type=int, default=1, help="which of the units found (default 1)")
        parser.add_argument(
            "--message", default="(the answer to judge)", help="the answer that judges are shown"
        )
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan, find the unit, and print what is asked."""
        plan = plan_run(**wanted_plan(options))
        found = [unit for unit in plan.units if _has(unit, options["find"])]
        if not 1 <= options["unit"] <= len(found):
            raise Problem(
                f"Unit {options['unit']} is asked for, but {len(found):,} of {len(plan.units):,} units have "
                f"the words {', '.join(options['find']) or 'asked for'}; expected "
                f"1 to {len(found):,}."
            )
        unit, asking = found[options["unit"] - 1], plan.asking
        asked = [("the model", asking.question(unit.generation))]
        for verdict in unit.verdicts:
            if verdict.judge:
                words = f"{verdict.judge.endpoint.name}, {verdict.target}"
                question = asking.verdict_question(verdict, unit.generation, options["message"])
                asked.append((words, question))
        self._print(unit, asked, len(found), options["format"])

    def _print(self, unit: PlannedUnit, asked: list[Any], found: int, output_format: str) -> None:
        if output_format == "json":
            self.write_json(
                {
                    "key": unit.generation.key,
                    "about": unit.generation.about(),
                    "asked": [
                        {"who": who, "messages": question.messages, "schema": question.schema}
                        for who, question in asked
                    ],
                }
            )
            return
        self.stdout.write(f"{unit.generation} (one of {found:,} found)")
        for who, question in asked:
            for message in question.messages:
                self.stdout.write(self.style.MIGRATE_HEADING(f"--- {who}, {message['role']}"))
                self.stdout.write(message["content"])


def _has(unit: PlannedUnit, words: list[str]) -> bool:
    row = unit.generation
    texts = {row.condition, row.task, f"sample {row.sample}", *map(str, row.about().values())}
    return all(word in texts for word in words)
