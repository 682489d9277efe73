"""Two runs on what both have: differences worked by hand, paired intervals, and what is refused."""

from dataclasses import replace
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.problems import Problem
from evaluation.benchpres.comparison import compare
from evaluation.benchpres.metrics import Instance
from evaluation.comparisons import compare_runs
from evaluation.pairpref.arms import arms as pairpref_arms
from evaluation.pairpref.metrics import Pair
from evaluation.records import GenerationRecord, JudgeRecord, RunRecord, VerdictRecord
from evaluation.reporting.benchpres import condition_report
from evaluation.reporting.comparison import compare_records
from evaluation.reporting.comparison_tables import comparison_tables
from evaluation.reporting.pairpref import pairpref_sections
from evaluation.reporting.pairpref_tables import pairpref_tables
from evaluation.stored_run import record_of
from tests.evaluation.compared_runs import make_other_release, make_two_runs, score
from tests.evaluation.factories import finish_run, make_corpus, make_endpoint, make_release, make_run

JUDGE = {"name": "judge", "model": "judge-1", "base_url": "http://127.0.0.1:9/v1", "parameters": {}}


def plan(number, benchmark, arms, **changes):
    return {
        "run": number,
        "benchmark": benchmark,
        "state": "done",
        "state_reason": "",
        "dataset": "letters",
        "corpus_version": 1,
        "newest_corpus_version": 1,
        "corpus_hash": "c" * 64,
        "gold_release": "letters-1",
        "gold_hash": "d" * 64,
        "review": None,
        "example_labels": "",
        "endpoint": {"name": "subject", "model": f"model-{number}"},
        "arms": arms,
        "samples": 1,
        "seed": 7,
        "prompt_hashes": {"p-1": "a" * 64},
    } | changes


def message_run(number, verdicts, golds):
    """Make a run of one message for each of many profiles, about one preference with gold by profile."""
    arms = [{"name": "default", "condition": "default"}]
    rows = tuple(
        GenerationRecord(
            place, "message", "default", 1, f"p{place}", (f"Bank {golds[place]}", "loan"), "", "", "",
            "done", "", "Dear all.", "", (VerdictRecord("label", "tone", 1, 1, "done", "", float(value)),),
        )
        for place, value in enumerate(verdicts)
    )  # fmt: skip
    return RunRecord(
        plan(number, "benchpres", arms),
        (JudgeRecord(1, JUDGE, "labels", "", False),),
        rows,
        gold={((f"Bank {gold}", "loan"), "tone"): gold for gold in (0, 1)},
        preferences={"tone": "tone"},
        contexts={(f"Bank {gold}", "loan"): ("finance",) for gold in (0, 1)},
    )


def pair_run(number, choices, tracks=("selection",), controls=("full",), **changes):
    """Make a run of selections: `choices` has (positive, negative) of each pair, the same in every arm but
    where it is by arm. Two pairs share a preference.
    """
    arms = [arm.as_dict() for arm in pairpref_arms(tracks, controls=controls)]
    by_arm = choices if isinstance(choices, dict) else {arm["name"]: choices for arm in arms}
    rows = tuple(
        GenerationRecord(
            0, "selection", arm, 1, "", None, "", f"x{place}", side, "done" if role else "not_read", "", "",
            role or "",
        )
        for arm, of_arm in by_arm.items()
        for place, roles in enumerate(of_arm)
        for side, role in zip(("positive", "negative"), roles, strict=True)
    )  # fmt: skip
    names = {f"x{place}": place for place in range(8)}
    pairs = {
        name: Pair(name, f"M{place // 2}", "occasion", "food", "clean", 1) for name, place in names.items()
    }
    changes = {"gold_hash": None, "gold_release": None} | changes
    settled = {"perhaps_lost": 0}
    return RunRecord(plan(number, "pairpref", arms, **changes), (), rows, pairs=pairs, calls=settled)


def with_calls(record):
    return replace(record, calls={"perhaps_lost": 0})


def only(report):
    (found,) = report["comparisons"]
    return found


@pytest.mark.django_db
def test_two_runs_differ_by_what_was_worked_by_hand():
    found = only(compare_runs(*make_two_runs()))
    values = {
        name: {side: found[name][side]["value"] for side in found[name]} for name in ("mr", "aar", "gap")
    }
    assert values == {
        "mr": {"first": 0.5, "second": 0.25, "difference": -0.25},
        "aar": {"first": 1, "second": 0.5, "difference": -0.5},
        "gap": {"first": 0.5, "second": 0.25, "difference": -0.25},
    }
    suppress, apply = found["tables"]["0"], found["tables"]["1"]
    assert [suppress[cell] for cell in ("both", "b", "c", "neither")] == [0, 2, 1, 1]
    assert [apply[cell] for cell in ("both", "b", "c", "neither")] == [1, 1, 0, 0]
    assert suppress["test"]["exact_p"]["value"] == pytest.approx(1)
    assert (found["shared"], found["only_first"], found["only_second"], found["without_gold"]) == (8, 0, 0, 2)


