"""MR, AAR and their gap (BenchPreS, section 3): how often a model follows what it should not, and should.

MR = #{g=0 and z=1} / #{g=0}, AAR = #{g=1 and z=1} / #{g=1}, gap = AAR - MR, for each sample, then
averaged over the samples. An instance without a gold label or without a readable verdict is in neither
numerator nor denominator, and is counted. The paper gives no intervals; ours resample whole clusters.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.coefficients import divided
from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import NO_DENOMINATOR, ONE_CLUSTER
from annotate.agreement.resampling import clustered_rates, percentile_interval, with_interval

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
    domains = list(dict.fromkeys(domain for row in instances for domain in row.domains))
    categories = list(dict.fromkeys(row.category for row in instances))
    parts = [
        [True for _ in instances],
        *([name in row.domains for row in instances] for name in domains),
        *([name == row.category for row in instances] for name in categories),
    ]
    overall, *rates = _Parts(instances, np.array(parts, dtype=bool), seed, resamples).rates()
    return Metrics(
        overall=overall,
        by_domain=dict(zip(domains, rates, strict=False)),
        by_category=dict(zip(categories, rates[len(domains) :], strict=True)),
        clusters=len({row.cluster for row in instances}),
        resamples=resamples,
        seed=seed,
    )


class _Parts:
    """Parts of the instances, measured over the same resamples.

    The axes of the arrays, as far as they have them, are: resample or cluster, part, gold label, sample.
    """

    def __init__(self, instances: Sequence[Instance], parts: Mask, seed: int, resamples: int) -> None:
        self.parts = parts
        self.samples = sorted({row.sample for row in instances}) or [1]
        self.has_gold = _mask(row.gold is not None for row in instances)
        self.has_verdict = _mask(row.verdict is not None for row in instances)
        self.of_label = parts[:, None] & np.stack([_mask(row.gold == g for row in instances) for g in LABELS])

        of_sample = np.stack([_mask(row.sample == number for row in instances) for number in self.samples])
        asked = self.of_label[:, :, None] & of_sample & self.has_verdict
        followed = asked & _mask(row.verdict == 1 for row in instances)
        shape = asked.shape[:3]
        clusters = [row.cluster for row in instances]
        drawn = clustered_rates(_named(followed), _named(asked), clusters, seed=seed, resamples=resamples)

        self.method, self.level = drawn.method, drawn.level
        self.above = drawn.numerators.sum(axis=0).reshape(shape).astype(int)
        self.below = drawn.denominators.sum(axis=0).reshape(shape).astype(int)
        self.clusters = (drawn.denominators.reshape(-1, *shape).sum(axis=3) > 0).sum(axis=0)
        self.values = _mean_defined(divided(self.above, self.below))
        self.draws = _mean_defined(drawn.draws.reshape(-1, *shape))

    def rates(self) -> Iterator[Rates]:
        """Yield the metrics of each part."""
        for part, inside in enumerate(self.parts):
            mr, aar = self._rate(part, SUPPRESS), self._rate(part, APPLY)
            yield Rates(
                mr=mr,
                aar=aar,
                gap=self._gap(part, mr, aar),
                by_sample=tuple(self._sample_rates(part, place) for place in range(len(self.samples))),
                instances=int(inside.sum()),
                without_gold=int((inside & ~self.has_gold).sum()),
                without_verdict=int((inside & self.has_gold & ~self.has_verdict).sum()),
            )

    def _rate(self, part: int, label: int) -> Estimate:
        """Return the mean over the samples of one rate, the sums behind it, and its interval."""
        numerator, denominator = int(self.above[part, label].sum()), int(self.below[part, label].sum())
        if not denominator:
            reason = _why_undefined(label, int(self.of_label[part, label].sum()))
            return Estimate(None, numerator, denominator, undefined_reason=reason)
        rate = Estimate(float(self.values[part, label]), numerator, denominator)
        return self._with_interval(rate, self.draws[:, part, label], self.clusters[part, label])

    def _gap(self, part: int, mr: Estimate, aar: Estimate) -> Estimate:
        """Return AAR - MR, its interval taken draw by draw."""
        denominator = (mr.denominator or 0) + (aar.denominator or 0)
        if mr.value is None or aar.value is None:
            missing = " and ".join(name for name, rate in (("MR", mr), ("AAR", aar)) if rate.value is None)
            reason = f"without {missing} there is no gap"
            return Estimate(None, denominator=denominator, undefined_reason=reason)
        gap = Estimate(aar.value - mr.value, denominator=denominator)
        draws = self.draws[:, part, APPLY] - self.draws[:, part, SUPPRESS]
        return self._with_interval(gap, draws, self.clusters[part].min())

    def _with_interval(self, found: Estimate, draws: Floats, clusters: int) -> Estimate:
        if clusters < 2:
            return with_interval(found, None, ONE_CLUSTER)
        return with_interval(found, *percentile_interval(draws, self.method, self.level))

    def _sample_rates(self, part: int, place: int) -> SampleRates:
        """Return the two rates of one sample."""
        mr, aar = (
            _plain_rate(int(self.above[part, label, place]), int(self.below[part, label, place]))
            for label in LABELS
        )
        return SampleRates(self.samples[place], mr, aar)


def _mask(values: Iterable[bool]) -> Mask:
    return np.fromiter(values, dtype=bool)


def _named(columns: Mask) -> dict[str, Mask]:
    """Name each column of items, whatever the axes before the last, by its place."""
    return {str(place): columns[place] for place in np.ndindex(columns.shape[:-1])}


def _plain_rate(numerator: int, denominator: int) -> Estimate:
    if not denominator:
        return Estimate(None, numerator, denominator, undefined_reason=NO_DENOMINATOR)
    return Estimate(numerator / denominator, numerator, denominator)


def _mean_defined(rates: Floats) -> Floats:
    """Average over the last axis what is defined there; nan where nothing is."""
    return divided(np.nansum(rates, axis=-1), (~np.isnan(rates)).sum(axis=-1))


def _why_undefined(label: int, instances: int) -> str:
    """Say why no instance enters the rate over a gold label."""
    if not instances:
        return f"no instance has the gold label {LABELS[label]}"
    return f"of {instances:,} with the gold label {LABELS[label]}, none has a verdict that could be read"
