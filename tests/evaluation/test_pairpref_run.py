"""PairPref runs from plan to report, against an endpoint whose behaviour is known."""

import json

import pytest

from annotate.problems import Problem
from evaluation.actions import create_run
from evaluation.models import Verdict
from evaluation.reports import run_report
from tests.annotate.review_factories import answer_all, make_pair_dataset, make_review
from tests.evaluation.factories import make_endpoint
from tests.evaluation.fake_endpoint import fails, fake_endpoint, says
from tests.evaluation.pair_runs import (
    kind_of,
    letter_of,
    perfect,
    planned_pair_run,
    side_of,
)
from tests.evaluation.runs import work

pytestmark = pytest.mark.django_db(transaction=True)


def finished(behave=perfect, **plan):
    with fake_endpoint(behave) as endpoint:
        run = planned_pair_run(endpoint.url, **plan)
        work(run)
    assert run.state == "done"
    return run, run_report(run)


def test_a_model_that_tells_the_situations_apart_succeeds_on_every_pair_in_both_tracks():
    _, report = finished()
    selection, generation = report["arms"]["selection"], report["arms"]["generation"]
    rates = ("use_positive", "use_negative", "delta", "pair_success")
    assert [selection[name]["value"] for name in rates] == [1, 0, 1, 1]
    assert [generation[name]["value"] for name in ("use_both", "pair_success", "delta")] == [0, 1, 1]
    assert (generation["planned"], generation["retained"]) == (6, 6)
    matched = report["matched"][0]["overall"]
    assert (matched["retained"], matched["selection_success"]["numerator"]) == (6, 6)
    assert matched["use_both"]["value"] == 0


def test_a_model_that_always_follows_uses_both_and_tells_nothing_apart():
    def always(asked, times):
        if kind_of(asked) == "selection":
            return says(f"Answer: {letter_of(asked, 'memory')}.")
        return says('{"uptake": 0.5}') if kind_of(asked) == "uptake" else perfect(asked, times)

    _, report = finished(always)
    assert report["arms"]["selection"]["delta"]["value"] == 0
    generation = report["arms"]["generation"]
    assert (generation["use_both"]["value"], generation["pair_success"]["value"]) == (1, 0)
    assert generation["use_negative"]["value"] == 0.5


def test_each_side_is_a_call_of_its_own_at_temperature_0_and_names_no_side_and_no_role():
    with fake_endpoint(perfect) as endpoint:
        run = planned_pair_run(endpoint.url)
        work(run)
    asked = [request for request in endpoint.requests if kind_of(request) in ("selection", "answer")]
    assert len(asked) == 6 * 2 * 2
    assert {request.body["temperature"] for request in asked} == {0.0}
    seen = " ".join(json.dumps(request.body["messages"]) for request in asked)
    for word in ("positive", "negative", "acknowledged", "off_task", "M01"):
        assert word not in seen
    assert run.generations.filter(task="selection", shown__isnull=False).count() == 12


def test_a_temperature_that_the_endpoint_refuses_is_left_out_and_remembered():
    def takes_no_temperature(asked, times):
        if "temperature" in asked.body:
            return fails(400, "Unsupported parameter: 'temperature' is not supported with this model.")
        return perfect(asked, times)

    run, report = finished(takes_no_temperature, tracks=["selection"])
    assert run.endpoint.capabilities["temperature"] is False
    assert report["arms"]["selection"]["pair_success"]["value"] == 1
    sent = [call.parameters for call in run.calls.filter(outcome="answered")]
    assert all("temperature" not in parameters for parameters in sent)
    assert run.calls.exclude(outcome="answered").count() == 1


def test_an_answer_that_names_two_letters_or_none_is_not_read_and_never_non_use():
    def undecided(asked, times):
        if kind_of(asked) == "selection" and side_of(asked) == "negative":
            return says("A or B") if "Request 0?" in asked.prompt else says("I like them all.")
        return perfect(asked, times)

    _, report = finished(undecided, tracks=["selection"])
    selection = report["arms"]["selection"]
    assert (selection["planned"], selection["retained"]) == (6, 0)
    assert selection["use_positive"]["value"] is None
    assert sum(selection["excluded"].values()) == 6
    assert report["counts"]["generations"]["not_read"] == {"off the menu": 6}


def test_a_pair_that_hedges_or_misses_a_judgement_is_left_out_with_its_reason():
    def hedges_once(asked, times):
        kind = kind_of(asked)
        if kind == "hedge" and "Request 0?" in asked.prompt and side_of(asked) == "negative":
            return says('{"hedge": true}')
        if kind == "uptake" and "Request 1?" in asked.prompt and side_of(asked) == "positive":
            return says('{"uptake": 0.7}')
        if kind == "fit" and "Request 2?" in asked.prompt:
            return says("cannot say")
        return perfect(asked, times)

    _, report = finished(hedges_once, tracks=["generation"])
    generation = report["arms"]["generation"]
    assert (generation["planned"], generation["retained"]) == (6, 4)
    assert sum(generation["excluded"].values()) == 2
    assert generation["pair_success"]["denominator"] == 3


