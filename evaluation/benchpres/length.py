"""How long messages are, and whether long ones follow more preferences, wanted or not.

Length is the number of words: stretches without white space.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.estimate import Estimate
from annotate.agreement.rows import indexed, mask_of
from evaluation.benchpres.metrics import (
    RESAMPLES,
    SUPPRESS,
    ClusteredMeans,
    Instance,
    Rates,
    measure_parts,
)

NO_MESSAGE = "there is no message"
NONE_MISAPPLIES = "no message is seen to misapply a preference"
ALL_MISAPPLY = "no judged message is free of a misapplied preference"

type Key = tuple[Hashable, Hashable, int]


@dataclass(frozen=True)
class Message:
    """One message of a run with its number of words."""

    profile: Hashable
    context: Hashable
    sample: int
    words: int

    @property
    def cluster(self) -> tuple[Hashable, Hashable]:
        """What shares a prompt: (profile, context)."""
        return self.profile, self.context

    @property
    def key(self) -> Key:
        """Which message of a run: (profile, context, sample)."""
        return self.profile, self.context, self.sample


@dataclass(frozen=True)
class LengthGroup:
    """The messages of `lowest` to `highest` words, both included, with the metrics of their instances."""

    lowest: int
    highest: int
    messages: int
    rates: Rates


@dataclass(frozen=True)
class LengthTable:
    """Words a message, the metrics by length, and the length by whether a message misapplies something.

    A message misapplies something where an instance of the gold label 0 has the verdict 1. `misapplying`
    and `not_misapplying` are mean words, `difference` the first minus the second over the messages
    behind both. `unjudged` messages have no instance of the gold label 0 with a verdict and are in
    neither. `without_message` counts instances whose message is not among the messages.
    """

    lower_quartile: Estimate
    median: Estimate
    upper_quartile: Estimate
    mean: Estimate
    groups: tuple[LengthGroup, ...]
    misapplying: Estimate
    not_misapplying: Estimate
    difference: Estimate
    messages: int
    unjudged: int
    without_message: int


def words(message: str) -> int:
    """Return the number of words: stretches without white space."""
    return len(message.split())


def length_table(
    messages: Sequence[Message],
    instances: Sequence[Instance],
    *,
    seed: int,
    parts: int = 4,
    resamples: int = RESAMPLES,
) -> LengthTable:
    """Lay length beside the metrics; intervals resample whole (profile, context) clusters.

    The messages are cut at the type-7 quantiles of their words into `parts` groups. Equally long ones
    stay together, so groups may differ in size, and a group that gets none is left out.

    Raises:
        ValueError: if a message is given twice, or parts < 1.
    """
    if parts < 1:
        raise ValueError(f"{parts} parts asked for; expected at least 1")
    by_key = indexed(messages, lambda row: row.key, "message")
    counts = np.array([row.words for row in messages], dtype=np.int64)
    misapplies = _misapplies(instances)
    means = _means(messages, counts, misapplies, seed, resamples)
    judged = sum(row.key in misapplies for row in messages)
    return LengthTable(
        lower_quartile=_quantile(counts, 0.25),
        median=_quantile(counts, 0.5),
        upper_quartile=_quantile(counts, 0.75),
        mean=means.mean((0,), NO_MESSAGE),
        groups=_groups(messages, counts, instances, parts, seed, resamples),
        misapplying=means.mean((1,), NONE_MISAPPLIES),
        not_misapplying=means.mean((2,), ALL_MISAPPLY),
        difference=means.combined({(1,): 1, (2,): -1}, judged, "the two kinds of messages do not both occur"),
        messages=len(messages),
        unjudged=len(messages) - judged,
        without_message=sum(_message_key(row) not in by_key for row in instances),
    )


def _message_key(row: Instance) -> Key:
    return row.profile, row.context, row.sample


def _quantile(counts: NDArray[np.int64], share: float) -> Estimate:
    if not counts.size:
        return Estimate(None, denominator=0, undefined_reason=NO_MESSAGE)
    return Estimate(float(np.quantile(counts, share)), denominator=counts.size)


def _misapplies(instances: Iterable[Instance]) -> dict[Key, bool]:
    """Say of each message with a verdict on the gold label 0 whether one of them is 1."""
    found: dict[Key, bool] = {}
    for row in instances:
        if row.gold == SUPPRESS and row.verdict is not None:
            found[_message_key(row)] = found.get(_message_key(row), False) or row.verdict == 1
    return found


def _means(
    messages: Sequence[Message],
    counts: NDArray[np.int64],
    misapplies: Mapping[Key, bool],
    seed: int,
    resamples: int,
) -> ClusteredMeans:
    """Return mean words of all messages, of those that misapply something, and of those that do not."""
    kinds = [misapplies.get(row.key) for row in messages]
    entering = [[True for _ in kinds], [kind is True for kind in kinds], [kind is False for kind in kinds]]
    clusters = [row.cluster for row in messages]
    return ClusteredMeans(counts, np.array(entering, dtype=bool), clusters, seed=seed, resamples=resamples)


def _groups(
    messages: Sequence[Message],
    counts: NDArray[np.int64],
    instances: Sequence[Instance],
    parts: int,
    seed: int,
    resamples: int,
) -> tuple[LengthGroup, ...]:
    """Return the groups that have a message, from short to long, measured on the same resamples."""
    if not counts.size:
        return ()
    cuts = np.quantile(counts, np.arange(1, parts) / parts)
    place = np.searchsorted(cuts, counts)
    group_of = {row.key: int(group) for row, group in zip(messages, place, strict=True)}
    of_instance = [group_of.get(_message_key(row)) for row in instances]
    groups = np.unique(place).tolist()
    inside = np.stack([mask_of(found == group for found in of_instance) for group in groups])
    rates = measure_parts(instances, inside, seed=seed, resamples=resamples)
    return tuple(
        LengthGroup(int(found.min()), int(found.max()), found.size, rates_of_group)
        for found, rates_of_group in zip((counts[place == group] for group in groups), rates, strict=True)
    )
