"""What a BenchPreS run found: rates of each arm, arms against each other, and the studies beside them."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from evaluation.benchpres.arms import NO_PREFERENCES, PROBE
from evaluation.benchpres.comparison import compare
from evaluation.benchpres.completeness import completeness, completeness_difference
from evaluation.benchpres.length import length_table
from evaluation.benchpres.metrics import Metrics, Rates, measure
from evaluation.benchpres.probe import probe_accuracy, split
from evaluation.records import JudgeRecord, RunRecord
from evaluation.reporting.counts import count_units
from evaluation.reporting.instances import (
    gold_by_name,
    run_decisions,
    run_instances,
    run_messages,
    run_scores,
)
from evaluation.reporting.plain import plain
from evaluation.targets import Duty

Report = dict[str, Any]

PARTS = ("domain", "category", "profile", "context")
FACTORS = ("condition", "reasoning", "temperature", "density", "ratio", "order")
CLUSTERS = {"context": "(profile, context) clusters", "profile": "profiles"}
FEW_CLUSTERS = 30
TOO_NARROW = (
    "With so few clusters these intervals are too narrow: take them as a lower bound of the doubt, and the "
    "cluster-robust ones beside them as the better guide."
)


def benchpres_sections(record: RunRecord) -> Report:
    """Return the sections of the report that BenchPreS has of its own.

    Rates go from 0 to 1 and the gap from -1 to 1, both for each sample and then averaged over samples.
    """
    return {
        "conditions": {name: condition_report(record, name) for name in message_arms(record)},
        "comparisons": list(_comparisons(record)),
        "studies": studies(record),
        "probe": [probe_report(record, name) for name in probe_arms(record)],
        "completeness": [completeness_report(record, judge) for judge in record.named_for(Duty.COMPLETENESS)],
        "length": {name: plain(_lengths(record, name)) for name in message_arms(record)},
    }


def message_arms(record: RunRecord) -> list[str]:
    """Return the names of the arms that ask for messages."""
    return [name for name, arm in record.arms.items() if arm["condition"] != PROBE]


def probe_arms(record: RunRecord) -> list[str]:
    """Return the names of the arms that put the probe."""
    return [name for name, arm in record.arms.items() if arm["condition"] == PROBE]


def condition_report(record: RunRecord, arm: str) -> Report:
    """Return MR, AAR and gap of one arm, whole and in parts, with the counts behind them."""
    metrics = measure(run_instances(record, arm), seed=record.seed, cluster_by=record.cluster_by)
    return {
        **describe_rates(metrics.overall),
        "robust": {name: plain(getattr(metrics.overall, f"{name}_robust")) for name in ("mr", "aar", "gap")},
        "by_sample": plain(metrics.overall.by_sample),
        **{
            f"by_{part}": {
                name: describe_rates(rates) for name, rates in getattr(metrics, f"by_{part}").items()
            }
            for part in PARTS
        },
        "by_judge": judge_reports(record, arm),
        "resampling": describe_resampling(metrics, CLUSTERS[record.cluster_by]),
        "counts": count_units(record.of_arm(arm)),
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


def describe_resampling(metrics: Metrics, clusters: str) -> Report:
    """Return how the intervals were made."""
    return {
        "method": f"percentile bootstrap over whole {clusters}",
        "clusters": metrics.clusters,
        "resamples": metrics.resamples,
        "seed": metrics.seed,
        "note": TOO_NARROW if metrics.clusters < FEW_CLUSTERS else "",
    }


def judge_reports(record: RunRecord, arm: str) -> list[Report]:
    """Return the rates by each judge's own verdicts, where a run has several."""
    judges = list(record.named_for(Duty.LABELS))
    if len(judges) < 2:
        return []
    return [
        judge.as_dict()
        | describe_rates(measure(run_instances(record, arm, judge.number), seed=record.seed).overall)
        for judge in judges
    ]


def _comparisons(record: RunRecord) -> Iterator[Report]:
    """Yield each further arm against the first, on the instances that both have."""
    first, *others = message_arms(record) or [""]
    for other in others:
        found = compare(run_instances(record, first), run_instances(record, other), seed=record.seed)
        yield {"first": first, "second": other, **plain(found)}


def studies(record: RunRecord) -> list[Report]:
    """Return, for each factor that the run varies, the arms that differ in nothing else.

    The numbers of an arm stand under its condition.
    """
    return [
        {"factor": factor, "series": series}
        for factor in FACTORS
        if (series := list(_series(record, factor)))
    ]


def _series(record: RunRecord, factor: str) -> Iterator[Report]:
    arms = [record.arms[name] for name in message_arms(record)]
    rest = sorted(arms, key=lambda arm: [str(arm[name]) for name in FACTORS if name != factor])
    for _, group in groupby(rest, key=lambda arm: [arm[name] for name in FACTORS if name != factor]):
        rows = sorted(group, key=arms.index)
        if len(rows) > 1:
            yield {"arms": [{"arm": row["name"], "value": row[factor]} for row in rows]}


def probe_report(record: RunRecord, probe: str) -> Report:
    """Return how often the probe is right, and what part of MR is not knowing, of each arm."""
    decisions = run_decisions(record, probe)
    asked_alike = [
        name
        for name in message_arms(record)
        if record.arms[name]["reasoning"] == record.arms[probe]["reasoning"]
    ]
    return {
        "arm": probe,
        "accuracy": plain(probe_accuracy(decisions, gold_by_name(record), seed=record.seed)),
        "split": {
            name: plain(split(run_instances(record, name), decisions, seed=record.seed))
            for name in asked_alike
        },
        "counts": count_units(record.of_arm(probe)),
    }


def completeness_report(record: RunRecord, judge: JudgeRecord) -> Report:
    """Return the mean score of each arm by one judge, and the difference that preferences make."""
    scores = {name: run_scores(record, name, judge.number) for name in message_arms(record)}
    return {
        **judge.as_dict(),
        "by_arm": {name: plain(completeness(rows, seed=record.seed)) for name, rows in scores.items()},
        "differences": [
            {
                "arm_without": without,
                "arm_with": name,
                **plain(completeness_difference(scores[without], scores[name], seed=record.seed)),
            }
            for without, name in with_and_without(record)
        ],
    }


def with_and_without(record: RunRecord) -> Iterator[tuple[str, str]]:
    """Yield (arm without preferences, arm with) of arms that are alike in reasoning and temperature."""
    arms = record.arms
    for without in message_arms(record):
        if arms[without]["condition"] == NO_PREFERENCES:
            for name in message_arms(record):
                alike = all(
                    arms[name][factor] == arms[without][factor] for factor in ("reasoning", "temperature")
                )
                if arms[name]["condition"] != NO_PREFERENCES and alike:
                    yield without, name


def _lengths(record: RunRecord, arm: str) -> Any:
    return length_table(run_messages(record, arm), run_instances(record, arm), seed=record.seed)
