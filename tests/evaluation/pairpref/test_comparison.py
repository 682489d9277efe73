"""Two arms beside each other: slow second versions, statsmodels, and examples worked by hand."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

from annotate.pairs import ROLES
from evaluation.pairpref.classifiers import Decisions, measure_decisions
from evaluation.pairpref.comparison import compare_decisions, compare_generations, compare_selections
from evaluation.pairpref.metrics import (
    Answer,
    Answers,
    Choices,
    Pair,
    measure_generation,
    measure_selection,
)

NUMBERS = st.integers(1, 6)
ROLE = st.sampled_from([*ROLES, "memory", "plain", None])
ANSWER = st.none() | st.builds(
    Answer,
    uptake=st.sampled_from([0, 0.5, 1, 1, None]),
    fit=st.sampled_from([0, 1, 1, None]),
    hedge=st.sampled_from([False, False, False, True, None]),
)
DECISION = st.sampled_from([True, False, None])


def pair(number):
    """Give one of the pairs, three of which share a preference."""
    return Pair(f"p{number}", f"M{number // 3}", "occasion", "food", "clean", 1)


def rows_of(kind, side):
    """Give lists of rows, each sample of a pair at most once."""
    row = st.builds(kind, NUMBERS.map(pair), st.integers(1, 2), side, side)
    return st.lists(row, max_size=12, unique_by=lambda row: (row.pair.identifier, row.sample))


def of_pairs(side):
    row = st.builds(Decisions, NUMBERS.map(pair), side, side)
    return st.lists(row, max_size=6, unique_by=lambda row: row.pair.identifier)


CHOICES, ANSWERS, DECISIONS = rows_of(Choices, ROLE), rows_of(Answers, ANSWER), of_pairs(DECISION)


def slow_join(first, second):
    """Find the rows of the same sample of the same pair by two loops."""
    return [
        (one, two)
        for one in first
        for two in second
        if one.pair.identifier == two.pair.identifier
        and getattr(one, "sample", 1) == getattr(two, "sample", 1)
    ]


def slow_choices(joined):
    """Follow the definitions word by word; return, for each measure, the numbers of each side."""
    sides = [both for both in joined if None not in [r for row in both for r in (row.positive, row.negative)]]
    departs = ("acknowledged", "plain")
    return {
        "use_positive": [[int(row.positive == "memory") for row in both] for both in sides],
        "use_negative": [[int(row.negative == "memory") for row in both] for both in sides],
        "delta": [
            [(row.positive == "memory") - (row.negative == "memory") for row in both] for both in sides
        ],
        "pair_success": [
            [int(row.positive == "memory" and row.negative in departs) for row in both] for both in sides
        ],
    }


def slow_decisions(joined):
    sides = [both for both in joined if None not in [d for row in both for d in (row.positive, row.negative)]]
    return {
        "use_positive": [[int(row.positive) for row in both] for both in sides],
        "use_negative": [[int(row.negative) for row in both] for both in sides],
        "delta": [[int(row.positive) - int(row.negative) for row in both] for both in sides],
        "pair_success": [[int(row.positive and not row.negative) for row in both] for both in sides],
    }


def retained(row):
    return all(
        answer is not None and answer.uptake is not None and answer.hedge is False
        for answer in (row.positive, row.negative)
    )


def slow_answers(joined):
    sides = [both for both in joined if retained(both[0]) and retained(both[1])]
    fits = [
        both for both in sides if all(a.fit is not None for row in both for a in (row.positive, row.negative))
    ]
    success = [
        [
            int(
                row.positive.uptake in (0.5, 1)
                and row.negative.uptake == 0
                and row.positive.fit == 1
                and row.negative.fit == 1
            )
            for row in both
        ]
        for both in fits
    ]
    return {
        "use_positive": [[row.positive.uptake for row in both] for both in sides],
        "use_negative": [[row.negative.uptake for row in both] for both in sides],
        "delta": [[row.positive.uptake - row.negative.uptake for row in both] for both in sides],
        "pair_success": success,
        "use_both": [
            [int(row.positive.uptake in (0.5, 1) and row.negative.uptake in (0.5, 1)) for row in both]
            for both in sides
        ],
    }


def mean(numbers):
    return sum(numbers) / len(numbers) if numbers else None


def same(value, expected):
    return value is expected is None or math.isclose(value, expected, abs_tol=1e-12)


def cells_of(table):
    return [table.both, table.b, table.c, table.neither]


def check(found, first, second, slow):
    """Compare all values and counts with those of the slow version."""
    joined = slow_join(first, second)
    expected = slow(joined)
    assert list(found.measures) == list(expected)
    for name, numbers in expected.items():
        contrast = found.measures[name]
        one, two = ([both[side] for both in numbers] for side in (0, 1))
        assert same(contrast.first.value, mean(one)), name
        assert same(contrast.second.value, mean(two)), name
        assert same(contrast.difference.value, mean([b - a for a, b in numbers])), name
        for estimate, numerator in [(contrast.first, one), (contrast.second, two)]:
            assert estimate.numerator == (None if name == "delta" else sum(numerator))
            assert estimate.denominator == contrast.difference.denominator == len(numbers)
        assert contrast.difference.numerator is None
    assert list(found.tests) == [name for name in expected if name in ("pair_success", "use_both")]
    for name, table in found.tests.items():
        assert cells_of(table) == [expected[name].count(cell) for cell in ([1, 1], [1, 0], [0, 1], [0, 0])]
    assert found.shared == len(joined)
    assert found.shared + found.only_first == len(first)
    assert found.shared + found.only_second == len(second)
    assert found.left_out + len(expected["delta"]) == found.shared
    assert found.clusters == len({one.pair.preference for one, _ in joined})


@given(CHOICES, CHOICES)
def test_the_comparison_of_selections_equals_the_slow_version(first, second):
    check(compare_selections(first, second, seed=1, resamples=5), first, second, slow_choices)


@given(ANSWERS, ANSWERS)
def test_the_comparison_of_generations_equals_the_slow_version(first, second):
    check(compare_generations(first, second, seed=1, resamples=5), first, second, slow_answers)


@given(DECISIONS, DECISIONS)
def test_the_comparison_of_classifiers_equals_the_slow_version(first, second):
    check(compare_decisions(first, second, seed=1, resamples=5), first, second, slow_decisions)


@given(CHOICES, CHOICES, ANSWERS, ANSWERS)
def test_an_undefined_value_has_a_reason_and_a_defined_one_an_interval_or_a_reason(one, two, three, four):
    for found in (
        compare_selections(one, two, seed=1, resamples=5),
        compare_generations(three, four, seed=1, resamples=5),
    ):
        for contrast in found.measures.values():
            for estimate in (contrast.first, contrast.second, contrast.difference):
                assert (estimate.value is None) == bool(estimate.undefined_reason)
                assert estimate.value is None or estimate.interval or estimate.no_interval_reason


@given(ANSWERS, ANSWERS)
def test_exchanging_the_arms_turns_the_differences_round(first, second):
    found, turned = (
        compare_generations(*sides, seed=1, resamples=5) for sides in ((first, second), (second, first))
    )
    for name, contrast in found.measures.items():
        other = turned.measures[name]
        assert (contrast.first.value, contrast.second.value) == (other.second.value, other.first.value)
        value = contrast.difference.value
        assert other.difference.value == (None if value is None else -value)
    for name, table in found.tests.items():
        assert (table.b, table.c) == (turned.tests[name].c, turned.tests[name].b)
    assert found.only_first == turned.only_second


@pytest.mark.parametrize("compare", [compare_selections, compare_generations, compare_decisions])
@given(st.data())
def test_a_run_compared_with_itself_does_not_differ_and_has_its_own_rates(compare, data):
    kinds = {
        compare_selections: (CHOICES, measure_selection),
        compare_generations: (ANSWERS, measure_generation),
        compare_decisions: (DECISIONS, measure_decisions),
    }
    rows_like, measure = kinds[compare]
    rows = data.draw(rows_like)
    found, alone = compare(rows, rows, seed=3, resamples=20), measure(rows, seed=3, resamples=20)
    assert (found.only_first, found.only_second) == (0, 0)
    assert (found.shared, found.shared - found.left_out) == (alone.overall.planned, alone.overall.retained)
    for name, contrast in found.measures.items():
        assert contrast.first == contrast.second
        assert contrast.difference.value in (0, None)
        if contrast.difference.interval:
            assert (contrast.difference.interval.low, contrast.difference.interval.high) == (0, 0)
        own = getattr(alone.overall, name, None)
        if own and own.value is not None:
            assert contrast.first == own
    for table in found.tests.values():
        assert (table.b, table.c, table.test.exact_p.value, table.test.chi2_p.value) == (0, 0, 1, None)


def random_arms(kind, side):
    """Give two arms of up to 2 samples of 40 pairs of 14 preferences, each without some."""
    generator = np.random.default_rng(8)
    return [
        [
            kind(pair(number), sample, side(generator), side(generator))
            for number, sample in product(range(40), (1, 2))
            if generator.random() < 0.9
        ]
        for _ in range(2)
    ]


def some_role(generator):
    return (*ROLES, "memory", "plain", "memory", None)[generator.integers(8)]


def some_answer(generator):
    fit = (0, 1, 1, 1, None)[generator.integers(5)]
    return Answer((0, 0.5, 1)[generator.integers(3)], fit, bool(generator.random() < 0.1))


RANDOM = [
    (compare_selections, slow_choices, random_arms(Choices, some_role)),
    (compare_generations, slow_answers, random_arms(Answers, some_answer)),
]


@pytest.mark.parametrize(("compare", "slow", "arms"), RANDOM)
def test_intervals_equal_those_of_copying_whole_preferences_of_both_arms(compare, slow, arms):
    found = compare(*arms, seed=11, resamples=100)
    joined = slow_join(*arms)
    clusters = list(dict.fromkeys(one.pair.preference for one, _ in joined))
    drawn = []
    for places in np.random.default_rng(11).integers(len(clusters), size=(100, len(clusters))):
        copies = [both for place in places for both in joined if both[0].pair.preference == clusters[place]]
        drawn.append(slow(copies))
    for name, contrast in found.measures.items():
        first, second = np.array([np.mean(measures[name], axis=0) for measures in drawn]).T
        for estimate, draws in [
            (contrast.first, first),
            (contrast.second, second),
            (contrast.difference, second - first),
        ]:
            expected = np.quantile(draws, [0.025, 0.975])
            assert [estimate.interval.low, estimate.interval.high] == pytest.approx(expected)


@pytest.mark.parametrize(("compare", "slow", "arms"), RANDOM)
def test_p_values_are_those_of_statsmodels(compare, slow, arms):
    tests = compare(*arms, seed=1, resamples=5).tests
    for name, numbers in slow(slow_join(*arms)).items():
        if name not in tests:
            continue
        cells = [[numbers.count([a, b]) for b in (1, 0)] for a in (1, 0)]
        assert cells[0][1] != cells[1][0]
        test = tests[name].test
        assert test.exact_p.value == pytest.approx(of_statsmodels(cells, exact=True).pvalue)
        for p, correction in [(test.chi2_p, False), (test.corrected_p, True)]:
            expected = of_statsmodels(cells, exact=False, correction=correction).pvalue
            assert p.value == pytest.approx(expected)


def values_of(contrast):
    return [estimate.value for estimate in (contrast.first, contrast.second, contrast.difference)]


def test_a_comparison_of_generations_worked_by_hand():
    # Uptakes (+, -) in the first and in the second. Retained in both are the first five:
    # Use+ 3.5/5 -> 4.5/5, Use- 1/5 -> 0.5/5, so delta 0.5 -> 0.8. Both used: the second row in the first,
    # the third in the second. Success, of the first four, whose fits are all known: yes no yes no ->
    # yes yes no yes, so 2/4 -> 3/4, b = 1, c = 2. Left out are a pair without its negative side, one
    # without a judgement of uptake, one that hedges, and a sample that failed whole.
    def answers(number, positive, negative, sample=1):
        sides = (
            side if side is None or isinstance(side, Answer) else answer(side)
            for side in (positive, negative)
        )
        return Answers(pair(number), sample, *sides)

    def answer(uptake, fit=1, hedge=False):
        return Answer(uptake, fit, hedge)

    first = [(1, 0), (1, 1), (0.5, 0), (0, 0), (1, 0), (1, None), (1, 0), (1, 0), (1, 0)]
    second = [
        (1, 0),
        (1, 0),
        (0.5, 0.5),
        (1, 0),
        (1, answer(0, fit=None)),
        (1, 0),
        (answer(None), 0),
        (1, answer(0, hedge=True)),
        (None, None),
    ]
    one, two = ([answers(n, *sides) for n, sides in enumerate(arm)] for arm in (first, second))
    one.append(answers(0, 1, 1, sample=2))
    two += [answers(9, 1, 1), answers(10, 1, 1)]
    found = compare_generations(one, two[::-1], seed=1)
    assert values_of(found.measures["use_positive"]) == pytest.approx([0.7, 0.9, 0.2])
    assert values_of(found.measures["use_negative"]) == pytest.approx([0.2, 0.1, -0.1])
    assert values_of(found.measures["delta"]) == pytest.approx([0.5, 0.8, 0.3])
    assert values_of(found.measures["use_both"]) == pytest.approx([0.2, 0.2, 0])
    assert values_of(found.measures["pair_success"]) == pytest.approx([0.5, 0.75, 0.25])
    assert found.measures["use_positive"].second.numerator == 4.5
    assert found.measures["use_positive"].difference.denominator == 5
    assert found.measures["pair_success"].difference.denominator == 4
    assert cells_of(found.tests["use_both"]) == [0, 1, 1, 3]
    assert cells_of(found.tests["pair_success"]) == [1, 1, 2, 0]
    assert found.tests["pair_success"].test.exact_p.value == 1
    assert (found.shared, found.only_first, found.only_second, found.left_out) == (9, 1, 2, 4)
    assert found.clusters == 3


def test_a_comparison_of_selections_worked_by_hand():
    # The first three are valid in both: Use+ 2/3 -> 3/3, Use- 2/3 -> 1/3, success 1/3 -> 2/3 (b = 0,
    # c = 1). The fourth has one side only in the first, the fifth failed in the second.
    first = [
        ("memory", "plain"),
        ("memory", "memory"),
        ("off_task", "memory"),
        ("memory", None),
        ("memory", "plain"),
    ]
    second = [
        ("memory", "acknowledged"),
        ("memory", "memory"),
        ("memory", "plain"),
        ("memory", "plain"),
        (None, None),
    ]
    one, two = ([Choices(pair(n), 1, *sides) for n, sides in enumerate(arm)] for arm in (first, second))
    found = compare_selections(one, two, seed=1)
    assert values_of(found.measures["use_positive"]) == pytest.approx([2 / 3, 1, 1 / 3])
    assert values_of(found.measures["use_negative"]) == pytest.approx([2 / 3, 1 / 3, -1 / 3])
    assert values_of(found.measures["delta"]) == pytest.approx([0, 2 / 3, 2 / 3])
    assert values_of(found.measures["pair_success"]) == pytest.approx([1 / 3, 2 / 3, 1 / 3])
    assert cells_of(found.tests["pair_success"]) == [1, 0, 1, 1]
    assert (found.shared, found.left_out) == (5, 2)


@pytest.mark.parametrize(
    ("compare", "row"),
    [
        (compare_selections, Choices(pair(1), 1, "memory", "plain")),
        (compare_generations, Answers(pair(1), 1, None, None)),
        (compare_decisions, Decisions(pair(1), True, False)),
    ],
)
def test_a_sample_that_an_arm_has_twice_is_refused_with_its_pair(compare, row):
    for arms in ([row, row], [row]), ([row], [row, row]):
        with pytest.raises(ValueError, match=r"'p1', 1.* is given twice"):
            compare(*arms, seed=1)


def test_arms_that_share_nothing_say_so():
    found = compare_selections(
        [Choices(pair(1), 1, "memory", "plain")], [Choices(pair(1), 2, "memory", "plain")], seed=1
    )
    assert (found.shared, found.only_first, found.only_second, found.clusters) == (0, 1, 1, 0)
    assert found.measures["delta"].difference.undefined_reason == "no sample of a pair is in both"
    assert found.tests["pair_success"].test.exact_p.denominator == 0


def test_shared_samples_that_are_all_left_out_give_the_reason():
    answered = Answer(1, 1, False)
    found = compare_generations(
        [Answers(pair(1), 1, answered, answered)], [Answers(pair(1), 1, answered, None)], seed=1
    )
    assert found.left_out == 1
    assert found.measures["use_both"].first.undefined_reason == (
        "of 1 samples of pairs that are in both, none has judged answers on both sides, neither hedging, "
        "in the first and in the second"
    )


def test_one_preference_has_a_difference_without_an_interval():
    first = [Choices(pair(n), 1, "memory", "memory") for n in (3, 4, 5)]
    second = [Choices(pair(n), 1, "memory", "plain") for n in (3, 4, 5)]
    difference = compare_selections(first, second, seed=1).measures["delta"].difference
    assert (difference.value, difference.interval) == (1, None)
    assert "one cluster" in difference.no_interval_reason
