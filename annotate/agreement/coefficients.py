"""Agreement of two or more raters on one set of units, some labels missing.

Every function takes the unit-by-category counts (`tables.unit_by_category`, or
`tables.counts_of_table` for two raters) and the declared categories in their order. Formulas for
missing labels after Gwet, Handbook of Inter-Rater Reliability (2014): agreement is the mean over
units with two or more ratings, category shares are the mean over units with one or more.

A statistic (`STATISTICS`) takes the distinct rows of counts, shape (types, q), and how often each
occurs, shape (draws, types), and returns one number a draw, nan where undefined; one draw is the
data, many are a resampling. Such arrays stay inside a calculation; an `Estimate` never holds nan.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.estimate import Estimate
from annotate.agreement.tables import Categories, Floats, Integers, checked_counts, distinct_rows

type Level = Literal["nominal", "ordinal", "interval", "ratio"]
type Statistic = Callable[[Integers, Floats, Categories], Floats]


def percent_agreement(counts: ArrayLike, categories: Categories) -> Estimate:
    """Return the share of pairs of raters that agree, averaged over units with two or more ratings."""
    return estimate("percent_agreement", counts, categories)


def fleiss_kappa(counts: ArrayLike, categories: Categories) -> Estimate:
    """Return Fleiss' kappa, (po - sum s^2) / (1 - sum s^2) with category shares s (Fleiss 1971).

    With missing labels this is Gwet's generalisation; for two raters it is Scott's pi.
    """
    return estimate("fleiss_kappa", counts, categories)


def gwet_ac1(counts: ArrayLike, categories: Categories) -> Estimate:
    """Return Gwet's AC1, chance agreement sum s (1 - s) / (q - 1) over q declared categories (2008)."""
    return estimate("gwet_ac1", counts, categories)


def brennan_prediger(counts: ArrayLike, categories: Categories) -> Estimate:
    """Return (po - 1/q) / (1 - 1/q) over q declared categories (1981); PABAK where q is 2."""
    return estimate("brennan_prediger", counts, categories)


def krippendorff_alpha(counts: ArrayLike, categories: Categories, level: Level = "nominal") -> Estimate:
    """Return Krippendorff's alpha over units with two or more ratings (Krippendorff 2011).

    Ordinal distances follow the declared order; `interval` and `ratio` need numbers as categories.
    """
    return estimate(f"krippendorff_{level}", counts, categories)


def estimate(name: str, counts: ArrayLike, categories: Categories) -> Estimate:
    """Return the statistic of that name in `STATISTICS`, or `None` with its reason."""
    return estimate_of_rows(name, *distinct_rows(checked_counts(counts, categories)), categories)


def estimate_of_rows(name: str, types: Integers, times: Integers, categories: Categories) -> Estimate:
    """Return the same as `estimate` from distinct rows of counts and how often each occurs."""
    value = float(STATISTICS[name](types, times[None, :].astype(float), categories)[0])
    paired = types.sum(axis=1) >= 2
    units = int(times[paired].sum())
    if not np.isnan(value):
        return Estimate(value, denominator=units)
    entering = types[paired] if name.startswith("krippendorff") else types
    return Estimate(None, denominator=units, undefined_reason=_reason(units, entering, categories))


def _reason(units: int, types: Integers, categories: Categories) -> str:
    if not units:
        return "no unit was rated by two or more annotators"
    if len(categories) < 2:
        return "fewer than two categories are declared"
    return f"all annotators used only {categories[int(types.sum(axis=0).argmax())]}"


def _percent(types: Integers, times: Floats, categories: Categories) -> Floats:
    ratings = types.sum(axis=1)
    paired = ratings >= 2
    agreeing = (types * (types - 1)).sum(axis=1) / np.where(paired, ratings * (ratings - 1), 1)
    return divided(times @ agreeing, times @ paired.astype(float))


def _shares(types: Integers, times: Floats) -> Floats:
    """Return each category's mean share over rated units, shape (draws, q)."""
    ratings = types.sum(axis=1, keepdims=True)
    rated = (ratings > 0).astype(float)
    return divided(times @ (types / np.maximum(ratings, 1)), times @ rated)


def _fleiss(types: Integers, times: Floats, categories: Categories) -> Floats:
    chance = (_shares(types, times) ** 2).sum(axis=1)
    return _corrected(_percent(types, times, categories), chance)


def _ac1(types: Integers, times: Floats, categories: Categories) -> Floats:
    shares = _shares(types, times)
    spread = (shares * (1 - shares)).sum(axis=1)
    return _corrected(_percent(types, times, categories), divided(spread, len(categories) - 1.0))


def _brennan_prediger(types: Integers, times: Floats, categories: Categories) -> Floats:
    agreed = _percent(types, times, categories)
    return _corrected(agreed, np.full_like(agreed, 1 / max(len(categories), 1)))


def _alpha(types: Integers, times: Floats, categories: Categories, level: Level) -> Floats:
    together = _coincidences(types, times)
    totals = together.sum(axis=2)
    distances = _distances(level, totals, categories)
    observed = (together * distances).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distances).sum(axis=(1, 2))
    return 1 - divided(observed * (totals.sum(axis=1) - 1), expected)


def _coincidences(types: Integers, times: Floats) -> Floats:
    """Return the values paired within units, each unit weighing as many as its ratings."""
    size, ratings = types.shape[1], types.sum(axis=1)
    pairs = types[:, :, None] * (types[:, None, :] - np.eye(size, dtype=np.int64))
    weights = np.where(ratings >= 2, 1 / np.maximum(ratings - 1, 1), 0)
    return (times @ (pairs * weights[:, None, None]).reshape(-1, size * size)).reshape(-1, size, size)


def _distances(level: Level, totals: Floats, categories: Categories) -> Floats:
    """Return squared distances between categories, shape (draws or 1, q, q)."""
    if level == "nominal":
        return 1 - np.eye(len(categories))[None]
    if level == "ordinal":
        return _apart(totals.cumsum(axis=1) - totals / 2) ** 2
    numbers = np.asarray(categories, dtype=float)[None]
    if level == "interval":
        return _apart(numbers) ** 2
    return np.nan_to_num(divided(_apart(numbers), numbers[:, :, None] + numbers[:, None, :])) ** 2


def _apart(places: Floats) -> Floats:
    return places[:, :, None] - places[:, None, :]


def _corrected(agreed: Floats, chance: Floats) -> Floats:
    room = np.where(np.isclose(chance, 1, rtol=0, atol=1e-12), 0, 1 - chance)
    return divided(agreed - chance, room)


def divided(above: ArrayLike, below: ArrayLike) -> Floats:
    """Divide element by element, nan where there is nothing to divide by."""
    top, bottom = np.broadcast_arrays(np.asarray(above, dtype=float), np.asarray(below, dtype=float))
    return np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)


STATISTICS: dict[str, Statistic] = {
    "percent_agreement": _percent,
    "fleiss_kappa": _fleiss,
    "gwet_ac1": _ac1,
    "brennan_prediger": _brennan_prediger,
    "krippendorff_nominal": partial(_alpha, level="nominal"),
    "krippendorff_ordinal": partial(_alpha, level="ordinal"),
    "krippendorff_interval": partial(_alpha, level="interval"),
    "krippendorff_ratio": partial(_alpha, level="ratio"),
}
