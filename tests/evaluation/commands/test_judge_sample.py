"""The command that has a judge judge a sample."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import Run
from tests.evaluation.commands.test_archive_commands import recomputable
from tests.evaluation.fake_endpoint import fails, fake_endpoint, says
from tests.evaluation.judging_runs import behaviour, sampled_run

pytestmark = pytest.mark.django_db(transaction=True)


def judge(*args):
    """Run the command; return what it said, and what beside that."""
    out, err = StringIO(), StringIO()
    call_command("judge_sample", *args, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def endpoint():
    with fake_endpoint(behaviour("label")) as endpoint:
        sampled_run(endpoint.url)
        yield endpoint


def test_a_sample_is_judged_to_the_end_with_cost_first_and_report_last(endpoint, quick):
    said, beside = judge("first", "--judge", "judge", "--wait")
    run = Run.objects.get(benchmark="validation")
    assert run.state == Run.State.DONE
    assert said.index("subject              4") < said.index("Judges the sample first of answers of run")
    assert "Follows (1)" in said
    assert "4 of 4" in beside
    assert "For comparison only" not in said


def test_without_waiting_the_run_is_queued(endpoint):
    told = json.loads(judge("first", "--judge", "judge", "--format", "json")[0])
    run = Run.objects.get(benchmark="validation")
    assert told == {"run": run.pk, "state": "running"}
    assert run.generations.filter(outcome="planned").count() == 4


def test_a_plan_is_told_and_neither_saved_nor_sent(endpoint):
    asked = len(endpoint.requests)
    told = json.loads(judge("first", "--judge", "judge", "--plan-only", "--format", "json")[0])
    assert (told["conditions"], told["shares"][-1]["calls"]) == (["label"], 4)
    assert "1 conditions: label" in judge("first", "--judge", "judge", "--plan-only")[0]
    assert not Run.objects.filter(benchmark="validation").exists()
    assert len(endpoint.requests) == asked


@pytest.mark.parametrize("extra", [[], ["--plan-only"]])
def test_a_run_above_its_limit_is_not_left_behind(endpoint, extra):
    with pytest.raises(CommandError, match="above the limit of 10 tokens"):
        judge("first", "--judge", "judge", "--token-limit", "10", *extra)
    assert not Run.objects.filter(benchmark="validation").exists()


@pytest.mark.parametrize(("sample", "name"), [("other", "judge"), ("first", "nobody")])
def test_a_name_that_there_is_not_is_said_with_those_that_are(endpoint, sample, name):
    with pytest.raises(CommandError, match=r"expected one of: .*(first|judge)"):
        judge(sample, "--judge", name)


def test_a_judge_that_is_still_at_it_is_refused(endpoint):
    judge("first", "--judge", "judge")
    with pytest.raises(CommandError, match="already judges sample first in run"):
        judge("first", "--judge", "judge")
    assert Run.objects.filter(benchmark="validation").count() == 1


def test_a_judge_whose_endpoint_refuses_ends_in_its_words_and_can_go_on(endpoint, quick):
    endpoint.behave = lambda asked, times: fails(401, "who are you")
    with pytest.raises(CommandError, match=r"who are you.*\n?.*resume_run \d+ --wait"):
        judge("first", "--judge", "judge", "--wait")
    run = Run.objects.get(benchmark="validation")
    assert run.state == Run.State.STOPPED
    endpoint.behave = lambda asked, times: says('{"label": "follow"}')
    call_command("resume_run", str(run.pk), "--wait", stdout=StringIO(), stderr=StringIO())
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def test_the_report_command_and_the_archive_print_the_same(endpoint, quick, tmp_path):
    judge("first", "--judge", "judge", "--wait")
    run, place = Run.objects.get(benchmark="validation"), tmp_path / "run.zip"
    printed = []
    call_command("export_run", str(run.pk), str(place), stdout=StringIO())
    for command, about in (("report", str(run.pk)), ("recompute", str(place))):
        for form in ("text", "csv", "latex"):
            out = StringIO()
            call_command(command, about, "--format", form, stdout=out)
            printed.append(recomputable(out.getvalue(), form))
    assert printed[:3] == printed[3:]
    assert "Follows (1)" in "".join(printed[0])


def test_new_judgements_are_compared_in_the_report_of_the_sample(endpoint):
    judge("first", "--judge", "judge")
    with pytest.raises(CommandError, match="The report of the sample lays its judges side by side"):
        call_command("compare_runs", "last", "last")
