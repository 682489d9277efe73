"""Judges against the reference of people, people against each other, and both beside each other."""

from itertools import combinations
from statistics import median

import numpy as np
import pytest
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from evaluation.reporting.validation import sample_report
from evaluation.validation.against_people import judges_against_people, people_against_others
from evaluation.validation.baseline import beside_people
from evaluation.validation.counts import counts_of
from evaluation.validation.reference import reference_of
from tests.annotate.agreement.examples import for_examples
from tests.evaluation.validation.labelled import MISSING, labelled

SCALE = (1, 2, 3, 4, 5)
WORDS = dict(zip(SCALE, labelled({"A": []}, question="completeness").value_words, strict=True))


def columns_of(answer, people: int, size: int = 6):
    """Up to `size` items, each answered by so many people and by a judge."""
    return st.integers(0, size).flatmap(
        lambda items: st.lists(
            st.lists(answer, min_size=items, max_size=items), min_size=people + 1, max_size=people + 1
        )
    )


def sample_of(columns, **more):
    people = {f"A{place}": column for place, column in enumerate(columns[1:], start=1)}
    return labelled(people, {"judge": columns[0]}, **more)


@pytest.mark.parametrize(
    ("said", "reference"),
    [
        ([4], 4),
        ([4, 4], 4),
        ([4, 5], None),
        ([1, 4, 5], 4),
        ([1, 4, 4, 5], 4),
        ([1, 2, 4, 5], None),
        ([None, 3], 3),
        ([None, None], None),
        ([MISSING, 2, None, 2], 2),
        ([MISSING, MISSING], None),
    ],
)
def test_the_reference_is_the_median_of_peoples_answers(said, reference):
    record = labelled({f"A{place}": [value] for place, value in enumerate(said)}, question="completeness")
    assert reference_of(record).values.get(1) == WORDS.get(reference)


def test_an_item_without_a_reference_says_why():
    people = {"A": [1, 1, None, MISSING, 0], "B": [0, None, None, MISSING, MISSING]}
    found = reference_of(labelled(people, {"judge": [1] * 5}))
    assert found.values == {2: "Follows", 5: "Does not follow"}
    assert (found.divided, found.cannot_tell, found.unlabelled) == ((1,), (3,), (4,))


