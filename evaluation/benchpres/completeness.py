"""Task completeness: how well messages achieve their task, 1 to 5, with and without preferences in memory.

Means are over all scored messages; intervals resample whole (profile, context) clusters.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.agreement.estimate import Estimate
from annotate.agreement.rows import indexed
from evaluation.benchpres.metrics import RESAMPLES, ClusteredMeans

SCORES = range(1, 6)
NO_SCORE = "no message has a score that could be read"
NO_PAIR = "no message has a score that could be read on both sides"


@dataclass(frozen=True)
class Score:
    """The score of one message, 1 to 5; None where the judge's answer could not be read.

    Raises:
        ValueError: if the score is another number.
    """

    profile: Hashable
    context: Hashable
    sample: int
    value: int | None

    def __post_init__(self) -> None:
        if self.value is not None and self.value not in SCORES:
            raise ValueError(f"{self.key} has the score {self.value}; expected 1 to 5")

    @property
    def cluster(self) -> tuple[Hashable, Hashable]:
        """What shares a prompt: (profile, context)."""
        return self.profile, self.context

    @property
    def key(self) -> tuple[Hashable, Hashable, int]:
        """Which message of a run: (profile, context, sample)."""
        return self.profile, self.context, self.sample


@dataclass(frozen=True)
class Completeness:
    """The mean score, how many messages have each score, and how many have none that could be read."""

    mean: Estimate
    by_score: dict[int, int]
    unread: int


@dataclass(frozen=True)
class CompletenessDifference:
    """Both means over the messages scored on both sides, and with - without; its denominator is pairs.

    `shared` messages are on both sides; `unread` of them lack a readable score on a side.
    """

    without: Estimate
    with_: Estimate
    difference: Estimate
    shared: int
    only_without: int
    only_with: int
    unread: int


def completeness(scores: Sequence[Score], *, seed: int, resamples: int = RESAMPLES) -> Completeness:
    """Return the mean score with its interval, and the counts.

    Raises:
        ValueError: if a message is given twice.
    """
    given = indexed(scores, lambda row: row.key, "the score of")
    read = [row for row in given.values() if row.value is not None]
    counts = Counter(row.value for row in read)
    return Completeness(
        mean=_means([read], seed, resamples).mean((0,), NO_SCORE),
        by_score={score: counts[score] for score in SCORES},
        unread=len(scores) - len(read),
    )


def completeness_difference(
    without: Iterable[Score], with_: Iterable[Score], *, seed: int, resamples: int = RESAMPLES
) -> CompletenessDifference:
    """Compare the scores without and with preferences, message by message of the same number.

    Raises:
        ValueError: if a message is given twice on a side.
    """
    one, two = (indexed(side, lambda row: row.key, "the score of") for side in (without, with_))
    shared = [(row, two[key]) for key, row in one.items() if key in two]
    pairs = [pair for pair in shared if None not in (pair[0].value, pair[1].value)]
    means = _means([[row for row, _ in pairs], [row for _, row in pairs]], seed, resamples)
    return CompletenessDifference(
        without=means.mean((0,), NO_PAIR),
        with_=means.mean((1,), NO_PAIR),
        difference=means.combined({(1,): 1, (0,): -1}, len(pairs), NO_PAIR),
        shared=len(shared),
        only_without=len(one) - len(shared),
        only_with=len(two) - len(shared),
        unread=len(shared) - len(pairs),
    )


def _means(sides: list[list[Score]], seed: int, resamples: int) -> ClusteredMeans:
    """Return the mean of each side; the sides hold the same messages in the same order, all scored."""
    values = np.array([[row.value for row in side] for side in sides], dtype=np.int64)
    clusters = [row.cluster for row in sides[0]]
    return ClusteredMeans(values, np.ones_like(values, dtype=bool), clusters, seed=seed, resamples=resamples)
