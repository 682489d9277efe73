"""What a rate of a run is taken over: a judge's value of every item, and people's where they gave one."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.validation.labelled import Key, Label
from evaluation.validation.records import Unit

type Floats = NDArray[np.float64]

UNLABELLED = Label(truth=np.nan, weight=0.0)


@dataclass(frozen=True)
class Population:
    """One place an item: what the judge says, what people say (nan where they do not), and its cluster.

    `weights` says for how many items a labelled one stands; it is 0 where people say nothing. `notes` say in
    words what of people's labels does not count here.
    """

    verdicts: Floats
    truths: Floats
    clusters: tuple[Hashable, ...]
    weights: Floats
    notes: tuple[str, ...] = ()


def population_of(units: Iterable[Unit], labels: Mapping[Key, Label]) -> Population:
    """Return units, each with a verdict that could be read, beside people's labels on them."""
    units = list(units)
    known = [labels.get(unit.key, UNLABELLED) for unit in units]
    return Population(
        verdicts=np.array([unit.verdict for unit in units], dtype=float),
        truths=np.array([label.truth for label in known], dtype=float),
        clusters=tuple(unit.cluster for unit in units),
        weights=np.array([label.weight for label in known], dtype=float),
    )
