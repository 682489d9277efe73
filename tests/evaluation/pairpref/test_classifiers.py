"""The rates of classifiers against a slow second version, and against an example worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.pairpref.classifiers import Decisions, measure_decisions, same_on_both_sides
from evaluation.pairpref.metrics import Pair

MAYBE = st.sampled_from([True, False, None])


def pair(number):
    return Pair(f"p{number}", f"M{number // 3}", ("occasion", "companions")[number % 2], "food", "clean", 1)


HEADS = st.lists(
    st.builds(Decisions, st.integers(0, 8).map(pair), MAYBE, MAYBE),
    max_size=9,
    unique_by=lambda row: row.pair.identifier,
)


def decided(rows):
    return [row for row in rows if row.positive is not None and row.negative is not None]


def share(answers):
    return sum(answers) / len(answers) if answers else None


def same(value, expected):
    return value is expected is None or math.isclose(value, expected, abs_tol=1e-12)


def check(rates, apply, relevant, sufficient):
    use_positive = share([row.positive for row in decided(apply)])
    use_negative = share([row.negative for row in decided(apply)])
    assert same(rates.use_positive.value, use_positive)
    assert same(rates.use_negative.value, use_negative)
    assert same(rates.delta.value, None if use_positive is None else use_positive - use_negative)
    for estimate, head in [(rates.both_relevant, relevant), (rates.both_sufficient, sufficient)]:
        assert same(estimate.value, share([row.positive and row.negative for row in decided(head)]))
        assert estimate.denominator == len(decided(head))


@given(HEADS, HEADS, HEADS)
def test_the_rates_of_all_and_of_each_category_equal_the_slow_version(apply, relevant, sufficient):
    found = measure_decisions(apply, relevant, sufficient, seed=1, resamples=10)
    check(found.overall, apply, relevant, sufficient)
    for name, rates in found.by_category.items():
        heads = ([row for row in head if row.pair.category == name] for head in (apply, relevant, sufficient))
        check(rates, *heads)


@given(HEADS, HEADS)
def test_every_pair_of_any_head_is_retained_or_left_out_under_one_reason(apply, relevant):
    rates = measure_decisions(apply, relevant, seed=1, resamples=10).overall
    assert rates.planned == len({row.pair for row in [*apply, *relevant]})
    assert rates.retained == len(decided(apply))
    assert rates.retained + sum(rates.excluded.values()) == rates.planned


def test_a_gate_worked_by_hand():
    # Apply is decided on both sides of the first three pairs: + yes, yes, no; - no, yes, no: 2/3 - 1/3.
    # Both sides are relevant in three of four pairs, sufficient in one of the two decided.
    def head(*sides):
        return [Decisions(pair(number), *side) for number, side in enumerate(sides)]

    apply = head((True, False), (True, True), (False, False), (None, True))
    relevant = head((True, True), (True, True), (True, False), (True, True))
    sufficient = head((True, True), (False, True), (None, True), (True, None))
    rates = measure_decisions(apply, relevant, sufficient, seed=1).overall
    assert (rates.use_positive.numerator, rates.use_negative.numerator) == (2, 1)
    assert rates.delta.value == pytest.approx(1 / 3)
    assert (rates.both_relevant.value, rates.both_sufficient.value) == (0.75, 0.5)
    assert (rates.retained, rates.excluded["no valid answer on the positive side"]) == (3, 1)


def test_one_decision_a_pair_counts_on_both_sides_and_leaves_no_gap():
    apply = [same_on_both_sides(pair(number), number != 4) for number in range(9)]
    rates = measure_decisions(apply, seed=1).overall
    assert rates.use_positive.value == rates.use_negative.value == pytest.approx(8 / 9)
    assert (rates.delta.value, rates.delta.interval.low, rates.delta.interval.high) == (0, 0, 0)
    assert rates.both_relevant.undefined_reason == (
        "of 9 planned pairs, none has a decision on both sides whether the preference is relevant"
    )


def test_intervals_equal_those_of_copying_whole_preferences():
    generator = np.random.default_rng(2)
    apply = [Decisions(pair(n), *(bool(x) for x in generator.integers(2, size=2))) for n in range(60)]
    interval = measure_decisions(apply, seed=4, resamples=100).overall.delta.interval
    clusters = list(dict.fromkeys(row.pair.preference for row in apply))
    drawn = []
    for places in np.random.default_rng(4).integers(len(clusters), size=(100, len(clusters))):
        copy = [row for place in places for row in apply if row.pair.preference == clusters[place]]
        drawn.append(share([row.positive for row in copy]) - share([row.negative for row in copy]))
    assert [interval.low, interval.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]))


def test_a_pair_that_is_there_twice_is_refused():
    with pytest.raises(ValueError, match="pair p1 is there twice"):
        measure_decisions([Decisions(pair(1), True, True)] * 2, seed=1)


def test_no_decisions_at_all_are_a_reason_not_an_error():
    rates = measure_decisions([], seed=1).overall
    assert rates.delta.undefined_reason == rates.both_sufficient.undefined_reason == "no pair was planned"
