"""The plan of a BenchPreS run: a message of each profile in each context under each arm, and the probe."""

from collections.abc import Iterator, Sequence
from typing import Any

from annotate.models import Context, Dataset, GoldRelease, Preference, Profile
from annotate.problems import Problem
from evaluation.asking.benchpres import AskingBenchPreS
from evaluation.benchpres.arms import DEFAULT, PROBE, Arm, arms
from evaluation.benchpres.prompting import JUDGE_PROMPTS, judge_prompts
from evaluation.keys import choose
from evaluation.models import AddedPrompt, Endpoint, Generation, Run, RunJudge, Verdict
from evaluation.models.generation import Task
from evaluation.planning.plan import (
    Plan,
    PlannedUnit,
    check_numbers,
    check_reasoning,
    check_temperatures,
    chosen,
    give_keys,
    name_judges,
)
from evaluation.prompts import Prompt
from evaluation.targets import Duty, Target

NamedJudge = tuple[Endpoint, str]


def plan_benchpres(
    run: Run,
    *,
    release: GoldRelease,
    judges: Sequence[NamedJudge],
    completeness_judges: Sequence[Endpoint] = (),
    conditions: Sequence[str] = (DEFAULT,),
    profiles: int | Sequence[str] | None = None,
    contexts: int | None = None,
    **varied: Any,
) -> Plan:
    """Plan every combination of what is varied, as `arms` names it.

    `judges` are (endpoint, category); an empty category is every one without a judge of its own.
    `profiles` is a number to draw by the seed, a list of keys, or None for all; so are `contexts`, but
    for the keys.
    """
    run.samples = 3 if run.samples is None else run.samples
    dataset = run.dataset
    if release.dataset_id != dataset.pk:
        raise Problem(f"Gold release {release} is of dataset {release.dataset}; expected one of {dataset}.")
    check_numbers(run.samples, run.seed, profiles=profiles, contexts=contexts)
    planned = _arms(run, conditions, varied)
    run.release, run.arms = release, [arm.as_dict() for arm in planned]
    _refuse_bad_judges(dataset, judges, completeness_judges, planned)
    every = list(dataset.profiles.order_by("position"))
    asked = chosen(every, profiles, run, kind="profile", name=lambda profile: profile.key)
    places = choose(list(dataset.contexts.order_by("position")), contexts, run.seed)
    named = [(endpoint, Duty.LABELS, category) for endpoint, category in judges]
    named += [(endpoint, Duty.COMPLETENESS, "") for endpoint in completeness_judges]
    plan = Plan(run, name_judges(run, named))
    _refuse_low_stock(plan, asked)
    plan.units = list(_units(plan, asked, places))
    if not plan.units:
        raise Problem(f"Dataset {dataset} has no profile or no context; a run needs at least one of each.")
    prompts = [*(arm.prompt for arm in planned), *_judge_prompts(planned, completeness_judges)]
    give_keys(plan, prompts, JUDGE_PROMPTS)
    return plan


def _arms(run: Run, conditions: Sequence[str], varied: dict[str, Any]) -> list[Arm]:
    """Return the arms, of which some may ask with a prompt that a lead added."""
    added = {str(prompt): prompt.as_prompt() for prompt in AddedPrompt.objects.all()}
    planned = arms(conditions, added=added, **varied)
    check_temperatures(arm.temperature for arm in planned)
    check_reasoning(run.endpoint, [arm.reasoning for arm in planned])
    return planned


def _judge_prompts(planned: Sequence[Arm], completeness_judges: Sequence[Endpoint]) -> list[Prompt]:
    if all(arm.condition == PROBE for arm in planned):
        return []
    return judge_prompts(completeness=bool(completeness_judges))


def _units(plan: Plan, profiles: Sequence[Profile], contexts: Sequence[Context]) -> Iterator[PlannedUnit]:
    """Yield every unit once, all of a profile and arm next to each other: they share the memory."""
    run, questions = plan.run, AskingBenchPreS(plan.run)
    held = {profile.pk: _held(profile) for profile in profiles}
    for profile in profiles:
        for name in _arms_of(run, is_probe=False):
            for context in contexts:
                for sample in range(1, run.samples + 1):
                    row = Generation(profile=profile, context=context, condition=name, sample=sample)
                    measured = questions.measured(row)
                    preferences = [one for one in held[profile.pk] if one.text in measured]
                    yield PlannedUnit(row, list(_verdicts(row, preferences, plan.judges)), (profile.pk, name))
    yield from _probes(plan, held, contexts)


