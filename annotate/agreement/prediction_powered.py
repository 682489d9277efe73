"""A mean over everything a judge has judged, set right by the items that people labelled too.

Prediction-powered inference (Angelopoulos et al. 2023): the mean of the judge's values over all N items
times a tuning, plus the weighted mean of what people say beyond that on the items they labelled. Labelled
items are some of the N, and items come in clusters, so the run's error and the labels' are not independent.
The interval therefore comes from how much each cluster pulls the estimate:

    pull_c = sum over i in c of  tuning * (f_i - F) / N  +  w_i * (r_i - R) / W,   r_i = y_i - tuning * f_i

with f the judge's values, y people's, w for how many items a labelled one stands (0 if it is not labelled),
and F, R, W the mean of f, the weighted mean of r, the sum of w. Their squares add up to the cluster-robust
variance (Miller 2024, factor K / (K - 1)). It contains the covariance of the two errors: with every item
labelled it is the variance of people's own mean.
"""

import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t

from annotate.agreement.estimate import Estimate, Interval
from annotate.agreement.intervals import NO_DENOMINATOR, NO_SPREAD, ONE_CLUSTER, cluster_places
from annotate.agreement.tables import Floats

NO_LABEL = "no item has a person's answer"
LABELS_IN_ONE_CLUSTER = "not estimable: all labels are in one cluster"
OUTSIDE = "the unclipped value is {value:.4f}, outside {low:g} to {high:g}"


@dataclass(frozen=True, eq=False)
class PredictionPowered:
    """The estimate and what it came from.

    `centre` is the middle of the interval before it is clipped to `bounds`, `allowance` the part of the
    variance that stands for errors not seen. With n labels of N items drawn alike the rest of the variance
    is about run_variance + label_variance * (1 / n - 1 / N). `pulls` are in the order of `clusters`.
    """

    estimate: Estimate
    units: int
    labelled: int
    bounds: tuple[float, float]
    level: float
    tuning: float = 1.0
    centre: float = 0.0
    allowance: float = 0.0
    run_variance: float = 0.0
    label_variance: float = 0.0
    pulls: Floats = field(default_factory=lambda: np.zeros(0))
    clusters: tuple[Hashable, ...] = ()
    labelled_clusters: frozenset[Hashable] = frozenset()

    @property
    def allowance_share(self) -> float:
        """Return which part of the interval's variance stands for errors not seen."""
        variance = _variance(self.pulls) + self.allowance
        return self.allowance / variance if variance else 0.0


@dataclass(frozen=True, eq=False)
class _Sample:
    """The judge's values of all units; of the labelled ones their places, people's values and weights."""

    predictions: Floats
    labelled: NDArray[np.intp]
    truths: Floats
    weights: Floats

    @property
    def of_labelled(self) -> Floats:
        return self.predictions[self.labelled]

    def mean(self, values: Floats) -> float:
        return float(np.average(values, weights=self.weights))


def prediction_powered_mean(
    predictions: ArrayLike,
    truths: ArrayLike,
    clusters: Iterable[Hashable],
    weights: ArrayLike | None = None,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
    tuning: float | None = None,
) -> PredictionPowered:
    """Return the mean of people's values over all items, estimated from the judge's and some of people's.

    `predictions` are the judge's values of all N items, `truths` people's, nan where nobody answered,
    `clusters` what a resample of the run draws whole, `weights` for how many items each labelled one stands
    (read only there; none: all the same), `bounds` the ends of the scale. Without a `tuning` it is chosen
    from the data.

    The interval, with t at one degree fewer than there are clusters with labels, allows for errors that were
    not seen: its middle and variance count one imagined label more for each pair of a judge's and a person's
    extreme answer, in the spirit of Bonett & Price (2012) and Lang & Reiczigel (2014), times the share of the
    items that nobody labelled.

    Raises:
        ValueError: if lengths differ, a prediction is not finite, a value is outside `bounds`, the weight of
            a labelled item is not above 0, or an item has no cluster.
    """
    names = clusters if isinstance(clusters, np.ndarray) else list(clusters)
    place, _ = cluster_places(names)
    sample = _checked(predictions, truths, weights, len(names), bounds)
    if not sample.labelled.size:
        reason = NO_LABEL if len(names) else NO_DENOMINATOR
        nothing = Estimate(None, denominator=len(names), undefined_reason=reason)
        return PredictionPowered(nothing, len(names), 0, bounds, level)
    return _estimated(sample, place, names, _tuned(sample) if tuning is None else tuning, bounds, level)


