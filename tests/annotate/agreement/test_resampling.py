"""Clusters drawn whole, all rates on the same draws."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import strategies as st

from annotate.agreement.intervals import cluster_robust_mean
from annotate.agreement.resampling import clustered_rates, percentile_interval
from tests.annotate.agreement.examples import for_examples

CLUSTERS = [(1, 2), (3, 3), (0, 4), (2, 5)]


def rates(columns, clusters, seed=1, **options):
    numerators = {name: above for name, (above, _) in columns.items()}
    denominators = {name: below for name, (_, below) in columns.items()}
    return clustered_rates(numerators, denominators, clusters, seed=seed, **options)


def test_ends_are_those_of_all_possible_resamples():
    """All 4^4 resamples, in fractions; no other value of theirs is near the two quantiles' ranks."""
    every = sorted(
        Fraction(sum(above for above, _ in drawn), sum(below for _, below in drawn))
        for drawn in product(CLUSTERS, repeat=4)
    )
    above, below = zip(*CLUSTERS, strict=True)
    interval = rates({"rate": (above, below)}, range(4), resamples=50_000).rate("rate").interval
    assert interval.low == pytest.approx(float(every[round(0.025 * 256)]), abs=1e-9)
    assert interval.high == pytest.approx(float(every[round(0.975 * 256)]), abs=1e-9)


def test_items_of_a_cluster_move_together():
    """Two clusters, each of one value: a resample holds a rate of 0, 1/2 or 1 and nothing between."""
    values = [1] * 50 + [0] * 50
    interval = rates({"rate": (values, [1] * 100)}, values).rate("rate").interval
    assert (interval.low, interval.high) == (0, 1)
    alone = rates({"rate": (values, [1] * 100)}, range(100)).rate("rate").interval
    assert 0.35 < alone.low < alone.high < 0.65


def test_rates_share_their_draws():
    draw = np.random.default_rng(3)
    first, ones, clusters = draw.integers(0, 2, 60), np.ones(60), draw.integers(0, 6, 60)
    found = rates({"one": (first, ones), "same": (first, ones), "rest": (1 - first, ones)}, clusters)
    alike = found.difference("one", "same")
    assert (alike.value, alike.interval.low, alike.interval.high) == (0, 0, 0)
    assert "same value" in alike.interval.note
    one, gap = found.rate("one"), found.difference("one", "rest")
    assert gap.value == pytest.approx(2 * one.value - 1)
    assert gap.interval.low == pytest.approx(2 * one.interval.low - 1)


@for_examples(
    items=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(0, 1)), min_size=1),
    seed=st.integers(0, 2**32),
)
def test_the_same_seed_gives_the_same_interval_whatever_the_clusters_are_called(items, seed):
    clusters, above, below = zip(*items, strict=True)
    above = [min(pair) for pair in zip(above, below, strict=True)]
    found = rates({"rate": (above, below)}, clusters, seed, resamples=50).rate("rate")
    named = rates({"rate": (above, below)}, [f"p{place}" for place in clusters], seed, resamples=50)
    assert found == named.rate("rate")
    assert (found.value is None) == (sum(below) == 0) == (found.undefined_reason is not None)
    if found.interval:
        assert 0 <= found.interval.low <= found.interval.high <= 1


def test_the_method_says_how_to_get_the_same_numbers():
    interval = rates({"rate": ([1, 0, 1], [1, 1, 1])}, "abc", seed=77, resamples=1000).rate("rate").interval
    assert interval.method == "percentile, 1,000 resamples of 3 clusters, seed 77, PCG64"


def test_resamples_without_a_denominator_are_left_out_and_counted():
    found = rates({"rate": ([1, 0], [2, 0])}, "ab", resamples=400).rate("rate")
    assert found.value == 0.5
    assert "of 400 resamples, which are left out" in found.interval.note


def test_an_undefined_rate_makes_its_differences_undefined():
    found = rates({"mr": ([0, 0], [0, 0]), "aar": ([1, 0], [1, 1])}, "ab")
    for gap in (found.difference("aar", "mr"), found.cluster_robust_difference("aar", "mr")):
        assert gap.value is None
        assert gap.undefined_reason == "mr is undefined: the denominator is 0"
    assert found.cluster_robust("mr").value is None


@pytest.mark.parametrize("ask", ["rate", "cluster_robust"])
def test_one_cluster_is_not_estimable(ask):
    found = getattr(rates({"rate": ([1, 0], [1, 1])}, "aa"), ask)("rate")
    assert (found.value, found.interval) == (0.5, None)
    assert "one cluster" in found.no_interval_reason


def test_the_robust_interval_stands_beside_the_percentile_one():
    clusters = [0] * 3 + [1] * 4 + [2] * 2 + [3] * 3
    values = [1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0]
    found = rates({"rate": (values, [1] * 12)}, clusters)
    assert found.cluster_robust("rate") == cluster_robust_mean(values, clusters)
    percentile, robust = found.rate("rate").interval, found.cluster_robust("rate").interval
    assert robust.low < percentile.low < percentile.high < robust.high


def test_the_robust_difference_of_paired_runs_is_that_of_their_differences():
    draw = np.random.default_rng(5)
    one, two, clusters = draw.integers(0, 2, 40), draw.integers(0, 2, 40), draw.integers(0, 8, 40)
    ones = np.ones(40)
    gap = rates({"one": (one, ones), "two": (two, ones)}, clusters).cluster_robust_difference("one", "two")
    expected = cluster_robust_mean(one - two, clusters)
    assert gap.value == pytest.approx(expected.value)
    assert (gap.interval.low, gap.interval.high) == pytest.approx(
        (expected.interval.low, expected.interval.high)
    )


def test_many_clusters_are_drawn_in_blocks_to_the_same_end():
    clusters = np.arange(5000)
    values = clusters % 2
    found = rates({"rate": (values, np.ones(5000))}, clusters, resamples=2000).rate("rate")
    reach = 1.96 * 0.5 / np.sqrt(5000)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.5 - reach, 0.5 + reach), abs=2e-3)


def test_no_items_leave_every_rate_undefined():
    assert rates({"rate": ([], [])}, []).rate("rate").value is None


def test_what_does_not_fit_together_is_refused():
    with pytest.raises(ValueError, match="numerators are of"):
        clustered_rates({"mr": [1]}, {"aar": [1]}, "a", seed=1)
    with pytest.raises(ValueError, match="expected 2 finite numbers"):
        rates({"mr": ([1], [1])}, "ab")
    with pytest.raises(ValueError, match="0 resamples asked for"):
        rates({"mr": ([1], [1])}, "a", resamples=0)


def test_a_statistic_undefined_in_every_draw_has_no_interval():
    interval, reason = percentile_interval(np.full(10, np.nan), "percentile", 0.95)
    assert interval is None
    assert "undefined in every resample" in reason
