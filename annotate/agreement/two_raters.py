"""What else one table of two raters says: Scott's pi, agreement on one category, margins' indices.

`table[i, j]` counts the units that the first rater gave category i and the second j.
"""

from collections.abc import Hashable

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.coefficients import brennan_prediger, fleiss_kappa, gwet_ac1, krippendorff_alpha
from annotate.agreement.estimate import Estimate
from annotate.agreement.kappa import NO_UNIT, cohen_kappa, exact_agreement, expected_agreement
from annotate.agreement.tables import Categories, checked_table, counts_of_table


def scott_pi(table: ArrayLike, categories: Categories) -> Estimate:
    """Return Scott's pi (1955), chance from both raters' shared margins: Fleiss' kappa of two."""
    return fleiss_kappa(counts_of_table(checked_table(table, categories)), categories)


def specific_agreement(table: ArrayLike, categories: Categories, category: Hashable) -> Estimate:
    """Return agreement on one category, 2 n_ii / (r_i + c_i): positive or negative for two categories.

    Undefined where neither rater used the category (Cicchetti & Feinstein 1990).
    """
    cells = checked_table(table, categories)
    place = list(categories).index(category)
    used = int(cells[place].sum() + cells[:, place].sum())
    shared = 2 * int(cells[place, place])
    if not used:
        return Estimate(None, shared, used, undefined_reason=f"neither annotator used {category}")
    return Estimate(shared / used, shared, used)


def pabak(table: ArrayLike, categories: Categories) -> Estimate:
    """Return prevalence- and bias-adjusted kappa of two categories, 2 po - 1 (Byrt et al. 1993)."""
    cells = _two_by_two(table, categories)
    return brennan_prediger(counts_of_table(cells), categories)


def prevalence_index(table: ArrayLike, categories: Categories) -> Estimate:
    """Return (a - d) / N of a 2 x 2 table: how far both prefer the first category, -1 to 1."""
    cells = _two_by_two(table, categories)
    return _share(int(cells[0, 0] - cells[1, 1]), int(cells.sum()))


def bias_index(table: ArrayLike, categories: Categories) -> Estimate:
    """Return (b - c) / N of a 2 x 2 table: how much oftener the first rater chose the first category."""
    cells = _two_by_two(table, categories)
    return _share(int(cells[0, 1] - cells[1, 0]), int(cells.sum()))


def two_rater_statistics(table: ArrayLike, categories: Categories) -> dict[str, Estimate]:
    """Return every statistic of the table by name; the last two only for two categories."""
    counts = counts_of_table(checked_table(table, categories))
    found = {
        "percent_agreement": exact_agreement(table, categories),
        "expected_agreement": expected_agreement(table, categories),
        "cohen_kappa": cohen_kappa(table, categories),
        "scott_pi": scott_pi(table, categories),
        "gwet_ac1": gwet_ac1(counts, categories),
        "brennan_prediger": brennan_prediger(counts, categories),
        "krippendorff_nominal": krippendorff_alpha(counts, categories),
    }
    found |= {
        f"specific_agreement_{category}": specific_agreement(table, categories, category)
        for category in categories
    }
    if len(categories) == 2:
        found["prevalence_index"] = prevalence_index(table, categories)
        found["bias_index"] = bias_index(table, categories)
    return found


def _two_by_two(table: ArrayLike, categories: Categories) -> np.ndarray:
    if len(categories) != 2:
        raise ValueError(f"{len(categories)} categories are declared; this index is of exactly 2")
    return checked_table(table, categories)


def _share(above: int, units: int) -> Estimate:
    if not units:
        return Estimate(None, above, units, undefined_reason=NO_UNIT)
    return Estimate(above / units, above, units)
