"""The rates of both tracks against slow second versions, and against examples worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.pairs import CATEGORIES, ROLES
from evaluation.pairpref.metrics import (
    Answer,
    Answers,
    Choices,
    Pair,
    measure_generation,
    measure_selection,
)

PAIRS = st.builds(
    Pair,
    identifier=st.sampled_from(["a", "b", "c", "d"]),
    preference=st.sampled_from(["M1", "M2", "M3"]),
    category=st.sampled_from(["occasion", "companions"]),
    domain=st.sampled_from(["film", "food"]),
    tier=st.sampled_from(["distractor", "clean"]),
    distance=st.sampled_from([6, 1, 3]),
)
ROLE = st.sampled_from([*ROLES, None])
CHOICES = st.lists(st.builds(Choices, PAIRS, st.integers(1, 2), ROLE, ROLE), max_size=30)
ANSWER = st.none() | st.builds(
    Answer,
    uptake=st.sampled_from([0, 0.5, 1, 1, None]),
    fit=st.sampled_from([0, 1, 1, None]),
    hedge=st.sampled_from([False, False, False, True, None]),
)
ANSWERS = st.lists(st.builds(Answers, PAIRS, st.integers(1, 2), ANSWER, ANSWER), max_size=30)
SELECTION = (
    "use_positive",
    "use_negative",
    "delta",
    "pair_success",
    "off_task_positive",
    "off_task_negative",
)
GENERATION = (
    "use_positive",
    "use_negative",
    "delta",
    "use_both",
    "fit_positive",
    "fit_negative",
    "pair_success",
)
BREAKDOWNS = ("category", "domain", "tier", "distance", "preference")


def pair(number=1, preference="M1", category="occasion", distance=1):
    return Pair(f"p{number}", preference, category, "food", "clean", distance)


def mean(numbers):
    return sum(numbers) / len(numbers) if numbers else None


def slow_selection(rows):
    """Follow the definitions word by word; return each rate with its numerator and denominator."""
    valid = [row for row in rows if row.positive is not None and row.negative is not None]
    plus = [1 if row.positive == "memory" else 0 for row in valid]
    minus = [1 if row.negative == "memory" else 0 for row in valid]
    success = []
    for row in valid:
        departed = row.negative == "acknowledged" or row.negative == "plain"
        success.append(1 if row.positive == "memory" and departed else 0)
    return {
        "use_positive": plus,
        "use_negative": minus,
        "delta": [u - v for u, v in zip(plus, minus, strict=True)],
        "pair_success": success,
        "off_task_positive": [1 if row.positive == "off_task" else 0 for row in valid],
        "off_task_negative": [1 if row.negative == "off_task" else 0 for row in valid],
    }


def slow_reason(row):
    """Name why a row of generation is left out, asking in the stated order."""
    if row.positive is None or row.negative is None:
        return "no answer on one side or both"
    if row.positive.uptake is None or row.negative.uptake is None:
        return "no judgement of uptake on one side or both"
    if row.positive.hedge is None or row.negative.hedge is None:
        return "no judgement of hedging on one side or both"
    if row.positive.hedge or row.negative.hedge:
        return "an answer hedges on one side or both"
    return None


def slow_generation(rows):
    """Follow the definitions word by word; return what each rate averages."""
    kept = [(row.positive, row.negative) for row in rows if slow_reason(row) is None]
    fitted = [(p, n) for p, n in kept if p.fit is not None and n.fit is not None]
    success = []
    for p, n in fitted:
        used_where_it_fits = p.uptake >= 0.5
        set_aside_where_not = n.uptake == 0
        success.append(int(used_where_it_fits and set_aside_where_not and p.fit == 1 and n.fit == 1))
    return {
        "use_positive": [p.uptake for p, n in kept],
        "use_negative": [n.uptake for p, n in kept],
        "delta": [p.uptake - n.uptake for p, n in kept],
        "use_both": [int(p.uptake >= 0.5 and n.uptake >= 0.5) for p, n in kept],
        "fit_positive": [p.fit for p, n in fitted],
        "fit_negative": [n.fit for p, n in fitted],
        "pair_success": success,
    }


def slow_draws(rows, resamples, seed):
    """Copy whole preferences, as often as drawn."""
    clusters = list(dict.fromkeys(row.pair.preference for row in rows))
    generator = np.random.default_rng(seed)
    for places in generator.integers(len(clusters), size=(resamples, len(clusters))):
        yield [row for place in places for row in rows if row.pair.preference == clusters[place]]


def same(value, expected):
    return value is expected is None or math.isclose(value, expected, abs_tol=1e-12)


def check_rates(rates, slow):
    for name, numbers in slow.items():
        estimate = getattr(rates, name)
        assert same(estimate.value, mean(numbers)), name
        assert estimate.denominator == len(numbers)
        assert estimate.numerator == (None if name == "delta" else sum(numbers))


def parts_of(metrics, rows):
    """Give every part of the metrics together with its rows."""
    for by in BREAKDOWNS:
        found = getattr(metrics, f"by_{by}")
        assert set(found) == {str(getattr(row.pair, by)) for row in rows}
        for name, rates in found.items():
            yield rates, [row for row in rows if str(getattr(row.pair, by)) == name]


@given(CHOICES)
def test_the_rates_of_selection_and_of_its_parts_equal_the_slow_version(rows):
    selection = measure_selection(rows, seed=1, resamples=10)
    for rates, part in [(selection.overall, rows), *parts_of(selection, rows)]:
        check_rates(rates, slow_selection(part))
        assert rates.planned == len(part)


@given(ANSWERS)
def test_the_rates_of_generation_and_of_its_parts_equal_the_slow_version(rows):
    generation = measure_generation(rows, seed=1, resamples=10)
    for rates, part in [(generation.overall, rows), *parts_of(generation, rows)]:
        check_rates(rates, slow_generation(part))
        assert rates.planned == len(part)


@given(CHOICES)
def test_every_row_of_selection_is_retained_or_left_out_under_one_reason(rows):
    rates = measure_selection(rows, seed=1, resamples=10).overall
    missing = [(row.positive is None, row.negative is None) for row in rows]
    assert rates.excluded == {
        "no valid answer on the positive side": missing.count((True, False)),
        "no valid answer on the negative side": missing.count((False, True)),
        "no valid answer on either side": missing.count((True, True)),
    }
    assert rates.retained + sum(rates.excluded.values()) == rates.planned == len(rows)


@given(ANSWERS)
def test_every_row_of_generation_is_retained_or_left_out_under_its_first_reason(rows):
    rates = measure_generation(rows, seed=1, resamples=10).overall
    reasons = [slow_reason(row) for row in rows]
    assert rates.excluded == {reason: reasons.count(reason) for reason in rates.excluded}
    assert rates.retained == reasons.count(None)
    assert rates.retained + sum(rates.excluded.values()) == rates.planned == len(rows)


@given(CHOICES, ANSWERS)
def test_an_undefined_value_comes_with_its_reason_and_nothing_is_nan(choices, answers):
    for metrics, names, rows in [
        (measure_selection(choices, seed=1, resamples=10), SELECTION, choices),
        (measure_generation(answers, seed=1, resamples=10), GENERATION, answers),
    ]:
        for rates in [metrics.overall, *(rates for rates, _ in parts_of(metrics, rows))]:
            for estimate in (getattr(rates, name) for name in names):
                assert (estimate.value is None) == bool(estimate.undefined_reason)
                ends = [estimate.interval.low, estimate.interval.high] if estimate.interval else []
                assert not any(math.isnan(number) for number in [estimate.value or 0, *ends])
                if estimate.value is not None:
                    assert estimate.interval or estimate.no_interval_reason


def some_rows(kind, side):
    """Give 120 rows of 8 preferences, both sides of each made by `side(generator)`."""
    generator = np.random.default_rng(5)
    return [
        kind(
            pair(n, f"M{n % 8}", CATEGORIES[n % 3], (1, 3, 6)[n % 7 % 3]),
            1,
            side(generator),
            side(generator),
        )
        for n in range(120)
    ]


def some_choice(generator):
    return (*ROLES, None)[generator.integers(5)]


def some_answer(generator):
    fit = (0, 1, 1, None)[generator.integers(4)]
    return Answer((0, 0.5, 1)[generator.integers(3)], fit, bool(generator.random() < 0.1))


@pytest.mark.parametrize(
    ("kind", "side", "measure", "slow", "names"),
    [
        (Choices, some_choice, measure_selection, slow_selection, SELECTION),
        (Answers, some_answer, measure_generation, slow_generation, GENERATION),
    ],
)
def test_intervals_equal_those_of_copying_whole_preferences(kind, side, measure, slow, names):
    rows = some_rows(kind, side)
    metrics = measure(rows, seed=11, resamples=100)
    copies = list(slow_draws(rows, 100, seed=11))
    far = [[row for row in copy if row.pair.distance == 6] for copy in copies]
    for rates, parts in [(metrics.overall, copies), (metrics.by_distance["6"], far)]:
        drawn = [slow(part) for part in parts]
        for name in names:
            values = [mean(measures[name]) for measures in drawn]
            expected = np.quantile([value for value in values if value is not None], [0.025, 0.975])
            interval = getattr(rates, name).interval
            assert [interval.low, interval.high] == pytest.approx(expected)


def test_the_same_seed_gives_the_same_intervals_and_another_seed_others():
    rows = some_rows(Choices, some_choice)
    assert measure_selection(rows, seed=1) == measure_selection(rows, seed=1)
    one, other = (measure_selection(rows, seed=seed).overall.delta.interval for seed in (1, 2))
    assert one != other


def test_a_selection_worked_by_hand():
    # Valid are the first five. Use+: memory 4 of 5. Use-: memory 1 of 5, so delta is 3/5. Success: rows 1
    # and 2; row 3 used it on both sides, row 4 left the task on the negative one, row 5 on the positive one.
    sides = [
        ("memory", "acknowledged"),
        ("memory", "plain"),
        ("memory", "memory"),
        ("memory", "off_task"),
        ("off_task", "plain"),
        ("memory", None),
        (None, None),
    ]
    rows = [Choices(pair(n, f"M{n % 2}"), 1, *side) for n, side in enumerate(sides)]
    rates = measure_selection(rows, seed=1).overall
    assert (rates.use_positive.numerator, rates.use_positive.value) == (4, 0.8)
    assert (rates.use_negative.numerator, rates.use_negative.value) == (1, 0.2)
    assert (rates.delta.value, rates.delta.denominator) == (pytest.approx(0.6), 5)
    assert (rates.pair_success.numerator, rates.pair_success.denominator) == (2, 5)
    assert (rates.off_task_positive.numerator, rates.off_task_negative.numerator) == (1, 1)
    assert (rates.planned, rates.retained) == (7, 5)
    assert list(rates.excluded.values()) == [0, 1, 1]


def test_a_generation_worked_by_hand():
    # Retained are the first four: u+ 1, 0.5, 1, 0 -> 2.5/4; u- 0, 0.5, 0, 0 -> 0.5/4; delta 2/4. Both used in
    # row 2 alone. Both fits are known of rows 1, 2 and 4; success in row 1 alone: row 4 never used it.
    def answer(uptake, fit=1, hedge=False):
        return Answer(uptake, fit, hedge)

    sides = [
        (answer(1), answer(0)),
        (answer(0.5), answer(0.5)),
        (answer(1), answer(0, fit=None)),
        (answer(0), answer(0, fit=0)),
        (answer(1, hedge=True), answer(0)),
        (answer(1), answer(0, hedge=None)),
        (answer(None), answer(0, hedge=True)),
        (answer(1), None),
    ]
    rows = [Answers(pair(n, f"M{n % 2}"), 1, *side) for n, side in enumerate(sides)]
    rates = measure_generation(rows, seed=1).overall
    assert (rates.use_positive.value, rates.use_positive.numerator) == (0.625, 2.5)
    assert (rates.use_negative.value, rates.use_negative.numerator) == (0.125, 0.5)
    assert (rates.delta.value, rates.delta.denominator) == (0.5, 4)
    assert (rates.use_both.numerator, rates.use_both.denominator) == (1, 4)
    assert (rates.pair_success.numerator, rates.pair_success.denominator) == (1, 3)
    assert (rates.fit_positive.numerator, rates.fit_negative.numerator) == (3, 2)
    assert list(rates.excluded.values()) == [1, 1, 1, 1]


def test_a_missing_judgement_of_hedging_never_counts_as_not_hedging():
    rows = [Answers(pair(), 1, Answer(1, 1, None), Answer(0, 1, False))]
    rates = measure_generation(rows, seed=1).overall
    assert rates.retained == 0
    assert rates.excluded["no judgement of hedging on one side or both"] == 1


def test_a_missing_fit_leaves_the_rates_of_use_alone():
    rows = [Answers(pair(), 1, Answer(1, None, False), Answer(0, 1, False))]
    rates = measure_generation(rows, seed=1).overall
    assert (rates.delta.value, rates.retained) == (1, 1)
    assert rates.pair_success.undefined_reason == (
        "of 1 planned pairs, none has judged answers on both sides, neither hedging, "
        "and both judgements of fit"
    )


def test_samples_of_a_pair_are_rows_of_one_cluster():
    rows = [Choices(pair(), sample, "memory", "plain") for sample in (1, 2, 3)]
    selection = measure_selection(rows, seed=1)
    assert (selection.overall.pair_success.denominator, selection.clusters) == (3, 1)
    assert "one cluster" in selection.overall.pair_success.no_interval_reason


def test_a_part_of_one_preference_has_no_interval_though_the_whole_has():
    rows = some_rows(Choices, some_choice)
    selection = measure_selection(rows, seed=1)
    assert selection.overall.delta.interval is not None
    assert {rates.delta.interval for rates in selection.by_preference.values()} == {None}


def test_parts_come_in_the_order_of_their_names_and_numbers():
    rows = [
        Choices(pair(n, f"M{4 - n}", category, distance), 1, "memory", "plain")
        for n, (category, distance) in enumerate([("role_shift", 10), ("companions", 6), ("other", 1)])
    ]
    selection = measure_selection(rows, seed=1)
    assert list(selection.by_category) == ["companions", "role_shift", "other"]
    assert list(selection.by_distance) == ["1", "6", "10"]
    assert list(selection.by_preference) == ["M2", "M3", "M4"]


def test_no_rows_at_all_are_a_reason_not_an_error():
    for metrics in (measure_selection([], seed=1), measure_generation([], seed=1)):
        assert metrics.overall.delta.undefined_reason == "no pair was planned"
        assert metrics.overall.planned == metrics.overall.retained == metrics.clusters == 0
        assert metrics.by_category == metrics.by_preference == {}


def test_rows_that_are_all_left_out_give_the_reason():
    rates = measure_selection([Choices(pair(), 1, "memory", None)], seed=1).overall
    assert rates.use_positive.undefined_reason == (
        "of 1 planned pairs, none has a valid answer on both sides"
    )


def test_a_word_that_is_no_role_and_a_number_that_is_no_judgement_are_refused():
    with pytest.raises(ValueError, match="no role of a reply"):
        Choices(pair(), 1, "memory", "Memory")
    with pytest.raises(ValueError, match=r"expected 0, 0\.5 or 1"):
        Answer(0.7, 1, False)
    with pytest.raises(ValueError, match="expected 0 or 1"):
        Answer(1, 2, False)
