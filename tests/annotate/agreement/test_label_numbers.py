"""How many labels more an interval takes, against studies that then draw them."""

import numpy as np
import pytest

from annotate.agreement.corrected_rate import corrected_rate
from annotate.agreement.intervals import cluster_robust_mean
from annotate.agreement.label_numbers import (
    allowance_with,
    further_labels,
    labels_for_allowance,
    variance_with,
    width_with,
)
from annotate.agreement.prediction_powered import prediction_powered_mean
from tests.annotate.agreement.studies import study

NAN = float("nan")
RUN = {"rate": 0.4, "sensitivity": 0.9, "specificity": 0.85, "clusters": 200, "each": 10}


def width_of(found):
    return found.estimate.interval.high - found.estimate.interval.low


def studies_of(name, labels, seed, times=60):
    draw = np.random.default_rng(seed)
    for _ in range(times):
        yield getattr(corrected_rate(*study(draw, **RUN, labels=labels).given), name)


@pytest.mark.parametrize("name", ["powered", "turned_back"])
def test_with_so_many_labels_the_interval_is_as_narrow_as_asked(name):
    further = [further_labels(found, 0.09).labels for found in studies_of(name, 150, seed=11)]
    labels = 150 + int(np.mean(further))
    assert labels > 200
    then = [width_of(found) for found in studies_of(name, labels, seed=12)]
    assert np.mean(then) == pytest.approx(0.09, rel=0.05)


def test_it_is_the_smallest_such_number():
    found = prediction_powered_mean(*study(np.random.default_rng(12), **RUN, labels=150).given)
    total = 150 + further_labels(found, 0.09).labels
    assert width_with(found, total) <= 0.09 < width_with(found, total - 1)


def test_an_interval_that_is_narrow_enough_needs_no_more():
    found = prediction_powered_mean(*study(np.random.default_rng(13), **RUN, labels=150).given)
    assert further_labels(found, width_of(found)).labels == 0


def test_what_the_run_itself_does_not_give_no_number_of_labels_does():
    made = study(np.random.default_rng(14), **RUN, labels=150)
    found = prediction_powered_mean(*made.given)
    narrow = further_labels(found, 0.01)
    assert narrow.labels is None
    assert narrow.reason.startswith(
        "no number of labels gives it: with every one of the 2,000 items labelled"
    )
    assert "200 clusters" in narrow.reason
    own = cluster_robust_mean(made.everywhere, made.clusters).interval
    assert width_with(found, 2000) == pytest.approx(own.high - own.low, rel=0.15)


def test_more_labels_never_make_it_wider():
    found = prediction_powered_mean(*study(np.random.default_rng(15), **RUN, labels=60).given)
    widths = [width_with(found, labels) for labels in range(60, 2001, 20)]
    assert widths == sorted(widths, reverse=True)
    assert width_with(found, 1) == float("inf")


def test_the_variance_with_the_labels_there_are_is_about_the_one_there_is():
    ratios = [
        variance_with(found, 150) / (found.allowance / found.allowance_share)
        for found in studies_of("powered", 150, seed=16)
    ]
    assert np.mean(ratios) == pytest.approx(1, abs=0.05)


def test_an_allowance_for_errors_not_seen_shrinks_to_a_share():
    found = prediction_powered_mean(
        *study(np.random.default_rng(17), rate=0.4, sensitivity=0.99, specificity=0.99, labels=50).given
    )
    assert found.allowance_share > 0.1
    labels = labels_for_allowance(found, 0.1)
    assert 50 < labels < 400
    assert labels_for_allowance(found, 1) == 50
    assert labels_for_allowance(found, 0) == found.units


def test_the_allowance_with_more_labels_is_the_one_there_will_be():
    few, many = (
        prediction_powered_mean(np.ones(1000), np.where(np.arange(1000) < labels, 1, NAN), range(1000))
        for labels in (100, 400)
    )
    assert allowance_with(few, 100) == few.allowance
    assert allowance_with(few, 400) == pytest.approx(many.allowance, rel=0.1)
    assert allowance_with(few, 1000) == 0


def test_without_an_interval_there_is_nothing_to_go_by():
    nothing = prediction_powered_mean([1, 0], [NAN, NAN], "ab")
    assert further_labels(nothing, 0.1).reason == (
        "the labels so far give no interval to go by: no item has a person's answer"
    )
    one = prediction_powered_mean([1, 0, 1], [1, NAN, NAN], "abc")
    assert further_labels(one, 0.1).reason.endswith("all labels are in one cluster")


def test_a_width_is_above_nothing():
    found = prediction_powered_mean([1, 0, 1], [1, 0, NAN], "abc")
    for width in (0, -1, NAN):
        with pytest.raises(ValueError, match="more than 0"):
            further_labels(found, width)