@pytest.mark.django_db
def test_parts_have_differences_of_their_own():
    found = only(compare_runs(*make_two_runs()))
    assert found["by_category"]["tone"]["mr"]["difference"]["value"] == -1
    assert found["by_category"]["nickname"]["mr"]["difference"]["value"] == 0.5
    # b = 2, c = 0: p = 2 / 4.
    assert found["by_category"]["tone"]["tables"]["0"]["test"]["exact_p"]["value"] == pytest.approx(0.5)
    by_domain = {name: part["mr"]["difference"]["value"] for name, part in found["by_domain"].items()}
    assert by_domain == {"finance": -0.25, "legal": -0.25, "health": None}
    assert found["by_domain"]["health"]["aar"]["difference"]["value"] == -0.5


@pytest.mark.django_db
def test_lengths_are_medians_over_the_messages_of_both():
    length = only(compare_runs(*make_two_runs()))["length"]
    assert (length["first"]["value"], length["second"]["value"], length["shared"]) == (3, 5, 4)


@pytest.mark.django_db
def test_completeness_is_compared_by_the_judge_that_both_have():
    first, second = make_two_runs()
    score(first, make_endpoint("scorer"), [4, 4, 4, 5])
    second_scorer = first.judges.get(duty="completeness").endpoint
    score(second, second_scorer, [3, 4, None, 5])
    score(second, make_endpoint("another"), [1, 1, 1, 1])
    (found,) = only(compare_runs(first, second))["completeness"]
    # Without the unread message: (4 + 4 + 5) / 3 and (3 + 4 + 5) / 3.
    assert found["judge"]["name"] == "scorer"
    assert found["first"]["value"] == pytest.approx(13 / 3)
    assert found["difference"]["value"] == pytest.approx(-1 / 3)
    assert (found["shared"], found["unread"]) == (4, 1)


@pytest.mark.django_db
def test_a_run_against_itself_differs_in_nothing():
    run, _ = make_two_runs()
    found = only(compare_runs(run, run))
    assert [found[name]["difference"]["value"] for name in ("mr", "aar", "gap")] == [0, 0, 0]
    intervals = [found[name]["difference"]["interval"] for name in ("mr", "aar", "gap")]
    assert {interval[end] for interval in intervals if interval for end in ("low", "high")} == {0}
    assert [found["tables"][label][cell] for label in "01" for cell in "bc"] == [0] * 4


@pytest.mark.django_db
def test_conditions_of_one_run_can_be_compared_too():
    run = finish_run(make_run(conditions=("default", "mitigation")))
    run.generations.filter(condition="mitigation").first().verdicts.update(value=0)
    report = compare_runs(run, run, [("default", "mitigation")])
    found = only(report)
    assert (found["first"], found["second"]) == ("default", "mitigation")
    # The first message is p1 to the bank, with the one verdict 1 there: MR falls from 2/4 to 1/4.
    assert found["mr"]["difference"]["value"] == -0.25
    assert report["first"]["not_compared"] == ["mitigation"]


ANSWERS = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=12)


@settings(max_examples=25, deadline=None)
@given(ANSWERS)
def test_intervals_are_those_of_the_pure_comparison_and_the_order_only_turns_the_sign(rows):
    golds, ones, twos = zip(*rows, strict=True)
    records = [with_calls(message_run(number, values, golds)) for number, values in ((1, ones), (2, twos))]
    found, turned = only(compare_records(*records)), only(compare_records(*reversed(records)))
    sides = [
        [
            Instance(f"p{place}", f"Bank {gold}: loan", "tone", 1, "tone", ("finance",), gold, value)
            for place, (gold, value) in enumerate(zip(golds, values, strict=True))
        ]
        for values in (ones, twos)
    ]
    pure = compare(*sides, seed=7)
    for metric in ("mr", "aar", "gap"):
        expected, difference = getattr(pure, metric).difference, found[metric]["difference"]
        assert difference["value"] == expected.value
        if expected.interval:
            ends = (difference["interval"]["low"], difference["interval"]["high"])
            assert ends == (expected.interval.low, expected.interval.high)
        if expected.value is not None:
            assert turned[metric]["difference"]["value"] == pytest.approx(-expected.value)
    for label in "01":
        assert found["tables"][label]["b"] == turned["tables"][label]["c"]


