"""Intervals of plain proportions, and of rates whose items come in clusters."""

from collections.abc import Hashable, Iterable
from math import sqrt
from statistics import NormalDist

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import t

from annotate.agreement.estimate import Estimate, Interval
from annotate.agreement.tables import Floats, Integers

NO_DENOMINATOR = "the denominator is 0"
ONE_CLUSTER = "not estimable: all items are in one cluster"
NO_SPREAD = "not estimable: the clusters do not differ, which is not certainty"


def wilson_interval(successes: float, trials: float, level: float = 0.95) -> Interval:
    """Return the Wilson score interval of a proportion (Newcombe 1998, method 3), also of effective counts.

    Raises:
        ValueError: unless 0 <= successes <= trials and trials >= 1.
    """
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} of {trials} is no proportion")
    z = normal_quantile(level)
    middle = (successes + z**2 / 2) / (trials + z**2)
    reach = z / (trials + z**2) * sqrt(successes * (trials - successes) / trials + z**2 / 4)
    # At the ends rounding would leave a trace: the interval of 0 of n begins at 0 exactly.
    low = max(0.0, middle - reach) if successes else 0.0
    high = min(1.0, middle + reach) if successes < trials else 1.0
    return Interval(low, high, "Wilson", level)


def normal_quantile(level: float) -> float:
    """Return how many standard errors a two-sided normal interval of this level reaches."""
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson_rate(successes: int, trials: int, reason: str = NO_DENOMINATOR, level: float = 0.95) -> Estimate:
    """Return successes / trials with its Wilson interval, or `None` for the reason given.

    Raises:
        ValueError: unless 0 <= successes <= trials.
    """
    if not successes and not trials:
        return Estimate(None, 0, 0, undefined_reason=reason)
    interval = wilson_interval(successes, trials, level)
    return Estimate(successes / trials, successes, trials, interval)


def cluster_robust_mean(values: ArrayLike, clusters: Iterable[Hashable], level: float = 0.95) -> Estimate:
    """Return a mean over items with a cluster-robust interval, t at K - 1 degrees (Miller 2024).

    SE^2 = K / (K - 1) * sum over clusters of (sum of deviations)^2 / N^2.
    """
    items = np.asarray(values, dtype=float)
    return cluster_robust_rate(items, np.ones_like(items), clusters, level)


def cluster_robust_rate(
    numerators: ArrayLike, denominators: ArrayLike, clusters: Iterable[Hashable], level: float = 0.95
) -> Estimate:
    """Return sum of numerators / sum of denominators, items in clusters, with a robust interval.

    As `cluster_robust_mean`, the deviation of a cluster being numerator - rate * denominator.
    """
    sums = cluster_sums([numerators, denominators], clusters)
    above, below = (float(total) for total in sums.sum(axis=0))
    if not below:
        return Estimate(None, above, below, undefined_reason=NO_DENOMINATOR)
    interval, reason = robust_interval(above / below, deviations(sums[:, 0], sums[:, 1]), level)
    return Estimate(above / below, above, below, interval, no_interval_reason=reason)


def deviations(numerators: Floats, denominators: Floats) -> Floats:
    """Return how much each cluster's sums pull their common rate away from where it is."""
    total = denominators.sum()
    return (numerators - numerators.sum() / total * denominators) / total


def robust_interval(value: float, pulls: Floats, level: float) -> tuple[Interval | None, str | None]:
    """Return the cluster-robust interval around a value, or why there is none."""
    clusters = len(pulls)
    if clusters < 2:
        return None, ONE_CLUSTER
    error = float(np.sqrt(clusters / (clusters - 1) * (pulls**2).sum()))
    if error < 1e-12:
        return None, NO_SPREAD
    reach = float(t.ppf((1 + level) / 2, clusters - 1)) * error
    method = f"cluster-robust over {clusters:,} clusters, t at {clusters - 1:,} degrees"
    return Interval(value - reach, value + reach, method, level), None


def cluster_sums(columns: list[ArrayLike], clusters: Iterable[Hashable]) -> Floats:
    """Sum each column of items within clusters; return shape (clusters, columns).

    Raises:
        ValueError: if a column is not as long as `clusters`, or holds nan or infinity.
    """
    place, number = cluster_places(clusters)
    arrays = [np.asarray(column, dtype=float) for column in columns]
    for array in arrays:
        if array.shape != place.shape or not np.isfinite(array).all():
            raise ValueError(f"expected {len(place)} finite numbers, one an item; found shape {array.shape}")
    return np.stack([np.bincount(place, array, number) for array in arrays], axis=1)


def cluster_places(clusters: Iterable[Hashable]) -> tuple[Integers, int]:
    """Return the position of each item's cluster among the distinct ones, and how many there are.

    Raises:
        ValueError: if an item has no cluster.
    """
    place, names = pd.factorize(
        clusters if isinstance(clusters, np.ndarray) else pd.Series(list(clusters), dtype=object)
    )
    if (place < 0).any():
        raise ValueError(f"item {int(np.argmin(place)) + 1} has no cluster")
    return place.astype(np.int64), len(names)
