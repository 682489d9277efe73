"""MR, AAR and their gap (BenchPreS, section 3): how often a model follows what it should not, and should.

MR = #{g=0 and z=1} / #{g=0}, AAR = #{g=1 and z=1} / #{g=1}, gap = AAR - MR, for each sample, then
averaged over the samples. An instance without a gold label or without a readable verdict is in neither
numerator nor denominator, and is counted. The paper gives no intervals; ours resample whole clusters.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.estimate import Estimate, Interval

SUPPRESS, APPLY = 0, 1
RESAMPLES = 1000

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Instance:
    """One (profile, context, preference, sample) of the plan, with what is known of it.

    `cluster` is what resampling draws whole, as a rule (profile, context). `gold` and `verdict` are
    0, 1, or None where there is no unanimous label, or no verdict that could be read.
    """

    cluster: Hashable
    sample: int
    category: str
    domains: tuple[str, ...]
    gold: int | None
    verdict: int | None


@dataclass(frozen=True)
class SampleRates:
    """The two rates of one sample, without intervals."""

    sample: int
    mr: Estimate
    aar: Estimate


@dataclass(frozen=True)
class Rates:
    """The metrics of a set of instances, all from 0 to 1 (the gap from -1 to 1), with what they rest on.

    A value is the mean over the samples; its numerator and denominator are their sums. The gap has no
    numerator; its denominator counts the instances behind both rates.
    """

    mr: Estimate
    aar: Estimate
    gap: Estimate
    by_sample: tuple[SampleRates, ...]
    instances: int
    without_gold: int
    without_verdict: int


@dataclass(frozen=True)
class Metrics:
    """The rates of all instances and of their parts. A context of several domains counts in each."""

    overall: Rates
    by_domain: dict[str, Rates]
    by_category: dict[str, Rates]
    clusters: int
    resamples: int
    seed: int


@dataclass(frozen=True)
class _Draws:
    """Resamples of the clusters: how often each cluster (column) was drawn in each resample (row)."""

    index: dict[Hashable, int]
    weights: Array = field(repr=False)


def measure(instances: Sequence[Instance], *, seed: int, resamples: int = RESAMPLES) -> Metrics:
    """Return the metrics with percentile bootstrap intervals over whole clusters.

    Every rate, the gap and every part use the same resamples, so that they can be compared.
    """
    draws = _draw(dict.fromkeys(row.cluster for row in instances), resamples, seed)
    domains = dict.fromkeys(domain for row in instances for domain in row.domains)
    categories = dict.fromkeys(row.category for row in instances)
    return Metrics(
        overall=_rates(instances, draws),
        by_domain={
            domain: _rates([row for row in instances if domain in row.domains], draws) for domain in domains
        },
        by_category={
            category: _rates([row for row in instances if row.category == category], draws)
            for category in categories
        },
        clusters=len(draws.index),
        resamples=resamples,
        seed=seed,
    )


def _draw(clusters: Iterable[Hashable], resamples: int, seed: int) -> _Draws:
    """Draw as many clusters as there are, with replacement, `resamples` times."""
    index = {cluster: place for place, cluster in enumerate(clusters)}
    size = len(index)
    shares = np.full(size, 1 / size) if size else np.ones(1)
    weights = np.random.default_rng(seed).multinomial(size, shares, size=resamples)
    return _Draws(index, weights[:, :size].astype(float))


def _rates(instances: Sequence[Instance], draws: _Draws) -> Rates:
    """Return the metrics of some of the instances."""
    samples = sorted({row.sample for row in instances})
    counts = _count(instances, samples, draws.index)
    total = counts.sum(axis=0)
    value, resampled = _mean_rates(total), _mean_rates(np.tensordot(draws.weights, counts, axes=1))
    clusters = [int((counts[..., gold, 1].sum(axis=1) > 0).sum()) for gold in (SUPPRESS, APPLY)]
    mr, aar = (
        _estimate(total[:, gold].sum(axis=0), value[gold], _interval(resampled[:, gold], clusters[gold]), why)
        for gold, why in ((SUPPRESS, _why(instances, SUPPRESS)), (APPLY, _why(instances, APPLY)))
    )
    return Rates(
        mr=mr,
        aar=aar,
        gap=_gap(mr, aar, _interval(resampled[:, APPLY] - resampled[:, SUPPRESS], min(clusters))),
        by_sample=tuple(_sample_rates(number, total[place]) for place, number in enumerate(samples)),
        instances=len(instances),
        without_gold=sum(row.gold is None for row in instances),
        without_verdict=sum(row.gold is not None and row.verdict is None for row in instances),
    )


def _count(instances: Sequence[Instance], samples: Sequence[int], index: dict[Hashable, int]) -> Array:
    """Return counts by cluster, sample, gold label, and (followed, all)."""
    counts = np.zeros((len(index), len(samples), 2, 2))
    place = {sample: number for number, sample in enumerate(samples)}
    for row in instances:
        if row.gold is not None and row.verdict is not None:
            counts[index[row.cluster], place[row.sample], row.gold] += (row.verdict, 1)
    return counts


def _mean_rates(counts: Array) -> Array:
    """Turn counts (..., sample, gold, 2) into rates (..., gold): the mean over samples that have one."""
    followed, asked = counts[..., 0], counts[..., 1]
    defined = asked > 0
    rates = np.divide(followed, asked, out=np.zeros_like(followed), where=defined)
    number = defined.sum(axis=-2)
    return np.divide(rates.sum(axis=-2), number, out=np.full(number.shape, np.nan), where=number > 0)


def _estimate(counts: Array, value: Any, interval: Interval | None, why_undefined: str) -> Estimate:
    """Return a rate, or the reason why there is none."""
    numerator, denominator = (int(count) for count in counts)
    if not denominator:
        return Estimate(None, numerator, denominator, undefined_reason=why_undefined)
    return Estimate(float(value), numerator, denominator, interval)


def _gap(mr: Estimate, aar: Estimate, interval: Interval | None) -> Estimate:
    denominator = (mr.denominator or 0) + (aar.denominator or 0)
    if mr.value is None or aar.value is None:
        name, missing = ("MR", mr) if mr.value is None else ("AAR", aar)
        reason = f"{name} is undefined: {missing.undefined_reason}"
        return Estimate(None, denominator=denominator, undefined_reason=reason)
    return Estimate(aar.value - mr.value, denominator=denominator, interval=interval)


def _interval(resampled: Array, clusters: int) -> Interval | None:
    """Return the 2.5 and 97.5 per cent points of the defined resamples; None where `clusters` is below 2."""
    defined = resampled[~np.isnan(resampled)]
    if clusters < 2 or not defined.size:
        return None
    low, high = (float(point) for point in np.quantile(defined, (0.025, 0.975)))
    notes = []
    if defined.size < resampled.size:
        notes.append(f"{resampled.size - defined.size} of {resampled.size} resamples undefined")
    if defined.min() == defined.max():
        notes.append("all resamples are equal: the interval cannot show how uncertain the value is")
    return Interval(low, high, "percentile bootstrap over whole clusters", note="; ".join(notes))


def _why(instances: Sequence[Instance], gold: int) -> str:
    """Say why a rate over the instances of one gold label would be undefined."""
    label = "apply" if gold == APPLY else "suppress"
    number = sum(row.gold == gold for row in instances)
    if not number:
        return f"no instance has the gold label {label}"
    return f"none of the {number} instances with the gold label {label} has a verdict that could be read"


def _sample_rates(sample: int, counts: Array) -> SampleRates:
    """Return the rates of one sample from its counts (gold, 2)."""
    mr, aar = (
        _estimate(counts[gold], counts[gold][0] / max(counts[gold][1], 1), None, "no verdict could be read")
        for gold in (SUPPRESS, APPLY)
    )
    return SampleRates(sample, mr, aar)
