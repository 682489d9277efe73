"""A reviewer's orders: complete, repeatable, and telling nothing of a side or a role."""

import random
from collections import Counter
from collections.abc import Iterable
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from annotate.blinding import ReviewOrder
from annotate.pairs import ROLES, SIDES

SEEDS = [random.Random(number).getrandbits(62) for number in range(2_000)]
PAIRS = 5
ORDERS = [ReviewOrder(seed, PAIRS) for seed in SEEDS]
# Fixed seeds give the same p-values in every run, so that this bound is met or not, never by chance.
TOO_UNLIKELY = 0.001

orders = st.builds(ReviewOrder, st.integers(0, 2**62 - 1), st.integers(1, 60))


def assert_even(found: Iterable[object], outcomes: Iterable[object]) -> None:
    """Hold counts against equal chances for every outcome."""
    counts = Counter(found)
    observed = [counts.pop(outcome, 0) for outcome in outcomes]
    assert not counts
    assert chisquare(observed).pvalue > TOO_UNLIKELY, observed


@given(orders)
def test_every_situation_and_every_pair_comes_once(order):
    situations = [order.situation_at(place) for place in range(2 * order.pairs)]
    assert sorted(situations) == sorted(product(range(order.pairs), SIDES))
    assert sorted(map(order.pair_at, range(order.pairs))) == list(range(order.pairs))


@given(orders, st.integers(0, 59))
def test_sides_and_replies_are_all_shown_and_the_same_on_reload(order, pair):
    again = ReviewOrder(order.seed, order.pairs)
    assert sorted(order.sides(pair)) == sorted(SIDES)
    assert order.sides(pair) == again.sides(pair)
    for side in SIDES:
        assert sorted(order.replies(pair, side)) == sorted(ROLES)
        assert order.replies(pair, side) == again.replies(pair, side)


@pytest.mark.parametrize("pair", range(PAIRS))
def test_the_positive_side_is_situation_1_half_of_the_time(pair):
    assert_even((order.sides(pair)[0] for order in ORDERS), SIDES)


@pytest.mark.parametrize("place", range(2 * PAIRS))
def test_every_situation_is_as_likely_at_every_place(place):
    assert_even((order.situation_at(place) for order in ORDERS), product(range(PAIRS), SIDES))


@pytest.mark.parametrize("pair", range(PAIRS))
def test_the_positive_situation_comes_before_the_negative_half_of_the_time(pair):
    def first(order: ReviewOrder) -> str:
        situations = map(order.situation_at, range(2 * PAIRS))
        return next(side for number, side in situations if number == pair)

    assert_even(map(first, ORDERS), SIDES)


@pytest.mark.parametrize("place", range(PAIRS))
def test_every_pair_is_as_likely_at_every_place(place):
    assert_even((order.pair_at(place) for order in ORDERS), range(PAIRS))


@pytest.mark.parametrize("pair", range(PAIRS))
@pytest.mark.parametrize("side", SIDES)
def test_every_order_of_replies_is_as_likely(pair, side):
    assert_even((order.replies(pair, side) for order in ORDERS), permutations(ROLES))


@pytest.mark.parametrize("position", range(len(ROLES)))
@pytest.mark.parametrize("side", SIDES)
def test_each_role_is_at_each_position_a_quarter_of_the_time(position, side):
    assert_even((order.replies(0, side)[position] for order in ORDERS), ROLES)


def test_where_a_role_stands_in_one_situation_tells_nothing_of_the_other():
    def places(order: ReviewOrder) -> tuple[int, ...]:
        return tuple(order.replies(1, side).index("memory") for side in SIDES)

    assert_even(map(places, ORDERS), product(range(4), repeat=2))


def test_which_side_stands_first_tells_nothing_of_the_order_of_replies():
    found = ((order.sides(2)[0], order.replies(2, SIDES[0])[0]) for order in ORDERS)
    assert_even(found, product(SIDES, ROLES))


def test_orders_of_one_reviewer_differ_from_pair_to_pair():
    order = ReviewOrder(SEEDS[0], 2_000)
    assert_even((order.sides(pair)[0] for pair in range(order.pairs)), SIDES)
    assert_even((order.replies(pair, "negative") for pair in range(order.pairs)), permutations(ROLES))


def test_order_of_pairs_does_not_repeat_the_order_of_situations():
    order = ReviewOrder(SEEDS[1], 40)
    met = [order.situation_at(place)[0] for place in range(80)]
    assert list(dict.fromkeys(met)) != [order.pair_at(place) for place in range(40)]
