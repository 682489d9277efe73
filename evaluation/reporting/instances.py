"""A BenchPreS run's record as plain instances, ready for the metrics."""

from collections.abc import Hashable

from evaluation.benchpres.completeness import Score
from evaluation.benchpres.length import Message, words
from evaluation.benchpres.metrics import Instance
from evaluation.benchpres.probe import Decision
from evaluation.benchpres.prompting import APPLY
from evaluation.records import GenerationRecord, RunRecord
from evaluation.targets import Target

NO_CATEGORY, NO_DOMAIN = "no category", "no domain"
PROBE_TASK = "probe"


def context_name(context: tuple[str, str] | None) -> str:
    """Name a context in one line."""
    return ": ".join(context or ())


def run_instances(record: RunRecord, arm: str, judge: int | None = None) -> list[Instance]:
    """Return each (message, preference) of an arm with its gold label and its verdict.

    Where several judges were asked about one, the answer of the judge named first counts. With a
    judge given: only what that judge was asked, with its verdicts.
    """
    return [instance for row in record.of_arm(arm) for instance in row_instances(record, row, judge)]


def row_instances(record: RunRecord, row: GenerationRecord, judge: int | None = None) -> list[Instance]:
    """Return each preference that is measured on one message."""
    return [
        _instance(record, row, preference, verdict) for preference, verdict in _labels(row, judge).items()
    ]


def run_scores(record: RunRecord, arm: str, judge: int) -> list[Score]:
    """Return the completeness that a judge gave to each message of an arm."""
    return [
        Score(row.profile, context_name(row.context), row.sample, None if value is None else int(value))
        for row in record.of_arm(arm)
        for value in [row.value(Target.COMPLETENESS, judge)]
    ]


def run_messages(record: RunRecord, arm: str) -> list[Message]:
    """Return the length of each message of an arm that was read."""
    return [
        Message(row.profile, context_name(row.context), row.sample, words(row.message))
        for row in record.of_arm(arm)
        if row.outcome == "done"
    ]


def run_decisions(record: RunRecord, arm: str) -> list[Decision]:
    """Return the decisions of a probe arm."""
    return [
        Decision(
            context_name(row.context), row.preference, row.choice == APPLY if row.outcome == "done" else None
        )
        for row in record.of_arm(arm)
        if row.task == PROBE_TASK
    ]


def gold_by_name(record: RunRecord) -> dict[tuple[Hashable, Hashable], int]:
    """Return gold labels by name of the context and text of the preference."""
    return {
        (context_name(context), preference): value for (context, preference), value in record.gold.items()
    }


def _labels(row: GenerationRecord, judge: int | None) -> dict[str, int | None]:
    """Return the value that counts by preference; None where there is none to read."""
    labels: dict[str, int | None] = {}
    for verdict in row.verdicts:
        if verdict.target == Target.LABEL and judge in (None, verdict.judge):
            labels.setdefault(verdict.preference, None if verdict.value is None else int(verdict.value))
    return labels


def _instance(record: RunRecord, row: GenerationRecord, preference: str, verdict: int | None) -> Instance:
    context = row.context or ("", "")
    return Instance(
        profile=row.profile,
        context=context_name(context),
        preference=preference,
        sample=row.sample,
        category=record.preferences.get(preference) or NO_CATEGORY,
        domains=tuple(record.contexts.get(context, ())) or (NO_DOMAIN,),
        gold=record.gold.get((context, preference)),
        verdict=verdict,
    )