@for_examples(columns=columns_of(st.sampled_from([*SCALE, None, MISSING]), people=4))
def test_a_reference_is_the_median_wherever_the_middle_is_an_answer(columns):
    record = sample_of(columns, question="completeness")
    found = reference_of(record)
    for place in range(len(record.items)):
        given_answers = [column[place] for column in columns[1:] if column[place] in SCALE]
        middle = median(given_answers) if given_answers else None
        ordered = sorted(given_answers)
        differ = given_answers and ordered[(len(ordered) - 1) // 2] != ordered[len(ordered) // 2]
        assert (place + 1 in found.divided) == bool(differ)
        assert found.values.get(place + 1) == (None if differ else WORDS.get(middle))


def test_items_are_counted_by_how_many_people_answered():
    people = {
        "A": [1, 1, 1, None, MISSING],
        "B": [1, 0, None, None, MISSING],
        "C": [1, MISSING, 0, 1, MISSING],
    }
    found = counts_of(labelled(people, {"judge": [1] * 5}, changed=[2, 5]))
    assert (found.items, found.by_one, found.by_two, found.by_all, found.changed) == (5, 4, 3, 1, 2)
    assert counts_of(labelled({}, {"judge": [1]})).by_all == 0


@for_examples(columns=columns_of(st.sampled_from([0, 1, None, MISSING]), people=3))
def test_everything_adds_up_to_the_items(columns):
    record = sample_of(columns)
    items, counts, report = len(record.items), counts_of(record), sample_report(record)
    assert counts.with_reference + counts.divided + counts.cannot_tell + counts.unlabelled == items
    assert items >= counts.by_one >= counts.by_two >= counts.by_all
    assert counts.by_one == counts.with_reference + counts.divided
    for rater, column in zip(counts.raters, [*columns[1:], columns[0]], strict=True):
        assert rater.answered == sum(value in (0, 1) for value in column)
        assert rater.no_answer == column.count(None)
        assert rater.answered + rater.no_answer + rater.not_given == items
    for found in (*report["judges"], *report["people"]):
        whole = found["overall"]
        assert whole["items"] + found["without_reference"] + found["without_answer"] == items
        assert sum(map(sum, whole["table"])) == whole["items"]
        assert sum(whole["table"][place][place] for place in (0, 1)) == (whole["agreement"]["numerator"])


@for_examples(
    columns=columns_of(st.sampled_from([0, 1, None, MISSING]), people=2, size=12), seed=st.integers(0, 99)
)
def test_parts_add_up_to_the_whole(columns, seed):
    size = len(columns[0])
    pick = np.random.default_rng(seed)
    record = sample_of(
        columns,
        parts=pick.choice(["suppress", "apply"], size).tolist(),
        categories=pick.choice(["tone", "role", "style"], size).tolist(),
        domains=[[name] for name in pick.choice(["finance", "health"], size)],
    )
    for found in (*judges_against_people(record), *people_against_others(record)):
        whole_parts = {name: part.found for name, part in found.by_part.items()}
        for parts in (whole_parts, found.by_category, found.by_domain):
            tables = [np.array(part.table) for part in parts.values()]
            assert np.array_equal(sum(tables, np.zeros((2, 2))), found.overall.found.table)
            agreeing = sum(part.agreement.numerator for part in parts.values())
            assert agreeing == found.overall.found.agreement.numerator


def test_an_item_of_two_domains_counts_in_each_and_one_without_in_none():
    record = labelled({"A": [1, 1, 0]}, {"judge": [1, 0, 0]}, domains=[["finance", "legal"], ["legal"], []])
    [found] = judges_against_people(record)
    agreement = {name: part.agreement for name, part in found.by_domain.items()}
    assert {name: (rate.numerator, rate.denominator) for name, rate in agreement.items()} == {
        "finance": (1, 1),
        "legal": (1, 2),
    }
    assert found.by_part == found.by_category == {}


def test_parts_of_fewer_than_ten_items_are_marked():
    record = labelled({"A": [1] * 19}, {"judge": [1] * 19}, categories=["tone"] * 10 + ["role"] * 9)
    [found] = judges_against_people(record)
    assert {name: part.is_few for name, part in found.by_category.items()} == {"tone": False, "role": True}


def test_a_judge_that_equals_the_reference_agrees_on_all():
    people = {"A": [1, 0, 1, 0, 5 % 2], "B": [1, 0, 1, 1, MISSING]}
    [found] = judges_against_people(labelled(people, {"judge": [1, 0, 1, 0, 1]}))
    two = found.overall.found
    assert (two.agreement.value, two.kappa.value, two.table) == (1, 1, ((1, 0), (0, 3)))
    assert (found.without_reference, found.without_answer) == (1, 0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("question", ["label", "completeness"])
def test_a_judge_against_people_is_as_scikit_learn_has_it(seed, question):
    """Three people who all answered: the reference is the middle one of three sorted answers."""
    draw = np.random.default_rng(seed)
    values = labelled({"A": []}, question=question).values
    answers = draw.choice(values, size=(4, 80))
    answers[:3] = np.where(draw.random((3, 80)) < 0.6, answers[3], answers[:3])
    record = sample_of(answers.tolist(), question=question)
    truth = np.sort(answers[1:], axis=0)[1]
    labels = [str(value) for value in values]
    one, two = ([str(value) for value in side] for side in (truth, answers[0]))
    found = judges_against_people(record)[0].overall.found
    assert found.table == tuple(map(tuple, confusion_matrix(one, two, labels=labels).tolist()))
    assert found.kappa.value == pytest.approx(cohen_kappa_score(one, two, labels=labels))
    if record.is_ordered:
        for name in ("linear", "quadratic"):
            expected = cohen_kappa_score(one, two, labels=labels, weights=name)
            assert getattr(found, name).value == pytest.approx(expected)


def test_a_person_is_laid_against_the_others_alone():
    people = {"A": [1, 1, 1], "B": [0, 1, 1], "C": [0, 0, MISSING]}
    found = {one.rater: one for one in people_against_others(labelled(people))}
    # To A the others say 0, are divided, and say 1; to B they are divided, are divided, and say 1.
    assert [found[name].overall.found.items for name in people] == [2, 1, 1]
    assert [found[name].overall.found.agreement.numerator for name in people] == [1, 1, 0]
    assert [found[name].without_reference for name in people] == [1, 2, 1]
    assert found["C"].without_answer == 1


def test_one_person_is_no_baseline():
    record = labelled({"A": [1, 0]}, {"judge": [1, 0]})
    assert people_against_others(record) == beside_people(record) == []
    assert sample_report(record)["baseline"]["words"].startswith("One person: no baseline.")
    nobody = sample_report(labelled({}, {"judge": [1, 0]}))
    assert nobody["baseline"]["words"].startswith("Nobody labels the sample")
    undefined = nobody["judges"][0]["overall"]["agreement"]
    assert (undefined["value"], bool(undefined["undefined_reason"])) == (None, True)


def shares_slowly(columns, place):
    """Return by definition how often the judge agrees with people on an item, and people with each other."""
    judge, *people = (column[place] for column in columns)
    people = [value for value in people if value in (0, 1)]
    if judge not in (0, 1) or len(people) < 2:
        return None
    pairs = list(combinations(people, 2))
    return (
        sum(judge == value for value in people) / len(people),
        sum(one == two for one, two in pairs) / len(pairs),
    )


def test_a_judge_is_laid_beside_people_on_the_same_items():
    """The slow way: every share from its definition, and whole items copied."""
    draw = np.random.default_rng(4)
    truth = draw.integers(2, size=90)
    columns = [
        [
            MISSING if missed < 0.1 else int(value != (flip < wrong))
            for value, flip, missed in zip(truth, draw.random(90), draw.random(90), strict=True)
        ]
        for wrong in (0.2, 0.05, 0.05, 0.1)
    ]
    shares = [found for place in range(90) if (found := shares_slowly(columns, place))]
    with_people, among_people = np.mean(shares, axis=0)
    [found] = beside_people(sample_of(columns))
    assert (found.items, found.left_out) == (len(shares), 90 - len(shares))
    assert found.with_people.value == pytest.approx(with_people)
    assert found.among_people.value == pytest.approx(among_people)
    assert found.difference.value == pytest.approx(with_people - among_people)
    resampled = [
        np.subtract(*np.mean([shares[place] for place in draw.integers(len(shares), size=len(shares))], 0))
        for _ in range(3000)
    ]
    low, high = np.quantile(resampled, [0.025, 0.975])
    interval = found.difference.interval
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.01)


def test_both_sides_of_a_pair_are_drawn_together_beside_people_too():
    columns = [[1, 0, 1, 1], [1, 0, 1, 1], [1, 0, 0, 0]]
    [found] = beside_people(sample_of(columns, together=["x", "x", "y", "y"]))
    assert "resamples of 2 clusters" in found.difference.interval.method


def test_a_judge_that_answers_like_one_of_the_people_is_beside_them():
    """A judge that is a copy of a person agrees with that person always, and more than people do."""
    columns = [[1, 0, 1, 1], [1, 0, 1, 1], [1, 0, 0, 0]]
    [found] = beside_people(sample_of(columns))
    assert (found.with_people.value, found.among_people.value) == (0.75, 0.5)


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        ([1] * 20 + [0] * 20, "less often than they agree with each other: 50.0 % against 100.0 %"),
        ([1] * 40, "as often as they agree with each other: 100.0 % against 100.0 %"),
    ],
)
def test_a_sentence_lays_a_judge_beside_people(judge, words):
    report = sample_report(labelled({"A": [1] * 40, "B": [1] * 40}, {"judge": judge}))
    assert f"judge agrees with people {words}; difference" in report["baseline"]["words"]


def test_a_sentence_says_where_the_sample_does_not_tell():
    people = {"A": [1] * 10 + [0, 1], "B": [1] * 10 + [1, 1]}
    report = sample_report(labelled(people, {"judge": [1] * 11 + [0]}))
    words = report["baseline"]["words"]
    assert (
        "less often than they agree with each other: 87.5 % against 91.7 %; difference -4.2 points" in words
    )
    assert "The interval includes 0: the sample does not tell the two apart." in words


def test_a_judge_without_an_item_in_common_has_a_reason():
    report = sample_report(labelled({"A": [1, MISSING], "B": [1, MISSING]}, {"judge": [MISSING, 1]}))
    assert report["baseline"]["words"] == "judge beside people: no item was answered by it and by two people."
    [found] = report["baseline"]["judges"]
    assert found["difference"]["undefined_reason"]
