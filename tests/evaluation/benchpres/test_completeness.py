"""Task completeness against a slow second version and examples worked by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchpres.completeness import Score, completeness, completeness_difference

VALUES = st.sampled_from([1, 2, 3, 4, 5, None])
SCORES = st.lists(
    st.builds(Score, st.integers(1, 2), st.integers(1, 3), st.integers(1, 3), VALUES),
    unique_by=lambda row: (row.profile, row.context, row.sample),
)


def slow_mean(values):
    return sum(values) / len(values) if values else None


def slow_pairs(without, with_):
    return [
        (one, two)
        for one in without
        for two in with_
        if (one.profile, one.context, one.sample) == (two.profile, two.context, two.sample)
        and one.value is not None
        and two.value is not None
    ]


def near(expected):
    return None if expected is None else pytest.approx(expected)


def random_scores(seed):
    generator = np.random.default_rng(seed)
    return [
        Score(*key, [1, 2, 3, 4, 5, None][generator.integers(6)])
        for key in product(range(3), range(4), (1, 2, 3))
    ]


def copied(rows, cluster_of, seed, resamples=200):
    clusters = list(dict.fromkeys(cluster_of(row) for row in rows))
    for places in np.random.default_rng(seed).integers(len(clusters), size=(resamples, len(clusters))):
        yield [row for place in places for row in rows if cluster_of(row) == clusters[place]]


@given(SCORES)
def test_the_mean_and_the_counts_equal_the_slow_version(scores):
    found = completeness(scores, seed=1, resamples=5)
    read = [row.value for row in scores if row.value is not None]
    assert found.mean.value == near(slow_mean(read))
    assert (found.mean.numerator, found.mean.denominator) == (sum(read), len(read))
    assert found.by_score == {score: read.count(score) for score in (1, 2, 3, 4, 5)}
    assert sum(found.by_score.values()) + found.unread == len(scores)


@given(SCORES, SCORES)
def test_the_difference_equals_the_slow_version(without, with_):
    found = completeness_difference(without, with_, seed=1, resamples=5)
    pairs = slow_pairs(without, with_)
    assert found.without.value == near(slow_mean([one.value for one, _ in pairs]))
    assert found.with_.value == near(slow_mean([two.value for _, two in pairs]))
    assert found.difference.value == near(slow_mean([two.value - one.value for one, two in pairs]))
    assert found.difference.denominator == len(pairs) == found.shared - found.unread
    assert found.shared + found.only_without == len(without)
    assert found.shared + found.only_with == len(with_)


@given(SCORES)
def test_scores_compared_with_themselves_do_not_differ(scores):
    found = completeness_difference(scores, scores, seed=1, resamples=5)
    assert found.difference.value in (0, None)
    assert found.without == found.with_
    assert found.without.value == completeness(scores, seed=1, resamples=5).mean.value


def test_the_interval_of_the_mean_equals_that_of_copying_whole_clusters():
    scores = random_scores(2)
    found = completeness(scores, seed=8, resamples=200)
    read = [row for row in scores if row.value is not None]
    draws = [slow_mean([r.value for r in copy]) for copy in copied(read, lambda r: (r.profile, r.context), 8)]
    expected = np.quantile(draws, [0.025, 0.975])
    assert [found.mean.interval.low, found.mean.interval.high] == pytest.approx(expected)


def test_the_interval_of_the_difference_comes_from_whole_clusters_of_pairs():
    without, with_ = random_scores(3), random_scores(4)
    found = completeness_difference(without, with_, seed=8, resamples=200)
    pairs = slow_pairs(without, with_)
    copies = copied(pairs, lambda pair: (pair[0].profile, pair[0].context), 8)
    draws = [slow_mean([two.value - one.value for one, two in copy]) for copy in copies]
    expected = np.quantile(draws, [0.025, 0.975])
    assert [found.difference.interval.low, found.difference.interval.high] == pytest.approx(expected)


def test_a_difference_worked_by_hand():
    # Without -> with: 5 -> 4, 4 -> 2, 3 -> 3; unread -> 5 and 5 -> unread leave the pairs. Means 4 and 3.
    # One message failed with preferences, one without.
    without = [Score("p", place, 1, value) for place, value in enumerate([5, 4, 3, None, 5, 1])]
    with_ = [Score("p", place, 1, value) for place, value in enumerate([4, 2, 3, 5, None])]
    with_.append(Score("p", 0, 2, 1))
    found = completeness_difference(without, with_, seed=1)
    assert (found.without.value, found.with_.value, found.difference.value) == (4, 3, -1)
    assert (found.shared, found.unread, found.only_without, found.only_with) == (5, 2, 1, 1)
    assert completeness(without, seed=1).by_score == {1: 1, 2: 0, 3: 1, 4: 1, 5: 2}
    assert completeness(without, seed=1).unread == 1


def test_nothing_scored_is_a_reason():
    nothing = [Score(1, 1, 1, None)]
    assert completeness(nothing, seed=1).mean.undefined_reason == "no message has a score that could be read"
    found = completeness_difference(nothing, nothing, seed=1)
    assert (found.difference.value, found.unread) == (None, 1)
    assert "on both sides" in found.difference.undefined_reason


def test_one_cluster_has_a_mean_without_an_interval():
    found = completeness([Score(1, 1, sample, 4) for sample in (1, 2)], seed=1)
    assert found.mean.value == 4
    assert "one cluster" in found.mean.no_interval_reason


@pytest.mark.parametrize("value", [0, 6, -1])
def test_a_score_outside_one_to_five_is_refused(value):
    with pytest.raises(ValueError, match="expected 1 to 5"):
        Score(1, 1, 1, value)


def test_a_message_scored_twice_is_refused():
    twice = [Score(1, 1, 1, 4), Score(1, 1, 1, 4)]
    with pytest.raises(ValueError, match="given twice"):
        completeness(twice, seed=1)
    with pytest.raises(ValueError, match="given twice"):
        completeness_difference([], twice, seed=1)
