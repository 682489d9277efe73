"""A run's rows as plain instances, ready for the metrics."""

from annotate.models import Context, GoldLabel, Preference
from evaluation.benchpres.metrics import Instance
from evaluation.models import Run, RunJudge, Verdict

NO_CATEGORY, NO_DOMAIN = "no category", "no domain"

FIELDS = ("profile_id", "context_id", "sample")


def run_instances(run: Run, condition: str, judge: RunJudge | None = None) -> list[Instance]:
    """Return each (message, preference) of a condition with its gold label and its verdict.

    Where several judges were asked about one, the answer of the judge named first counts. With a
    judge given: only what that judge was asked, with its verdicts.
    """
    gold, categories, domains = _gold(run), _categories(run), _domains(run)
    messages = {
        generation: place
        for generation, *place in run.generations.filter(condition=condition).values_list("id", *FIELDS)
    }
    instances = []
    for (generation, preference), verdict in _verdicts(run, condition, judge).items():
        profile, context, sample = messages[generation]
        instances.append(
            Instance(
                cluster=(profile, context),
                sample=sample,
                category=categories[preference],
                domains=domains[context],
                gold=gold.get((context, preference)),
                verdict=verdict,
            )
        )
    return instances


def _verdicts(run: Run, condition: str, judge: RunJudge | None) -> dict[tuple[int, int], int | None]:
    """Return the value that counts by (generation, preference); None where there is none to read."""
    rows = Verdict.objects.filter(generation__run=run, generation__condition=condition)
    if judge is not None:
        rows = rows.filter(judge=judge)
    verdicts: dict[tuple[int, int], int | None] = {}
    for generation, preference, value in rows.order_by(
        "generation_id", "preference_id", "judge_id"
    ).values_list("generation_id", "preference_id", "value"):
        verdicts.setdefault((generation, preference), value)
    return verdicts


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
