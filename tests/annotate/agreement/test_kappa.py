"""Cohen's kappa, weighted kappa, their errors and intervals."""

import warnings

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from annotate.agreement import kappa, tables
from tests.annotate.agreement import slowly
from tests.annotate.agreement.examples import for_examples

YES_NO = ("yes", "no")
LEVELS = ("low", "middle", "high")
WEIGHTS = {"none": 0, "linear": 1, "quadratic": 2}


def square(size, most=20):
    cells = st.lists(st.integers(0, most), min_size=size * size, max_size=size * size)
    return cells.map(lambda numbers: np.reshape(numbers, (size, size)))


def pairs_of(table):
    first, second = np.nonzero(table)
    times = table[first, second]
    return np.repeat(first, times), np.repeat(second, times)


@pytest.mark.parametrize("weights", WEIGHTS)
@for_examples(table=square(3))
def test_values_are_those_of_scikit_learn_where_it_has_one(weights, table):
    found = kappa.weighted_kappa(table, LEVELS, weights).value
    assume(found is not None)
    named = {"none": None}.get(weights, weights)
    assert found == pytest.approx(
        cohen_kappa_score(*pairs_of(table), labels=range(3), weights=named), abs=1e-9
    )


@pytest.mark.parametrize("weights", WEIGHTS)
@for_examples(table=square(3))
def test_standard_errors_are_those_of_statsmodels(weights, table):
    found = kappa.standard_errors(table, LEVELS, weights)
    assume(found.estimated and found.under_chance)
    distances = np.abs(np.subtract.outer(range(3), range(3))) ** max(WEIGHTS[weights], 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = cohens_kappa(table, weights=None if weights == "none" else distances)
    assert found.estimated == pytest.approx(other.std_kappa, abs=1e-9)
    assert found.under_chance == pytest.approx(other.std_kappa0, abs=1e-9)


def test_both_using_one_category_is_undefined_and_says_which():
    found = kappa.cohen_kappa([[10, 0], [0, 0]], YES_NO)
    assert found.value is None
    assert found.undefined_reason == "both annotators used only yes"
    assert found.denominator == 10


def test_one_constant_rater_gives_exactly_zero_without_an_interval():
    found = kappa.cohen_kappa([[199, 1], [0, 0]], YES_NO)
    assert found.value == 0.0
    assert found.interval is None
    assert "not estimable" in found.no_interval_reason


@for_examples(table=square(3), weights=st.sampled_from(list(WEIGHTS)), constant=st.integers(0, 2))
def test_any_constant_rater_gives_exactly_zero(table, weights, constant):
    table[[row for row in range(3) if row != constant]] = 0
    found = kappa.weighted_kappa(table, LEVELS, weights)
    assert found.value in (0.0, None)
    assert found.interval is None


def test_perfect_agreement_has_no_estimable_interval():
    found = kappa.cohen_kappa([[5, 0], [0, 7]], YES_NO)
    assert (found.value, found.interval) == (1.0, None)


def test_the_smallest_possible_kappa_flags_its_interval():
    found = kappa.cohen_kappa([[391, 6], [3, 0]], YES_NO)
    assert found.interval.note == kappa.SMALLEST
    assert kappa.cohen_kappa([[20, 5], [10, 15]], YES_NO).interval.note == ""


@pytest.mark.parametrize("weights", WEIGHTS)
@for_examples(table=square(3, 2))
def test_the_flag_means_that_no_table_with_these_margins_has_a_smaller_kappa(weights, table):
    found = kappa.weighted_kappa(table, LEVELS, weights)
    assume(found.interval is not None)
    margins = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    others = [
        slowly.weighted_kappa(other, WEIGHTS[weights]) for other in slowly.tables_with_margins(*margins)
    ]
    smallest = min(others) == slowly.weighted_kappa(table.tolist(), WEIGHTS[weights])
    assert (found.interval.note == kappa.SMALLEST) == smallest


def test_an_interval_past_one_says_so():
    assert kappa.cohen_kappa([[10, 1], [0, 10]], YES_NO).interval.note == kappa.PAST_ONE


def test_a_wider_level_reaches_further():
    narrow = kappa.cohen_kappa([[20, 5], [10, 15]], YES_NO, level=0.9).interval
    wide = kappa.cohen_kappa([[20, 5], [10, 15]], YES_NO, level=0.99).interval
    assert wide.low < narrow.low < narrow.high < wide.high
    assert (narrow.level, wide.level) == (0.9, 0.99)


def test_an_unused_level_keeps_its_distance():
    used = [[4, 0, 1], [0, 0, 0], [1, 0, 4]]
    assert kappa.weighted_kappa(used, LEVELS, "linear").value == pytest.approx(0.6)
    shifted = [[4, 1, 0], [1, 4, 0], [0, 0, 0]]
    four = kappa.weighted_kappa([[4, 0, 1, 0], [0, 2, 0, 0], [1, 0, 4, 0], [0] * 4], "abcd", "quadratic")
    three = kappa.weighted_kappa([[4, 0, 1], [0, 2, 0], [1, 0, 4]], "abc", "quadratic")
    assert four.value == pytest.approx(three.value)
    assert kappa.weighted_kappa(shifted, LEVELS, "linear").value == pytest.approx(0.6)


def test_each_two_raters_have_their_own_kappa_and_undefined_ones_stay():
    rows = [
        (unit, rater, value)
        for rater, values in {"ana": "yyyn", "ben": "yyyy", "cem": "yyyy"}.items()
        for unit, value in enumerate(values)
    ]
    found = kappa.pairwise_kappa(tables.read_labels(*zip(*rows, strict=True), "yn"))
    assert [(pair.first, pair.second, pair.kappa.value) for pair in found] == [
        ("ana", "ben", 0.0),
        ("ana", "cem", 0.0),
        ("ben", "cem", None),
    ]
    assert found[2].kappa.undefined_reason == "both annotators used only y"
    assert [pair.agreement.value for pair in found] == [0.75, 0.75, 1.0]
