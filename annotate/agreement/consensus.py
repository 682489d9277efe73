"""Whether the annotators of an item agree: unanimous, split, or not yet known."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Consensus(StrEnum):
    """What the labels of one item say together."""

    UNANIMOUS = "unanimous"
    SPLIT = "split"
    INCOMPLETE = "incomplete"


def consensus(values: Iterable[Hashable], overlap: int) -> Consensus:
    """Return what one item's labels say together; `None` among them is a missing label.

    An item is incomplete while it has fewer than `overlap` labels, however much these differ.

    Raises:
        ValueError: if `overlap` is below 1.
    """
    labels = [value for value in values if value is not None]
    if len(labels) < _checked(overlap):
        return Consensus.INCOMPLETE
    return Consensus.UNANIMOUS if len(set(labels)) == 1 else Consensus.SPLIT


@dataclass(frozen=True)
class ConsensusColumns:
    """The consensus of many items: one boolean a unit each, and the category the unanimous ones chose.

    `category` holds the column of the agreed category, -1 where there is none.
    """

    unanimous: NDArray[np.bool_]
    split: NDArray[np.bool_]
    incomplete: NDArray[np.bool_]
    category: NDArray[np.int64]

    def totals(self) -> dict[Consensus, int]:
        """Return how many units are unanimous, split and incomplete."""
        columns = (self.unanimous, self.split, self.incomplete)
        return {kind: int(column.sum()) for kind, column in zip(Consensus, columns, strict=True)}


def consensus_of_units(counts: ArrayLike, overlap: int) -> ConsensusColumns:
    """Return the consensus of every row of a unit-by-category count matrix at once.

    Raises:
        ValueError: if `overlap` is below 1.
    """
    matrix = np.asarray(counts)
    labels, most = matrix.sum(axis=1), matrix.max(axis=1, initial=0)
    incomplete = labels < _checked(overlap)
    unanimous = ~incomplete & (most == labels)
    category = np.where(unanimous, matrix.argmax(axis=1) if matrix.size else 0, -1)
    return ConsensusColumns(unanimous, ~incomplete & ~unanimous, incomplete, category)


def _checked(overlap: int) -> int:
    if overlap < 1:
        raise ValueError(f"overlap is {overlap}; an item needs at least 1 label")
    return overlap
