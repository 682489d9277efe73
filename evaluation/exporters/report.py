"""A run's report as text for a terminal, and as rows for a table."""

from collections.abc import Iterator
from typing import Any

from evaluation.benchpres.published import PUBLISHED, SOURCE
from evaluation.reports import WITH_REASON, Report

METRICS = {"mr": "MR", "aar": "AAR", "gap": "gap"}
COLUMNS: dict[str, type] = {
    "condition": str,
    "part": str,
    "name": str,
    "metric": str,
    "value": float,
    "numerator": int,
    "denominator": int,
    "interval_low": float,
    "interval_high": float,
    "undefined_reason": str,
    "no_interval_reason": str,
    "note": str,
}


def report_rows(report: Report) -> Iterator[list[Any]]:
    """Yield one row of `COLUMNS` a metric: of the whole, each sample, domain, category and judge."""
    for condition, found in report["conditions"].items():
        for part, name, rates in report_parts(found):
            for metric in METRICS:
                if metric in rates:
                    yield [condition, part, name, metric, *_numbers(rates[metric])]


def report_parts(found: Report) -> Iterator[tuple[str, str, Report]]:
    """Yield (kind of part, its name, its rates) of one condition, the whole first."""
    yield "all", "", found
    for row in found["by_sample"]:
        yield "sample", str(row["sample"]), row
    for kind in ("domain", "category"):
        for name, rates in found[f"by_{kind}"].items():
            yield kind, name, rates
    for row in found["by_judge"]:
        yield "judge", judge_name(row), row


def judge_name(judge: Report) -> str:
    """Name a judge and what it judges."""
    return judge["judge"]["name"] + (f" ({judge['category']})" if judge["category"] else "")


def report_text(report: Report) -> str:
    """Return the report as plain text, the published values last and apart."""
    plan = report["plan"]
    lines = [
        f"Run {report['run']}: {plan['endpoint']['model']} on {plan['dataset']} version "
        f"{plan['corpus_version']}, gold release {plan['gold_release']}, {report['state']}",
        f"Judges: {', '.join(map(judge_name, plan['judges'])) or 'none'}. "
        f"Profiles {plan['profiles']}, contexts {plan['contexts']}, samples {plan['samples']}, "
        f"seed {plan['seed']}.",
        *(f"Note: {notice}" for notice in report["notices"]),
    ]
    for condition, found in report["conditions"].items():
        lines += ["", f"Condition {condition}", *_condition_lines(found)]
    return "\n".join([*lines, "", *_cost_lines(report), "", *_published_lines()])


def percent(value: float | None) -> str:
    """Write a rate from 0 to 1 in per cent."""
    return "undefined" if value is None else f"{100 * value:.2f}"


def _condition_lines(found: Report) -> Iterator[str]:
    for part, name, rates in report_parts(found):
        if part == "sample":
            continue
        heading = f"{part} {name}".strip() if part != "all" else "all instances"
        yield f"  {heading}"
        yield from (f"    {_metric_line(metric, rates[metric])}" for metric in METRICS)
    yield f"  instances {found['instances']:,}, {_left_out(found)}"
    yield "  In brackets: 95 % intervals from resampled (profile, context) clusters. A rate is the mean over"
    yield "  the samples, the counts are their sums. A context of several domains counts in each."
    if found["resampling"]["note"]:
        yield f"  {found['resampling']['note']}"
    yield from (f"  {line}" for line in _count_lines(found["counts"]))


def _metric_line(metric: str, estimate: Report) -> str:
    if estimate["value"] is None:
        return f"{METRICS[metric]:<4} undefined: {estimate['undefined_reason']}"
    unit = "points" if metric == "gap" else "%"
    counts = "" if metric == "gap" else f"  {estimate['numerator']:,} of {estimate['denominator']:,}"
    return f"{METRICS[metric]:<4} {percent(estimate['value']):>7} {unit}{counts}  [{interval_text(estimate)}]"


def interval_text(estimate: Report) -> str:
    """Write an interval in per cent, or why there is none."""
    interval = estimate["interval"]
    if interval is None:
        return f"no interval: {estimate['no_interval_reason']}"
    text = f"{percent(interval['low'])} to {percent(interval['high'])}"
    return f"{text} ({interval['note']})" if interval["note"] else text


def _left_out(found: Report) -> str:
    return f"without gold {found['without_gold']:,}, with gold but no verdict {found['without_verdict']:,}"


def _count_lines(counts: Report) -> Iterator[str]:
    for kind in ("generations", "verdicts"):
        ended = counts[kind]
        yield f"{kind}: {ended['done']:,} of {ended['units']:,} done, {ended['planned']:,} still planned"
        for outcome in WITH_REASON:
            for reason, number in ended[outcome].items():
                yield f"  {outcome.label}: {number:,} ({reason})"


def _cost_lines(report: Report) -> Iterator[str]:
    calls = report["calls"]
    yield f"Calls: {calls['subject']:,} to the model, {calls['judges']:,} to judges"
    for who, tokens in report["tokens"].items():
        numbers = ", ".join(
            f"{name} {'unknown' if tokens[name] is None else format(tokens[name], ',')}"
            for name in ("input", "cached", "output", "reasoning")
        )
        yield f"Tokens, {who}: {numbers}"
    seconds = report["duration_seconds"]
    yield "Duration: not started" if seconds is None else f"Duration: {seconds:,.1f} s"


def _published_lines() -> Iterator[str]:
    yield f"For comparison only, not measured here: {SOURCE}"
    yield f"  {'model':<32}{'MR %':>8}{'AAR %':>8}{'gap':>8}"
    for row in PUBLISHED:
        yield f"  {row.model:<32}{row.mr:>8.2f}{row.aar:>8.2f}{row.gap:>8.2f}"


def _numbers(estimate: Report) -> list[Any]:
    interval = estimate["interval"] or {"low": None, "high": None, "note": ""}
    return [
        estimate["value"],
        estimate["numerator"],
        estimate["denominator"],
        interval["low"],
        interval["high"],
        estimate["undefined_reason"],
        estimate["no_interval_reason"],
        interval["note"],
    ]
