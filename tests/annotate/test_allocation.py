from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from annotate.allocation import RandomOrder

seeds = st.integers(0, 2**63 - 1)


@given(seeds, st.integers(1, 700))
def test_every_item_comes_exactly_once(seed, size):
    assert sorted(RandomOrder(seed, size).numbers(0, size)) == list(range(size))


@given(seeds, st.integers(1, 10**7), st.data())
def test_an_order_is_the_same_on_every_look(seed, size, data):
    place = data.draw(st.integers(0, size - 1))
    number = RandomOrder(seed, size).number_at(place)
    assert 0 <= number < size
    assert number == RandomOrder(seed, size).number_at(place)


@given(seeds, st.integers(1, 50))
def test_an_order_ends_with_its_last_item(seed, size):
    order = RandomOrder(seed, size)
    assert len(list(order.numbers(size - 1, size + 10))) == 1
    with pytest.raises(IndexError):
        order.number_at(size)


def test_the_order_of_one_annotator_says_nothing_about_that_of_another():
    first, second = (list(RandomOrder(seed, 1000).numbers(0, 1000)) for seed in (1, 2))
    same_place = sum(a == b for a, b in zip(first, second, strict=True))
    assert same_place < 8  # one is expected; the number is Poisson distributed


@pytest.mark.parametrize("size", [3, 6])
def test_each_beginning_is_equally_likely(size):
    """Over many seeds every ordered choice of the first three items comes up equally often."""
    beginnings = Counter(tuple(RandomOrder(7919 * seed, size).numbers(0, 3)) for seed in range(9_000))
    counts = [beginnings[choice] for choice in permutations(range(size), 3)]
    assert chisquare(counts).pvalue > 1e-4


def test_neighbours_in_the_order_are_no_neighbours_in_the_corpus():
    """Steps between successive numbers look like those of a random permutation: mean |step| is n / 3."""
    numbers = list(RandomOrder(20260301, 5000).numbers(0, 5000))
    steps = [abs(b - a) for a, b in pairwise(numbers)]
    assert sum(steps) / len(steps) == pytest.approx(5000 / 3, rel=0.05)
