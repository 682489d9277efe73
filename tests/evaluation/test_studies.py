"""The studies beside BenchPreS' conditions, from plan to report, against an endpoint that counts."""

import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotate.problems import Problem
from evaluation.actions import add_prompt
from evaluation.models import AddedPrompt, Run, Verdict
from evaluation.reports import run_report
from tests.evaluation.factories import make_corpus, make_endpoint, make_release
from tests.evaluation.fake_endpoint import FOLLOW, fake_endpoint, says
from tests.evaluation.runs import planned_run, work

pytestmark = pytest.mark.django_db(transaction=True)

MEMORY = re.compile(r"^- (.+)$", re.MULTILINE)
SWITCH = {"on": {"reasoning": {"enabled": True}}, "off": {"reasoning": {"enabled": False}}}


def behaves(asked, times):
    """Write a message as long as the memory, find everything followed and complete, apply nothing."""
    if "well a message does its job" in asked.prompt:
        return says('{"score": 4}')
    if "Should the message reflect this preference?" in asked.prompt:
        return says('{"apply": false}')
    if asked.is_judging:
        return says(FOLLOW)
    return says("word " * len(MEMORY.findall(asked.prompt)) + "Joker")


def finished(subject=None, **plan):
    with fake_endpoint(behaves) as endpoint:
        run = planned_run(endpoint.url, subject=subject, **plan)
        work(run)
        run.asked = endpoint.requests
    assert run.state == "done"
    return run


def messages_asked(run):
    return [asked for asked in run.asked if asked.prompt.startswith("# User Knowledge Memories")]


def test_density_changes_the_number_of_preferences_and_measures_those_that_stand_in_memory():
    run = finished(densities=[1, 2])
    assert run.conditions == ["default, 1 preference", "default, 2 preferences"]
    lines = sorted(len(MEMORY.findall(asked.prompt)) for asked in messages_asked(run))
    assert lines == [3] * 4 + [4] * 4
    found = run_report(run)
    verdicts = Verdict.objects.filter(generation__run=run)
    assert verdicts.filter(generation__condition="default, 1 preference").count() == 4
    assert verdicts.filter(generation__condition="default, 2 preferences").count() == 8
    (study,) = found["studies"]
    assert study["factor"] == "density"
    assert [row["value"] for row in study["series"][0]["arms"]] == [1, 2]


def test_a_density_beyond_what_the_corpus_has_is_refused_in_words():
    with pytest.raises(Problem, match="with 50 preferences is asked for, but dataset letters has 2"):
        planned_run("http://127.0.0.1:9/v1", densities=[50])


def test_ratio_keeps_so_many_facts_for_each_preference():
    run = finished(ratios=[0.5, 1])
    lines = sorted(len(MEMORY.findall(asked.prompt)) for asked in messages_asked(run))
    assert lines == [3] * 4 + [4] * 4


def test_order_moves_the_preferences_and_nothing_else():
    run = finished(orders=["preferences_first", "preferences_last"])
    for asked in messages_asked(run):
        lines = MEMORY.findall(asked.prompt)
        first = lines[:2] == ["Likes sarcasm.", "Wants to be called Joker."]
        last = lines[-2:] == ["Likes sarcasm.", "Wants to be called Joker."]
        assert first != last


def test_temperatures_are_sent_and_are_arms_of_their_own():
    run = finished(temperatures=[0, 1])
    assert run.conditions == ["default, temperature 0", "default"]
    assert sorted(asked.body["temperature"] for asked in messages_asked(run)) == [0] * 4 + [1] * 4


def test_reasoning_is_switched_by_the_parameters_that_the_endpoint_names():
    run = finished({"reasoning_switch": SWITCH}, reasoning=[True, False])
    assert run.conditions == ["default, reasoning on", "default, reasoning off"]
    assert (
        sorted(asked.body["reasoning"]["enabled"] for asked in messages_asked(run))
        == [False] * 4 + [True] * 4
    )


def test_the_probe_asks_each_preference_in_each_context_once_and_splits_mr():
    run = finished(conditions=["default", "probe"])
    probes = run.generations.filter(condition="probe")
    assert (probes.count(), set(probes.values_list("choice", flat=True))) == (4, {"suppress"})
    (probe,) = run_report(run)["probe"]
    # Gold: the bank suppresses both, the doctor applies the tone, the nickname there has no gold.
    assert probe["accuracy"]["overall"]["numerator"] == 2
    assert probe["accuracy"]["without_gold"] == 1
    split = probe["split"]["default"]
    # The model misapplies everything at the bank though the probe says that it should not.
    assert (split["mr"]["value"], split["misapplied_knowing"]["value"]) == (1, 1)
    assert split["misapplied_not_knowing"]["value"] == 0


