"""Sensitivity and specificity of judges and people, of the sample and of what it was drawn from."""

import numpy as np
import pytest
from sklearn.metrics import recall_score

from evaluation.reporting.validation import sample_report
from evaluation.reporting.validation_tables import validation_tables
from evaluation.validation.against_people import judges_against_people, people_against_others
from tests.evaluation.validation.labelled import MISSING, labelled


def rates(errors) -> tuple[float, float]:
    return errors.sensitivity.value, errors.specificity.value


@pytest.mark.parametrize("seed", range(3))
def test_they_are_the_recalls_of_scikit_learn_overall_and_in_each_part(seed):
    draw = np.random.default_rng(seed)
    truth, judge, side = draw.integers(2, size=(3, 90))
    parts = np.where(side, "apply", "suppress")
    [found] = judges_against_people(
        labelled({"A": truth.tolist()}, {"judge": judge.tolist()}, parts=list(parts))
    )
    for chosen, measured in (
        (slice(None), found.overall),
        *((parts == name, found.by_part[name]) for name in ("suppress", "apply")),
    ):
        expected = recall_score(truth[chosen], judge[chosen], average=None, labels=[1, 0])
        assert rates(measured.errors) == pytest.approx(tuple(expected))
        yes, no = measured.errors.sensitivity, measured.errors.specificity
        assert (yes.denominator, no.denominator) == (truth[chosen].sum(), (1 - truth[chosen]).sum())
        assert (measured.errors.positives, measured.errors.negatives) == (yes.denominator, no.denominator)
        assert yes.numerator == pytest.approx(yes.denominator - measured.errors.missed)
        assert no.numerator == pytest.approx(no.denominator - measured.errors.false_alarms)


def test_of_a_person_they_are_the_same():
    answers = [1, 1, 0, 0, 1], [1, 0, 0, 1, 1]
    [of_judge] = judges_against_people(labelled({"A": answers[0]}, {"judge": answers[1]}))
    _, of_person = people_against_others(labelled({"A": answers[0], "B": answers[1]}))
    assert of_person.overall == of_judge.overall


def planted(seed: int = 1):
    """A population of two strata, the small one drawn whole; the judge is worse in the large one.

    Returns people's answers, the judge's, and the stratum of each item of the population.
    """
    draw = np.random.default_rng(seed)
    stratum = np.repeat([0, 1], [300, 9700])
    truth = (draw.random(10_000) < np.where(stratum, 0.3, 0.6)).astype(int)
    wrong = draw.random(10_000) < np.where(stratum, np.where(truth, 0.4, 0.25), 0.05)
    return truth, np.where(wrong, 1 - truth, truth), stratum


def drawn_from(population, seed: int):
    """Draw 300 of each stratum."""
    truth, judge, stratum = population
    draw = np.random.default_rng(seed)
    chosen = np.concatenate([draw.choice(np.flatnonzero(stratum == place), 300, False) for place in (0, 1)])
    return labelled(
        {"A": truth[chosen].tolist()},
        {"judge": judge[chosen].tolist()},
        strata=[(300, 300), (9700, 300)],
        stratum_of=stratum[chosen].tolist(),
        parts=np.where(stratum[chosen], "suppress", "apply").tolist(),
    )


def test_weights_undo_an_unequal_draw_of_a_planted_population():
    population = planted()
    truth, judge, stratum = population
    known = tuple(recall_score(truth, judge, average=None, labels=[1, 0]))
    samples = [judges_against_people(drawn_from(population, seed))[0] for seed in range(60)]
    found = np.array([rates(sample.overall.errors) for sample in samples])
    assert found.mean(axis=0) == pytest.approx(known, abs=0.015)
    # Without the weights they are elsewhere, and so is plain agreement, which is of the sample as drawn.
    unweighted = [1 - sample.overall.errors.missed / sample.overall.errors.positives for sample in samples]
    assert np.mean(unweighted) > known[0] + 0.1
    inside = [
        error.interval.low <= value <= error.interval.high
        for sample in samples
        for error, value in zip(
            (sample.overall.errors.sensitivity, sample.overall.errors.specificity), known, strict=True
        )
    ]
    assert np.mean(inside) > 0.88
    for sample in samples:
        for part, place in (("apply", 0), ("suppress", 1)):
            errors = sample.by_part[part].errors
            assert errors.sensitivity.denominator == errors.positives
            of_part = stratum == place
            expected = recall_score(truth[of_part], judge[of_part], average=None, labels=[1, 0])
            assert rates(errors) == pytest.approx(tuple(expected), abs=0.2)


def test_a_report_says_where_items_were_weighted():
    report = sample_report(drawn_from(planted(), 1))
    [table] = [table for table in validation_tables(report) if table.section == "against_people"]
    assert "Strata were drawn unequally" in table.note
    shown = {column.key for column in table.columns}
    assert {"sensitivity", "specificity", "positives", "missed", "negatives", "false_alarms"} <= shown
    alike = sample_report(
        labelled({"A": [1, 0]}, {"judge": [1, 0]}, strata=[(9, 1), (9, 1)], stratum_of=[0, 1])
    )
    [table] = [table for table in validation_tables(alike) if table.section == "against_people"]
    assert "unequally" not in table.note
    assert "positives" not in {column.key for column in table.columns}


def test_both_sides_of_a_pair_move_together():
    """Every pair is right twice or wrong twice: as many pairs as items would make the interval too narrow."""
    truth, judge = [1] * 80, [1, 1] * 30 + [0, 0] * 10
    together = [f"pair {place // 2}" for place in range(80)]
    sides = ["positive", "negative"] * 40
    [found] = judges_against_people(
        labelled({"A": truth}, {"judge": judge}, together=together, parts=sides, question="fit")
    )
    overall = found.overall.errors.sensitivity
    assert (overall.numerator, overall.denominator) == (60, 80)
    assert "resamples of 40 clusters" in overall.interval.method
    # The standard deviation of a share of 40 independent pairs.
    assert (overall.interval.high - overall.interval.low) / 2 == pytest.approx(
        1.96 * (0.75 * 0.25 / 40) ** 0.5, rel=0.1
    )
    assert found.by_part["positive"].errors.sensitivity.interval.method == "Wilson"


def test_what_people_never_say_is_undefined_in_the_words_of_the_question():
    [found] = judges_against_people(labelled({"A": [1, 1, MISSING]}, {"judge": [1, 0, 0]}))
    errors = found.overall.errors
    assert errors.sensitivity.value == 0.5
    assert errors.specificity.value is None
    assert errors.specificity.undefined_reason == "people say Does not follow of no item that was answered"


def test_a_scale_has_none():
    record = labelled({"A": [1, 5]}, {"judge": [1, 4]}, question="completeness")
    [found] = judges_against_people(record)
    assert found.overall.errors is None
    [table] = [t for t in validation_tables(sample_report(record)) if t.section == "against_people"]
    assert "Sensitivity" not in table.note
