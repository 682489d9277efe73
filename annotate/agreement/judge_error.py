"""How often a judge is right: sensitivity and specificity beside people's answers.

Verdicts and truths are 0 or 1, nan where there is none; only items with both enter.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import wilson_interval
from annotate.agreement.tables import Floats

NEVER = "people never answered {answer} on an item with a verdict"


@dataclass(frozen=True)
class JudgeError:
    """A judge beside people; `positives` and `negatives` are people's, all counts are of items.

    With weights the shares are of what the items stand for, and their denominators the effective counts.
    """

    sensitivity: Estimate
    specificity: Estimate
    positives: int
    negatives: int
    missed: int
    false_alarms: int

    @property
    def disagreements(self) -> int:
        """Return on how many items judge and people differ."""
        return self.missed + self.false_alarms


def judge_error(
    verdicts: ArrayLike, truths: ArrayLike, weights: ArrayLike | None = None, level: float = 0.95
) -> JudgeError:
    """Return sensitivity, the share of people's 1 that the judge calls 1, and specificity, that of their 0.

    `weights` tell for how many items each one stands (0 or more; none: all the same). Intervals are
    Wilson's over the effective counts of `effective_count`, and take the items as independent.

    Raises:
        ValueError: if lengths differ, a value is not 0, 1 or nan, or a weight is negative or not finite.
    """
    judged, true, weight = checked(verdicts, truths, weights)
    is_positive, is_right = true == 1, judged == true
    stands = np.array([mean_weight(weight, judged == 0), mean_weight(weight, judged == 1)])
    return JudgeError(
        _share(is_right[is_positive], weight[is_positive], stands[::-1], "1", level),
        _share(is_right[~is_positive], weight[~is_positive], stands, "0", level),
        int(is_positive.sum()),
        int((~is_positive).sum()),
        int((is_positive & ~is_right).sum()),
        int((~is_positive & ~is_right).sum()),
    )


def effective_count(is_right: ArrayLike, weights: ArrayLike, stands: ArrayLike) -> float:
    """Return how many items of equal weight would tell a weighted share as well as these do.

    Kish's (sum w)^2 / sum w^2 (1965) supposes that weights have nothing to do with the answer. Where items
    are drawn by the judge's verdict they have: each missed item then stands for many. So the count is the
    one at which share * (1 - share) / count is the share's linearised variance, with one item more of each
    kind (Agresti & Coull 1998), whose weights are `stands`, the right one first.
    """
    right, weight = np.asarray(is_right, dtype=float), np.asarray(weights, dtype=float)
    if np.ptp(weight) == 0:
        return float(weight.size)
    values, sizes = np.append(right, [1.0, 0.0]), np.append(weight, stands)
    share = sizes @ values / sizes.sum()
    variance = (sizes**2 @ (values - share) ** 2) / sizes.sum() ** 2
    return max(1.0, float(share * (1 - share) / variance) - 2)


def mean_weight(weights: Floats, chosen: np.ndarray) -> float:
    """Return for how many items one of those chosen stands; of all where none is chosen."""
    return float((weights[chosen] if chosen.any() else weights).mean()) if weights.size else 1.0


def checked(
    verdicts: ArrayLike, truths: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    """Return the items that have both answers: verdicts, truths, weights (of mean 1 if none are given).

    Raises:
        ValueError: as `judge_error`.
    """
    judged, true = (np.asarray(column, dtype=float) for column in (verdicts, truths))
    weight = np.ones_like(judged) if weights is None else np.asarray(weights, dtype=float)
    if judged.ndim != 1 or not judged.shape == true.shape == weight.shape:
        raise ValueError(
            f"verdicts, truths and weights have shapes {judged.shape}, {true.shape}, {weight.shape}"
        )
    both = ~np.isnan(judged) & ~np.isnan(true)
    judged, true, weight = judged[both], true[both], weight[both]
    if not np.isin(judged, (0, 1)).all() or not np.isin(true, (0, 1)).all():
        raise ValueError("verdicts and truths must be 0, 1 or nan")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("weights must be finite and 0 or more")
    return judged, true, weight


def _share(is_right: np.ndarray, weights: Floats, stands: Floats, answer: str, level: float) -> Estimate:
    if not weights.sum():
        return Estimate(None, 0, 0, undefined_reason=NEVER.format(answer=answer))
    # A sum over the same items is the same to the last digit: right on all is 1, whatever the weights.
    value = float(weights[is_right].sum() / weights.sum())
    count = effective_count(is_right, weights, stands)
    right = min(value * count, count)
    return Estimate(value, right, count, wilson_interval(right, count, level))
