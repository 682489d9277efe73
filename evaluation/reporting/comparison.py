"""Two runs beside each other on the same instances: condition against condition, model against model."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

from annotate.agreement.estimate import Estimate
from evaluation.benchpres.comparison import compare
from evaluation.benchpres.completeness import completeness_difference
from evaluation.benchpres.length import NO_MESSAGE
from evaluation.benchpres.metrics import Instance
from evaluation.records import JudgeRecord, RunRecord
from evaluation.reporting.comparable import (
    ArmPairs,
    check_comparable,
    comparison_notices,
    paired_arms,
    same_judge,
)
from evaluation.reporting.instances import run_instances, run_messages, run_scores
from evaluation.reporting.pairpref import compare_arms
from evaluation.reporting.plain import plain
from evaluation.targets import Duty

Report = dict[str, Any]
Side = tuple[RunRecord, str]

SHOWN = (
    "run",
    "state",
    "corpus_version",
    "corpus_hash",
    "gold_release",
    "gold_hash",
    "review",
    "samples",
    "seed",
)
PARTS: dict[str, Callable[[Instance], Iterable[str]]] = {
    "domain": lambda row: row.domains,
    "category": lambda row: (row.category,),
}


def compare_records(first: RunRecord, second: RunRecord, arms: ArmPairs | None = None) -> Report:
    """Return how the arms of two runs differ, second - first, ready for JSON.

    `arms` pairs an arm of the first run with one of the second; without it `paired_arms` chooses.
    The seed of the intervals is that of the first run. `Problem` where the runs cannot be compared.
    """
    check_comparable(first, second)
    pairs = paired_arms(first, second, arms)
    benchmark = first.plan["benchmark"]
    return {
        "benchmark": benchmark,
        "dataset": first.plan["dataset"],
        "first": _describe(first, [name for name, _ in pairs]),
        "second": _describe(second, [name for _, name in pairs]),
        "notices": comparison_notices(first, second, pairs),
        "comparisons": [
            {"first": name, "second": other, **SECTIONS[benchmark]((first, name), (second, other))}
            for name, other in pairs
        ],
    }


def compare_benchpres(first: Side, second: Side) -> Report:
    """Compare two arms that ask for messages: rates, whole and in parts, completeness and length."""
    one, two = (run_instances(*side) for side in (first, second))
    seed = first[0].seed
    return {
        **plain(compare(one, two, seed=seed)),
        "by_domain": _in_parts(one, two, PARTS["domain"], seed),
        "by_category": _in_parts(one, two, PARTS["category"], seed),
        "completeness": list(_completeness(first, second)),
        "length": median_words(first, second),
    }


def compare_pairpref(first: Side, second: Side) -> Report:
    """Compare two arms of one track."""
    record, name = first
    return {"track": record.arms[name]["track"], **plain(compare_arms(first, second))}


SECTIONS: dict[str, Callable[[Side, Side], Report]] = {
    "benchpres": compare_benchpres,
    "pairpref": compare_pairpref,
}


def median_words(first: Side, second: Side) -> Report:
    """Return the median length of the messages that were read on both sides."""
    one, two = ({row.key: row.words for row in run_messages(*side)} for side in (first, second))
    shared = [key for key in one if key in two]
    medians = {
        name: _median([side[key] for key in shared]) for name, side in (("first", one), ("second", two))
    }
    return {
        **plain(medians),
        "shared": len(shared),
        "only_first": len(one) - len(shared),
        "only_second": len(two) - len(shared),
    }


def _describe(record: RunRecord, compared: Sequence[str]) -> Report:
    """Return which run a side is, and which of its arms stand in no comparison."""
    return {
        **{name: record.plan[name] for name in SHOWN},
        "model": record.plan["endpoint"]["model"],
        "endpoint": record.plan["endpoint"]["name"],
        "judges": [judge.as_dict() for judge in record.judges],
        "not_compared": [name for name in record.arms if name not in compared],
    }


def _in_parts(
    first: Sequence[Instance],
    second: Sequence[Instance],
    parts_of: Callable[[Instance], Iterable[str]],
    seed: int,
) -> Report:
    """Compare the instances of each part; one of several parts counts in each."""
    names = dict.fromkeys(name for row in (*first, *second) for name in parts_of(row))
    return {
        name: plain(
            compare(*([row for row in side if name in parts_of(row)] for side in (first, second)), seed=seed)
        )
        for name in names
    }


def _completeness(first: Side, second: Side) -> Iterable[Report]:
    """Yield the difference of the mean scores by each judge that both runs have."""
    for judge in first[0].named_for(Duty.COMPLETENESS):
        other = next((row for row in second[0].named_for(Duty.COMPLETENESS) if same_judge(judge, row)), None)
        if other is not None:
            yield judge.as_dict() | _score_difference(first, judge, second, other)


def _score_difference(first: Side, judge: JudgeRecord, second: Side, other: JudgeRecord) -> Report:
    one, two = run_scores(*first, judge.number), run_scores(*second, other.number)
    found = completeness_difference(one, two, seed=first[0].seed)
    return {
        "first": plain(found.without),
        "second": plain(found.with_),
        "difference": plain(found.difference),
        "shared": found.shared,
        "only_first": found.only_without,
        "only_second": found.only_with,
        "unread": found.unread,
    }


def _median(words: Sequence[int]) -> Estimate:
    if not words:
        return Estimate(None, denominator=0, undefined_reason=NO_MESSAGE)
    return Estimate(float(median(words)), denominator=len(words))
