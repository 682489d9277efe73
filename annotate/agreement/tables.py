"""From labels in rows to the tables that the coefficients are computed from."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

type Integers = NDArray[np.int64]
type Floats = NDArray[np.float64]
type Categories = Sequence[Hashable]


@dataclass(frozen=True)
class Labels:
    """One entry a given label: positions into `units`, `raters` and `categories`.

    Entries are sorted by unit, then rater; missing labels have no entry, but their unit stays in
    `units`. Memory is in proportion to the labels, not to units times raters.
    """

    unit: Integers
    rater: Integers
    value: Integers
    units: NDArray[Any]
    raters: tuple[Hashable, ...]
    categories: tuple[Hashable, ...]


@dataclass(frozen=True)
class RaterTable:
    """Two raters' labels of the units both rated: `table[i, j]` is first's i with second's j.

    `left_out` counts the units that only one of them, or neither, rated.
    """

    first: Hashable
    second: Hashable
    table: Integers
    left_out: int


def read_labels(
    units: Iterable[Hashable],
    raters: Iterable[Hashable],
    values: Iterable[Hashable],
    categories: Categories,
) -> Labels:
    """Turn three columns of equal length, one row a label, into `Labels`.

    A value of `None` is a missing label; the text "None" is text.

    Raises:
        ValueError: if a value is not declared in `categories`, a unit or rater is missing, or a
            rater labelled a unit twice.
    """
    unit, unit_names = _positions(units, "unit")
    rater, rater_names = _positions(raters, "rater")
    value, given = value_codes(values, categories)
    if not len(unit) == len(rater) == len(value):
        raise ValueError(
            f"columns differ in length: {len(unit)} units, {len(rater)} raters, {len(value)} values"
        )
    labels = unit[given] * max(len(rater_names), 1) + rater[given]
    order = np.argsort(labels, kind="stable")
    _refuse_twice(labels[order], unit_names, rater_names)
    return Labels(
        unit[given][order],
        rater[given][order],
        value[given][order],
        unit_names,
        tuple(rater_names.tolist()),
        tuple(categories),
    )


def value_codes(values: Iterable[Hashable], categories: Categories) -> tuple[Integers, NDArray[np.bool_]]:
    """Return each value's position in `categories` (-1 if missing) and whether it was given.

    Raises:
        ValueError: if `categories` repeat, or a given value is not among them.
    """
    places: dict[Hashable, int] = {category: place for place, category in enumerate(categories)}
    if len(places) < len(categories) or None in places:
        raise ValueError(f"categories must be distinct and not None; found {list(categories)}")
    places[None] = -1
    column = values.tolist() if isinstance(values, np.ndarray) else list(values)
    try:
        codes = np.fromiter(map(places.__getitem__, column), np.int64, len(column))
    except KeyError as unknown:
        message = f"value {unknown.args[0]!r} is not among the declared {list(categories)}"
        raise ValueError(message) from None
    return codes, codes >= 0


def unit_by_rater(labels: Labels) -> Integers:
    """Return categories' positions, shape (units, raters), -1 where a label is missing."""
    array = np.full((len(labels.units), len(labels.raters)), -1, dtype=np.int64)
    array[labels.unit, labels.rater] = labels.value
    return array


def unit_by_category(labels: Labels) -> Integers:
    """Return how many raters gave a unit each category, shape (units, categories)."""
    shape = len(labels.units), len(labels.categories)
    cells = labels.unit * shape[1] + labels.value
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)