def _probes(
    plan: Plan, held: dict[int, list[Preference]], contexts: Sequence[Context]
) -> Iterator[PlannedUnit]:
    """Yield the probe of each preference that some profile holds in each context, once an arm."""
    preferences = {preference.pk: preference for row in held.values() for preference in row}
    for name in _arms_of(plan.run, is_probe=True):
        for preference in preferences.values():
            for context in contexts:
                row = Generation(
                    task=Task.PROBE, preference=preference, context=context, condition=name, sample=1
                )
                yield PlannedUnit(row, group=("probe", name))


def _arms_of(run: Run, *, is_probe: bool) -> list[str]:
    return [arm["name"] for arm in run.arms if (arm["condition"] == PROBE) is is_probe]


def _held(profile: Profile) -> list[Preference]:
    rows = profile.held_preferences.select_related("preference").order_by("position")
    return [row.preference for row in rows]


def _verdicts(
    row: Generation, preferences: Sequence[Preference], judges: Sequence[RunJudge]
) -> Iterator[Verdict]:
    """Yield a verdict of each judge on each measured preference, and of completeness on the whole."""
    for preference in preferences:
        for judge in _judges_of(preference, judges):
            yield Verdict(generation=row, target=Target.LABEL, preference=preference, judge=judge)
    for judge in judges:
        if judge.duty == Duty.COMPLETENESS:
            yield Verdict(generation=row, target=Target.COMPLETENESS, judge=judge)


def _judges_of(preference: Preference, judges: Sequence[RunJudge]) -> Iterator[RunJudge | None]:
    """Yield the judges of a preference; None for one that is judged by exact match."""
    if preference.nickname:
        yield None
        return
    of_labels = [judge for judge in judges if judge.duty == Duty.LABELS]
    own = [judge for judge in of_labels if judge.category == preference.category]
    yield from own or [judge for judge in of_labels if not judge.category]


def _refuse_bad_judges(
    dataset: Dataset,
    judges: Sequence[NamedJudge],
    completeness_judges: Sequence[Endpoint],
    planned: Sequence[Arm],
) -> None:
    """Ask for a judge of every category that has preferences without a nickname to match, each once."""
    unnamed = dataset.preferences.filter(nickname="", holders__isnull=False)
    judged = set(unnamed.order_by().values_list("category", flat=True).distinct())
    named = {category for _, category in judges}
    if unknown := named - judged - {""}:
        raise Problem(
            f"Dataset {dataset} has no preferences to judge in category {', '.join(sorted(unknown))}; "
            f"expected one of {', '.join(sorted(judged))}."
        )
    has_messages = any(arm.condition != PROBE for arm in planned)
    if has_messages and "" not in named and (unjudged := judged - named):
        without = ", ".join(sorted(name or "preferences without a category" for name in unjudged))
        raise Problem(f"No judge is named for {without}; name one for all categories, or one for each.")
    if len(set(judges)) < len(judges):
        raise Problem("A judge is named twice for the same category; name it once.")
    if len(set(completeness_judges)) < len(completeness_judges):
        raise Problem("A judge of completeness is named twice; name it once.")


def _refuse_low_stock(plan: Plan, profiles: Sequence[Profile]) -> None:
    """Ask for no more preferences in memory than the corpus has for a profile."""
    densities = [arm["density"] for arm in plan.run.arms if arm["density"]]
    if not densities:
        return
    questions = AskingBenchPreS(plan.run)
    for profile in map(questions.profile, profiles):
        there = len(profile.preferences) + len(profile.addable)
        if there < max(densities):
            raise Problem(
                f"A memory with {max(densities)} preferences is asked for, but dataset {plan.run.dataset} "
                f"has {there} that profile {profile.key} can hold (a second nickname would contradict the "
                "first); ask for fewer, or import more preferences."
            )
