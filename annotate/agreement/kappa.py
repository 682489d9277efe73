"""Cohen's kappa of two raters, plain and weighted, with its standard error and interval.

A table is categories x categories: `table[i, j]` counts the units that the first rater gave i and
the second j. Every kappa is 1 - N * sum d n / sum d r c with margins r and c and distances d
between the declared categories: 1 off the diagonal (Cohen 1960), |i - j| or (i - j)^2 (Cohen 1968).
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.coefficients import divided
from annotate.agreement.estimate import Estimate, Interval
from annotate.agreement.intervals import normal_quantile, wilson_rate
from annotate.agreement.tables import Categories, Floats, Integers, Labels, checked_table, rater_tables

type Weights = Literal["none", "linear", "quadratic"]

NO_UNIT = "no unit was rated by both annotators"
SMALLEST = "kappa is at the smallest value these margins allow; the interval is not to be trusted"
PAST_ONE = "the normal approximation reaches past 1"
NO_SPREAD = "not estimable: the standard error is exactly 0 on this table, which is not certainty"


@dataclass(frozen=True)
class PairKappa:
    """Kappa of two raters over the units both rated; `left_out` units were not."""

    first: Hashable
    second: Hashable
    agreement: Estimate
    kappa: Estimate
    left_out: int


@dataclass(frozen=True)
class StandardErrors:
    """Large-sample standard errors of kappa; `None` where kappa is undefined.

    `estimated` does not suppose anything (for intervals); `under_chance` supposes kappa = 0.
    """

    estimated: float | None
    under_chance: float | None


def exact_agreement(table: ArrayLike, categories: Categories) -> Estimate:
    """Return the share of units with the same label from both, with its Wilson interval."""
    cells = checked_table(table, categories)
    return wilson_rate(int(np.trace(cells)), int(cells.sum()), NO_UNIT)


def expected_agreement(table: ArrayLike, categories: Categories) -> Estimate:
    """Return the agreement by chance that Cohen's kappa corrects for, sum r c / N^2."""
    cells = checked_table(table, categories)
    units = int(cells.sum())
    if not units:
        return Estimate(None, denominator=0, undefined_reason=NO_UNIT)
    chance = int(cells.sum(axis=1) @ cells.sum(axis=0))
    return Estimate(chance / units**2, denominator=units)


def cohen_kappa(table: ArrayLike, categories: Categories, level: float = 0.95) -> Estimate:
    """Return Cohen's kappa with the interval of Fleiss, Cohen & Everitt 1969.

    Undefined where no unit has two labels, and where both raters used only the same one category.
    """
    return weighted_kappa(table, categories, "none", level)


def weighted_kappa(
    table: ArrayLike, categories: Categories, weights: Weights, level: float = 0.95
) -> Estimate:
    """Return weighted kappa over all declared ordered categories, used or not."""
    cells = checked_table(table, categories)
    units = int(cells.sum())
    value = float(kappas(cells[None], weights)[0])
    if np.isnan(value):
        return Estimate(None, denominator=units, undefined_reason=_reason(cells, categories))
    error = standard_errors(cells, categories, weights).estimated
    if not error:
        return Estimate(value, denominator=units, no_interval_reason=NO_SPREAD)
    reach = normal_quantile(level) * error
    note = SMALLEST if _is_smallest(cells, weights) else PAST_ONE if value + reach > 1 else ""
    interval = Interval(value - reach, value + reach, "Fleiss, Cohen & Everitt 1969", level, note)
    return Estimate(value, denominator=units, interval=interval)


def pairwise_kappa(labels: Labels) -> list[PairKappa]:
    """Return Cohen's kappa of each two raters who share a unit, undefined ones with their reason."""
    return [
        PairKappa(
            pair.first,
            pair.second,
            exact_agreement(pair.table, labels.categories),
            cohen_kappa(pair.table, labels.categories),
            pair.left_out,
        )
        for pair in rater_tables(labels)
    ]


def kappas(tables: Integers | Floats, weights: Weights = "none") -> Floats:
    """Return kappa of each of many tables, shape (tables, q, q); nan where undefined."""
    distances = _distances(tables.shape[-1], weights)
    observed = np.tensordot(tables, distances, axes=2) * tables.sum(axis=(1, 2))
    expected = ((tables.sum(axis=2) @ distances) * tables.sum(axis=1)).sum(axis=1)
    return 1 - divided(observed, expected)


def standard_errors(table: ArrayLike, categories: Categories, weights: Weights = "none") -> StandardErrors:
    """Return both standard errors of Fleiss, Cohen & Everitt 1969.

    Their variance is that of w_ij - (mean w of row i + mean w of column j)(1 - kappa) over the
    cells, divided by N (1 - pe)^2; under chance kappa is 0 and the cells are as the margins say.
    """
    cells = checked_table(table, categories)
    value = float(kappas(cells[None], weights)[0])
    if np.isnan(value):
        return StandardErrors(None, None)
    observed = cells / cells.sum()
    rows, columns = observed.sum(axis=1), observed.sum(axis=0)
    expected = np.outer(rows, columns)
    likeness = 1 - _distances(len(cells), weights) / max(len(cells) - 1, 1) ** (weights == "quadratic")
    means = (likeness @ columns)[:, None] + (rows @ likeness)[None, :]
    room = float(np.sqrt(cells.sum()) * (1 - (expected * likeness).sum()))
    return StandardErrors(
        _deviation(likeness - means * (1 - value), observed) / room,
        _deviation(likeness - means, expected) / room,
    )


def _deviation(values: Floats, shares: Floats) -> float:
    """Return the standard deviation of cell values, exactly 0 where only rounding differs."""
    mean = (shares * values).sum()
    deviation = float(np.sqrt((shares * (values - mean) ** 2).sum()))
    return deviation if deviation > 1e-12 else 0.0


def _distances(size: int, weights: Weights) -> Floats:
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
    return {"none": (apart > 0).astype(float), "linear": apart, "quadratic": apart**2}[weights]


def _is_smallest(cells: Integers, weights: Weights) -> bool:
    """Whether no table with these margins has a smaller kappa.

    Disagreement counted by cells is largest with sum max(0, r + c - N) on the diagonal; convex
    distances are largest where one rater's labels in order meet the other's in reverse.
    """
    rows, columns, units = cells.sum(axis=1), cells.sum(axis=0), cells.sum()
    if weights == "none":
        return bool(np.trace(cells) == np.maximum(rows + columns - units, 0).sum())
    distances, places = _distances(len(cells), weights), np.arange(len(cells))
    largest = distances[np.repeat(places, rows), np.repeat(places[::-1], columns[::-1])].sum()
    return bool((distances * cells).sum() == largest)


def _reason(cells: Integers, categories: Categories) -> str:
    if not cells.sum():
        return NO_UNIT
    return f"both annotators used only {categories[int(np.diag(cells).argmax())]}"