def test_classifiers_decide_without_an_answer():
    _, report = finished(tracks=["preference_only", "relevance_gate"], judges=[])
    alone, gate = report["arms"]["preference_only"], report["arms"]["relevance_gate"]
    assert [alone[name]["value"] for name in ("use_positive", "use_negative", "delta")] == [1, 1, 0]
    assert [gate[name]["value"] for name in ("use_positive", "use_negative", "delta")] == [1, 0, 1]
    assert (gate["both_relevant"]["value"], gate["both_sufficient"]["value"]) == (1, 1)


def test_a_decision_before_the_answer_is_scored_apart_from_the_answer():
    def decides_well_answers_badly(asked, times):
        if kind_of(asked) == "answer":
            decision = "apply" if side_of(asked) == "positive" else "set aside"
            return says(f"DECISION: {decision}\nANSWER: The positive answer.")
        return perfect(asked, times)

    _, report = finished(
        decides_well_answers_badly, tracks=["generation"], procedures=["applicability_first"]
    )
    found = report["arms"]["generation, applicability_first"]
    assert [found["decisions"][name]["value"] for name in ("use_positive", "use_negative")] == [1, 0]
    assert found["use_both"]["value"] == 1


def test_an_answer_without_its_decision_is_counted_as_left_out():
    def decides_once(asked, times):
        if kind_of(asked) == "answer":
            decision = "DECISION: apply\n" if "Request 0?" in asked.prompt else ""
            return says(f"{decision}ANSWER: The positive answer.")
        return perfect(asked, times)

    _, report = finished(decides_once, tracks=["generation"], procedures=["applicability_first"])
    decisions = report["arms"]["generation, applicability_first"]["decisions"]
    assert (decisions["planned"], decisions["retained"]) == (6, 1)
    assert sum(decisions["excluded"].values()) == 5


def test_decisions_without_an_answer_are_taken_once_whatever_the_number_of_samples():
    run = planned_pair_run("http://127.0.0.1:9/v1", tracks=["selection", "relevance_gate"], samples=3)
    assert run.generations.filter(task="selection").count() == 6 * 2 * 3
    assert run.generations.exclude(task="selection").count() == 6 * 2 * 3


def test_controls_and_presentations_are_arms_that_the_report_lays_side_by_side():
    run, report = finished(
        tracks=["selection"], controls=["full", "no_situation", "no_memory"], wordings=["nudge", "mitigate"]
    )
    assert run.conditions == [
        "selection",
        "selection, mitigate",
        "selection, no_situation",
        "selection, no_situation, mitigate",
        "selection, no_memory",
    ]
    # Without its situation the endpoint cannot tell the sides apart.
    assert report["arms"]["selection, no_situation"]["delta"]["value"] == 0


def test_several_judges_judge_the_same_answers_and_the_first_counts():
    with (
        fake_endpoint(perfect) as good,
        fake_endpoint(lambda asked, times: says('{"uptake": 1, "fit": 0, "hedge": false}')) as bad,
    ):
        first, second = make_endpoint("first", good.url), make_endpoint("second", bad.url)
        run = planned_pair_run(good.url, tracks=["generation"], judges=[(first, ""), (second, "")])
        work(run)
    found = run_report(run)["arms"]["generation"]
    assert found["pair_success"]["value"] == 1
    assert [(row["judge"], row["pair_success"]["value"]) for row in found["by_judge"]] == [
        ("first", 1),
        ("second", 0),
    ]
    assert Verdict.objects.filter(generation__run=run).count() == 12 * 3 * 2


def test_a_run_can_keep_to_the_pairs_that_reviewers_confirmed():
    dataset = make_pair_dataset()
    review = make_review(dataset)
    subject, judge = make_endpoint("subject"), make_endpoint("judge")
    plan = {"benchmark": "pairpref", "dataset": dataset, "endpoint": subject, "judges": [(judge, "")]}
    with pytest.raises(Problem, match="no contrast pairs that both reviewers of review-1 confirmed"):
        create_run(review=review, **plan)
    against = {("applicability", "negative"): "no"}
    for reviewer in review.reviewers.all():
        answer_all(reviewer, {(pair.number, "negative"): against for pair in review.reviewed_pairs.all()})
    run = create_run(review=review, **plan)
    assert run.generations.values("pair").distinct().count() == 6
    assert "reviewer of review-1 confirmed" in " ".join(run_report(run)["notices"])


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"tracks": ["reading"]}, "track 'reading' is unknown; expected one of selection, generation"),
        ({"judges": []}, "the generation track needs one"),
        ({"pairs": ["M99-C1-s1"]}, "no pair M99-C1-s1"),
        ({"pairs": 0}, "number of pairs is 0; expected 1 or more"),
        ({"reasoning": [True]}, "names no parameters that switch reasoning"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_words(plan, words):
    with pytest.raises(Problem, match=words):
        planned_pair_run("http://127.0.0.1:9/v1", **plan)