def prediction_powered_difference(first: PredictionPowered, second: PredictionPowered) -> Estimate:
    """Return first - second (a gap, or one run minus another), clusters of the same name being the same.

    The two are of different items, or of the same items in two runs; what they share lies in the clusters.
    """
    if first.estimate.value is None or second.estimate.value is None:
        missing = first if first.estimate.value is None else second
        which = "first" if missing is first else "second"
        reason = f"the {which} is undefined: {missing.estimate.undefined_reason}"
        return Estimate(None, undefined_reason=reason)
    names = tuple(dict.fromkeys(first.clusters + second.clusters))
    return _with_interval(
        first.estimate.value - second.estimate.value,
        first.centre - second.centre,
        _aligned(first, names) - _aligned(second, names),
        first.allowance + second.allowance,
        len(first.labelled_clusters | second.labelled_clusters),
        (first.bounds[0] - second.bounds[1], first.bounds[1] - second.bounds[0]),
        first.level,
    )


def _tuned(sample: _Sample) -> float:
    """Return how far to lean on the judge, 0 to 1: the slope of people's values on the judge's.

    It is the power tuning of PPI++ (Angelopoulos, Duchi & Zrnic 2023), which leaves the estimate the least
    variance, where the labels are n of the N items: its Cov / (Var (1 + n / (N - n))) times the mean of the
    others is this slope times the mean of all. Taken from the labels alone, so that a judge who was never
    wrong gets 1; and 1 too where the judge gave all of them one value, which teaches nothing.
    """
    apart = sample.of_labelled - sample.mean(sample.of_labelled)
    variance = sample.mean(apart**2)
    return float(np.clip(sample.mean(apart * sample.truths) / variance, 0, 1)) if variance > 1e-12 else 1.0


def _estimated(
    sample: _Sample,
    place: NDArray[np.int64],
    names: Sequence[Hashable] | NDArray[Any],
    tuning: float,
    bounds: tuple[float, float],
    level: float,
) -> PredictionPowered:
    units, labelled = len(names), len(sample.labelled)
    share, judged = 1 - labelled / units, float(sample.predictions.mean())
    beyond = sample.truths - tuning * sample.of_labelled
    unseen = _unseen(sample, beyond, tuning, bounds)
    total = labelled + share * len(unseen)
    middle = (labelled * sample.mean(beyond) + share * float(unseen.sum())) / total
    of_labels = sample.weights / sample.weights.mean() * (beyond - middle) / total
    pulls = np.bincount(place, tuning * (sample.predictions - judged) / units)
    pulls += np.bincount(place[sample.labelled], of_labels, len(pulls))
    allowance = share * float((((unseen - middle) / total) ** 2).sum())
    centre, held = tuning * judged + middle, frozenset(names[int(item)] for item in sample.labelled)
    value = _point_estimate(sample, tuning)
    return PredictionPowered(
        _with_interval(value, centre, pulls, allowance, len(held), bounds, level, units),
        units,
        labelled,
        bounds,
        level,
        tuning,
        centre,
        allowance,
        _run_variance(sample, place),
        labelled * float((of_labels**2).sum()),
        pulls,
        tuple(dict.fromkeys(names)),
        held,
    )


def _run_variance(sample: _Sample, place: NDArray[np.int64]) -> float:
    """Return about the variance that people's mean would have with every item labelled.

    What clusters add to the variance of the judge's mean is taken for what they add to people's, once the
    judge's noise is out of it: divided by the squared slope of the judge's values on people's.
    """
    units, sizes = len(place), np.bincount(place)
    pulls = np.bincount(place, sample.predictions - sample.predictions.mean()) / units
    apart = sample.truths - sample.mean(sample.truths)
    of_people = sample.mean(apart**2)
    shared = sample.mean(apart * sample.of_labelled)
    if abs(shared) < 1e-12:
        return of_people / units
    added = (_variance(pulls) - float(sample.predictions.var()) / units) * (of_people / shared) ** 2
    most = of_people * float((sizes**2).sum()) / units**2
    return min(max(of_people / units + added, 0.0), most)


