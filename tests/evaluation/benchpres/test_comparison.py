"""Paired comparison against a slow second version, statsmodels, and an example worked by hand."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

from evaluation.benchpres.comparison import compare
from evaluation.benchpres.metrics import Instance, measure

MAYBE = st.sampled_from([0, 1, None])
KEYS = list(product((1, 2, 3), (1, 2), (1, 2), (1, 2)))


def instance(key, gold, verdict):
    return Instance(*key, "tone", ("d",), gold, verdict)


@st.composite
def two_sides(draw):
    """Two sides that share some instances; gold labels are the same, or missing on both."""
    golds = {key: draw(MAYBE) for key in KEYS}
    keys = st.lists(st.sampled_from(KEYS), unique=True)
    return tuple([instance(key, golds[key], draw(MAYBE)) for key in draw(keys)] for _ in range(2))


def slow_pairs(first, second):
    return [
        (one, two)
        for one in first
        for two in second
        if (one.profile, one.context, one.preference, one.sample)
        == (two.profile, two.context, two.preference, two.sample)
        and one.gold is not None
        and one.verdict is not None
        and two.verdict is not None
    ]


def slow_rate(rows, gold):
    rates = []
    for sample in {row.sample for row in rows}:
        verdicts = [row.verdict for row in rows if row.sample == sample and row.gold == gold]
        if verdicts:
            rates.append(sum(verdicts) / len(verdicts))
    return sum(rates) / len(rates) if rates else math.nan


def same(value, expected):
    return value is None if math.isnan(expected) else math.isclose(value, expected, abs_tol=1e-12)


def random_sides(seed, samples=2):
    generator = np.random.default_rng(seed)
    keys = list(product(range(4), range(5), range(3), range(1, samples + 1)))
    return tuple(
        [
            instance(key, [0, 0, 1, None][(key[1] + key[2]) % 4], [0, 1, 1, None][generator.integers(4)])
            for key in keys
            if generator.random() < 0.9
        ]
        for _ in range(2)
    )


@given(two_sides())
def test_values_and_counts_equal_the_slow_version(sides):
    found = compare(*sides, seed=1, resamples=5)
    pairs = slow_pairs(*sides)
    rates = [[slow_rate([pair[side] for pair in pairs], gold) for gold in (0, 1)] for side in (0, 1)]
    gaps = [aar - mr for mr, aar in rates]
    for contrast, first, second in [
        (found.mr, rates[0][0], rates[1][0]),
        (found.aar, rates[0][1], rates[1][1]),
        (found.gap, *gaps),
    ]:
        assert same(contrast.first.value, first)
        assert same(contrast.second.value, second)
        assert same(contrast.difference.value, second - first)
    for gold, contrast in enumerate((found.mr, found.aar)):
        number = sum(one.gold == gold for one, _ in pairs)
        assert contrast.first.denominator == contrast.second.denominator == number
        assert contrast.difference.denominator == number
    assert found.gap.difference.denominator == len(pairs)


@given(two_sides())
def test_every_instance_is_compared_or_counted_as_left_out(sides):
    found = compare(*sides, seed=1, resamples=5)
    compared = found.mr.first.denominator + found.aar.first.denominator
    assert compared + found.without_gold + found.without_verdict == found.shared
    assert found.shared + found.only_first == len(sides[0])
    assert found.shared + found.only_second == len(sides[1])


@given(two_sides())
def test_an_undefined_value_has_a_reason_and_a_defined_one_an_interval_or_a_reason(sides):
    found = compare(*sides, seed=1, resamples=5)
    for contrast in (found.mr, found.aar, found.gap):
        for estimate in (contrast.first, contrast.second, contrast.difference):
            assert (estimate.value is None) == bool(estimate.undefined_reason)
            if estimate.value is not None:
                assert estimate.interval or estimate.no_interval_reason


@given(two_sides())
def test_the_tables_count_each_pair_once(sides):
    tables = compare(*sides, seed=1, resamples=5).tables
    for gold in (0, 1):
        cells = [(one.verdict, two.verdict) for one, two in slow_pairs(*sides) if one.gold == gold]
        table = tables[gold]
        assert [table.both, table.b, table.c, table.neither] == [
            cells.count(cell) for cell in [(1, 1), (1, 0), (0, 1), (0, 0)]
        ]


@given(two_sides())
def test_exchanging_the_sides_turns_the_differences_round(sides):
    found, turned = compare(*sides, seed=1, resamples=5), compare(*reversed(sides), seed=1, resamples=5)
    for one, two in [(found.mr, turned.mr), (found.aar, turned.aar), (found.gap, turned.gap)]:
        assert (one.difference.value is None) == (two.difference.value is None)
        assert one.difference.value is None or one.difference.value == pytest.approx(-two.difference.value)
    assert [found.tables[gold].b for gold in (0, 1)] == [turned.tables[gold].c for gold in (0, 1)]


@given(two_sides())
def test_a_run_compared_with_itself_does_not_differ(sides):
    found = compare(sides[0], sides[0], seed=1, resamples=5)
    for contrast in (found.mr, found.aar, found.gap):
        assert contrast.first == contrast.second
        assert contrast.difference.value in (0, None)
        if contrast.difference.interval:
            assert (contrast.difference.interval.low, contrast.difference.interval.high) == (0, 0)
    for table in found.tables.values():
        assert table.test.exact_p.value == 1
        assert table.test.chi2_p.value is None
    assert found.only_first == found.only_second == 0


@pytest.mark.parametrize(
    ("cluster_by", "cluster_of"),
    [("context", lambda row: (row.profile, row.context)), ("profile", lambda row: row.profile)],
)
def test_intervals_equal_those_of_copying_whole_clusters_of_pairs(cluster_by, cluster_of):
    first, second = random_sides(seed=5)
    found = compare(first, second, seed=11, resamples=200, cluster_by=cluster_by)
    pairs = slow_pairs(first, second)
    clusters = list(dict.fromkeys(cluster_of(one) for one, _ in pairs))
    drawn = []
    for places in np.random.default_rng(11).integers(len(clusters), size=(200, len(clusters))):
        copies = [pair for place in places for pair in pairs if cluster_of(pair[0]) == clusters[place]]
        sides = [[pair[side] for pair in copies] for side in (0, 1)]
        drawn.append([slow_rate(side, gold) for side in sides for gold in (0, 1)])
    mr_1, aar_1, mr_2, aar_2 = np.array(drawn).T
    for estimate, draws in [
        (found.mr.first, mr_1),
        (found.aar.second, aar_2),
        (found.gap.second, aar_2 - mr_2),
        (found.mr.difference, mr_2 - mr_1),
        (found.aar.difference, aar_2 - aar_1),
        (found.gap.difference, (aar_2 - mr_2) - (aar_1 - mr_1)),
    ]:
        expected = np.nanquantile(draws, [0.025, 0.975])
        assert [estimate.interval.low, estimate.interval.high] == pytest.approx(expected)


def test_p_values_are_those_of_statsmodels():
    found = compare(*random_sides(seed=9, samples=3), seed=1)
    for table in found.tables.values():
        assert table.b != table.c
        cells = [[table.both, table.b], [table.c, table.neither]]
        assert table.test.exact_p.value == pytest.approx(of_statsmodels(cells, exact=True).pvalue)
        plain = of_statsmodels(cells, exact=False, correction=False)
        assert table.test.chi2_p.value == pytest.approx(plain.pvalue)


def test_complete_sides_have_the_rates_and_intervals_of_each_alone():
    first = [
        instance(key, [0, 1][key[2] % 2], (sum(key) * 7) % 3 % 2)
        for key in product(range(3), range(4), range(4), (1, 2))
    ]
    second = [replace(row, verdict=1 - row.verdict) for row in reversed(first)]
    found = compare(first, second, seed=3, resamples=100)
    alone = measure(first, seed=3, resamples=100).overall
    assert (found.mr.first, found.aar.first, found.gap.first) == (alone.mr, alone.aar, alone.gap)


def test_an_example_worked_by_hand():
    # Gold 0, verdicts first -> second: 1->0, 1->0, 0->1, 1->1; unread->0 and 1->unread are left out.
    # MR 3/4 -> 2/4, difference -1/4, b = 2, c = 1. Gold 1: 0->1, 1->1. AAR 1/2 -> 2/2, difference 1/2.
    # Gap -1/4 -> 1/2, difference 3/4. One instance without gold, one in the first only (its message in
    # the second failed), two in the second only (a third sample).
    verdicts = [(0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (0, None, 0), (0, 1, None), (1, 0, 1), (1, 1, 1)]
    sides = [
        [instance(("p", place, "a", 1), gold, pair[side]) for place, (gold, *pair) in enumerate(verdicts)]
        for side in (0, 1)
    ]
    for side in sides:
        side.append(instance(("p", 100, "a", 1), None, 1))
    sides[0].append(instance(("p", 101, "a", 2), 0, 1))
    sides[1] += [instance(("p", 0, "a", 3), 0, 1), instance(("p", 1, "a", 3), 0, 1)]
    found = compare(*sides, seed=1)
    values = [
        [contrast.first.value, contrast.second.value, contrast.difference.value]
        for contrast in (found.mr, found.aar, found.gap)
    ]
    assert values == [[3 / 4, 2 / 4, -1 / 4], [1 / 2, 1, 1 / 2], [-1 / 4, 1 / 2, 3 / 4]]
    assert (found.mr.first.numerator, found.mr.first.denominator) == (3, 4)
    assert (found.tables[0].both, found.tables[0].b, found.tables[0].c, found.tables[0].neither) == (
        1,
        2,
        1,
        0,
    )
    assert (found.tables[1].b, found.tables[1].c) == (0, 1)
    assert (found.shared, found.only_first, found.only_second) == (9, 1, 2)
    assert (found.without_gold, found.without_verdict) == (1, 2)


def test_two_different_gold_labels_are_refused_with_the_instance():
    one, two = instance(("p", "bank", "a", 1), 0, 1), instance(("p", "bank", "a", 1), 1, 1)
    with pytest.raises(ValueError, match=r"'bank'.* gold label 0 on one side and 1 on the other"):
        compare([one], [two], seed=1)


def test_a_gold_label_on_one_side_only_is_no_pair_with_gold():
    one, two = instance((1, 1, 1, 1), 0, 1), instance((1, 1, 1, 1), None, 1)
    found = compare([one], [two], seed=1)
    assert (found.shared, found.without_gold) == (1, 1)
    assert found.mr.difference.value is None


def test_an_instance_given_twice_is_refused():
    row = instance((1, 1, 1, 1), 0, 1)
    with pytest.raises(ValueError, match="given twice"):
        compare([row], [row, row], seed=1)


def test_sides_that_share_nothing_give_reasons():
    found = compare([instance((1, 1, 1, 1), 0, 1)], [instance((1, 1, 1, 2), 0, 1)], seed=1)
    assert (found.shared, found.only_first, found.only_second) == (0, 1, 1)
    assert "gold label suppress and a verdict on both sides" in found.mr.first.undefined_reason
    assert "suppress and apply" in found.gap.difference.undefined_reason


def test_one_cluster_has_a_difference_without_an_interval():
    keys = [(1, 1, preference, 1) for preference in range(4)]
    found = compare([instance(k, 0, 1) for k in keys], [instance(k, 0, k[2] % 2) for k in keys], seed=1)
    assert found.mr.difference.value == -0.5
    assert found.mr.difference.interval is None
    assert "one cluster" in found.mr.difference.no_interval_reason
