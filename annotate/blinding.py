"""What order a reviewer meets situations, pairs, sides and replies in: all of it from the reviewer's seed.

An address holds a place in that reviewer's own order and nothing else, so that neither it nor what stands
next to what tells a side, a role or a pair.
"""

import random
from dataclasses import dataclass

from annotate.allocation import RandomOrder
from annotate.pairs import ROLES, SIDES

PAIR_ORDER = 0x5EC0


@dataclass(frozen=True)
class ReviewOrder:
    """The orders of one reviewer over `pairs` pairs, which have the numbers 0 .. pairs - 1."""

    seed: int
    pairs: int

    def situation_at(self, place: int) -> tuple[int, str]:
        """Return pair number and side of the situation at a place, 0 .. 2 * pairs - 1, of the first pass."""
        number, side = divmod(RandomOrder(self.seed, 2 * self.pairs).number_at(place), 2)
        return number, SIDES[side]

    def pair_at(self, place: int) -> int:
        """Return the number of the pair at a place, 0 .. pairs - 1, of the second pass."""
        return RandomOrder(self.seed ^ PAIR_ORDER, self.pairs).number_at(place)

    def sides(self, pair: int) -> tuple[str, ...]:
        """Return the sides of a pair in the order shown."""
        return self._shuffled(SIDES, f"sides {pair}")

    def replies(self, pair: int, side: str) -> tuple[str, ...]:
        """Return the roles of the four replies in the order shown with one situation of a pair."""
        return self._shuffled(ROLES, f"replies {pair} {side}")

    def shown(self, pair: int) -> dict[str, tuple[str, ...]]:
        """Return every order on the page of a pair: of the `sides`, and by side of the replies."""
        return {"sides": self.sides(pair), **{side: self.replies(pair, side) for side in SIDES}}

    def _shuffled(self, names: tuple[str, ...], what: str) -> tuple[str, ...]:
        chance = random.Random(f"{self.seed} {what}")  # noqa: S311 (a repeatable order, no secret)
        return tuple(chance.sample(names, len(names)))
