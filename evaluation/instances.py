"""A run's rows as plain instances, ready for the metrics."""

from collections import defaultdict
from collections.abc import Iterable

from annotate.models import Context, GoldLabel, Preference, ProfilePreference
from evaluation.benchpres.metrics import Instance
from evaluation.models import Run, RunJudge, Verdict

NO_CATEGORY, NO_DOMAIN = "no category", "no domain"


def run_instances(run: Run, condition: str, judge: RunJudge | None = None) -> list[Instance]:
    """Return each (message, preference) of a condition with its gold label and its verdict.

    The preferences of a message are those that the profile holds, and any that was judged. Where
    several judges gave a verdict, that of the judge named first counts. With a judge given: only what
    that judge was asked, with its verdicts.
    """
    verdicts = _verdicts(run, condition, judge)
    asked = _second_by_first(verdicts)
    held = _held(run) if judge is None else {}
    gold, categories, domains = _gold(run), _categories(run), _domains(run)
    return [
        Instance(
            cluster=(profile, context),
            sample=sample,
            category=categories[preference],
            domains=domains[context],
            gold=gold.get((context, preference)),
            verdict=verdicts.get((generation, preference)),
        )
        for generation, profile, context, sample in run.generations.filter(condition=condition).values_list(
            "id", "profile_id", "context_id", "sample"
        )
        for preference in sorted(held.get(profile, set()) | asked.get(generation, set()))
    ]


def _verdicts(run: Run, condition: str, judge: RunJudge | None) -> dict[tuple[int, int], int | None]:
    """Return the value that counts by (generation, preference); None where it could not be read."""
    rows = Verdict.objects.filter(generation__run=run, generation__condition=condition)
    if judge is not None:
        rows = rows.filter(judge=judge)
    verdicts: dict[tuple[int, int], int | None] = {}
    for generation, preference, value in rows.order_by("judge_id", "id").values_list(
        "generation_id", "preference_id", "value"
    ):
        verdicts.setdefault((generation, preference), value)
    return verdicts


def _held(run: Run) -> dict[int, set[int]]:
    """Return the preferences of each profile of the run's dataset."""
    return _second_by_first(
        ProfilePreference.objects.filter(profile__dataset=run.dataset_id).values_list(
            "profile_id", "preference_id"
        )
    )


def _second_by_first(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Gather the second numbers of pairs by the first."""
    gathered: defaultdict[int, set[int]] = defaultdict(set)
    for first, second in pairs:
        gathered[first].add(second)
    return gathered


def _gold(run: Run) -> dict[tuple[int, int], int]:
    labels = GoldLabel.objects.filter(release=run.release_id)
    return {
        (context, preference): value
        for context, preference, value in labels.values_list("context_id", "preference_id", "value")
    }


def _categories(run: Run) -> dict[int, str]:
    preferences = Preference.objects.filter(dataset=run.dataset_id).values_list("id", "category")
    return {preference: category or NO_CATEGORY for preference, category in preferences}


def _domains(run: Run) -> dict[int, tuple[str, ...]]:
    contexts = Context.objects.filter(dataset=run.dataset_id).values_list("id", "domains")
    return {context: tuple(domains) or (NO_DOMAIN,) for context, domains in contexts}
