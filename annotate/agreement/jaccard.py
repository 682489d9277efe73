"""Overlap of two sets, shared / in either (Jaccard 1901), and its mean over pairs of sets."""

from collections.abc import Hashable, Iterable, Set
from dataclasses import dataclass

from annotate.agreement.estimate import Estimate


@dataclass(frozen=True)
class MeanJaccard:
    """The mean overlap, and how many pairs were two empty sets, which only a convention can value."""

    mean: Estimate
    both_empty: int


def mean_jaccard(
    pairs: Iterable[tuple[Set[Hashable], Set[Hashable]]], both_empty: float | None = 1.0
) -> MeanJaccard:
    """Return the mean Jaccard index over pairs of sets.

    Two empty sets count `both_empty`: 1 is PairPref's convention, `None` leaves such pairs out.
    """
    sets = list(pairs)
    empty = sum(not first and not second for first, second in sets)
    overlaps = [len(first & second) / len(first | second) for first, second in sets if first or second]
    if both_empty is not None:
        overlaps += [both_empty] * empty
    if not overlaps:
        reason = "every pair is two empty sets" if sets else "there is no pair of sets"
        return MeanJaccard(Estimate(None, denominator=0, undefined_reason=reason), empty)
    return MeanJaccard(Estimate(sum(overlaps) / len(overlaps), sum(overlaps), len(overlaps)), empty)
