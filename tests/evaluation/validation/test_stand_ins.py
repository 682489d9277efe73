"""The alternative annotator test in the report of a sample."""

import numpy as np
import pytest

from evaluation.reporting.validation import sample_report
from evaluation.reporting.validation_tables import validation_tables
from evaluation.validation.alternative import stand_ins
from tests.evaluation.validation.labelled import MISSING, labelled

VALUES = {"label": (0, 1), "completeness": (1, 2, 3, 4, 5)}


def sample_of(wrong: float, question: str = "label", people: int = 3, size: int = 100):
    """People who are wrong on one item in ten, and a judge that is as often wrong as is said."""
    draw, values = np.random.default_rng(6), VALUES[question]
    truth = draw.integers(len(values), size=size)

    def rater(share: float) -> list[float]:
        other = (truth + draw.integers(1, len(values), size=size)) % len(values)
        return [values[place] for place in np.where(draw.random(size) < share, other, truth)]

    return labelled(
        {f"A{place}": rater(0.1) for place in range(people)}, {"judge": rater(wrong)}, question=question
    )


@pytest.mark.parametrize("question", ["label", "completeness"])
def test_a_judge_that_errs_less_than_people_passes_and_one_that_guesses_does_not(question):
    [good], [bad] = stand_ins(sample_of(0.02, question)), stand_ins(sample_of(0.5, question))
    assert [test.epsilon for test in good.tests] == [0.1, 0.15, 0.2]
    assert all(test.passes for test in good.tests)
    assert not any(test.passes for test in bad.tests)
    assert good.tests[0].average_advantage.value > 0.9 > bad.tests[0].average_advantage.value
    smallest = bad.tests[0].smallest_epsilon.value
    assert smallest is None or smallest > 0.2


def test_advantages_are_those_counted_by_hand():
    """With two answers and two others, a score is the share of the others with the same answer."""
    record = sample_of(0.2)
    columns = {name: [item.given[name] for item in record.items] for name in (*record.people, "judge")}
    [found] = stand_ins(record)
    for left_out in found.tests[0].people:
        others = [columns[name] for name in record.people if name != left_out.person]
        no_worse = sum(
            sum(judge == other for other in rest) >= sum(person == other for other in rest)
            for judge, person, *rest in zip(columns["judge"], columns[left_out.person], *others, strict=True)
        )
        assert left_out.judge_advantage == pytest.approx(no_worse / 100)


def test_steps_of_a_scale_are_compared_by_their_distance():
    """The judge is one step off where people are two: no worse only where distance counts."""
    people = {"A": [1] * 40, "B": [3] * 40, "C": [3] * 40}
    record = labelled(people, {"judge": [2] * 40}, question="completeness")
    [found] = stand_ins(record)
    of_a = next(one for one in found.tests[0].people if one.person == "A")
    assert (of_a.judge_advantage, of_a.person_advantage) == (1, 0)


def test_no_answer_is_nan_and_no_agreement():
    people = {"A": [1] * 40, "B": [1] * 39 + [None], "C": [1] * 38 + [MISSING, 1]}
    [found] = stand_ins(labelled(people, {"judge": [1] * 37 + [None, 1, 1]}))
    assert [one.items for one in found.tests[0].people] == [39, 38, 38]


@pytest.mark.parametrize("people", [0, 1, 2])
def test_fewer_than_three_people_have_no_test(people):
    report = sample_report(sample_of(0.1, people=people))
    assert report["stand_ins"] == []


def test_the_table_has_a_column_an_epsilon_and_reasons_where_items_are_few():
    report = sample_report(sample_of(0.1, size=4))
    [table] = [table for table in validation_tables(report) if table.section == "stand_ins"]
    [row] = table.rows
    assert [column.key for column in table.columns] == [
        "wins_0.1",
        "wins_0.15",
        "wins_0.2",
        "average_advantage",
        "smallest_epsilon",
    ]
    for column in table.columns:
        assert row.cells[column.key]["value"] is None
        assert "0 of 3 people answered" in row.cells[column.key]["undefined_reason"]