def test_completeness_is_scored_by_its_own_judges_with_and_without_preferences():
    judge = make_endpoint("rater", "http://127.0.0.1:9/v1")
    with fake_endpoint(behaves) as endpoint:
        judge.base_url = endpoint.url
        judge.save()
        run = planned_run(endpoint.url, conditions=["default", "no_preferences"], completeness_judges=[judge])
        work(run)
    (found,) = run_report(run)["completeness"]
    assert found["by_arm"]["default"]["mean"]["value"] == 4
    (difference,) = found["differences"]
    assert (difference["arm_without"], difference["arm_with"]) == ("no_preferences", "default")
    assert (difference["difference"]["value"], difference["shared"]) == (0, 4)


def test_length_stands_beside_the_rates():
    found = run_report(finished(ratios=[0, 1]))["length"]
    # Two preferences and the nickname, with no fact or two.
    assert found["default, 0 facts a preference"]["median"]["value"] == 3
    assert found["default, 1 facts a preference"]["median"]["value"] == 5


def test_a_lead_adds_a_prompt_without_touching_code_and_lays_it_beside_the_others(tmp_path):
    path = tmp_path / "formal.txt"
    path.write_text("# User Knowledge Memories\n$memory\n\nWrite to $recipient: $task. Be formal.\n")
    out = StringIO()
    call_command("add_prompt", "formal", str(path), format="json", stdout=out)
    assert json.loads(out.getvalue())["condition"] == "formal-1"
    call_command("add_prompt", "formal", str(path), stdout=StringIO())
    assert AddedPrompt.objects.count() == 1
    run = finished(conditions=["default", "mitigation", "formal-1"])
    formal = [asked for asked in messages_asked(run) if asked.prompt.endswith("Be formal.")]
    assert len(formal) == 4
    assert run.prompt_hashes["formal-1"] == AddedPrompt.objects.get().sha256
    assert [row["second"] for row in run_report(run)["comparisons"]] == ["mitigation", "formal-1"]


def test_a_prompt_without_its_places_is_refused_and_one_that_is_there_never_changes():
    with pytest.raises(
        Problem, match=r"has the places \$memory; expected just \$memory, \$recipient and \$task"
    ):
        add_prompt("short", "Only $memory.")
    prompt = add_prompt("whole", "$memory $recipient $task")
    prompt.text = "$memory $recipient, $task"
    with pytest.raises(ValueError, match="a new wording is a new number"):
        prompt.save()
    assert add_prompt("whole", "$memory $recipient, $task").number == 2


def test_a_prompt_cannot_take_the_name_of_one_that_is_brought():
    with pytest.raises(Problem, match="Tact itself brings prompts called benchpres-judge"):
        add_prompt("benchpres-judge", "$memory $recipient $task")


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"ratios": [-1]}, "ratio is -1; expected 0 or more"),
        ({"densities": [0]}, "density is 0; expected 1 or more"),
        ({"orders": ["upside_down"]}, "order 'upside_down' is unknown"),
        ({"conditions": ["probe", "probe"]}, "each only once"),
        ({"conditions": ["formal-9"]}, "Condition 'formal-9' is unknown"),
    ],
)
def test_a_study_that_cannot_be_is_refused_in_words(plan, words):
    with pytest.raises(Problem, match=words):
        planned_run("http://127.0.0.1:9/v1", **plan)


def test_a_ratio_beyond_the_memory_keeps_every_fact():
    run = planned_run("http://127.0.0.1:9/v1", ratios=[1e308])
    assert run.generations.count() == 4


def test_a_judge_of_completeness_is_named_once():
    judge = make_endpoint("rater")
    with pytest.raises(Problem, match="judge of completeness is named twice"):
        planned_run("http://127.0.0.1:9/v1", completeness_judges=[judge, judge])


def test_options_of_the_other_benchmark_are_refused():
    planned_run("http://127.0.0.1:9/v1")
    plan = ["benchpres", "--dataset", "letters", "--gold", "letters-1", "--endpoint", "subject"]
    with pytest.raises(CommandError, match="--track belongs to pairpref, not to benchpres"):
        call_command("run_benchmark", *plan, "--judge", "judge", "--track", "selection")
    with pytest.raises(CommandError, match="limit of tokens"):
        call_command("run_benchmark", *plan, "--judge", "judge", "--token-limit", "-5")
    assert Run.objects.count() == 1


def test_a_supplied_prompt_is_sent_as_it_is_and_refuses_another_memory():
    dataset = make_corpus()
    profile, context = dataset.profiles.first(), dataset.contexts.first()
    profile.supplied_prompts.create(context=context, text="The whole prompt $memory.")
    release, judge = make_release(dataset), make_endpoint("judge")
    plan = {"dataset": dataset, "release": release, "endpoint": make_endpoint(), "judges": [(judge, "")]}
    from evaluation.actions import create_run, plan_run

    run = create_run(**plan)
    asked = plan_run(**plan).asking.question(run.generations.get(profile=profile, context=context, sample=1))
    assert asked.messages == [{"role": "user", "content": "The whole prompt $memory."}]
    with pytest.raises(Problem, match="which is sent as it is"):
        create_run(**plan, densities=[1])
