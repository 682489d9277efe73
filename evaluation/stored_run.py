"""A run's rows as its record."""

from collections import defaultdict
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from annotate.models import Context, CorpusVersion, GoldLabel, Preference
from annotate.models.campaign import EXAMPLE_LABELS
from evaluation.models import Run, RunJudge
from evaluation.pairpref.metrics import Pair
from evaluation.records import GenerationRecord, JudgeRecord, RunRecord, VerdictRecord
from evaluation.spending import judges_of, run_spending
from evaluation.unit_rows import generation_rows, verdict_rows


def record_of(run: Run) -> RunRecord:
    """Return all that the report of a run rests on."""
    return replace(frame_of(run), generations=_generations(run))


def frame_of(run: Run) -> RunRecord:
    """Return the record of a run without its units, of which there may be very many."""
    return RunRecord(
        plan=describe_plan(run, timezone.now()),
        judges=tuple(judge_record(number, judge) for number, judge in enumerate(judges_of(run), start=1)),
        generations=(),
        gold=_gold(run),
        preferences=_of_preferences(run, "category"),
        preference_keys=_of_preferences(run, "key"),
        preference_domains=_of_preferences(run, "domain"),
        contexts=_domains(run),
        pairs=_pairs(run),
        spending=tuple(
            asdict(part) | {"cost": None if part.cost is None else str(part.cost)}
            for part in run_spending(run)
        ),
        calls=count_calls(run),
    )


def judge_record(number: int, judge: RunJudge) -> JudgeRecord:
    """Return a judge of a run as plain data; `number` is its place among them, from 1."""
    return JudgeRecord(number, judge.endpoint_snapshot, judge.duty, judge.category, judge.is_subject)


def describe_plan(run: Run, now: datetime) -> dict[str, Any]:
    """Return what a run was asked to do, and how far it is."""
    newest = CorpusVersion.objects.filter(dataset=run.dataset_id).order_by("-version").first()
    changed = newest is not None and newest.content_hash != run.corpus_hash
    return {
        "run": run.pk,
        "benchmark": run.benchmark,
        "state": run.state,
        "state_reason": run.state_reason,
        "dataset": run.dataset.slug,
        "corpus_version": run.corpus_version,
        "corpus_hash": run.corpus_hash,
        "newest_corpus_version": newest.version if newest and changed else run.corpus_version,
        "gold_release": run.release.name if run.release else None,
        "gold_hash": run.release.content_hash if run.release else None,
        "review": run.review.slug if run.review else None,
        "validation": _sample(run),
        "example_labels": EXAMPLE_LABELS if run.release and run.release.is_example else "",
        "endpoint": run.endpoint_snapshot,
        "arms": run.arms,
        "samples": run.samples,
        "seed": run.seed,
        "prompt_hashes": run.prompt_hashes,
        "cost_limit": None if run.cost_limit is None else str(run.cost_limit),
        "token_limit": run.token_limit,
        "code_version": run.code_version,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "duration_seconds": duration(run, now),
    }


def _sample(run: Run) -> dict[str, Any] | None:
    """Return which sample a judging run is of, and whether the judge is the model whose answers they are."""
    if run.validation is None:
        return None
    sample, source = run.validation.sample, run.validation.run
    asked = [(one.endpoint_snapshot["base_url"], one.endpoint_snapshot["model"]) for one in (run, source)]
    return {
        "sample": sample.slug,
        "name": sample.name,
        "question": sample.question,
        "run": source.pk,
        "model": source.endpoint_snapshot["model"],
        "judges_itself": asked[0] == asked[1],
    }


def duration(run: Run, now: datetime) -> float | None:
    """Return the seconds from start to end, or till now; None for a run that has not started."""
    if run.started_at is None:
        return None
    return round(((run.finished_at or now) - run.started_at).total_seconds(), 3)


def count_calls(run: Run) -> dict[str, int]:
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


def _generations(run: Run) -> tuple[GenerationRecord, ...]:
    verdicts: dict[int, list[VerdictRecord]] = defaultdict(list)
    for row in verdict_rows(run):
        verdicts[row.pop("generation")].append(VerdictRecord(**row))
    return tuple(GenerationRecord(**row, verdicts=tuple(verdicts[row["id"]])) for row in generation_rows(run))


def _gold(run: Run) -> dict[tuple[tuple[str, str], str], int]:
    if run.release_id is None:
        return {}
    labels = GoldLabel.objects.filter(release=run.release_id)
    rows = labels.values_list("context__recipient", "context__task", "preference__text", "value")
    return {((recipient, task), preference): value for recipient, task, preference, value in rows}


def _of_preferences(run: Run, field: str) -> dict[str, str]:
    return dict(Preference.objects.filter(dataset=run.dataset_id).values_list("text", field))


def _domains(run: Run) -> dict[tuple[str, str], tuple[str, ...]]:
    rows = Context.objects.filter(dataset=run.dataset_id).values_list("recipient", "task", "domains")
    return {(recipient, task): tuple(domains) for recipient, task, domains in rows}


def _pairs(run: Run) -> dict[str, Pair]:
    if not run.generations.filter(pair__isnull=False).exists():
        return {}
    rows = run.dataset.pairs.select_related("preference")
    return {
        row.identifier: Pair(
            row.identifier,
            row.preference.key,
            row.category,
            row.preference.domain,
            row.tier,
            row.distance,
        )
        for row in rows
    }
