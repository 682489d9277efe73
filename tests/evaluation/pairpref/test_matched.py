"""The matched comparison against a slow join, and against the counts that the paper reports."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.pairs import ROLES
from evaluation.pairpref.matched import match_tracks
from evaluation.pairpref.metrics import Answer, Answers, Choices, Pair, measure_generation
from evaluation.pairpref.published import MATCHES

NUMBERS = st.integers(1, 6)
ROLE = st.sampled_from([*ROLES, "memory", "plain", None])
ANSWER = st.none() | st.builds(
    Answer,
    uptake=st.sampled_from([0, 0.5, 1, 1, None]),
    fit=st.sampled_from([0, 1, None]),
    hedge=st.sampled_from([False, False, False, True, None]),
)


def pair(number):
    """Give one of the pairs, three of which share a preference."""
    return Pair(f"p{number}", f"M{number // 3}", "occasion", "food", "clean", 1)


def of_places(kind, side):
    """Give lists of rows, each sample of a pair at most once."""
    row = st.builds(kind, NUMBERS.map(pair), st.integers(1, 2), side, side)
    return st.lists(row, max_size=12, unique_by=lambda row: (row.pair.identifier, row.sample))


def slow_match(selections, generations):
    """Join by two loops; return successes among the common ones, and use on both sides among these."""
    success, use_both = [], []
    for answer in generations:
        for choice in selections:
            if (choice.pair.identifier, choice.sample) != (answer.pair.identifier, answer.sample):
                continue
            sides = [answer.positive, answer.negative]
            if any(side is None or side.uptake is None or side.hedge is not False for side in sides):
                continue
            succeeded = choice.positive == "memory" and choice.negative in {"acknowledged", "plain"}
            success.append(succeeded)
            if succeeded:
                use_both.append(sides[0].uptake >= 0.5 and sides[1].uptake >= 0.5)
    return success, use_both


@given(of_places(Choices, ROLE), of_places(Answers, ANSWER))
def test_the_comparison_equals_the_slow_join(selections, generations):
    rates = match_tracks(selections, generations, seed=1, resamples=10).overall
    success, use_both = slow_match(selections, generations)
    assert rates.retained == rates.selection_success.denominator == len(success)
    assert rates.selection_success.numerator == rates.use_both.denominator == sum(success)
    assert rates.use_both.numerator == sum(use_both)
    if use_both:
        assert math.isclose(rates.use_both.value, sum(use_both) / len(use_both))
    else:
        assert rates.use_both.value is None
        assert rates.use_both.undefined_reason


@given(of_places(Choices, ROLE), of_places(Answers, ANSWER))
def test_every_sample_of_either_run_is_common_or_left_out_under_one_reason(selections, generations):
    rates = match_tracks(selections, generations, seed=1, resamples=10).overall
    chosen = {(row.pair.identifier, row.sample) for row in selections}
    answered = {(row.pair.identifier, row.sample) for row in generations}
    assert rates.planned == len(chosen | answered)
    assert rates.excluded["not in the selection run"] == len(answered - chosen)
    assert rates.excluded["not in the generation run"] == len(chosen - answered)
    assert rates.retained + sum(rates.excluded.values()) == rates.planned


@given(of_places(Answers, ANSWER))
def test_the_common_pairs_of_equal_plans_are_those_that_generation_retains(generations):
    selections = [Choices(row.pair, row.sample, None, None) for row in generations]
    common = match_tracks(selections, generations, seed=1, resamples=10).overall.retained
    assert common == measure_generation(generations, seed=1, resamples=10).overall.retained


@pytest.mark.parametrize("reported", MATCHES, ids=lambda reported: reported.model)
def test_the_reported_counts_give_the_reported_rate(reported):
    used, aside = Answer(1, None, False), Answer(0, None, False)
    selections, generations = [], []
    for number in range(1227):
        succeeded, common = number < reported.selection_success, number < reported.common
        selections.append(Choices(pair(number), 1, "memory", "plain" if succeeded else "memory"))
        negative = used if number < reported.use_both or not succeeded else aside
        generations.append(Answers(pair(number), 1, used, negative if common else None))
    rates = match_tracks(selections, generations, seed=1).overall
    assert (rates.planned, rates.retained) == (1227, reported.common)
    assert rates.selection_success.numerator == reported.selection_success
    assert round(100 * rates.use_both.value, 1) == reported.rate


def test_the_interval_equals_that_of_copying_whole_preferences():
    generator = np.random.default_rng(3)
    used, aside = Answer(0.5, None, False), Answer(0, None, False)
    selections = [Choices(pair(n), 1, "memory", ROLES[generator.integers(4)]) for n in range(60) if n % 11]
    generations = [
        Answers(pair(n), 1, used, used if generator.random() < 0.7 else aside) for n in range(60) if n % 7
    ]
    interval = match_tracks(selections, generations, seed=9, resamples=100).overall.use_both.interval

    clusters = list(dict.fromkeys(row.pair.preference for row in [*selections, *generations]))
    places = np.random.default_rng(9).integers(len(clusters), size=(100, len(clusters)))
    drawn = []
    for draw in places:
        use_both = []
        for place in draw:
            inside = [row for row in generations if row.pair.preference == clusters[place]]
            use_both += slow_match(selections, inside)[1]
        drawn.append(sum(use_both) / len(use_both))
    assert [interval.low, interval.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]))


def test_only_common_samples_enter_where_the_runs_have_different_numbers_of_them():
    used = Answer(1, 1, False)
    selections = [Choices(pair(n), 1, "memory", "plain") for n in (1, 5)]
    generations = [Answers(pair(n), sample, used, used) for n in (1, 5) for sample in (1, 2)]
    rates = match_tracks(selections, generations, seed=1).overall
    assert (rates.planned, rates.retained, rates.use_both.denominator) == (4, 2, 2)
    assert rates.excluded["not in the selection run"] == 2


def test_a_common_pair_without_a_choice_is_no_success():
    used = Answer(1, None, False)
    rates = match_tracks(
        [Choices(pair(1), 1, "memory", None)], [Answers(pair(1), 1, used, used)], seed=1
    ).overall
    assert (rates.selection_success.value, rates.selection_success.denominator) == (0, 1)
    assert rates.use_both.undefined_reason.endswith("and succeeded in selection")


def test_a_sample_that_is_there_twice_is_refused():
    twice = [Choices(pair(1), 1, "memory", "plain")] * 2
    with pytest.raises(ValueError, match="sample 1 of pair p1 is there twice"):
        match_tracks(twice, [], seed=1)


def test_two_empty_runs_are_a_reason_not_an_error():
    rates = match_tracks([], [], seed=1).overall
    assert rates.use_both.undefined_reason == "no pair was planned"
