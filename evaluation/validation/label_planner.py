"""How many labels more a corrected rate takes until its interval is as narrow as one wishes."""

from bisect import bisect_left
from dataclasses import dataclass
from math import sqrt

from scipy.stats import t

from annotate.agreement.corrected_rate import CorrectedRate
from annotate.agreement.label_numbers import TOO_FEW_YET, FurtherLabels, further_labels, variance_with
from annotate.agreement.prediction_powered import PredictionPowered
from evaluation.validation.correction import Corrected
from evaluation.validation.difference import CorrectedDifference

type Sides = tuple[PredictionPowered, PredictionPowered]

RUN_IS_WIDER = (
    "no number of labels gives it: with every one of the {units:,} items of both sides labelled the interval "
    "would still be {width:.3g} wide"
)
REFUSED = "the correction is refused: {reason}"


@dataclass(frozen=True)
class LabelsNeeded:
    """Labels beyond those there are, by either method, for an interval of a width; or why none suffices.

    A label is one item of the rate: where its items are pairs, one with all that its value rests on. Those
    for a difference are of both sides together. `rogan_gladen` is None for what is not yes or no.
    """

    width: float
    prediction_powered: FurtherLabels
    rogan_gladen: FurtherLabels | None = None


def labels_needed(found: Corrected, width: float) -> LabelsNeeded:
    """Return how many labels more it takes, drawn as those there are, until an interval is so wide at most.

    `width` is on the scale of the rate: 0.1 are 10 points of a rate, half a step of a score is 0.5.

    Raises:
        ValueError: if the width is not above 0.
    """
    if isinstance(found, CorrectedDifference):
        return LabelsNeeded(width, _for_difference(found, width))
    powered = further_labels(found.powered, width)
    turned_back = _turned_back(found, width) if isinstance(found, CorrectedRate) else None
    return LabelsNeeded(width, powered, turned_back)


def _turned_back(found: CorrectedRate, width: float) -> FurtherLabels:
    if found.turned_back is None:
        return FurtherLabels(None, REFUSED.format(reason=found.rogan_gladen.undefined_reason))
    return further_labels(found.turned_back, width)


def _for_difference(found: CorrectedDifference, width: float) -> FurtherLabels:
    """Spread further labels over both sides as what is not labelled yet."""
    if not width > 0:
        raise ValueError(f"a width of {width} was asked for; expected more than 0")
    corrected = found.prediction_powered
    if corrected.interval is None:
        reason = corrected.undefined_reason or corrected.no_interval_reason
        return FurtherLabels(None, TOO_FEW_YET.format(reason=reason))
    if corrected.interval.high - corrected.interval.low <= width:
        return FurtherLabels(0)
    sides = found.first.found.powered, found.second.found.powered
    unlabelled = sum(side.units - side.labelled for side in sides)
    more = bisect_left(range(unlabelled + 1), True, key=lambda labels: _width(sides, labels) <= width)
    if more <= unlabelled:
        return FurtherLabels(more)
    units, least = sum(side.units for side in sides), _width(sides, unlabelled)
    return FurtherLabels(None, RUN_IS_WIDER.format(units=units, width=least))


def _width(sides: Sides, more: int) -> float:
    """Return how wide the interval of the difference would be with so many labels more."""
    share = more / max(1, sum(side.units - side.labelled for side in sides))
    labels = [side.labelled + round(share * (side.units - side.labelled)) for side in sides]
    variance = sum(variance_with(side, number) for side, number in zip(sides, labels, strict=True))
    degrees = min(sum(labels), len({*sides[0].clusters, *sides[1].clusters})) - 1
    reach = t.ppf((1 + sides[0].level) / 2, degrees) * sqrt(max(0.0, variance - 2 * _covariance(*sides)))
    return float(2 * reach)


def _covariance(first: PredictionPowered, second: PredictionPowered) -> float:
    """Return how the two sides vary together, for what they share lies in the clusters."""
    pulls = dict(zip(second.clusters, second.pulls, strict=True))
    shared = zip(first.clusters, first.pulls, strict=True)
    return float(sum(pull * pulls.get(name, 0.0) for name, pull in shared))