def test_the_paired_interval_is_narrower_than_that_of_two_unrelated_runs():
    # 40 messages: both runs agree on 36, so that most of what varies is common to both.
    first = [place < 20 for place in range(40)]
    second = [value != (place % 10 == 0) for place, value in enumerate(first)]
    one, two = (
        with_calls(message_run(number, values, [0] * 40)) for number, values in ((1, first), (2, second))
    )
    alone = [condition_report(record, "default")["mr"]["interval"] for record in (one, two)]
    unpaired = hypot(*(interval["high"] - interval["low"] for interval in alone))
    paired = only(compare_records(one, two))["mr"]["difference"]["interval"]
    assert 0 < paired["high"] - paired["low"] < 0.75 * unpaired


M, P = "memory", "plain"
# Success is memory on the positive side and another reply on the negative one.
FIRST = [(M, P), (M, M), (P, P), (M, P)]
SECOND = [(M, M), (M, P), (M, P), (M, None)]


def test_selections_are_compared_on_the_pairs_that_both_retain():
    # The fourth pair has no choice in the second run. Of the other three 1 succeeds, then 2: b = 1, c = 2.
    found = only(compare_records(pair_run(1, FIRST), pair_run(2, SECOND)))
    success = found["measures"]["pair_success"]
    assert (success["first"]["numerator"], success["first"]["denominator"]) == (1, 3)
    assert success["difference"]["value"] == pytest.approx(1 / 3)
    assert found["measures"]["use_positive"]["difference"]["value"] == pytest.approx(1 / 3)
    assert found["measures"]["use_negative"]["difference"]["value"] == 0
    assert (found["tests"]["pair_success"]["b"], found["tests"]["pair_success"]["c"]) == (1, 2)
    assert (found["track"], found["shared"], found["left_out"], found["clusters"]) == ("selection", 4, 1, 2)


def test_further_arms_of_a_track_stand_against_its_first_within_a_run():
    record = pair_run(
        1,
        {"selection": FIRST, "selection, no_situation": SECOND, "selection, top5": FIRST},
        controls=("full", "no_situation", "top5"),
    )
    report = pairpref_sections(record)
    found = report["comparisons"]
    assert [(row["first"], row["second"]) for row in found] == [
        ("selection", "selection, no_situation"),
        ("selection", "selection, top5"),
    ]
    assert found[0]["measures"]["pair_success"]["difference"]["value"] == pytest.approx(1 / 3)
    assert found[1]["measures"]["pair_success"]["difference"]["value"] == 0
    tables = [table for table in pairpref_tables(report) if table.section == "comparisons"]
    assert [table.title for table in tables] == [
        "selection against selection, no_situation",
        "selection against selection, top5",
    ]
    assert "This table holds 1 test, the tables of these comparisons together 2." in tables[0].note


def test_classifiers_are_compared_by_what_they_decide_on_applying():
    arm = pairpref_arms(("preference_only",))[0].as_dict()
    rows = [
        tuple(
            GenerationRecord(
                0, "preference_only", arm["name"], 1, "", None, "", f"x{place}", "", "done", "", "", choice
            )
            for place, choice in enumerate(choices)
        )
        for choices in (("yes", "yes", "no"), ("yes", "no", "no"))
    ]
    one, two = (
        replace(
            pair_run(number, []), generations=of_run, plan=plan(number, "pairpref", [arm], gold_hash=None)
        )
        for number, of_run in enumerate(rows, start=1)
    )
    # The decision counts on both sides: applied on 2 of 3 pairs, then on 1 of 3.
    assert only(compare_records(one, two))["measures"]["use_positive"]["difference"][
        "value"
    ] == pytest.approx(-1 / 3)


