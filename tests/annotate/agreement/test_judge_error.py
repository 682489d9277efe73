"""Sensitivity and specificity of a judge beside people."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import strategies as st

from annotate.agreement.judge_error import effective_count, judge_error
from annotate.agreement.tables import table_of
from tests.annotate.agreement.examples import for_examples

NAN = float("nan")
ANSWERS = st.lists(st.tuples(st.sampled_from([0, 1, NAN]), st.sampled_from([0, 1, NAN])), max_size=40)


def columns(items):
    return [[item[place] for item in items] for place in range(len(items[0]) if items else 2)]


def test_the_published_example_of_two_by_two():
    """Altman & Bland 1994 (BMJ 308:1552): liver scan and pathology, 231 of 258 and 54 of 86."""
    verdicts = [1] * 231 + [0] * 27 + [1] * 32 + [0] * 54
    truths = [1] * 258 + [0] * 86
    found = judge_error(verdicts, truths)
    assert found.sensitivity.value == pytest.approx(0.895, abs=5e-4)
    assert found.specificity.value == pytest.approx(0.628, abs=5e-4)
    assert (found.sensitivity.numerator, found.sensitivity.denominator) == (231, 258)
    assert (found.positives, found.negatives, found.missed, found.false_alarms) == (258, 86, 27, 32)
    assert found.disagreements == 59


def test_the_interval_is_that_of_wilson():
    """Newcombe 1998, method 3, written out."""
    found = judge_error([1] * 231 + [0] * 27, [1] * 258).sensitivity.interval
    z, share, count = 1.959964, 231 / 258, 258
    middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    reach = z / (1 + z**2 / count) * sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    assert (found.low, found.high) == pytest.approx((middle - reach, middle + reach), abs=1e-6)


@for_examples(items=ANSWERS)
def test_counts_are_those_of_the_confusion_table(items):
    verdicts, truths = columns(items)
    found = judge_error(verdicts, truths)
    labels = [[None if np.isnan(value) else int(value) for value in side] for side in (truths, verdicts)]
    table = table_of(*labels, (0, 1))
    assert (found.negatives, found.positives) == tuple(table.sum(axis=1))
    assert (found.missed, found.false_alarms) == (table[1, 0], table[0, 1])


@for_examples(items=ANSWERS, weight=st.floats(0.01, 100))
def test_one_weight_for_all_is_no_weight(items, weight):
    verdicts, truths = columns(items)
    weighted = judge_error(verdicts, truths, [weight] * len(items))
    plain = judge_error(verdicts, truths)
    for one, two in ((weighted.sensitivity, plain.sensitivity), (weighted.specificity, plain.specificity)):
        assert one.value == pytest.approx(two.value)
        assert (one.interval is None) == (two.interval is None)
        assert one.interval is None or one.interval.low == pytest.approx(two.interval.low, abs=1e-9)


@for_examples(items=ANSWERS, seed=st.integers(0, 10**6))
def test_specificity_is_the_sensitivity_of_the_other_answer(items, seed):
    verdicts, truths = np.reshape(columns(items), (2, -1))
    weights = np.random.default_rng(seed).uniform(1, 5, len(items))
    found = judge_error(verdicts, truths, weights)
    turned = judge_error(1 - verdicts, 1 - truths, weights)
    for one, other in ((found.sensitivity, turned.specificity), (found.specificity, turned.sensitivity)):
        assert (one.value, one.interval) == (other.value, other.interval)


def test_an_answer_that_people_never_gave_has_no_share():
    found = judge_error([1, 0, NAN], [1, 1, 0])
    assert found.sensitivity.value == 0.5
    assert found.specificity.undefined_reason == "people never answered 0 on an item with a verdict"
    assert judge_error([], []).sensitivity.value is None


def test_weights_are_what_the_items_stand_for():
    """Nine hits that stand for 1 each and one miss that stands for 11: 9 of 20."""
    found = judge_error([1] * 9 + [0], [1] * 10, [1] * 9 + [11])
    assert found.sensitivity.value == pytest.approx(9 / 20)
    assert found.sensitivity.denominator < 10
    assert found.sensitivity.interval.low < 9 / 20 < found.sensitivity.interval.high


def test_weights_that_tell_nothing_of_the_answer_count_as_kish_says():
    draw = np.random.default_rng(3)
    weights = draw.choice([1.0, 3.0], 20_000)
    is_right = draw.random(20_000) < 0.8
    kish = weights.sum() ** 2 / (weights**2).sum()
    assert effective_count(is_right, weights, [2, 2]) == pytest.approx(kish, rel=0.02)


def test_an_interval_of_sensitivity_holds_where_items_were_drawn_by_the_verdict():
    """4,000 items, 30 % positive, sensitivity 0.9, specificity 0.8; 100 labels from each verdict."""
    draw = np.random.default_rng(8)
    held, studies = 0, 400
    for _ in range(studies):
        truths = draw.random(4000) < 0.3
        verdicts = np.where(truths, draw.random(4000) < 0.9, draw.random(4000) < 0.2)
        chosen = [draw.choice(np.flatnonzero(verdicts == verdict), 100, False) for verdict in (0, 1)]
        weights = np.repeat([(verdicts == verdict).sum() / 100 for verdict in (0, 1)], 100)
        rows = np.concatenate(chosen)
        interval = judge_error(verdicts[rows], truths[rows], weights).sensitivity.interval
        held += interval.low <= 0.9 <= interval.high
    assert 0.92 < held / studies < 0.99


@pytest.mark.parametrize(
    ("verdicts", "truths", "weights", "words"),
    [
        ([1, 0], [1], None, "shapes"),
        ([2], [1], None, "0, 1 or nan"),
        ([1], [0.5], None, "0, 1 or nan"),
        ([1], [1], [-1], "0 or more"),
        ([1], [1], [NAN], "finite"),
        ([[1]], [[1]], None, "shapes"),
    ],
)
def test_what_cannot_be_is_refused(verdicts, truths, weights, words):
    with pytest.raises(ValueError, match=words):
        judge_error(verdicts, truths, weights)


def test_a_weight_beside_a_missing_answer_is_not_read():
    assert judge_error([1, 1], [1, NAN], [2, NAN]).positives == 1


@pytest.mark.parametrize("labelled", range(1, 60))
def test_a_judge_who_is_always_right_is_right_on_all_whatever_the_weights(labelled):
    weights = np.array([[1.4, 15 / 11, 1 / 3, 0.1][place % 4] for place in range(labelled)])
    ones = np.ones(labelled)
    found = judge_error(ones, ones, weights).sensitivity
    assert found.value == 1
    assert found.numerator == found.denominator