def rater_tables(labels: Labels) -> list[RaterTable]:
    """Return one table for each two raters who share a unit, in the order of `labels.raters`.

    Entries are sorted by unit, so the labels `step` places apart in the same unit are pairs; each
    step takes memory in proportion to the labels.
    """
    raters, categories = len(labels.raters), len(labels.categories)
    cells = categories * categories
    keys, times = _pair_keys(labels, raters, categories)
    tables = []
    for pair in np.unique(keys // cells):
        chosen = keys // cells == pair
        table = np.bincount(keys[chosen] % cells, times[chosen], cells).astype(np.int64)
        first, second = divmod(int(pair), raters)
        tables.append(
            RaterTable(
                labels.raters[first],
                labels.raters[second],
                table.reshape(categories, categories),
                len(labels.units) - int(table.sum()),
            )
        )
    return tables


def table_of(first: Iterable[Hashable], second: Iterable[Hashable], categories: Categories) -> Integers:
    """Cross two raters' labels of the same units; units that one of them left out are left out.

    Raises:
        ValueError: if the lengths differ or a value is not declared.
    """
    (one, one_given), (two, two_given) = value_codes(first, categories), value_codes(second, categories)
    if len(one) != len(two):
        raise ValueError(f"the raters have {len(one)} and {len(two)} labels; expected one each a unit")
    both, size = one_given & two_given, len(categories)
    return np.bincount(one[both] * size + two[both], minlength=size * size).reshape(size, size)


def counts_of_table(table: ArrayLike) -> Integers:
    """Return the unit-by-category counts, shape (N, q), of two raters' q x q table."""
    cells = np.asarray(table, dtype=np.int64)
    one = np.eye(len(cells), dtype=np.int64)
    types = (one[:, None, :] + one[None, :, :]).reshape(-1, len(cells))
    return np.repeat(types, cells.ravel(), axis=0)


def distinct_rows(counts: ArrayLike) -> tuple[Integers, Integers]:
    """Return the distinct rows of a matrix, sorted, and how often each occurs."""
    matrix = np.asarray(counts, dtype=np.int64)
    ordered = matrix[np.lexsort(matrix.T[::-1])] if matrix.size else matrix[:0]
    begins = np.flatnonzero(np.r_[len(ordered) > 0, (ordered[1:] != ordered[:-1]).any(axis=1)])
    return ordered[begins], np.diff(np.r_[begins, len(ordered)])


def checked_counts(counts: ArrayLike, categories: Categories) -> Integers:
    """Return a unit-by-category count matrix, or refuse what is not one.

    Raises:
        ValueError: if it has not one column a category, or holds anything but whole numbers from 0.
    """
    matrix = np.asarray(counts)
    if matrix.ndim != 2 or matrix.shape[1] != len(categories):
        raise ValueError(f"counts have shape {matrix.shape}; expected (units, {len(categories)})")
    return _whole(matrix, "counts")


def checked_table(table: ArrayLike, categories: Categories) -> Integers:
    """Return a square table of counts, or refuse what is not one.

    Raises:
        ValueError: if it is not categories x categories, or holds anything but whole numbers from 0.
    """
    matrix, size = np.asarray(table), len(categories)
    if matrix.shape != (size, size) or not size:
        raise ValueError(f"the table has shape {matrix.shape}; expected {(size, size)} and a category")
    return _whole(matrix, "the table")


def _positions(names: Iterable[Hashable], what: str) -> tuple[Integers, NDArray[Any]]:
    codes, distinct = pd.factorize(
        names if isinstance(names, np.ndarray) else pd.Series(list(names), dtype=object)
    )
    if (codes < 0).any():
        raise ValueError(f"row {int(np.argmin(codes)) + 1} has no {what}")
    return codes.astype(np.int64), np.asarray(distinct)


def _refuse_twice(sorted_labels: Integers, units: NDArray[Any], raters: NDArray[Any]) -> None:
    again = np.flatnonzero(sorted_labels[1:] == sorted_labels[:-1])
    if again.size:
        unit, rater = divmod(int(sorted_labels[again[0]]), len(raters))
        raise ValueError(f"rater {raters[rater]!r} labelled unit {units[unit]!r} twice; expected once")


def _pair_keys(labels: Labels, raters: int, categories: int) -> tuple[Integers, Integers]:
    """Return the distinct (first rater, second rater, value, value) keys, and how often each occurs."""
    steps = takewhile(lambda pair: pair.any(), (_same(labels, step) for step in range(1, len(labels.unit))))
    found = [
        np.unique(_keys(labels, same, step, raters, categories), return_counts=True)
        for step, same in enumerate(steps, start=1)
    ]
    if not found:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate([keys for keys, _ in found]), np.concatenate([times for _, times in found])


def _same(labels: Labels, step: int) -> NDArray[np.bool_]:
    return labels.unit[step:] == labels.unit[:-step]


def _keys(labels: Labels, same: NDArray[np.bool_], step: int, raters: int, categories: int) -> Integers:
    pair = labels.rater[:-step][same] * raters + labels.rater[step:][same]
    cell = labels.value[:-step][same] * categories + labels.value[step:][same]
    return pair * categories * categories + cell


def _whole(matrix: NDArray[Any], what: str) -> Integers:
    if not np.isfinite(matrix).all() or (matrix < 0).any() or (matrix != np.floor(matrix)).any():
        raise ValueError(f"{what} must hold whole numbers from 0 up")
    return matrix.astype(np.int64)
