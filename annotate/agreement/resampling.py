"""Percentile intervals from resampled clusters, pairs and units.

Clusters are drawn whole, with replacement, as many as there are; one drawn twice counts twice.
All results of one call share their draws. The value comes from the data, the ends are the type-7
quantiles of the draws in which the statistic is defined. The seed and the generator (NumPy's
PCG64) are named in the interval's method; the same seed gives the same interval.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.coefficients import divided
from annotate.agreement.estimate import Estimate, Interval
from annotate.agreement.intervals import ONE_CLUSTER, cluster_sums
from annotate.agreement.tables import Floats

NO_RATE = "the denominator is 0"


@dataclass(frozen=True)
class ClusteredRates:
    """Rates over the same clusters, with shared draws; ask by name for a rate or a difference."""

    names: tuple[str, ...]
    totals: Floats
    draws: Floats
    clusters: int
    method: str
    level: float

    def rate(self, name: str) -> Estimate:
        """Return one rate: sum of numerators / sum of denominators."""
        place = self.names.index(name)
        above, below = (float(total) for total in self.totals[:, place])
        if not below:
            return Estimate(None, above, below, undefined_reason=NO_RATE)
        interval, reason = self._interval(self.draws[:, place])
        return Estimate(above / below, above, below, interval, no_interval_reason=reason)

    def difference(self, name: str, minus: str) -> Estimate:
        """Return one rate minus another, taken draw by draw (a gap, or one run minus another)."""
        first, second = self.rate(name), self.rate(minus)
        if first.value is None or second.value is None:
            missing = name if first.value is None else minus
            return Estimate(None, undefined_reason=f"{missing} is undefined: {NO_RATE}")
        one, two = self.names.index(name), self.names.index(minus)
        interval, reason = self._interval(self.draws[:, one] - self.draws[:, two])
        return Estimate(first.value - second.value, interval=interval, no_interval_reason=reason)

    def _interval(self, draws: Floats) -> tuple[Interval | None, str | None]:
        if self.clusters < 2:
            return None, ONE_CLUSTER
        return percentile_interval(draws, self.method, self.level)


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
    drawn = _times_drawn(len(sums), resamples, seed) @ sums
    draws = divided(drawn[:, : len(names)], drawn[:, len(names) :])
    method = described(resamples, len(sums), "clusters", seed)
    return ClusteredRates(names, sums.sum(axis=0).reshape(2, -1), draws, len(sums), method, level)


def percentile_interval(draws: Floats, method: str, level: float) -> tuple[Interval | None, str | None]:
    """Return the percentile interval of the defined draws (nan is undefined), or why there is none."""
    defined = draws[~np.isnan(draws)]
    if not defined.size:
        return None, "not estimable: the statistic was undefined in every resample"
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), method, level, _note(draws.size, defined)), None


def described(resamples: int, drawn: int, what: str, seed: int) -> str:
    """Name the method, so that the same numbers can be made again."""
    return f"percentile, {resamples:,} resamples of {drawn:,} {what}, seed {seed}, PCG64"


def _note(resamples: int, defined: Floats) -> str:
    undefined = resamples - defined.size
    if undefined:
        return f"undefined in {undefined:,} of {resamples:,} resamples, which are left out"
    return "every resample gave the same value, which is not certainty" if np.ptp(defined) < 1e-12 else ""


def _times_drawn(clusters: int, resamples: int, seed: int) -> Floats:
    """Return how often each cluster is in each resample, shape (resamples, clusters)."""
    if resamples < 1:
        raise ValueError(f"{resamples} resamples asked for; expected at least 1")
    if not clusters:
        return np.zeros((resamples, 0))
    drawn = np.random.default_rng(seed).integers(clusters, size=(resamples, clusters))
    drawn += np.arange(resamples)[:, None] * clusters
    return np.bincount(drawn.ravel(), minlength=resamples * clusters).reshape(resamples, -1).astype(float)
