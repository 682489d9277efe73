"""Percentile intervals of agreement: pairs of situations, or units, drawn with replacement.

Drawing P of P pairs is drawing how often each distinct kind of pair occurs, a multinomial count:
the same thing as copying rows, and many times faster.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.coefficients import STATISTICS, divided, estimate_of_rows
from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import cluster_places
from annotate.agreement.kappa import Weights, exact_agreement, kappas, weighted_kappa
from annotate.agreement.resampling import (
    as_often_as,
    method_of,
    percentile_interval,
    resampled,
    with_interval,
)
from annotate.agreement.tables import Categories, Floats, Integers, checked_counts, distinct_rows, value_codes

ONE_UNIT = "not estimable: there is only one to draw from"


@dataclass(frozen=True)
class PairedAgreement:
    """Agreement and kappa over complete pairs, on shared draws; pairs with a missing label left out.

    `weighted` holds the kappas that were asked for, by their weights.
    """

    agreement: Estimate
    kappa: Estimate
    pairs: int
    pairs_left_out: int
    weighted: dict[Weights, Estimate] = field(default_factory=dict)


def paired_agreement(
    first: Iterable[Hashable],
    second: Iterable[Hashable],
    pairs: Iterable[Hashable],
    categories: Categories,
    *,
    seed: int,
    weights: Iterable[Weights] = (),
    resamples: int = 5000,
    level: float = 0.95,
) -> PairedAgreement:
    """Resample whole pairs of situations for two raters' percent agreement and Cohen's kappa.

    One entry a situation: both raters' labels (`None` for a missing one) and the pair it belongs
    to. A pair with a missing label is left out whole, so a situation that nobody rated has to be
    given too.

    Raises:
        ValueError: if lengths differ, a value is not declared, or resamples < 1.
    """
    tables, left_out = _pair_tables(first, second, pairs, categories)
    kinds, times = distinct_rows(tables)
    size, number = len(categories), len(tables)
    whole = tables.sum(axis=0).reshape(size, size)
    method = method_of(resamples, number, "pairs", seed)
    drawn = resampled(lambda often: often @ kinds, as_often_as(times), len(kinds), resamples, seed)
    drawn_tables = drawn.reshape(-1, size, size)
    shares = divided(np.trace(drawn_tables, axis1=1, axis2=2), drawn_tables.sum(axis=(1, 2)))

    def kappa(weight: Weights) -> Estimate:
        draws = kappas(drawn_tables, weight)
        return _from_units(weighted_kappa(whole, categories, weight), draws, number, method, level)

    return PairedAgreement(
        _from_units(exact_agreement(whole, categories), shares, number, method, level),
        kappa("none"),
        number,
        left_out,
        {weight: kappa(weight) for weight in weights},
    )


def resampled_statistics(
    counts: ArrayLike,
    categories: Categories,
    names: Iterable[str] = ("percent_agreement", "fleiss_kappa", "gwet_ac1", "krippendorff_nominal"),
    *,
    seed: int,
    clusters: Iterable[Hashable] | None = None,
    resamples: int = 1000,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Resample units for the named coefficients of several raters (names of `STATISTICS`).

    With `clusters`, one a unit, whole clusters are drawn.

    Raises:
        ValueError: if the counts are not units x categories, a unit has no cluster, or resamples < 1.
    """
    matrix, wanted = checked_counts(counts, categories), tuple(names)
    kinds, times = distinct_rows(matrix)
    held, often_held = (
        (np.eye(len(kinds)), times) if clusters is None else distinct_rows(_kinds_held(matrix, clusters))
    )
    drawn = int(often_held.sum())
    method = method_of(resamples, drawn, "units" if clusters is None else "clusters", seed)

    def statistics(often: Floats) -> Floats:
        return np.stack([STATISTICS[name](kinds, often @ held, categories) for name in wanted], axis=1)

    draws = resampled(statistics, as_often_as(often_held), len(held), resamples, seed)
    return {
        name: _from_units(estimate_of_rows(name, kinds, times, categories), column, drawn, method, level)
        for name, column in zip(wanted, draws.T, strict=True)
    }


def _from_units(found: Estimate, draws: Floats, units: int, method: str, level: float) -> Estimate:
    if units < 2:
        return with_interval(found, None, ONE_UNIT)
    return with_interval(found, *percentile_interval(draws, method, level))


def _kinds_held(matrix: Integers, clusters: Iterable[Hashable]) -> Integers:
    """Return how often each distinct row, sorted, occurs in each cluster, shape (clusters, rows)."""
    place, number = cluster_places(clusters)
    if len(place) != len(matrix):
        raise ValueError(f"{len(place)} clusters are given for {len(matrix)} units; expected one a unit")
    kinds, kind = np.unique(matrix, axis=0, return_inverse=True)
    cells = number * len(kinds)
    return np.bincount(place * len(kinds) + kind, minlength=cells).reshape(number, len(kinds))


def _pair_tables(
    first: Iterable[Hashable], second: Iterable[Hashable], pairs: Iterable[Hashable], categories: Categories
) -> tuple[Integers, int]:
    """Return each complete pair's flat q x q table, and how many pairs lack a label."""
    (one, one_given), (two, two_given) = value_codes(first, categories), value_codes(second, categories)
    place, number = cluster_places(pairs)
    if not len(one) == len(two) == len(place):
        raise ValueError(f"{len(one)} and {len(two)} labels in {len(place)} places of pairs; expected equal")
    cells = len(categories) ** 2
    incomplete = np.bincount(place, ~(one_given & two_given), minlength=number) > 0
    keys = place * cells + np.where(one_given & two_given, one * len(categories) + two, 0)
    tables = np.bincount(keys, minlength=number * cells).reshape(number, cells)
    return tables[~incomplete], int(incomplete.sum())
