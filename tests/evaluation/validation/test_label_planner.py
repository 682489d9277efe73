"""How many labels more an interval takes: what is promised comes out when they are drawn."""

from dataclasses import replace

import pytest

from evaluation.targets import Target
from evaluation.validation.correction import correct
from evaluation.validation.label_planner import labels_needed
from evaluation.validation.units import units_of
from tests.evaluation.validation.planted import labelled, letters

TRUTHS = {"suppress": 0.3, "apply": 0.85}
ERRORS = {"suppress": (0.85, 0.9), "apply": (0.9, 0.85)}
METHODS = ("rogan_gladen", "prediction_powered")


def width(estimate) -> float:
    return estimate.interval.high - estimate.interval.low


def rates_of(record, known, size: int, seed: int = 1):
    [arm] = correct(record, [labelled(record, Target.LABEL, known, size=size, seed=seed)])
    return arm.rates


@pytest.fixture(scope="module")
def run():
    return letters(TRUTHS, ERRORS, 1, profiles=10, contexts=60, preferences=6)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("name", "wished"), [("mr", 0.11), ("mr", 0.07), ("aar", 0.09), ("gap", 0.14), ("gap", 0.1)]
)
def test_as_many_labels_as_it_says_make_the_interval_as_narrow_as_wished(run, name, wished, seed):
    before = rates_of(*run, size=200, seed=seed)[name]
    needed = labels_needed(before, wished)
    for method in METHODS:
        if further := getattr(needed, method):
            assert width(getattr(before, method)) > wished
            classes = 1 if name == "gap" else 2
            size = classes * (before.labelled + further.labels)
            after = rates_of(*run, size=size, seed=seed)[name]
            assert width(getattr(after, method)) == pytest.approx(wished, rel=0.25)


def test_what_is_narrow_enough_takes_no_more(run):
    rates = rates_of(*run, size=400)
    for found in rates.values():
        needed = labels_needed(found, 0.9)
        assert needed.prediction_powered.labels == 0


@pytest.mark.parametrize("name", ["mr", "gap"])
def test_where_the_run_itself_is_too_small_no_number_suffices_and_it_says_so(name):
    record, known = letters(TRUTHS, ERRORS, 2, contexts=6)
    needed = labels_needed(rates_of(record, known, size=100)[name], 0.05)
    all_labelled = rates_of(record, known, size=len(units_of(record, Target.LABEL)))[name]
    assert width(all_labelled.prediction_powered) > 0.05
    assert needed.prediction_powered.labels is None
    assert "no number of labels gives it" in needed.prediction_powered.reason


def test_a_judge_that_is_no_better_than_chance_has_no_number_for_rogan_gladen():
    record, known = letters(TRUTHS, {"suppress": (0.2, 0.5), "apply": (0.2, 0.5)}, 3)
    needed = labels_needed(rates_of(record, known, size=200)["mr"], 0.2)
    assert needed.rogan_gladen.labels is None
    assert "no better than chance" in needed.rogan_gladen.reason
    assert needed.prediction_powered.labels is not None


def test_a_rate_without_labels_gives_nothing_to_go_by():
    record, known = letters(TRUTHS, ERRORS, 4)
    sample = labelled(record, Target.LABEL, known, size=100)
    items = tuple(item for item in sample.items if item.unit.part == "apply")
    [arm] = correct(record, [replace(sample, items=items)])
    for name in ("mr", "gap"):
        needed = labels_needed(arm.rates[name], 0.1)
        assert needed.prediction_powered.labels is None
        assert "no item has a person's answer" in needed.prediction_powered.reason


@pytest.mark.parametrize("name", ["mr", "gap"])
@pytest.mark.parametrize("wished", [0.0, -1.0, float("nan")])
def test_a_width_that_cannot_be_is_an_error(run, name, wished):
    with pytest.raises(ValueError, match="expected more than 0"):
        labels_needed(rates_of(*run, size=100)[name], wished)
