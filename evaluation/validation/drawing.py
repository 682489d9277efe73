"""Drawing a validation sample: evenly over strata, at random within each, the same from the same seed.

Every draw has a number of its own that comes from the seed and from what is drawn alone, and the lowest
numbers of a stratum are drawn: simple random sampling by permanent random numbers (Ohlsson 1995). So two
draws by one seed agree on all that both could draw: those for uptake, fit and hedging take the same pairs,
but for pairs of which one of the verdicts could not be read, and a larger sample holds the smaller one.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from annotate.problems import Problem, refuse_unknown
from evaluation.validation.records import Stratum, Together, Unit

type Key = tuple[str, ...]

EVERYTHING = "all"


@dataclass(frozen=True)
class Drawn:
    """The units drawn, in the order of their item numbers from 1; `places` tell the stratum of each.

    A stratum counts draws: a pair, whose two answers are drawn together, is one.
    """

    units: tuple[Unit, ...]
    places: tuple[int, ...]
    strata: tuple[Stratum, ...]


def draw(units: Iterable[Unit], *, size: int, seed: int, over: Sequence[str] = ("part",)) -> Drawn:
    """Draw `size` units, evenly over the strata of which `over` names the factors.

    1. Every stratum gets as many draws as any other, as far as it has them; what a small one lacks goes
       evenly to the others, and what cannot be divided to strata that the seed chooses.
    2. Within a stratum all draws are equally likely, without replacement.
    3. All that was drawn is shuffled.

    The same units, in any order, and the same seed give the same sample. Both parts of a pair are drawn
    together and count as two: `part` is then even by itself, and `verdict` means the verdicts of both.

    Raises:
        Problem: if `over` names an unknown factor, or `size` cannot be drawn.
    """
    if over:
        refuse_unknown("factor of strata", over, FACTORS)
    draws = _draws(units)
    strata = _by_stratum(draws, over)
    wanted = _draws_wanted(draws, size, len(strata))
    order = sorted(strata, key=lambda key: _rank(seed, "stratum", *key))
    shares = even_shares({key: len(there) for key, there in strata.items()}, wanted, order)
    drawn = [
        (unit, place)
        for place, (key, there) in enumerate(strata.items())
        for together in sorted(there, key=lambda one: _rank(seed, one[0].together))[: shares[key]]
        for unit in together
    ]
    drawn.sort(key=lambda one: _rank(seed, "number", one[0].together, one[0].part))
    return Drawn(
        units=tuple(unit for unit, _ in drawn),
        places=tuple(place for _, place in drawn),
        strata=tuple(Stratum(_name(key), len(there), shares[key]) for key, there in strata.items()),
    )


def even_shares[Name](sizes: Mapping[Name, int], total: int, order: Sequence[Name]) -> dict[Name, int]:
    """Divide `total`, at most the sum of sizes, as evenly as sizes allow, in whole numbers.

    All that have enough get the same, or one more: those that come first in `order` do.
    """

    def taken_at(level: int) -> int:
        return sum(min(size, level) for size in sizes.values())

    levels = range(max(sizes.values()) + 1)
    level = bisect_right(levels, total, key=taken_at) - 1
    shares = {name: min(size, level) for name, size in sizes.items()}
    for name in [name for name in order if sizes[name] > level][: total - sum(shares.values())]:
        shares[name] += 1
    return shares


def _draws(units: Iterable[Unit]) -> list[Together]:
    """Return what is drawn as one, the positive side of a pair before the negative one."""
    ordered = sorted(units, key=lambda unit: unit.part, reverse=True)
    ordered.sort(key=lambda unit: unit.together)
    return [tuple(group) for _, group in groupby(ordered, key=lambda unit: unit.together)]


def _by_stratum(draws: Iterable[Together], over: Sequence[str]) -> dict[Key, list[Together]]:
    """Return the draws of each stratum, the strata in the order of their names."""
    strata: dict[Key, list[Together]] = {}
    for together in draws:
        strata.setdefault(tuple(FACTORS[factor](together) for factor in over), []).append(together)
    return dict(sorted(strata.items()))


def _name(key: Key) -> str:
    return " / ".join(filter(None, key)) or EVERYTHING


def _draws_wanted(draws: Sequence[Together], size: int, strata: int) -> int:
    """Return how many draws make up `size` units. Raises `Problem` where they cannot."""
    if not draws:
        raise Problem("There is nothing to draw a sample from.")
    there = sum(map(len, draws))
    if not 1 <= size <= there:
        raise Problem(f"The sample is {size:,}; expected 1 to {there:,}, which is all that can be drawn.")
    each = len(draws[0])
    if size % each:
        raise Problem(f"The sample is {size:,}; both answers of a pair are drawn: expected an even number.")
    if size < strata * each:
        raise Problem(
            f"The sample is {size:,} and is to be spread over {strata:,} strata; expected {strata * each:,} "
            "at least, so that something stands for each, or fewer factors."
        )
    return size // each


def _rank(seed: int, *parts: str) -> bytes:
    """Return the permanent random number of what is named, from the seed."""
    return hashlib.sha256("\n".join([str(seed), *parts]).encode()).digest()


def _part(together: Together) -> str:
    return together[0].part if len(together) == 1 else ""


def _verdict(together: Together) -> str:
    sides = [f"{unit.part} " if len(together) > 1 else "" for unit in together]
    values = [f"{side}{unit.verdict:g}" for side, unit in zip(sides, together, strict=True)]
    return f"verdict {', '.join(values)}"


FACTORS: dict[str, Callable[[Together], str]] = {
    "part": _part,
    "category": lambda together: together[0].category,
    "domain": lambda together: " + ".join(sorted(together[0].domains)),
    "verdict": _verdict,
    "condition": lambda together: together[0].arm,
}
