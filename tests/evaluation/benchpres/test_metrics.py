"""The metrics against a slow second version, and against an example worked by hand."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchpres.metrics import Instance, measure

MAYBE = st.sampled_from([0, 1, None])
INSTANCES = st.lists(
    st.builds(
        Instance,
        cluster=st.tuples(st.integers(1, 3), st.integers(1, 3)),
        sample=st.integers(1, 3),
        category=st.sampled_from(["tone", "nickname"]),
        domains=st.sampled_from([("finance",), ("finance", "legal"), ("health",)]),
        gold=MAYBE,
        verdict=MAYBE,
    ),
    max_size=40,
)


def slow_rate(rows, gold):
    """Follow the definition word by word: per sample a fraction of counts, then the mean."""
    rates = []
    for sample in {row.sample for row in rows}:
        entered = [
            row for row in rows if row.sample == sample and row.gold == gold and row.verdict is not None
        ]
        if entered:
            rates.append(sum(row.verdict for row in entered) / len(entered))
    return sum(rates) / len(rates) if rates else None


def slow_draws(rows, resamples, seed):
    """Copy whole clusters, as often as drawn, and compute each rate anew."""
    clusters = list(dict.fromkeys(row.cluster for row in rows))
    generator = np.random.default_rng(seed)
    for places in generator.integers(len(clusters), size=(resamples, len(clusters))):
        yield [row for place in places for row in rows if row.cluster == clusters[place]]


def same(value, expected):
    return value is expected is None or math.isclose(value, expected, abs_tol=1e-12)


@given(INSTANCES)
def test_values_and_counts_equal_the_slow_version(rows):
    rates = measure(rows, seed=1, resamples=10).overall
    slow = [slow_rate(rows, gold) for gold in (0, 1)]
    assert same(rates.mr.value, slow[0])
    assert same(rates.aar.value, slow[1])
    assert same(rates.gap.value, None if None in slow else slow[1] - slow[0])
    for gold, rate in enumerate([rates.mr, rates.aar]):
        entered = [row for row in rows if row.gold == gold and row.verdict is not None]
        assert (rate.numerator, rate.denominator) == (sum(row.verdict for row in entered), len(entered))


@given(INSTANCES)
def test_every_instance_is_in_a_denominator_or_counted_as_left_out(rows):
    rates = measure(rows, seed=1, resamples=10).overall
    entered = rates.mr.denominator + rates.aar.denominator
    assert entered == rates.gap.denominator
    assert entered + rates.without_gold + rates.without_verdict == rates.instances == len(rows)


@given(INSTANCES)
def test_an_undefined_value_comes_with_its_reason_and_nothing_is_nan(rows):
    metrics = measure(rows, seed=1, resamples=10)
    for rates in [metrics.overall, *metrics.by_domain.values(), *metrics.by_category.values()]:
        for estimate in (rates.mr, rates.aar, rates.gap):
            assert (estimate.value is None) == bool(estimate.undefined_reason)
            ends = [estimate.interval.low, estimate.interval.high] if estimate.interval else []
            assert not any(math.isnan(number) for number in [estimate.value or 0, *ends])
            if estimate.value is not None:
                assert estimate.interval or estimate.no_interval_reason


@given(INSTANCES)
def test_parts_are_the_metrics_of_their_instances(rows):
    metrics = measure(rows, seed=1, resamples=10)
    for domain, rates in metrics.by_domain.items():
        part = [row for row in rows if domain in row.domains]
        assert same(rates.mr.value, slow_rate(part, 0))
        assert rates.instances == len(part)
    for category, rates in metrics.by_category.items():
        assert same(rates.aar.value, slow_rate([row for row in rows if row.category == category], 1))


def test_intervals_equal_those_of_copying_whole_clusters():
    generator = np.random.default_rng(5)
    rows = [
        Instance((profile, context), sample, "tone", (f"d{context % 2}",), gold, int(generator.integers(2)))
        for profile, context, sample in product(range(4), range(5), (1, 2))
        for gold in (0, 0, 1)
    ]
    metrics = measure(rows, seed=11, resamples=200)
    drawn = [
        (slow_rate(copy, 0), slow_rate(copy, 1), slow_rate([r for r in copy if "d1" in r.domains], 0))
        for copy in slow_draws(rows, 200, seed=11)
    ]
    mr, aar, mr_d1 = np.array(drawn, dtype=float).T
    for estimate, draws in [
        (metrics.overall.mr, mr),
        (metrics.overall.aar, aar),
        (metrics.overall.gap, aar - mr),
        (metrics.by_domain["d1"].mr, mr_d1[~np.isnan(mr_d1)]),
    ]:
        expected = np.quantile(draws, [0.025, 0.975])
        assert [estimate.interval.low, estimate.interval.high] == pytest.approx(expected)


def test_the_same_seed_gives_the_same_intervals_and_another_seed_others():
    rows = [Instance(n, 1, "tone", ("d",), n % 2, int(n % 3 == 0)) for n in range(30)]
    assert measure(rows, seed=1) == measure(rows, seed=1)
    assert measure(rows, seed=1).overall.mr.interval != measure(rows, seed=2).overall.mr.interval


def test_an_example_worked_by_hand():
    # Two samples of four messages. g=0: sample 1: z = 1, 0, 1, unread -> 2/3; sample 2: 0, 0, 1, 1 -> 2/4.
    # MR = (2/3 + 2/4) / 2 = 7/12. g=1: sample 1: 1, 1 -> 1; sample 2: 1, 0 -> 1/2. AAR = 3/4. gap = 1/6.
    suppress = {1: [1, 0, 1, None], 2: [0, 0, 1, 1]}
    apply = {1: [1, 1], 2: [1, 0]}
    rows = [
        Instance(cluster, sample, "tone", ("d",), gold, verdict)
        for gold, samples in enumerate([suppress, apply])
        for sample, verdicts in samples.items()
        for cluster, verdict in enumerate(verdicts)
    ]
    rates = measure(rows, seed=1).overall
    assert rates.mr.value == pytest.approx(7 / 12)
    assert (rates.mr.numerator, rates.mr.denominator) == (4, 7)
    assert rates.aar.value == pytest.approx(3 / 4)
    assert rates.gap.value == pytest.approx(1 / 6)
    assert [row.mr.value for row in rates.by_sample] == pytest.approx([2 / 3, 1 / 2])
    assert rates.without_verdict == 1


def test_a_failed_generation_is_in_no_rate_and_counted():
    rows = [Instance(1, 1, "tone", ("d",), 0, 1), Instance(2, 1, "tone", ("d",), 0, None)]
    rates = measure(rows, seed=1).overall
    assert (rates.mr.value, rates.mr.denominator, rates.without_verdict) == (1, 1, 1)


def test_without_a_readable_verdict_the_reason_says_how_many_there_were():
    rows = [Instance(n, 1, "tone", ("d",), 0, None) for n in range(3)]
    rates = measure(rows, seed=1).overall
    assert rates.mr.undefined_reason == (
        "of 3 with the gold label suppress, none has a verdict that could be read"
    )
    assert rates.aar.undefined_reason == "no instance has the gold label apply"
    assert rates.gap.undefined_reason == "without MR and AAR there is no gap"


def test_one_cluster_has_no_interval_rather_than_one_of_no_width():
    rows = [Instance("only", 1, "tone", ("d",), 0, value) for value in (0, 1)]
    rates = measure(rows, seed=1).overall
    assert rates.mr.value == 0.5
    assert rates.mr.interval is None
    assert "one cluster" in rates.mr.no_interval_reason


def test_a_part_in_one_cluster_has_no_interval_though_the_whole_has():
    rows = [Instance(n, 1, "tone", ("a" if n else "b",), 0, n % 2) for n in range(6)]
    metrics = measure(rows, seed=1)
    assert metrics.overall.mr.interval is not None
    assert metrics.by_domain["b"].mr.interval is None


def test_a_context_of_two_domains_counts_in_each():
    metrics = measure([Instance(1, 1, "tone", ("finance", "legal"), 0, 1)], seed=1)
    assert {name: rates.mr.denominator for name, rates in metrics.by_domain.items()} == {
        "finance": 1,
        "legal": 1,
    }


def test_no_instances_at_all_are_a_reason_not_an_error():
    metrics = measure([], seed=1)
    assert metrics.overall.gap.value is None
    assert metrics.by_domain == metrics.by_category == {}
