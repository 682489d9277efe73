"""A rate seen through an imperfect judge, corrected by the judge's known errors.

`positives` of `units` were judged positive. The judge's sensitivity was measured on `true_positives`
units that people call positive, its specificity on `true_negatives` that people call negative.
"""

from dataclasses import dataclass
from math import sqrt

from annotate.agreement.estimate import Estimate, Interval
from annotate.agreement.intervals import normal_quantile, wilson_interval

USELESS = "sensitivity + specificity is not above 1: the judge does no better than chance"
CLIPPED = "the unclipped value is {raw:.4f}, outside 0 to 1"


@dataclass(frozen=True)
class Judged:
    """What was judged, and how good the judge is; shares from 0 to 1, counts from 1."""

    positives: int
    units: int
    sensitivity: float
    specificity: float
    true_positives: int
    true_negatives: int

    @property
    def youden(self) -> float:
        """Sensitivity + specificity - 1, what every correction divides by."""
        return self.sensitivity + self.specificity - 1


@dataclass(frozen=True)
class Corrected:
    """The corrected rate with Lang & Reiczigel's interval, clipped to 0..1, and what it came from.

    `raw`, its delta `standard_error`, and the `delta` and `wilson` intervals are unclipped; all are
    `None` where the judge is useless. `note` says where clipping changed the value.
    """

    rate: Estimate
    raw: float | None = None
    standard_error: float | None = None
    delta: Interval | None = None
    wilson: Interval | None = None
    note: str = ""


def rogan_gladen(judged: Judged, level: float = 0.95) -> Corrected:
    """Return (p + specificity - 1) / (sensitivity + specificity - 1) (Rogan & Gladen 1978).

    Refused, with the reason, where the judge does no better than chance.

    Raises:
        ValueError: if a share is outside 0..1 or a count is out of range.
    """
    _check(judged)
    if judged.youden <= 1e-12:
        return Corrected(Estimate(None, judged.positives, judged.units, undefined_reason=USELESS))
    raw = _corrected(judged.positives / judged.units, judged)
    error, reach = _delta_error(judged, raw), normal_quantile(level)
    clipped = min(max(raw, 0.0), 1.0)
    rate = Estimate(clipped, judged.positives, judged.units, lang_reiczigel_interval(judged, level))
    delta = Interval(raw - reach * error, raw + reach * error, "delta method", level)
    note = "" if clipped == raw else CLIPPED.format(raw=raw)
    return Corrected(rate, raw, error, delta, _mapped_wilson(judged, level), note)


def lang_reiczigel_interval(judged: Judged, level: float = 0.95) -> Interval:
    """Return the interval of Lang & Reiczigel (2014), which keeps its level where the delta one fails.

    Every share is moved towards 1/2 (by z^2 units for the rate, by 2 for the judge's), and the
    interval's middle towards where it is wider.

    Raises:
        ValueError: if the judge does no better than chance.
    """
    if judged.youden <= 1e-12:
        raise ValueError(USELESS)
    z = normal_quantile(level)
    units, positives, negatives = judged.units + z**2, judged.true_positives + 2, judged.true_negatives + 2
    apparent = (judged.positives + z**2 / 2) / units
    sensitivity = (judged.sensitivity * judged.true_positives + 1) / positives
    specificity = (judged.specificity * judged.true_negatives + 1) / negatives
    youden = sensitivity + specificity - 1
    rate = (apparent + specificity - 1) / youden
    sensitivity_variance = sensitivity * (1 - sensitivity) / positives
    specificity_variance = specificity * (1 - specificity) / negatives
    shift = 2 * z**2 * (rate * sensitivity_variance - (1 - rate) * specificity_variance)
    variance = apparent * (1 - apparent) / units
    variance += rate**2 * sensitivity_variance + (1 - rate) ** 2 * specificity_variance
    reach = z * sqrt(variance) / youden
    low, high = (min(max(rate + shift + side * reach, 0.0), 1.0) for side in (-1, 1))
    return Interval(low, high, "Lang & Reiczigel 2014", level)


def _corrected(apparent: float, judged: Judged) -> float:
    return (apparent + judged.specificity - 1) / judged.youden


def _delta_error(judged: Judged, rate: float) -> float:
    apparent = judged.positives / judged.units
    variance = apparent * (1 - apparent) / judged.units
    variance += rate**2 * judged.sensitivity * (1 - judged.sensitivity) / judged.true_positives
    variance += (1 - rate) ** 2 * judged.specificity * (1 - judged.specificity) / judged.true_negatives
    return sqrt(variance) / judged.youden


def _mapped_wilson(judged: Judged, level: float) -> Interval:
    """Correct both ends of the apparent rate's Wilson interval, as if the judge's errors were known."""
    ends = wilson_interval(judged.positives, judged.units, level)
    low, high = _corrected(ends.low, judged), _corrected(ends.high, judged)
    return Interval(low, high, "Wilson, corrected", level, "takes the judge's errors as known")


def _check(judged: Judged) -> None:
    shares, counts = (
        (judged.sensitivity, judged.specificity),
        (judged.units, judged.true_positives, judged.true_negatives),
    )
    if not all(0 <= share <= 1 for share in shares):
        raise ValueError(f"sensitivity and specificity are {shares}; expected 0 to 1")
    if min(counts) < 1 or not 0 <= judged.positives <= judged.units:
        raise ValueError(f"{judged} has a count out of range")
