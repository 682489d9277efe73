"""A run's rate with a judge's errors taken out, in two ways, and what is said where that is not enough."""

import numpy as np
import pytest
from hypothesis import strategies as st

from annotate.agreement.corrected_rate import (
    SUFFICIENT,
    corrected_mean,
    corrected_rate,
    is_sufficient,
)
from annotate.agreement.intervals import NO_DENOMINATOR, cluster_robust_mean
from annotate.agreement.prediction_powered import prediction_powered_difference, prediction_powered_mean
from annotate.agreement.rogan_gladen import USELESS, Judged, rogan_gladen
from tests.annotate.agreement.examples import for_examples
from tests.annotate.agreement.studies import study

NAN = float("nan")


def counted(hits, missed, false_alarms, spared, positive, negative):
    """Items of these kinds, first the labelled ones, then others with a 1 or 0; each a cluster of its own."""
    verdicts = [1] * hits + [0] * missed + [1] * false_alarms + [0] * spared + [1] * positive + [0] * negative
    truths = [1] * (hits + missed) + [0] * (false_alarms + spared) + [NAN] * (positive + negative)
    return verdicts, truths, range(len(verdicts))


@for_examples(counts=st.tuples(*[st.integers(1, 30)] * 4), others=st.tuples(*[st.integers(0, 200)] * 2))
def test_rogan_and_gladen_is_their_formula(counts, others):
    hits, missed, false_alarms, spared = counts
    found = corrected_rate(*counted(*counts, *others))
    positives, units = hits + false_alarms + others[0], sum(counts) + sum(others)
    people = hits + missed, false_alarms + spared
    own = rogan_gladen(Judged(positives, units, hits / people[0], spared / people[1], *people))
    assert (found.rogan_gladen.value is None) == (own.rate.value is None)
    if own.rate.value is not None:
        assert found.rogan_gladen.value == pytest.approx(own.rate.value, abs=1e-9)
        assert (found.rogan_gladen.numerator, found.rogan_gladen.denominator) == (positives, units)
        assert found.rogan_gladen.interval.low <= found.rogan_gladen.value <= found.rogan_gladen.interval.high


def test_by_hand():
    """The judge calls 450 of 1,000 items 1; sensitivity is 45/50 and specificity 40/50.

    Rogan & Gladen: (0.45 + 0.8 - 1) / 0.7. People call 45 of the 55 labels 1 that the judge calls 1, and 5 of
    the 45 others; with their difference as tuning each of the two shares counts as the judge's rate says.
    """
    found = corrected_rate(*counted(45, 5, 10, 40, 395, 505))
    assert found.raw.value == 0.45
    assert (found.sensitivity.value, found.specificity.value) == (0.9, 0.8)
    assert found.rogan_gladen.value == pytest.approx(5 / 14)
    assert found.prediction_powered.value == pytest.approx(0.45 * 45 / 55 + 0.55 * 5 / 45)
    assert (found.labelled, found.positives, found.negatives, found.disagreements) == (100, 50, 50, 15)


def test_the_raw_rate_is_that_of_the_run():
    made = study(np.random.default_rng(1), rate=0.3)
    assert corrected_rate(*made.given).raw == cluster_robust_mean(made.verdicts, made.clusters)


@for_examples(seed=st.integers(0, 10**6))
def test_a_judge_who_is_never_wrong_changes_nothing(seed):
    made = study(np.random.default_rng(seed), rate=0.5, sensitivity=1, specificity=1, labels=40)
    found = corrected_rate(*made.given)
    assert found.rogan_gladen.value == pytest.approx(found.raw.value)
    assert found.prediction_powered.value == pytest.approx(found.raw.value)


@for_examples(seed=st.integers(0, 10**6))
def test_with_every_item_labelled_both_are_peoples_own_rate(seed):
    made = study(np.random.default_rng(seed), rate=0.4, labels=1000)
    found = corrected_rate(*made.given)
    own = cluster_robust_mean(made.everywhere, made.clusters)
    for estimate in (found.rogan_gladen, found.prediction_powered):
        assert estimate.value == pytest.approx(own.value)
        ends = own.interval.low, own.interval.high
        assert (estimate.interval.low, estimate.interval.high) == pytest.approx(ends)


def test_drawn_by_the_verdict_both_are_one():
    found = corrected_rate(*study(np.random.default_rng(2), rate=0.2, by_verdict=True).given)
    assert found.rogan_gladen.value == pytest.approx(found.prediction_powered.value)
    assert found.rogan_gladen.interval == found.prediction_powered.interval


def test_drawn_by_the_verdict_the_corrected_rates_are_unbiased_where_people_are_few():
    draw, errors = np.random.default_rng(3), []
    for _ in range(150):
        made = study(draw, rate=0.1, sensitivity=0.6, specificity=0.9, each=20, labels=100, by_verdict=True)
        errors.append(corrected_rate(*made.given).rogan_gladen.value - made.everywhere.mean())
    assert abs(np.mean(errors)) < 3 * np.std(errors) / np.sqrt(150)


