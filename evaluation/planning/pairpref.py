"""The plan of a PairPref run: each side of each pair under each arm, in a call of its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from annotate.models import ContrastPair, Review
from annotate.pairs import SIDES
from annotate.problems import Problem
from annotate.review_reports import confirmed_pairs
from evaluation.asking.pairpref import PARTS
from evaluation.models import Endpoint, Generation, Run, RunJudge, Verdict
from evaluation.models.generation import Task
from evaluation.pairpref.arms import GENERATION, PREFERENCE_ONLY, SELECTION, Arm, arms
from evaluation.pairpref.prompting import JUDGE_PROMPTS, prompts_of
from evaluation.planning.plan import (
    Plan,
    PlannedUnit,
    check_numbers,
    check_reasoning,
    chosen,
    give_keys,
    name_judges,
)
from evaluation.targets import OF_ANSWERS, Duty

GATE = (Task.RELEVANT, Task.SUFFICIENT, Task.APPLY)


def plan_pairpref(
    run: Run,
    *,
    judges: Sequence[tuple[Endpoint, str]] = (),
    tracks: Sequence[str] = (SELECTION, GENERATION),
    review: Review | None = None,
    pairs: int | Sequence[str] | None = None,
    **varied: Any,
) -> Plan:
    """Plan every combination of what is varied, as `arms` names it.

    `review` keeps to the pairs that all of its reviewers confirmed. `pairs` is a number to draw by the
    seed, a list of identifiers, or None for all. The generation track needs a judge of answers.
    """
    run.samples = 1 if run.samples is None else run.samples
    check_numbers(run.samples, run.seed, pairs=pairs)
    planned = arms(tracks, **varied)
    check_reasoning(run.endpoint, [arm.reasoning for arm in planned])
    _refuse_bad_judges(planned, judges)
    run.review, run.arms = review, [arm.as_dict() for arm in planned]
    named = [(endpoint, Duty.ANSWERS, "") for endpoint, _ in judges]
    plan = Plan(run, name_judges(run, named))
    asked = _chosen_pairs(run, review, pairs)
    plan.units = [unit for arm in planned for unit in _units(plan, arm, asked)]
    give_keys(plan, prompts_of(planned), JUDGE_PROMPTS)
    return plan


def _units(plan: Plan, arm: Arm, pairs: Sequence[ContrastPair]) -> Iterator[PlannedUnit]:
    """Yield the units of an arm, pair by pair, so that both sides end close to each other."""
    for pair in pairs:
        for task, side in _parts(arm):
            # A decision without an answer is taken once.
            for sample in range(1, (1 if arm.is_classifier else plan.run.samples) + 1):
                row = Generation(task=task, pair=pair, side=side, condition=arm.name, sample=sample)
                verdicts = list(_verdicts(row, plan.judges)) if task == Task.ANSWER else []
                yield PlannedUnit(row, verdicts, (arm.name,))


def _parts(arm: Arm) -> list[tuple[Task, str]]:
    """Return (task, side) of each call that a pair takes; no side where a decision is blind to it."""
    if arm.track == PREFERENCE_ONLY:
        return [(Task.PREFERENCE_ONLY, "")]
    if arm.is_classifier:
        return [(task, side) for side in SIDES for task in GATE]
    task = Task.SELECTION if arm.track == SELECTION else Task.ANSWER
    return [(task, side) for side in SIDES]


def _verdicts(row: Generation, judges: Sequence[RunJudge]) -> Iterator[Verdict]:
    for judge in judges:
        for target in OF_ANSWERS:
            yield Verdict(generation=row, target=target, judge=judge)


def _chosen_pairs(run: Run, review: Review | None, wanted: int | Sequence[str] | None) -> list[ContrastPair]:
    dataset = run.dataset
    if review is not None and review.dataset_id != dataset.pk:
        raise Problem(f"Review {review.slug} is of dataset {review.dataset}; expected one of {dataset}.")
    rows = confirmed_pairs(review) if review else dataset.pairs.order_by("position")
    every = list(rows.select_related("preference").prefetch_related(*PARTS))
    if not every:
        of_review = f" that both reviewers of {review.slug} confirmed" if review else ""
        raise Problem(f"Dataset {dataset} has no contrast pairs{of_review}; a run needs at least one.")
    return chosen(every, wanted, run, kind="pair", name=lambda pair: pair.identifier)


def _refuse_bad_judges(planned: Sequence[Arm], judges: Sequence[tuple[Endpoint, str]]) -> None:
    tracks = {arm.track for arm in planned}
    if GENERATION in tracks and not judges:
        raise Problem("No judge is named; the generation track needs one for uptake, fit and hedging.")
    if any(category for _, category in judges):
        raise Problem("A judge of answers judges all of them; name it without a category.")
    if len(set(judges)) < len(judges):
        raise Problem("A judge is named twice; name it once.")
