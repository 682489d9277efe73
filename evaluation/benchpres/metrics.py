"""MR, AAR and their gap (BenchPreS, section 3): how often a model follows what it should not, and should.

MR = #{g=0 and z=1} / #{g=0}, AAR = #{g=1 and z=1} / #{g=1}, gap = AAR - MR, for each sample, then
averaged over the samples. An instance without a gold label or without a readable verdict is in neither
numerator nor denominator, and is counted. The paper gives no intervals; ours resample whole clusters.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.coefficients import divided
from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import ONE_CLUSTER
from annotate.agreement.resampling import ClusteredRates, clustered_rates, percentile_interval

SUPPRESS, APPLY = 0, 1
LABELS = {SUPPRESS: "suppress", APPLY: "apply"}
RESAMPLES = 1000

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


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


def measure(instances: Sequence[Instance], *, seed: int, resamples: int = RESAMPLES) -> Metrics:
    """Return the metrics with percentile bootstrap intervals over whole clusters.

    Every rate, the gap and every part use the same resamples, so that they can be compared.
    """
    columns = _Columns(instances, seed, resamples)
    domains = dict.fromkeys(domain for row in instances for domain in row.domains)
    categories = dict.fromkeys(row.category for row in instances)
    return Metrics(
        overall=columns.rates([True for _ in instances]),
        by_domain={name: columns.rates([name in row.domains for row in instances]) for name in domains},
        by_category={name: columns.rates([name == row.category for row in instances]) for name in categories},
        clusters=len(set(columns.clusters)),
        resamples=resamples,
        seed=seed,
    )


class _Columns:
    """Instances as arrays, to measure any part of them over the same resamples."""

    def __init__(self, instances: Sequence[Instance], seed: int, resamples: int) -> None:
        self.clusters = [row.cluster for row in instances]
        self.sample = np.array([row.sample for row in instances], dtype=int)
        self.has_gold = np.array([row.gold is not None for row in instances], dtype=bool)
        self.has_verdict = np.array([row.verdict is not None for row in instances], dtype=bool)
        self.gold = np.array([row.gold == APPLY for row in instances], dtype=int)
        self.followed = np.array([row.verdict == 1 for row in instances], dtype=bool)
        self.seed, self.resamples = seed, resamples

    def rates(self, part: list[bool]) -> Rates:
        """Return the metrics of the instances that are in the part."""
        inside = np.array(part, dtype=bool)
        samples = [int(number) for number in np.unique(self.sample[inside])] or [1]
        drawn = self._draw(inside, samples)
        mr, aar = (self._rate(drawn, label, samples, inside) for label in LABELS)
        return Rates(
            mr=mr.estimate,
            aar=aar.estimate,
            gap=_gap(mr, aar, drawn),
            by_sample=tuple(_sample_rates(drawn, sample) for sample in samples),
            instances=int(inside.sum()),
            without_gold=int((inside & ~self.has_gold).sum()),
            without_verdict=int((inside & self.has_gold & ~self.has_verdict).sum()),
        )

    def _draw(self, inside: Mask, samples: list[int]) -> ClusteredRates:
        """Resample the rate of each label in each sample, all over the same draws."""
        asked = {
            _name(label, sample): inside & self._enters(label) & (self.sample == sample)
            for label in LABELS
            for sample in samples
        }
        followed = {name: entered & self.followed for name, entered in asked.items()}
        return clustered_rates(followed, asked, self.clusters, seed=self.seed, resamples=self.resamples)

    def _enters(self, label: int) -> Mask:
        """Tell which instances enter the rate over a gold label."""
        return self.has_gold & self.has_verdict & (self.gold == label)

    def _rate(self, drawn: ClusteredRates, label: int, samples: list[int], inside: Mask) -> "_Rate":
        """Average one rate over the samples that have it."""
        by_sample = [drawn.rate(_name(label, sample)) for sample in samples]
        values = [rate.value for rate in by_sample if rate.value is not None]
        entered = np.flatnonzero(inside & self._enters(label))
        estimate = Estimate(
            sum(values) / len(values) if values else None,
            sum(int(rate.numerator or 0) for rate in by_sample),
            len(entered),
            undefined_reason=None if values else self._why_undefined(label, inside),
        )
        clusters = len({self.clusters[place] for place in entered})
        return _Rate(estimate, _mean_draws(drawn, label, samples), clusters).with_interval(drawn)

    def _why_undefined(self, label: int, inside: Mask) -> str:
        """Say why no instance enters the rate over a gold label."""
        number = int((inside & self.has_gold & (self.gold == label)).sum())
        if not number:
            return f"no instance has the gold label {LABELS[label]}"
        return (
            f"no verdict could be read on any of the {number:,} instances with the gold label {LABELS[label]}"
        )


@dataclass(frozen=True)
class _Rate:
    """An estimate with its resampled values and the number of clusters behind it."""

    estimate: Estimate
    draws: Floats
    clusters: int

    def with_interval(self, drawn: ClusteredRates) -> "_Rate":
        """Add the interval, or the reason why there is none, to a value that is defined."""
        if self.estimate.value is None:
            return self
        interval, reason = (
            percentile_interval(self.draws, drawn.method, drawn.level)
            if self.clusters > 1
            else (None, ONE_CLUSTER)
        )
        return replace(self, estimate=replace(self.estimate, interval=interval, no_interval_reason=reason))


def _gap(mr: _Rate, aar: _Rate, drawn: ClusteredRates) -> Estimate:
    """Return AAR - MR, its interval taken draw by draw."""
    low, high = mr.estimate, aar.estimate
    denominator = (low.denominator or 0) + (high.denominator or 0)
    if low.value is None or high.value is None:
        missing = " and ".join(name for name, rate in (("MR", low), ("AAR", high)) if rate.value is None)
        return Estimate(None, denominator=denominator, undefined_reason=f"without {missing} there is no gap")
    difference = Estimate(high.value - low.value, denominator=denominator)
    clusters = min(mr.clusters, aar.clusters)
    return _Rate(difference, aar.draws - mr.draws, clusters).with_interval(drawn).estimate


def _mean_draws(drawn: ClusteredRates, label: int, samples: list[int]) -> Floats:
    """Average the resampled rates over the samples that have one; nan where none has."""
    places = [drawn.names.index(_name(label, sample)) for sample in samples]
    draws = drawn.draws[:, places]
    return divided(np.nansum(draws, axis=1), (~np.isnan(draws)).sum(axis=1).astype(float))


def _sample_rates(drawn: ClusteredRates, sample: int) -> SampleRates:
    """Return the two rates of one sample."""
    mr, aar = (
        Estimate(
            rate.value, int(rate.numerator or 0), int(rate.denominator or 0), None, rate.undefined_reason
        )
        for rate in (drawn.rate(_name(label, sample)) for label in LABELS)
    )
    return SampleRates(sample, mr, aar)


def _name(label: int, sample: int) -> str:
    return f"{LABELS[label]} {sample}"
