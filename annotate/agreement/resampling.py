"""Percentile intervals by resampling, and the rates of items that come in clusters.

Clusters are drawn whole, with replacement, as many as there are; one drawn twice counts twice.
All results of one call share their draws. The value comes from the data, the ends are the type-7
quantiles of the draws in which the statistic is defined. The seed and the generator (NumPy's
PCG64) are named in the interval's method; the same seed gives the same interval.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from annotate.agreement.coefficients import divided
from annotate.agreement.estimate import Estimate, Interval
from annotate.agreement.intervals import (
    NO_DENOMINATOR,
    ONE_CLUSTER,
    cluster_sums,
    deviations,
    robust_interval,
)
from annotate.agreement.tables import Floats, Integers

type Drawing = Callable[[Generator, int], Integers]

BLOCK = 4_000_000  # numbers drawn at once: 32 MB


@dataclass(frozen=True)
class ClusteredRates:
    """Rates over the same clusters, with shared draws; ask by name for a rate or a difference.

    With few clusters the percentile interval is too narrow: show the `cluster_robust` one beside it.
    `numerators` and `denominators` have shape (clusters, rates), `draws` (resamples, rates) with nan
    where a draw has no denominator; `percentile_interval` takes such draws.
    """

    names: tuple[str, ...]
    numerators: Floats
    denominators: Floats
    draws: Floats
    method: str
    level: float

    def rate(self, name: str) -> Estimate:
        """Return one rate, sum of numerators / sum of denominators, with its percentile interval."""
        return with_interval(self._rate(name), *self._percentile(self.draws[:, self._place(name)]))

    def difference(self, name: str, minus: str) -> Estimate:
        """Return one rate minus another, taken draw by draw (a gap, or one run minus another)."""
        draws = self.draws[:, self._place(name)] - self.draws[:, self._place(minus)]
        return with_interval(self._difference(name, minus), *self._percentile(draws))

    def cluster_robust(self, name: str) -> Estimate:
        """Return one rate with the cluster-robust interval, t at K - 1 degrees."""
        rate = self._rate(name)
        return rate if rate.value is None else self._robust(rate, self._pulls(name))

    def cluster_robust_difference(self, name: str, minus: str) -> Estimate:
        """Return one rate minus another with the cluster-robust interval, t at K - 1 degrees."""
        gap = self._difference(name, minus)
        return gap if gap.value is None else self._robust(gap, self._pulls(name) - self._pulls(minus))

    def _place(self, name: str) -> int:
        return self.names.index(name)

    def _rate(self, name: str) -> Estimate:
        place = self._place(name)
        above, below = float(self.numerators[:, place].sum()), float(self.denominators[:, place].sum())
        if not below:
            return Estimate(None, above, below, undefined_reason=NO_DENOMINATOR)
        return Estimate(above / below, above, below)

    def _difference(self, name: str, minus: str) -> Estimate:
        first, second = self._rate(name).value, self._rate(minus).value
        if first is None or second is None:
            missing = name if first is None else minus
            return Estimate(None, undefined_reason=f"{missing} is undefined: {NO_DENOMINATOR}")
        return Estimate(first - second)

    def _percentile(self, draws: Floats) -> tuple[Interval | None, str | None]:
        if len(self.numerators) < 2:
            return None, ONE_CLUSTER
        return percentile_interval(draws, self.method, self.level)

    def _pulls(self, name: str) -> Floats:
        place = self._place(name)
        return deviations(self.numerators[:, place], self.denominators[:, place])

    def _robust(self, found: Estimate, pulls: Floats) -> Estimate:
        return with_interval(found, *robust_interval(found.value or 0.0, pulls, self.level))


def clustered_rates(
    numerators: Mapping[str, ArrayLike],
    denominators: Mapping[str, ArrayLike],
    clusters: Iterable[Hashable],
    *,
    seed: int,
    resamples: int = 1000,
    level: float = 0.95,
) -> ClusteredRates:
    """Resample whole clusters once for all the named rates.

    `numerators[name]` and `denominators[name]` hold one number an item (0 where an item does not
    enter that rate), `clusters` the cluster of each item. Two runs over the same items are compared
    by giving both runs' rates and asking for their difference.

    Raises:
        ValueError: if the names or lengths differ, a number is not finite, or resamples < 1.
    """
    names = tuple(numerators)
    if set(names) != set(denominators):
        raise ValueError(f"numerators are of {sorted(names)}, denominators of {sorted(denominators)}")
    columns = [numerators[name] for name in names] + [denominators[name] for name in names]
    sums = cluster_sums(columns, clusters)
    above, below = sums[:, : len(names)], sums[:, len(names) :]
    drawn = resampled(lambda times: times @ sums, equally_often(len(sums)), len(sums), resamples, seed)
    draws = divided(drawn[:, : len(names)], drawn[:, len(names) :])
    method = method_of(resamples, len(sums), "clusters", seed)
    return ClusteredRates(names, above, below, draws, method, level)


def percentile_interval(draws: Floats, method: str, level: float) -> tuple[Interval | None, str | None]:
    """Return the percentile interval of the defined draws (nan is undefined), or why there is none."""
    defined = draws[~np.isnan(draws)]
    if not defined.size:
        return None, "not estimable: the statistic was undefined in every resample"
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), method, level, _note(draws.size, defined)), None


def with_interval(found: Estimate, interval: Interval | None, reason: str | None) -> Estimate:
    """Return a defined estimate with the interval, or with the reason for having none."""
    if found.value is None:
        return found
    return replace(found, interval=interval, no_interval_reason=reason)


def method_of(resamples: int, drawn: int, what: str, seed: int) -> str:
    """Name the method with all that is needed to get the same numbers again."""
    return f"percentile, {resamples:,} resamples of {drawn:,} {what}, seed {seed}, PCG64"


def _note(resamples: int, defined: Floats) -> str:
    undefined = resamples - defined.size
    if undefined:
        return f"undefined in {undefined:,} of {resamples:,} resamples, which are left out"
    return "every resample gave the same value, which is not certainty" if np.ptp(defined) < 1e-12 else ""


def resampled(
    statistic: Callable[[Floats], Floats], drawing: Drawing, kinds: int, resamples: int, seed: int
) -> Floats:
    """Compute a statistic of how often each kind is drawn, a block of draws at a time."""
    if resamples < 1:
        raise ValueError(f"{resamples} resamples asked for; expected at least 1")
    generator, step = np.random.default_rng(seed), max(1, BLOCK // max(kinds, 1))
    blocks = (min(step, resamples - start) for start in range(0, resamples, step))
    return np.concatenate([statistic(drawing(generator, block).astype(float)) for block in blocks])


def equally_often(clusters: int) -> Drawing:
    """Draw `clusters` of them with replacement; faster than multinomial counts when all are equal."""

    def draw(generator: Generator, resamples: int) -> Integers:
        if not clusters:
            return np.zeros((resamples, 0), dtype=np.int64)
        drawn = generator.integers(clusters, size=(resamples, clusters))
        drawn += np.arange(resamples)[:, None] * clusters
        return np.bincount(drawn.ravel(), minlength=resamples * clusters).reshape(resamples, clusters)

    return draw


def as_often_as(times: Integers) -> Drawing:
    """Draw multinomial counts of kinds that occur `times` in the data, as many as the data have."""
    total = int(times.sum())

    def draw(generator: Generator, resamples: int) -> Integers:
        if not total:
            return np.zeros((resamples, 0), dtype=np.int64)
        return generator.multinomial(total, times / total, size=resamples)

    return draw
