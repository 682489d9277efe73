"""How many more labels it takes, judged by what the labels so far have shown."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt

from scipy.stats import t

from annotate.agreement.prediction_powered import PredictionPowered

TOO_FEW_YET = "the labels so far give no interval to go by: {reason}"
RUN_IS_WIDER = (
    "no number of labels gives it: with every one of the {units:,} items labelled the interval would still be"
    " {width:.3g} wide, for the run itself has only {clusters:,} clusters"
)


@dataclass(frozen=True)
class FurtherLabels:
    """How many labels beyond those there are, drawn in the same way; or `None` and why no number will do."""

    labels: int | None
    reason: str | None = None


def further_labels(found: PredictionPowered, width: float) -> FurtherLabels:
    """Return how many labels more it takes until the interval is as narrow as `width`.

    For Rogan & Gladen give the estimate with their tuning (`CorrectedRate.turned_back`).

    Raises:
        ValueError: if the width is not above 0.
    """
    if not width > 0:
        raise ValueError(f"a width of {width} was asked for; expected more than 0")
    interval = found.estimate.interval
    if interval is None:
        reason = found.estimate.undefined_reason or found.estimate.no_interval_reason
        return FurtherLabels(None, TOO_FEW_YET.format(reason=reason))
    if interval.high - interval.low <= width:
        return FurtherLabels(0)
    total = _fewest(found, lambda labels: width_with(found, labels) <= width)
    if total is None:
        least, clusters = width_with(found, found.units), len(found.clusters)
        return FurtherLabels(None, RUN_IS_WIDER.format(units=found.units, width=least, clusters=clusters))
    return FurtherLabels(total - found.labelled)


def labels_for_allowance(found: PredictionPowered, share: float) -> int:
    """Return with how many labels in all the allowance for errors not seen is this share of the variance."""
    total = _fewest(
        found, lambda labels: allowance_with(found, labels) <= share * variance_with(found, labels)
    )
    return found.units if total is None else total


def width_with(found: PredictionPowered, labels: int) -> float:
    """Return how wide the interval would be, before it is clipped, with this many labels in all."""
    degrees = min(labels, len(found.clusters)) - 1
    if degrees < 1:
        return inf
    return 2 * float(t.ppf((1 + found.level) / 2, degrees)) * sqrt(variance_with(found, labels))


def variance_with(found: PredictionPowered, labels: int) -> float:
    """Return the variance that the interval would rest on with this many labels in all."""
    of_labels = found.label_variance * (1 / labels - 1 / found.units)
    return found.run_variance + of_labels + allowance_with(found, labels)


def allowance_with(found: PredictionPowered, labels: int) -> float:
    """Return the part of that variance which would stand for errors that nobody saw."""
    left = found.units - found.labelled
    if not left:
        return 0.0
    return found.allowance * (found.labelled / labels) ** 2 * (found.units - labels) / left


def _fewest(found: PredictionPowered, is_enough: Callable[[int], bool]) -> int | None:
    """Return the smallest number of labels, from those there are to all items, that is enough."""
    low, high = found.labelled, found.units
    if not is_enough(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low
