"""A judge's card has the numbers of the sample's report, and a judge is the same only where asked alike."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st
from sklearn.metrics import recall_score

from evaluation.reporting.judge_cards import cards_table, described
from evaluation.validation.against_people import judges_against_people
from evaluation.validation.card import card_of
from evaluation.validation.judge import NamedJudge, known_of
from evaluation.validation.records import EXACT_MATCH, RUN_JUDGE, SAMPLE_JUDGE, Rater
from tests.annotate.agreement.examples import for_examples
from tests.evaluation.validation.labelled import MISSING, labelled

ENDPOINT = {
    "name": "judge",
    "base_url": "https://models.example.org/v1",
    "model": "model-1",
    "key_env": "KEY",
    "parameters": {"max_tokens": 60, "temperature": 0},
    "concurrency": 8,
    "deadline": 120,
}
ASKED = NamedJudge("judge", "label", ENDPOINT, "a" * 64)
RATER = Rater("judge", RUN_JUDGE, judge=1, endpoint=ENDPOINT, prompt_hash="a" * 64)


def sample_of(judge, *people, state="closed", **more):
    people = {f"A{place}": said for place, said in enumerate(people)}
    return replace(labelled(people, {"judge": judge}, **more), state=state)


def card(judge, *people, **more):
    record = sample_of(judge, *people, **more)
    return card_of(record, record.judges[0])


def agreeing(items, of, **more):
    """A judge that agrees with one person on so many of the items."""
    return card([1] * of, [1] * items + [0] * (of - items), **more)


@for_examples(
    question=st.sampled_from(["label", "completeness", "uptake"]),
    seed=st.integers(0, 99),
    size=st.integers(0, 12),
    is_paired=st.booleans(),
)
def test_a_card_has_the_numbers_of_the_report(question, seed, size, is_paired):
    draw = np.random.default_rng(seed)
    menu = [*labelled({"A": []}, question=question).values, None, MISSING]
    judge, *people = ([menu[at] for at in draw.integers(len(menu), size=size)] for _ in range(3))
    parts = ["positive", "negative"] * size
    together = [f"pair {place // 2}" for place in range(size)] if is_paired else ()
    record = sample_of(judge, *people, question=question, parts=parts[:size], together=together)
    [report], found = judges_against_people(record), card_of(record, record.judges[0])
    for own, its in [
        (found.overall, report.overall.found),
        *((found.by_part[part], report.by_part[part].found) for part in report.by_part),
    ]:
        assert own.items == its.items
        for name in ("agreement", "kappa"):
            ours, theirs = getattr(own, name), getattr(its, name)
            bare = [replace(one, interval=None, no_interval_reason=None) for one in (ours, theirs)]
            assert bare[0] == bare[1]
            if ours.interval or not is_paired:
                assert ours == theirs
    assert found.by_part.keys() == report.by_part.keys()
    if not is_paired:
        assert (found.overall.agreement.interval is None) == (found.overall.items == 0)


@pytest.mark.parametrize("seed", range(3))
def test_sensitivity_and_specificity_are_the_recalls_of_both_answers(seed):
    draw = np.random.default_rng(seed)
    truth, judge = draw.integers(2, size=80), draw.integers(2, size=80)
    parts = draw.choice(["suppress", "apply"], 80)
    found = card(judge.tolist(), truth.tolist(), parts=parts.tolist())
    for measures, kept in [
        (found.overall, np.full(80, True)),
        *((found.by_part[part], parts == part) for part in ("suppress", "apply")),
    ]:
        for estimate, label in ((measures.sensitivity, 1), (measures.specificity, 0)):
            recall = recall_score(truth[kept], judge[kept], pos_label=label)
            assert estimate.value == pytest.approx(recall)
            assert estimate.denominator == (truth[kept] == label).sum()
            assert estimate.interval.low < estimate.value < estimate.interval.high


def test_a_rate_without_an_item_says_why():
    found = card([1, 0], [1, 1]).overall
    assert (found.sensitivity.numerator, found.sensitivity.denominator) == (1, 2)
    assert found.specificity.value is None
    assert found.specificity.undefined_reason == "people say 'Does not follow' of no item"


@pytest.mark.parametrize("question", ["completeness", "uptake"])
def test_more_than_two_answers_have_no_sensitivity(question):
    found = card([1, 1], [1, 1], question=question).overall
    assert (found.sensitivity, found.specificity) == (None, None)


def test_both_sides_of_a_pair_have_intervals_apart_and_none_together():
    found = card(
        [1, 0, 1, 1],
        [1, 0, 0, 1],
        question="fit",
        together=["p1", "p1", "p2", "p2"],
        parts=["positive", "negative"] * 2,
    )
    assert (found.overall.agreement.numerator, found.overall.agreement.denominator) == (3, 4)
    assert found.overall.agreement.interval is None
    assert "the report of the sample" in found.overall.agreement.no_interval_reason
    assert found.overall.sensitivity.interval is None
    assert found.by_part["positive"].agreement.interval is not None


def test_people_are_those_who_answered_what_counts():
    judge = [1, 1, MISSING]
    assert card(judge, [1, 1, 1], [MISSING, MISSING, 1], [None, 1, 0]).people == 2
    assert card(judge, [1, 1, 1]).people == 1


def test_the_frame_of_a_card_is_that_of_the_sample():
    record = sample_of([1], [1], dataset="letters", state="open", is_example=True)
    rater = replace(record.judges[0], kind=SAMPLE_JUDGE, run=14)
    found = card_of(record, rater)
    assert (found.sample, found.run, found.dataset, found.target) == ("sample-1", 12, "letters", "label")
    assert (found.judge, found.kind, found.judging_run) == ("judge", SAMPLE_JUDGE, 14)
    assert (found.is_example, found.is_open) == (True, True)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (agreeing(92, 100), "validated: 92.0 %, 92 of 100, in sample-1"),
        (agreeing(30, 30), "validated: 100.0 %, 30 of 30, in sample-1"),
        (agreeing(28, 29), "validated on few labels: 96.6 %, 28 of 29, in sample-1"),
        (
            agreeing(30, 40, is_example=True),
            "validated on example labels: 75.0 %, 30 of 40, in sample-1",
        ),
        (
            agreeing(1, 1, is_example=True, state="open"),
            "validated on few example labels: 100.0 %, 1 of 1, in sample-1, where labelling is open",
        ),
        (agreeing(0, 30), "validated: 0.0 %, 0 of 30, in sample-1"),
    ],
)
def test_a_card_says_in_one_line_on_how_much_and_how_well(found, words):
    assert found.words == words


def known(asked=ASKED, *found):
    return known_of(asked, found)


def other(**changed):
    return replace(RATER, endpoint=ENDPOINT | changed)


@pytest.mark.parametrize(
    "rater",
    [
        RATER,
        replace(RATER, name="judge (run 4)", kind=SAMPLE_JUDGE, judge=None, run=4),
        other(name="renamed", key_env="OTHER", concurrency=1, deadline=5),
    ],
)
def test_the_same_judge_is_validated_whatever_it_is_called(rater):
    found = known(ASKED, (rater, agreeing(92, 100)))
    assert found.is_validated
    assert found.words == "validated: 92.0 %, 92 of 100, in sample-1"


@pytest.mark.parametrize(
    ("rater", "words"),
    [
        (replace(RATER, prompt_hash="b" * 64), "not validated: validated only with another prompt"),
        (other(parameters={"max_tokens": 60}), "not validated: validated only with other parameters"),
        (
            replace(other(parameters={}), prompt_hash="b" * 64),
            "not validated: validated only with another prompt and other parameters",
        ),
        (other(model="model-2"), "not validated"),
        (other(base_url="https://elsewhere.example.org/v1"), "not validated"),
        (Rater(EXACT_MATCH, EXACT_MATCH), "not validated"),
    ],
)
def test_another_judge_is_not_validated(rater, words):
    found = known(ASKED, (rater, agreeing(92, 100)))
    assert (found.is_validated, found.words) == (False, words)


def test_a_prompt_that_nobody_knows_is_like_no_other():
    found = known(replace(ASKED, prompt_hash=""), (replace(RATER, prompt_hash=""), agreeing(92, 100)))
    assert found.words == "not validated: validated only with another prompt"


def test_another_target_and_a_sample_without_labels_do_not_count():
    of_fit = card([1] * 40, [1] * 40, question="fit")
    unlabelled = card([1] * 40, [MISSING] * 40)
    assert known(ASKED, (RATER, of_fit), (RATER, unlabelled)).words == "not validated"
    elsewhere = replace(RATER, prompt_hash="b" * 64)
    assert known(ASKED, (elsewhere, unlabelled)).words == "not validated"


def test_an_exact_match_has_a_card_of_its_own():
    match, found = NamedJudge("exact match", "label"), (Rater(EXACT_MATCH, EXACT_MATCH), agreeing(40, 40))
    assert known(match, found, (RATER, agreeing(1, 40))).words == "validated: 100.0 %, 40 of 40, in sample-1"
    assert known(match, (RATER, agreeing(1, 40))).words == "not validated"


def test_the_weightiest_of_several_validations_is_told_first():
    example = agreeing(200, 200, is_example=True)
    found = known(
        ASKED,
        (RATER, example),
        (RATER, agreeing(20, 40)),
        (RATER, replace(agreeing(50, 50), sample="second")),
    )
    assert [one.sample for one in found.cards] == ["second", "sample-1", "sample-1"]
    assert found.words == "validated: 100.0 %, 50 of 50, in second, and in 2 more"
    assert found.cards[-1].is_example


def test_a_table_has_a_row_for_each_card_and_each_part_and_for_who_is_not_validated():
    parts = ["apply"] * 20 + ["suppress"] * 20
    found = [
        known(ASKED, (RATER, agreeing(30, 40, parts=parts, state="open"))),
        known(replace(ASKED, name="other", target="completeness")),
    ]
    rows = {row.name: row.cells for row in cards_table({"": described(found)}).rows}
    one, two = "judge, label", "other, completeness"
    assert list(rows) == [one, f"{one}, apply", f"{one}, suppress", two]
    assert rows[one]["agreement"]["numerator"] == 30
    assert rows[one]["state"] == "validated, labelling is open"
    assert rows[f"{one}, suppress"]["agreement"]["value"] == 0.5
    assert rows[two] == {"state": "not validated"}
