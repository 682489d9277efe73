"""Which contrast pairs a review judges: one of each preference, the rest in proportion to a stratum.

The design is PairPref's (appendix H): without replacement, proportions by largest remainder, from a seed.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from annotate.problems import Problem


@dataclass(frozen=True)
class Candidate:
    """A pair that may be drawn, with the preference and the stratum it belongs to."""

    id: int
    preference: str
    stratum: str


@dataclass(frozen=True)
class StratumShare:
    """How many pairs a stratum has, how many were drawn first, one a preference, and how many of the rest."""

    stratum: str
    pairs: int
    first: int
    rest: int

    @property
    def drawn(self) -> int:
        """Return how many pairs of the stratum the sample has."""
        return self.first + self.rest


@dataclass(frozen=True)
class Sample:
    """The pairs drawn, shuffled, and where they came from."""

    ids: tuple[int, ...]
    preferences: int
    strata: tuple[StratumShare, ...]


def draw_sample(candidates: Sequence[Candidate], size: int, seed: int) -> Sample:
    """Draw `size` pairs; the same candidates, in any order, and the same seed give the same sample.

    1. One pair of each preference.
    2. The rest over the strata, in proportion to the pairs that step 1 left in each, by largest remainder.

    Raises:
        Problem: if `size` is not between the number of preferences and the number of candidates.
    """
    chance = random.Random(seed)  # noqa: S311 (a repeatable draw, no secret)
    pool = sorted(candidates, key=lambda candidate: candidate.id)
    by_preference = grouped(pool, lambda candidate: candidate.preference)
    _refuse_size(size, len(by_preference), len(pool))
    first = [chance.choice(by_preference[name]) for name in sorted(by_preference)]
    drawn = {candidate.id for candidate in first}
    left = grouped((one for one in pool if one.id not in drawn), lambda candidate: candidate.stratum)
    quotas = largest_remainder({name: len(rows) for name, rows in left.items()}, size - len(first))
    rest = [row for name in sorted(left) for row in chance.sample(left[name], quotas[name])]
    ids = [candidate.id for candidate in (*first, *rest)]
    chance.shuffle(ids)
    all_, early, late = (Counter(row.stratum for row in rows) for rows in (pool, first, rest))
    strata = tuple(StratumShare(name, all_[name], early[name], late[name]) for name in sorted(all_))
    return Sample(tuple(ids), len(by_preference), strata)


def largest_remainder(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Divide `total` in proportion to `sizes`, in whole numbers (Hamilton's method).

    Each gets its share rounded down; what is left goes one each to the largest remainders, of equal ones to
    the name that sorts first. With `total` at most the sum of sizes, none gets more than its size.
    """
    whole = sum(sizes.values())
    shares = {name: Fraction(total * size, whole) if whole else Fraction(0) for name, size in sizes.items()}
    quotas = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: (quotas[name] - shares[name], name))
    for name in by_remainder[: total - sum(quotas.values())]:
        quotas[name] += 1
    return quotas


def grouped(candidates: Iterable[Candidate], key: Callable[[Candidate], str]) -> dict[str, list[Candidate]]:
    """Return the candidates by a key, each group in the given order."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(key(candidate), []).append(candidate)
    return groups


def _refuse_size(size: int, preferences: int, pairs: int) -> None:
    if not pairs:
        raise Problem("The dataset has no contrast pairs; import some first.")
    if not preferences <= size <= pairs:
        raise Problem(
            f"The sample is {size}; expected at least {preferences}, one pair of each preference, and "
            f"at most the {pairs} pairs that there are."
        )
