"""The plan of a construction run: candidates of each preference, category and tier, in four stages."""

from collections.abc import Iterator, Sequence

from annotate.models import Preference
from annotate.pairs import CATEGORIES, DOMAINS, TIERS, words_of
from annotate.problems import Problem, refuse_unknown
from evaluation.models import Endpoint, Generation, Run, RunJudge, Verdict
from evaluation.models.generation import Task
from evaluation.pairpref.construction import (
    CONSTRUCT_PROMPT,
    SCREEN_PROMPT,
    SCREENINGS,
    VERIFY_PROMPT,
)
from evaluation.planning.plan import (
    Plan,
    PlannedUnit,
    check_numbers,
    chosen,
    give_keys,
    name_judges,
)
from evaluation.prompts import load
from evaluation.targets import Duty, Target


def plan_construction(
    run: Run,
    *,
    verifier: Endpoint,
    screener: Endpoint,
    preferences: int | Sequence[str] | None = None,
    categories: Sequence[str] = CATEGORIES,
    tiers: Sequence[str] = TIERS,
) -> Plan:
    """Plan `samples` candidates of every preference, category and tier; the run's endpoint writes them.

    `preferences` is a number to draw by the seed, a list of keys, or None for all that contrast pairs can
    name.
    """
    run.samples = 1 if run.samples is None else run.samples
    check_numbers(run.samples, run.seed, preferences=preferences)
    refuse_unknown("category", categories, CATEGORIES)
    refuse_unknown("tier", tiers, TIERS)
    run.arms = [
        {"name": f"{words_of(category)}, {tier}", "category": category, "tier": tier}
        for category in categories
        for tier in tiers
    ]
    named = [(verifier, Duty.VERIFICATION, ""), (screener, Duty.SCREENING, "")]
    plan = Plan(run, name_judges(run, named))
    asked = _chosen_preferences(run, preferences)
    plan.units = [unit for preference in asked for unit in _units(plan, preference)]
    prompts = {Target.VERIFICATION: VERIFY_PROMPT, Target.SCREENING: SCREEN_PROMPT}
    give_keys(plan, map(load, (CONSTRUCT_PROMPT, VERIFY_PROMPT, SCREEN_PROMPT)), prompts)
    return plan


def _units(plan: Plan, preference: Preference) -> Iterator[PlannedUnit]:
    """Yield the candidates of a preference, next to each other: they share most of the prompt."""
    for arm in plan.run.arms:
        for number in range(1, plan.run.samples + 1):
            row = Generation(task=Task.CANDIDATE, preference=preference, condition=arm["name"], sample=number)
            yield PlannedUnit(row, list(_verdicts(row, *plan.judges)), (preference.pk,))


def _verdicts(row: Generation, verifier: RunJudge, screener: RunJudge) -> Iterator[Verdict]:
    yield Verdict(generation=row, target=Target.VERIFICATION, judge=verifier)
    for number in range(1, SCREENINGS + 1):
        yield Verdict(generation=row, target=Target.SCREENING, judge=screener, number=number)


def _chosen_preferences(run: Run, wanted: int | Sequence[str] | None) -> list[Preference]:
    """Return preferences with a key and a domain, without which no contrast pair can name them."""
    rows = run.dataset.preferences.exclude(key="").filter(domain__in=DOMAINS).order_by("position")
    every = list(rows)
    if not every:
        raise Problem(
            f"Dataset {run.dataset} has no preference with a key and one of the domains "
            f"{', '.join(DOMAINS)}; construction needs at least one."
        )
    return chosen(every, wanted, run, kind="preference", name=lambda preference: preference.key)
