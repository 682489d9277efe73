"""Choices shown in shuffled order: scored by identifier, stored with the order shown."""

import random
import string
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ShownChoices:
    """Identifiers of choices in the order in which they were shown, lettered A, B, C, ..."""

    order: tuple[str, ...]

    @classmethod
    def shuffled(cls, identifiers: Sequence[str], key: str) -> "ShownChoices":
        """Shuffle by the unit's key: a retry, and every reader later, finds the same order.

        ValueError where an identifier comes twice, or there are more than letters.
        """
        if len(set(identifiers)) < len(identifiers) or len(identifiers) > len(string.ascii_uppercase):
            raise ValueError(f"Expected up to 26 different identifiers, found {list(identifiers)}.")
        order = sorted(identifiers)
        random.Random(key).shuffle(order)  # noqa: S311 - an order, not a secret
        return cls(tuple(order))

    @property
    def letters(self) -> str:
        """Return the letters shown, e.g. ABCD."""
        return string.ascii_uppercase[: len(self.order)]

    def chosen(self, letter: str) -> str:
        """Return the identifier behind a letter; ValueError where the letter was not shown."""
        return self.order[self.letters.index(letter)]