def _unseen(sample: _Sample, beyond: Floats, tuning: float, bounds: tuple[float, float]) -> Floats:
    """Return what people say beyond the judge on the imagined labels.

    Where the differences d that were seen, in widths of the scale, are small, they are drawn in towards the
    mean: by (sum d^4 + 1) / (sum d^2 + 1) in their squares, the 1 being one difference of a whole width. For
    answers of 0 and 1 that is no change.
    """
    apart = ((sample.truths - sample.of_labelled) / (bounds[1] - bounds[0])) ** 2
    nearness = sqrt((float((apart**2).sum()) + 1) / (float(apart.sum()) + 1))
    extremes = np.array([person - tuning * judge for person in bounds for judge in bounds])
    mean = sample.mean(beyond)
    return mean + nearness * (extremes - mean)


def _point_estimate(sample: _Sample, tuning: float) -> float:
    estimate = _ppi_mean_pointestimate()
    weights = sample.weights
    found = estimate(sample.truths, sample.of_labelled, sample.predictions, lam=tuning, w=weights)
    return float(np.squeeze(found))


@cache
def _ppi_mean_pointestimate() -> Callable[..., Any]:
    # Importing it takes two seconds and switches off every warning of the process.
    with warnings.catch_warnings():
        from ppi_py import ppi_mean_pointestimate
    return ppi_mean_pointestimate


def _with_interval(
    value: float,
    centre: float,
    pulls: Floats,
    allowance: float,
    labelled_clusters: int,
    bounds: tuple[float, float],
    level: float,
    units: int | None = None,
) -> Estimate:
    low, high = bounds
    clipped = min(max(value, low), high)
    variance = _variance(pulls) + allowance
    reason = _no_interval(len(pulls), labelled_clusters, variance)
    if reason:
        return Estimate(clipped, denominator=units, no_interval_reason=reason)
    reach = float(t.ppf((1 + level) / 2, labelled_clusters - 1)) * sqrt(variance)
    ends = max(low, min(centre - reach, clipped)), min(high, max(centre + reach, clipped))
    method = f"linearised over {len(pulls):,} clusters, t at {labelled_clusters - 1:,} degrees"
    note = OUTSIDE.format(value=value, low=low, high=high) if abs(clipped - value) > 1e-9 else ""
    return Estimate(clipped, denominator=units, interval=Interval(*ends, method, level, note))


def _no_interval(clusters: int, labelled_clusters: int, variance: float) -> str | None:
    if clusters < 2:
        return ONE_CLUSTER
    if labelled_clusters < 2:
        return LABELS_IN_ONE_CLUSTER
    return NO_SPREAD if variance < 1e-24 else None


def _variance(pulls: Floats) -> float:
    clusters = len(pulls)
    return float((pulls**2).sum()) * clusters / (clusters - 1) if clusters > 1 else 0.0


def _aligned(found: PredictionPowered, names: tuple[Hashable, ...]) -> Floats:
    by_name = dict(zip(found.clusters, found.pulls, strict=True))
    return np.array([by_name.get(name, 0.0) for name in names])


def _checked(
    predictions: ArrayLike,
    truths: ArrayLike,
    weights: ArrayLike | None,
    units: int,
    bounds: tuple[float, float],
) -> _Sample:
    predicted, true = (np.asarray(column, dtype=float) for column in (predictions, truths))
    weight = np.ones(units) if weights is None else np.asarray(weights, dtype=float)
    if not predicted.shape == true.shape == weight.shape == (units,):
        shapes = predicted.shape, true.shape, weight.shape
        raise ValueError(f"predictions, truths and weights have shapes {shapes}; expected ({units},) each")
    labelled = np.flatnonzero(~np.isnan(true))
    true, weight = true[labelled], weight[labelled]
    given = np.concatenate([predicted, true])
    if not ((given >= bounds[0]) & (given <= bounds[1])).all():
        raise ValueError(f"a value is missing or outside {bounds[0]:g} to {bounds[1]:g}")
    if not (np.isfinite(weight) & (weight > 0)).all():
        raise ValueError("the weight of a labelled item must be finite and above 0")
    return _Sample(predicted, labelled, true, weight)