def test_a_judge_no_better_than_chance_is_refused_in_words():
    found = corrected_rate(*counted(20, 30, 30, 20, 50, 50))
    assert (found.rogan_gladen.value, found.rogan_gladen.undefined_reason) == (None, USELESS)
    assert found.turned_back is None
    assert f"The correction by Rogan and Gladen is refused: {USELESS}." in found.warnings
    assert found.prediction_powered.value == 0.5


def test_an_answer_that_people_never_gave_is_said():
    found = corrected_rate(*counted(30, 5, 0, 0, 50, 50))
    assert found.specificity.value is found.rogan_gladen.value is None
    assert found.warnings[0] == (
        "People answered 1 on 35 and 0 on 0 of the labelled items: too few, it takes at least 20 of each."
    )
    assert found.warnings[-1].endswith("people never answered 0 on an item with a verdict.")
    assert found.prediction_powered.value is not None


def test_few_errors_are_said_with_the_labels_it_takes():
    found = corrected_rate(*counted(25, 1, 0, 24, 300, 300))
    assert not found.is_sufficient
    (words,) = found.warnings
    assert words.startswith(
        "Judge and people differ on 1 of 50 labels. An allowance for errors that nobody saw"
    )
    assert words.endswith("it would be at most 10%.")


def test_few_clusters_are_said():
    made = study(np.random.default_rng(7), rate=0.5, clusters=12, each=80, labels=300)
    found = corrected_rate(*made.given)
    assert found.warnings == ("The run has 12 clusters; with fewer than 30 its intervals are only rough.",)
    assert not found.is_sufficient


def test_a_large_sample_of_many_clusters_is_sufficient():
    found = corrected_rate(*counted(45, 5, 10, 40, 395, 505))
    assert (found.warnings, found.is_sufficient) == ((), True)
    assert is_sufficient(found.powered, found.positives, found.negatives)
    assert not is_sufficient(found.powered, 19, 81)
    assert not is_sufficient(found.powered, 81, 19)
    for number in ("20", "40", "30", "10%"):
        assert number in SUFFICIENT


def test_without_labels_only_the_raw_rate_stands():
    found = corrected_rate([1, 0], [NAN, NAN], "ab")
    assert found.raw.value == 0.5
    assert found.rogan_gladen.value is found.prediction_powered.value is None
    assert found.warnings == ("No item has a person's answer, so nothing can be corrected.",)
    assert not found.is_sufficient


def test_without_items_nothing_stands():
    found = corrected_rate([], [], [])
    assert found.raw.undefined_reason == found.prediction_powered.undefined_reason == NO_DENOMINATOR


@pytest.mark.parametrize("verdict", [NAN, 0.5, 2])
def test_a_verdict_that_is_none_is_refused(verdict):
    with pytest.raises(ValueError, match="not 0 or 1"):
        corrected_rate([1, verdict], [1, NAN], "ab")


def test_graded_answers_have_a_mean_set_right():
    draw = np.random.default_rng(4)
    truth = draw.integers(1, 6, 600)
    judged = np.clip(truth + (draw.random(600) < 0.3), 1, 5)
    seen = np.where(np.arange(600) < 150, truth, NAN)
    found = corrected_mean(judged, seen, range(600), bounds=(1, 5))
    assert found.raw == cluster_robust_mean(judged, range(600))
    assert (
        found.prediction_powered == prediction_powered_mean(judged, seen, range(600), bounds=(1, 5)).estimate
    )
    interval = found.prediction_powered.interval
    assert interval.low < truth.mean() < interval.high < found.raw.interval.low + 0.3
    assert found.disagreements == int((judged[:150] != truth[:150]).sum())
    assert (found.labelled, found.is_sufficient, found.warnings) == (150, True, ())


def test_few_graded_labels_are_said():
    found = corrected_mean([1, 2, 3] * 20, [1, 3, 3] * 10 + [NAN] * 30, range(60), bounds=(1, 5))
    assert found.warnings[0] == "People labelled 30 items: too few, it takes at least 40."


def test_over_repeated_studies_corrected_intervals_hold_the_truth_and_raw_ones_miss_it():
    """200 runs of 90 clusters with 150 labels, sensitivity 0.8, specificity 0.9; rates of 0.8 and 0.3."""
    draw = np.random.default_rng(5)
    errors = {"sensitivity": 0.8, "specificity": 0.9, "clusters": 90, "each": 8, "labels": 150}
    held = dict.fromkeys(("raw", "rogan_gladen", "prediction_powered", "gap"), 0)
    for _ in range(200):
        high, low = (corrected_rate(*study(draw, rate=rate, **errors).given) for rate in (0.8, 0.3))
        for name in ("raw", "rogan_gladen", "prediction_powered"):
            interval = getattr(high, name).interval
            held[name] += interval.low <= 0.8 <= interval.high
        gap = prediction_powered_difference(high.powered, low.powered).interval
        held["gap"] += gap.low <= 0.5 <= gap.high
    assert held["raw"] < 60
    for name in ("rogan_gladen", "prediction_powered", "gap"):
        assert 180 <= held[name] <= 199, name
