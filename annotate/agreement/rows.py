"""Rows as arrays and by key, as every metric needs them."""

from collections.abc import Callable, Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

type Mask = NDArray[np.bool_]


def mask_of(values: Iterable[bool]) -> Mask:
    """Return the values as an array."""
    return np.fromiter(values, dtype=bool)


def indexed[K: Hashable, R](rows: Iterable[R], key: Callable[[R], K], what: str) -> dict[K, R]:
    """Return the rows by their key.

    Raises:
        ValueError: if two have the same.
    """
    found: dict[K, R] = {}
    for row in rows:
        name = key(row)
        if name in found:
            raise ValueError(f"{what} {name} is given twice; expected once")
        found[name] = row
    return found
