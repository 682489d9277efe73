"""Rates of messages corrected by samples: a planted judge, plain means beside it, refusals in words."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from annotate.agreement.resampling import clustered_rates
from annotate.problems import Problem
from evaluation.records import RunRecord
from evaluation.targets import Target
from evaluation.validation.correction import CorrectedArm, correct
from evaluation.validation.records import PEOPLE, Rater, SampleRecord
from evaluation.validation.units import units_of
from tests.evaluation.validation.planted import (
    generation,
    judge,
    labelled,
    letters,
    message_arm,
    run_of,
    scored_letters,
    verdict,
)

TRUTHS = {"suppress": 0.3, "apply": 0.85}
ERRORS = {"suppress": (0.7, 0.75), "apply": (0.75, 0.8)}
PERFECT = {"suppress": (1.0, 1.0), "apply": (1.0, 1.0)}
PAIR_TARGETS = (Target.UPTAKE, Target.FIT, Target.HEDGE)
METHODS = ("rogan_gladen", "prediction_powered")


def everything(record: RunRecord, target: Target, known, **draw) -> SampleRecord:
    """A sample of all that there is, so that nothing is left to estimate."""
    return labelled(record, target, known, size=len(units_of(record, target)), over=(), **draw)


def only_arm(found: list[CorrectedArm]) -> CorrectedArm:
    [arm] = found
    return arm


def holds(estimate, truth: float) -> bool:
    return estimate.interval.low <= truth <= estimate.interval.high


def test_a_planted_judges_errors_are_taken_out_and_intervals_hold_the_truth_as_often_as_they_say():
    studies = 120
    held: dict[tuple[str, str], int] = {}
    for seed in range(studies):
        record, known = letters(TRUTHS, ERRORS, seed, profiles=8, contexts=10, preferences=4)
        rates = only_arm(correct(record, [labelled(record, Target.LABEL, known, size=160, seed=seed)])).rates
        truths = {"mr": 0.3, "aar": 0.85, "gap": 0.55}
        for name, found in rates.items():
            for method in ("raw", *METHODS):
                if estimate := getattr(found, method, None):
                    held[name, method] = held.get((name, method), 0) + holds(estimate, truths[name])
    fewest = binom.ppf(0.001, studies, 0.95)
    assert {place: times for place, times in held.items() if place[1] != "raw" and times < fewest} == {}
    # The judge's own rates: MR 0.3 * 0.7 + 0.7 * 0.25 = 0.385, AAR 0.85 * 0.75 + 0.15 * 0.2 = 0.6675.
    assert all(held[name, "raw"] < studies / 2 for name in ("mr", "aar", "gap"))


def test_where_everything_is_labelled_the_rates_are_peoples_own():
    record, known = letters(TRUTHS, ERRORS, 3)
    rates = only_arm(correct(record, [everything(record, Target.LABEL, known)])).rates
    own = {
        name: np.mean([known[unit.key] for unit in units_of(record, Target.LABEL) if unit.part == part])
        for name, part in (("mr", "suppress"), ("aar", "apply"))
    }
    for name, value in own.items():
        assert rates[name].prediction_powered.value == pytest.approx(value, abs=1e-12)
        assert rates[name].rogan_gladen.value == pytest.approx(value, abs=1e-12)
        assert rates[name].raw.value != pytest.approx(value, abs=1e-3)
    assert rates["gap"].prediction_powered.value == pytest.approx(own["aar"] - own["mr"], abs=1e-12)


def test_raw_rates_are_the_sums_of_the_run():
    record, known = letters(TRUTHS, ERRORS, 4)
    rates = only_arm(correct(record, [labelled(record, Target.LABEL, known, size=100)])).rates
    for name, part in (("mr", "suppress"), ("aar", "apply")):
        verdicts = [unit.verdict for unit in units_of(record, Target.LABEL) if unit.part == part]
        raw = rates[name].raw
        assert (raw.numerator, raw.denominator) == (sum(verdicts), len(verdicts))
    assert rates["gap"].raw.value == pytest.approx(rates["aar"].raw.value - rates["mr"].raw.value)


def test_the_interval_of_the_raw_gap_knows_that_both_rates_share_their_clusters():
    record, known = letters(TRUTHS, ERRORS, 16)
    units = units_of(record, Target.LABEL)
    of_part = {part: [unit.part == part for unit in units] for part in ("apply", "suppress")}
    verdicts = np.array([unit.verdict for unit in units])
    rates = clustered_rates(
        {part: verdicts * inside for part, inside in of_part.items()},
        of_part,
        [unit.cluster for unit in units],
        seed=1,
        resamples=1,
    )
    expected = rates.cluster_robust_difference("apply", minus="suppress").interval
    gap = only_arm(correct(record, [labelled(record, Target.LABEL, known, size=50)])).rates["gap"]
    assert (gap.raw.interval.low, gap.raw.interval.high) == pytest.approx((expected.low, expected.high))


def test_a_perfect_judge_changes_nothing():
    record, known = letters(TRUTHS, PERFECT, 5)
    rates = only_arm(correct(record, [labelled(record, Target.LABEL, known, size=120)])).rates
    for found in rates.values():
        assert found.prediction_powered.value == pytest.approx(found.raw.value)
        assert found.disagreements == 0
    for name in ("mr", "aar"):
        assert rates[name].rogan_gladen.value == pytest.approx(rates[name].raw.value)
        assert (rates[name].sensitivity.value, rates[name].specificity.value) == (1, 1)


def test_strata_drawn_unequally_are_weighted_back():
    """Drawn evenly over the verdicts, the corrected rate is the mean of people within each verdict, weighed
    by how often the judge gives it.
    """
    record, known = letters(TRUTHS, ERRORS, 6)
    sample = labelled(record, Target.LABEL, known, size=120, over=("part", "verdict"))
    rates = only_arm(correct(record, [sample])).rates
    for name, part in (("mr", "suppress"), ("aar", "apply")):
        units = [unit for unit in units_of(record, Target.LABEL) if unit.part == part]
        expected = 0.0
        for said in (0.0, 1.0):
            share = sum(unit.verdict == said for unit in units) / len(units)
            people = [
                known[item.unit.key]
                for item in sample.items
                if item.unit.part == part and item.unit.verdict == said
            ]
            expected += share * sum(people) / len(people)
        unweighted = np.mean([known[item.unit.key] for item in sample.items if item.unit.part == part])
        assert abs(unweighted - expected) > 0.01
        for method in METHODS:
            assert getattr(rates[name], method).value == pytest.approx(expected, abs=1e-9)


def test_an_item_stands_also_for_those_of_its_stratum_that_nobody_has_labelled():
    """Labelling that has come far on one verdict and not on the other does not shift the rate."""
    record, known = letters(TRUTHS, ERRORS, 6)
    sample = labelled(record, Target.LABEL, known, size=160, over=("part", "verdict"))
    left = {item.number for item in sample.items if item.unit.verdict == 1 and item.number % 4}
    items = tuple(replace(item, given={}) if item.number in left else item for item in sample.items)
    rates = only_arm(correct(record, [replace(sample, items=items)])).rates
    for name, part in (("mr", "suppress"), ("aar", "apply")):
        units = [unit for unit in units_of(record, Target.LABEL) if unit.part == part]
        expected = 0.0
        for said in (0.0, 1.0):
            share = sum(unit.verdict == said for unit in units) / len(units)
            people = [
                known[item.unit.key]
                for item in items
                if item.given and item.unit.part == part and item.unit.verdict == said
            ]
            expected += share * sum(people) / len(people)
        for method in METHODS:
            assert getattr(rates[name], method).value == pytest.approx(expected, abs=1e-9)


def test_labels_count_only_for_their_own_arm_and_not_where_the_text_has_changed():
    record, known = letters(TRUTHS, ERRORS, 7, arms=("default", "mitigation"))
    sample = labelled(record, Target.LABEL, known, size=200)
    changed = tuple(replace(item, is_changed=item.number <= 60) for item in sample.items)
    found = correct(record, [replace(sample, items=changed)])
    assert [arm.arm for arm in found] == ["default", "mitigation"]
    for arm in found:
        [labels] = arm.labels
        left = [item for item in changed if item.unit.arm == arm.arm and not item.is_changed]
        assert arm.rates["mr"].labelled + arm.rates["aar"].labelled == len(left) == len(labels.by_unit)
        assert labels.changed == sum(item.unit.arm == arm.arm and item.is_changed for item in changed)
        assert labels.items == labels.changed + labels.without_reference + len(labels.by_unit)


def test_people_who_are_divided_or_cannot_tell_say_nothing():
    record, known = letters(TRUTHS, ERRORS, 8)
    sample = labelled(record, Target.LABEL, known, size=100)
    second = {1: 1 - known[sample.items[0].unit.key], 2: None}
    items = [
        replace(item, given=item.given | {"annotator 2": second.get(item.number, item.given["annotator 1"])})
        for item in sample.items
    ]
    items[2] = replace(items[2], given={"annotator 1": None, "annotator 2": None})
    raters = (*sample.raters, Rater("annotator 2", PEOPLE))
    [labels] = only_arm(correct(record, [replace(sample, items=tuple(items), raters=raters)])).labels
    assert (labels.without_reference, len(labels.by_unit)) == (2, 98)


def test_where_a_run_has_two_judges_each_is_corrected_and_matches_count_with_what_the_run_counts():
    texts = ("Likes sarcasm.", "Wants to be called Joker.")
    rows = [
        generation(
            number,
            verdict("label", number % 2, 1, texts[0]),
            verdict("label", 1, 2, texts[0]),
            verdict("label", 0, None, texts[1]),
            profile=f"p{number}",
            context=("Bank", "Ask"),
        )
        for number in range(1, 41)
    ]
    record = run_of(
        "benchpres",
        [message_arm("default")],
        [judge(1, "labels", "first"), judge(2, "labels", "second")],
        rows,
        gold={(("Bank", "Ask"), text): 0 for text in texts},
        preferences=dict(zip(texts, ("tone", "nickname"), strict=True)),
    )
    known = {(row.id, text): float(place) for row in rows for place, text in enumerate(texts)}
    found = correct(record, [everything(record, Target.LABEL, known)])
    assert [arm.judge for arm in found] == ["all its judges, as the run counts them", "first", "second"]
    raws = [(arm.rates["mr"].raw.numerator, arm.rates["mr"].raw.denominator) for arm in found]
    assert raws == [(20, 80), (20, 40), (40, 40)]
    assert [arm.rates["mr"].prediction_powered.value for arm in found] == pytest.approx([0.5, 0, 0])


def test_a_rate_without_items_is_undefined_for_a_reason():
    record, known = letters(TRUTHS, ERRORS, 9)
    record = replace(record, gold=dict.fromkeys(record.gold, 1))
    rates = only_arm(correct(record, [labelled(record, Target.LABEL, known, size=50)])).rates
    for found in (rates["mr"], rates["gap"]):
        for estimate in (found.raw, found.prediction_powered):
            assert estimate.value is None
            assert estimate.undefined_reason
        assert found.warnings
        assert not found.is_sufficient
    assert rates["aar"].prediction_powered.value is not None


def test_mean_scores_and_what_preferences_change_are_corrected():
    record, known = scored_letters(10)
    found = correct(record, [everything(record, Target.COMPLETENESS, known)])
    without, with_, _ = found
    assert [(arm.arm, arm.against) for arm in found] == [
        ("no_preferences", ""),
        ("default", ""),
        ("default", "no_preferences"),
    ]
    for arm in (without, with_):
        read = [unit.generation for unit in units_of(record, Target.COMPLETENESS, [arm.arm])]
        mean = arm.rates["mean"]
        assert mean.prediction_powered.value == pytest.approx(np.mean([known[one, ""] for one in read]))
        assert mean.raw.value > mean.prediction_powered.value
        assert not hasattr(mean, "rogan_gladen")


def test_preferences_change_what_the_same_messages_show():
    record, known = scored_letters(11)
    *_, against = correct(record, [everything(record, Target.COMPLETENESS, known)])
    by_message = {}
    for row in record.generations:
        if row.value("completeness") is not None:
            by_message.setdefault((row.context, row.sample), {})[row.arm] = row
    both = [sides for sides in by_message.values() if len(sides) == 2]
    people, judged = (
        [value(sides["default"]) - value(sides["no_preferences"]) for sides in both]
        for value in (lambda row: known[row.id, ""], lambda row: row.value("completeness"))
    )
    difference = against.rates["difference"]
    assert len(both) < len(by_message)
    assert against.rates["with_"].raw.denominator == len(both)
    assert difference.raw.value == pytest.approx(np.mean(judged))
    assert difference.prediction_powered.value == pytest.approx(np.mean(people))


def test_part_of_the_scores_corrects_the_difference_by_what_it_shows_of_both_sides():
    record, known = scored_letters(12, contexts=120)
    *_, against = correct(
        record, [labelled(record, Target.COMPLETENESS, known, size=300, over=("condition",))]
    )
    difference = against.rates["difference"]
    assert 0 < difference.labelled < difference.raw.denominator
    assert holds(difference.prediction_powered, -1.0)


def test_a_difference_needs_labels_on_both_sides():
    record, known = scored_letters(13)
    sample = labelled(record, Target.COMPLETENESS, known, size=40, over=(), arms=["default"])
    assert [(arm.arm, arm.against) for arm in correct(record, [sample])] == [("default", "")]


def small():
    record, known = letters(TRUTHS, ERRORS, 14, contexts=4)
    return record, labelled(record, Target.LABEL, known, size=40)


def test_a_sample_of_another_run_is_refused_by_name():
    record, sample = small()
    with pytest.raises(Problem, match=r"run-1-label is of answers of run 8, and says nothing of run 1"):
        correct(record, [replace(sample, run=8)])


def test_a_sample_that_nobody_has_labelled_is_refused_with_what_to_do():
    record, sample = small()
    items = tuple(replace(item, given={}) for item in sample.items)
    with pytest.raises(Problem, match=r"Nobody has labelled .* run-1-label yet.*import_validation_labels"):
        correct(record, [replace(sample, items=items)])


def test_a_sample_without_a_label_that_counts_is_refused_with_the_counts():
    record, sample = small()
    cannot_tell = [replace(item, given={"annotator 1": None}) for item in sample.items]
    cannot_tell[0] = replace(sample.items[0], is_changed=True)
    with pytest.raises(Problem, match=r"0 are not labelled, 39 nobody could tell, on 0 .* of 1 the answer"):
        correct(record, [replace(sample, items=tuple(cannot_tell))])


def test_a_sample_is_named_once_and_no_two_ask_the_same():
    record, sample = small()
    with pytest.raises(Problem, match="only once"):
        correct(record, [sample, sample])
    with pytest.raises(Problem, match=r"run-1-label and other ask the same of condition default"):
        correct(record, [sample, replace(sample, slug="other")])
    with pytest.raises(Problem, match="at least one sample"):
        correct(record, [])


def test_samples_of_different_arms_correct_each_their_own():
    record, known = letters(TRUTHS, ERRORS, 15, contexts=6, arms=("default", "mitigation"))
    samples = [
        replace(labelled(record, Target.LABEL, known, size=size, arms=[arm]), slug=arm)
        for arm, size in (("default", 40), ("mitigation", 60))
    ]
    found = correct(record, samples)
    assert [(arm.arm, arm.rates["gap"].labelled) for arm in found] == [("default", 40), ("mitigation", 60)]