def test_arms_of_equal_names_are_compared_and_else_the_first_of_each_track():
    here, there = ("full", "no_situation"), ("no_situation", "top5")
    shared = compare_records(pair_run(1, FIRST, controls=here), pair_run(2, FIRST, controls=there))
    assert [(row["first"], row["second"]) for row in shared["comparisons"]] == [
        ("selection, no_situation", "selection, no_situation")
    ]
    assert (shared["first"]["not_compared"], shared["second"]["not_compared"]) == (
        ["selection"],
        ["selection, top5"],
    )
    apart = compare_records(
        pair_run(1, FIRST, controls=("full",)), pair_run(2, FIRST, controls=("top5", "far15"))
    )
    assert [(row["first"], row["second"]) for row in apart["comparisons"]] == [
        ("selection", "selection, top5")
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"benchmark": "benchpres"},
            "Run 1 is of pairpref, run 2 of benchpres; expected two runs of benchpres",
        ),
        ({"dataset": "others"}, "asks about the dataset letters, run 2 about others; expected one dataset"),
        (
            {"gold_release": "letters-2", "gold_hash": "e" * 64},
            "against no gold release, run 2 against gold release letters-2 .content hash eeeeeeeeeeee.; a "
            "comparison needs the same gold",
        ),
    ],
)
def test_runs_that_cannot_be_compared_are_refused_in_words(changes, words):
    one, two = pair_run(1, FIRST), pair_run(2, FIRST)
    with pytest.raises(Problem, match=words):
        compare_records(one, replace(two, plan=two.plan | changes))


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (
            ("selection", "other"),
            "Run 2 has no arm 'other' to compare; expected one of selection; generation",
        ),
        (("other", "selection"), "Run 1 has no arm 'other'"),
        (("selection", "generation"), "is of the track selection, 'generation' of generation"),
    ],
)
def test_arms_that_cannot_be_compared_are_refused_in_words(pair, words):
    both = [pair_run(number, FIRST, tracks=("selection", "generation")) for number in (1, 2)]
    with pytest.raises(Problem, match=words):
        compare_records(*both, [pair])


def test_runs_without_a_common_track_have_nothing_to_compare():
    with pytest.raises(Problem, match=r"No arm of run 1 .selection. can be compared with one of run 2"):
        compare_records(pair_run(1, FIRST), pair_run(2, [], tracks=("generation",)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"corpus_hash": "b" * 64, "corpus_version": 2, "newest_corpus_version": 2},
            "about version 1 of letters, run 2 about version 2",
        ),
        ({"review": "review-1"}, "different reviews: no review and review-1"),
        ({"prompt_hashes": {"p-1": "b" * 64}}, "Not the same prompts in both runs: p-1."),
        ({"prompt_hashes": {"p-2": "a" * 64}}, "Not the same prompts in both runs: p-1, p-2."),
        ({"state": "paused"}, "Run 2: The run is paused."),
    ],
)
def test_what_differs_besides_is_told_and_compared_nevertheless(changes, words):
    report = compare_records(pair_run(1, FIRST), pair_run(2, SECOND, **changes))
    assert any(words in notice for notice in report["notices"])
    assert report["comparisons"]


def test_runs_that_are_asked_alike_need_no_notice():
    assert compare_records(pair_run(1, FIRST), pair_run(2, SECOND))["notices"] == []


def test_other_judges_are_told():
    one, two = (with_calls(message_run(number, [0, 1], [0, 1])) for number in (1, 2))
    other = replace(two, judges=(JudgeRecord(1, JUDGE | {"name": "b", "model": "b"}, "labels", "", False),))
    assert compare_records(one, two)["notices"] == []
    assert "judges of labels differ: judge in run 1, b in run 2" in compare_records(one, other)["notices"][0]


@pytest.mark.django_db
def test_another_gold_release_is_refused_even_of_the_same_corpus():
    release = make_release(make_corpus())
    judge = make_endpoint("judge")
    first = make_run(release, judges=[judge])
    second = make_run(make_other_release(release), endpoint=make_endpoint("other"), judges=[judge])
    with pytest.raises(Problem, match=r"letters-1 .*letters-2 .*needs the same gold"):
        compare_runs(first, second)


@pytest.mark.django_db
def test_each_table_says_how_many_tests_it_holds():
    # Overall: MR and AAR. In parts: finance MR, legal MR, health AAR, tone both, nickname MR.
    tables = {table.section: table for table in comparison_tables(compare_runs(*make_two_runs()))}
    assert (
        "This table holds 2 tests, the tables of these comparisons together 8." in tables["comparisons"].note
    )
    assert "This table holds 6 tests" in tables["comparison_parts"].note
    assert "test, " not in tables["length"].note
    assert "too narrow" in tables["comparisons"].note


@pytest.mark.django_db
def test_a_run_that_has_not_begun_has_reasons_in_place_of_numbers():
    first, _ = make_two_runs()
    waiting = make_run(first.release, endpoint=make_endpoint("new"), judges=[make_endpoint("another")])
    found = only(compare_records(record_of(first), record_of(waiting)))
    assert found["mr"]["difference"]["value"] is None
    assert found["mr"]["difference"]["undefined_reason"]
    assert found["length"]["first"]["undefined_reason"] == "there is no message"
