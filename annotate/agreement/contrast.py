"""Two arms, runs or judges beside each other on the same units, whatever the benchmark."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.estimate import Estimate
from annotate.agreement.mcnemar import McNemar, mcnemar


@dataclass(frozen=True)
class Contrast:
    """A metric of the first, of the second, and second - first, on the same units and resamples.

    The denominator of the difference is the number of units behind it.
    """

    first: Estimate
    second: Estimate
    difference: Estimate


@dataclass(frozen=True)
class PairedTable:
    """Units crossed by yes or no on each side: `b` are a yes in the first only, `c` in the second only.

    McNemar's test takes the units as independent, though those of one cluster (preferences judged on one
    message, pairs of one preference, samples of one pair) are not. The interval of the difference respects
    the clusters; where the two disagree, believe the interval.
    """

    both: int
    b: int
    c: int
    neither: int
    test: McNemar


def paired_table(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> PairedTable:
    """Cross what two sides say of each unit, each of shape (units,)."""
    b, c = int((first & ~second).sum()), int((~first & second).sum())
    both, neither = int((first & second).sum()), int((~first & ~second).sum())
    return PairedTable(both, b, c, neither, mcnemar(b, c))
