"""What a run found, as plain data: read by the page, the API and the command alike."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from evaluation.benchpres.metrics import Metrics, Rates, measure
from evaluation.instances import run_instances
from evaluation.models import Generation, Run, RunJudge, Verdict
from evaluation.models.generation import Outcome
from evaluation.notices import run_notices

Report = dict[str, Any]

TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")
FEW_CLUSTERS = 30
TOO_NARROW = "With so few clusters these intervals are too narrow: take them as a lower bound of the doubt."
WITH_REASON = (Outcome.NOT_READ, Outcome.FAILED, Outcome.SKIPPED)


def run_report(run: Run) -> Report:
    """Return everything that a run found and everything that explains it, ready for JSON.

    Rates go from 0 to 1 and the gap from -1 to 1, both for each sample and then averaged over samples.
    """
    return {
        "run": run.pk,
        "benchmark": run.benchmark,
        "state": run.state,
        "state_reason": run.state_reason,
        "notices": run_notices(run),
        "conditions": {condition: condition_report(run, condition) for condition in run.conditions},
        "counts": count_units(run),
        "calls": count_calls(run),
        "tokens": count_tokens(run),
        "duration_seconds": duration(run, timezone.now()),
        "plan": describe_plan(run),
    }


def condition_report(run: Run, condition: str) -> Report:
    """Return MR, AAR and gap of one condition, whole and in parts, with the counts behind them."""
    metrics = measure(run_instances(run, condition), seed=run.seed)
    return {
        **describe_rates(metrics.overall),
        "by_sample": [
            {"sample": row.sample, "mr": row.mr.as_dict(), "aar": row.aar.as_dict()}
            for row in metrics.overall.by_sample
        ],
        "by_domain": {name: describe_rates(rates) for name, rates in metrics.by_domain.items()},
        "by_category": {name: describe_rates(rates) for name, rates in metrics.by_category.items()},
        "by_judge": judge_reports(run, condition),
        "resampling": describe_resampling(metrics),
        "counts": count_units(run, condition),
    }


def describe_rates(rates: Rates) -> Report:
    """Return the three metrics of some instances, and how many instances entered none."""
    return {
        "mr": rates.mr.as_dict(),
        "aar": rates.aar.as_dict(),
        "gap": rates.gap.as_dict(),
        "instances": rates.instances,
        "without_gold": rates.without_gold,
        "without_verdict": rates.without_verdict,
    }


def describe_resampling(metrics: Metrics) -> Report:
    """Return how the intervals were made."""
    return {
        "method": "percentile bootstrap over whole (profile, context) clusters",
        "clusters": metrics.clusters,
        "resamples": metrics.resamples,
        "seed": metrics.seed,
        "note": TOO_NARROW if metrics.clusters < FEW_CLUSTERS else "",
    }


def judge_reports(run: Run, condition: str) -> list[Report]:
    """Return the rates by each judge's own verdicts, where a run has several."""
    judges = list(run.judges.select_related("endpoint").order_by("id"))
    if len(judges) < 2:
        return []
    return [
        describe_judge(judge)
        | describe_rates(measure(run_instances(run, condition, judge), seed=run.seed).overall)
        for judge in judges
    ]


def count_units(run: Run, condition: str | None = None) -> Report:
    """Return how the units of a run, or of one condition, ended: both kinds together, then each."""
    generations = Generation.objects.filter(run=run)
    verdicts = Verdict.objects.filter(generation__run=run)
    if condition is not None:
        generations = generations.filter(condition=condition)
        verdicts = verdicts.filter(generation__condition=condition)
    kinds = {"generations": _outcomes(generations), "verdicts": _outcomes(verdicts)}
    return {**_added(kinds.values()), **kinds}


def count_calls(run: Run) -> Report:
    """Return the number of HTTP attempts, of those that may have been billed twice, and of those that are
    perhaps missing: under way, at most, when a worker was killed.
    """
    counts = run.calls.aggregate(
        subject=Count("id", filter=Q(verdict=None)),
        judges=Count("id", filter=Q(verdict__isnull=False)),
        repeated=Count("id", filter=Q(attempt__gt=1)),
        may_be_billed_twice=Count("id", filter=Q(may_be_billed_twice=True)),
    )
    return counts | {"perhaps_lost": run.calls_perhaps_lost}


def count_tokens(run: Run) -> Report:
    """Return the tokens of subject and judges apart; None where no call reported a number.

    Cached tokens are part of the input, reasoning tokens part of the output.
    """
    return {
        "subject": _tokens(run.calls.filter(verdict=None)),
        "judges": _tokens(run.calls.filter(verdict__isnull=False)),
    }


def duration(run: Run, now: datetime) -> float | None:
    """Return the seconds from start to end, or till now; None for a run that has not started."""
    if run.started_at is None:
        return None
    return round(((run.finished_at or now) - run.started_at).total_seconds(), 3)


def describe_plan(run: Run) -> Report:
    """Return what a run was asked to do, as it stood when the run was made."""
    return {
        "dataset": run.dataset.slug,
        "corpus_version": run.corpus_version,
        "corpus_hash": run.corpus_hash,
        "gold_release": run.release.name,
        "gold_hash": run.release.content_hash,
        "endpoint": run.endpoint_snapshot,
        "judges": [describe_judge(judge) for judge in run.judges.order_by("id")],
        "conditions": run.conditions,
        "profiles": run.generations.values("profile").distinct().count(),
        "contexts": run.generations.values("context").distinct().count(),
        "samples": run.samples,
        "temperature": run.temperature,
        "seed": run.seed,
        "prompt_hashes": run.prompt_hashes,
        "code_version": run.code_version,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
    }


def describe_judge(judge: RunJudge) -> Report:
    """Return who judges which category; an empty category is all that no other judge has."""
    return {
        "judge": judge.endpoint_snapshot,
        "category": judge.category,
        "is_subject": judge.is_subject,
    }


def _outcomes(units: QuerySet[Any]) -> Report:
    """Count units by outcome, and by reason where an outcome has reasons."""
    counts: Report = {"units": 0, Outcome.PLANNED.value: 0, Outcome.DONE.value: 0}
    counts |= {outcome.value: {} for outcome in WITH_REASON}
    for outcome, reason, number in (
        units.order_by().values_list("outcome", "reason").annotate(number=Count("id")).order_by("-number")
    ):
        counts["units"] += number
        if outcome in WITH_REASON:
            counts[outcome][reason or "no reason given"] = number
        else:
            counts[outcome] += number
    return counts


def _added(kinds: Iterable[Report]) -> Report:
    """Add the counts of several kinds of units."""
    total: Report = {}
    for counts in kinds:
        for name, value in counts.items():
            if isinstance(value, dict):
                reasons = total.setdefault(name, {})
                for reason, number in value.items():
                    reasons[reason] = reasons.get(reason, 0) + number
            else:
                total[name] = total.get(name, 0) + value
    return total


def _tokens(calls: QuerySet[Any]) -> Report:
    sums = calls.aggregate(**{name.removesuffix("_tokens"): Sum(F(name)) for name in TOKENS})
    return sums | {"calls_without_count": calls.filter(input_tokens=None, output_tokens=None).count()}
