"""The plan of a judging run: a judgement of each item of a validation sample by the run's endpoint."""

from collections.abc import Iterator

from annotate.problems import Problem
from evaluation.asking.validation import JUDGE_PROMPTS
from evaluation.models import Generation, Run, RunSample, SampledUnit
from evaluation.models.generation import Task
from evaluation.planning.plan import Plan, PlannedUnit, give_keys
from evaluation.prompts import load
from evaluation.targets import Target


def plan_validation(run: Run, *, run_sample: RunSample) -> Plan:
    """Plan a judgement of every item; the one arm is named after what is judged.

    The corpus is that of the run which the sample is of: the items stay as they were drawn from it.
    """
    source = run_sample.run
    run.validation, run.samples, run.seed = run_sample, 1, run_sample.seed
    run.corpus_version, run.corpus_hash = source.corpus_version, source.corpus_hash
    run.arms = [{"name": run_sample.target}]
    plan = Plan(run, units=list(_units(run_sample)))
    if not plan.units:
        raise Problem(f"Sample {run_sample} has no items; a judge needs at least one.")
    give_keys(plan, [load(JUDGE_PROMPTS[Target(run_sample.target)])], {})
    return plan


def _units(run_sample: RunSample) -> Iterator[PlannedUnit]:
    """Yield the judgements, those of one answer next to each other: they share most of the prompt."""
    units = run_sample.units.select_related("item", "preference")
    about = ("generation__profile", "generation__context", "generation__pair")
    for unit in units.select_related(*about).order_by("generation", "item__number"):
        yield PlannedUnit(_judgement(unit, run_sample.target))


def _judgement(unit: SampledUnit, target: str) -> Generation:
    answer = unit.generation
    return Generation(
        task=Task.JUDGEMENT,
        sampled=unit,
        profile=answer.profile,
        context=answer.context,
        preference=unit.preference,
        pair=answer.pair,
        side=answer.side,
        condition=target,
        sample=1,
    )
