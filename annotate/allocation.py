"""The random order in which one annotator meets the items of a campaign.

The order is never stored: the number at any place is computed from the annotator's seed, in the same
time whether the campaign has a hundred items or a million.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

# Fewer rounds suffice for many items; with ten or so, orders would not come up equally often.
ROUNDS = 12
MASK = 2**64 - 1


@dataclass(frozen=True)
class RandomOrder:
    """A pseudo-random permutation of the numbers 0 .. size - 1, given by a seed.

    A Feistel network permutes the smallest square of a power of two that holds all numbers; what falls
    outside is permuted again until it falls inside (cycle walking: Black & Rogaway 2002, "Ciphers with
    arbitrary finite domains", method 2).
    """

    seed: int
    size: int

    def number_at(self, place: int) -> int:
        """Return the item number at a place, both in 0 .. size - 1. Raises IndexError outside."""
        if not 0 <= place < self.size:
            raise IndexError(f"place {place} is outside an order of {self.size} items")
        number = self._permute(place)
        while number >= self.size:
            number = self._permute(number)
        return number

    def numbers(self, start: int, stop: int) -> Iterator[int]:
        """Give the item numbers at the places start .. stop - 1, as far as the order goes."""
        return map(self.number_at, range(start, min(stop, self.size)))

    def places_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of item numbers, both in 0 .. size - 1: `number_at` backwards, for many."""
        places = self._permute_back(numbers)
        while (outside := places >= self.size).any():
            places[outside] = self._permute_back(places[outside])
        return places

    @property
    def _half_bits(self) -> int:
        return ((self.size - 1).bit_length() + 1) // 2

    @cached_property
    def _rounds(self) -> NDArray[np.int64]:
        """Return what each round adds to one half for every value of the other, shape (rounds, halves)."""
        halves = 1 << self._half_bits
        return np.array(
            [[_mix(self.seed, turn, half) & (halves - 1) for half in range(halves)] for turn in range(ROUNDS)]
        )

    def _permute_back(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        bits = self._half_bits
        left, right = numbers >> bits, numbers & ((1 << bits) - 1)
        for added in self._rounds[::-1]:
            left, right = right ^ added[left], left
        return left << bits | right

    def _permute(self, number: int) -> int:
        bits = self._half_bits
        low_bits = (1 << bits) - 1
        left, right = number >> bits, number & low_bits
        for turn in range(ROUNDS):
            left, right = right, left ^ (_mix(self.seed, turn, right) & low_bits)
        return left << bits | right


def _mix(seed: int, turn: int, half: int) -> int:
    """Scatter 64 bits: the finaliser of splitmix64 (Steele, Lea & Flood 2014) over a keyed input."""
    bits = (seed + (turn * 2**32 + half + 1) * 0x9E3779B97F4A7C15) & MASK
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
    return bits ^ bits >> 31
