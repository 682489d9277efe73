"""A run is started, held and ended by one verb each, from the states that allow it."""

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from annotate.models import Dataset
from annotate.problems import Problem
from evaluation.actions import cancel_run, pause_run, requeue_orphans, resume_run, start_run
from evaluation.models import Generation, Run, Shard, Verdict
from evaluation.reports import run_report
from evaluation.running.execution import Halt, Why
from evaluation.tasks import work_on_shard
from tests.evaluation.runs import planned_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    return planned_run("http://127.0.0.1:9/v1", samples=12)


def queued():
    tasks = DBTaskResult.objects.filter(status="READY")
    return sorted(task.args_kwargs["args"][0] for task in tasks)


def test_start_queues_each_shard_once(run):
    start_run(run)
    assert (run.state, run.started_at is not None) == (Run.State.RUNNING, True)
    assert queued() == sorted(run.shards.values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("state", "verb", "words"),
    [
        ("running", start_run, "is running; expected one that is planned"),
        ("planned", pause_run, "is planned; expected one that is running"),
        ("done", resume_run, "is done; expected one that is paused or stopped or running"),
        ("cancelled", resume_run, "is cancelled"),
        ("done", cancel_run, "is done"),
    ],
)
def test_verb_from_a_wrong_state_is_refused_and_changes_nothing(run, state, verb, words):
    Run.objects.update(state=state)
    run.refresh_from_db()
    with pytest.raises(Problem, match=words):
        verb(run)
    run.refresh_from_db()
    assert run.state == state
    assert queued() == []


@pytest.mark.parametrize(("state", "verb"), [("planned", start_run), ("paused", resume_run)])
def test_run_whose_corpus_changed_is_not_handed_to_the_workers(run, state, verb):
    Run.objects.update(state=state)
    Dataset.objects.update(version=2, content_hash="e" * 64)
    with pytest.raises(Problem, match=r"now version 2; run .* was planned on version 1: plan a new run"):
        verb(run)
    run.refresh_from_db()
    assert (run.state, queued()) == (state, [])


def test_run_that_has_ended_needs_no_corpus(run):
    Run.objects.update(state="paused")
    Generation.objects.update(outcome="failed")
    Verdict.objects.update(outcome="skipped")
    Dataset.objects.update(version=2, content_hash="e" * 64)
    resume_run(run)
    assert run.state == Run.State.DONE


def test_resume_clears_the_reason_and_queues_what_waits(run):
    start_run(run)
    Run.objects.update(state="stopped", state_reason="no credit")
    run.refresh_from_db()
    resume_run(run)
    assert (run.state, run.state_reason) == (Run.State.RUNNING, "")


def test_shard_whose_task_is_gone_is_queued_again_once_and_only_where_nobody_works(run):
    first, *others = run.shards.all()
    start_run(run)
    assert requeue_orphans() == 0
    DBTaskResult.objects.filter(args_kwargs__args=[first.pk]).update(status="RUNNING")
    assert requeue_orphans() == 1
    assert requeue_orphans() == 0
    assert queued() == sorted([first.pk, *(shard.pk for shard in others)])
    DBTaskResult.objects.all().delete()
    Shard.objects.filter(pk=first.pk).update(
        state="running", worker="elsewhere:1", heartbeat_at=timezone.now()
    )
    assert requeue_orphans() == 0


def test_resuming_twice_queues_no_shard_twice(run):
    start_run(run)
    resume_run(run)
    assert queued() == sorted(run.shards.values_list("pk", flat=True))


def test_calls_under_way_at_a_kill_are_counted_once_a_worker(run):
    start_run(run)
    Shard.objects.update(state="running", worker="elsewhere:1", heartbeat_at=None)
    assert requeue_orphans() == run.shards.count()
    run.refresh_from_db()
    assert run.calls_perhaps_lost == 4 + 4
    requeue_orphans()
    report = run_report(run)
    assert report["calls"]["perhaps_lost"] == 8
    assert any("up to 8 calls may have been paid twice" in notice for notice in report["notices"])


@pytest.mark.parametrize(
    ("halt", "expected"),
    [
        (None, "none"),
        (Halt(Why.HELD), "none"),
        (Halt(Why.ENDPOINT_STOPPED, "no"), "none"),
        (Halt(Why.PROCESS_ENDS), "all"),
        (Halt(Why.ENDPOINT_RESTS, "later", 600), "all"),
        (Halt(Why.ENDPOINT_RESTS, seconds=600, has_worked=False), "its own"),
    ],
)
def test_task_queues_again_what_is_left_to_others(run, monkeypatch, halt, expected):
    Run.objects.update(state="running")
    monkeypatch.setattr("evaluation.tasks.run_shard", lambda shard_id: halt)
    shards = list(run.shards.values_list("pk", flat=True))
    work_on_shard.call(shards[0])
    assert queued() == {"none": [], "its own": shards[:1], "all": shards}[expected]
    is_later = bool(halt and halt.seconds)
    assert DBTaskResult.objects.ready().exists() == (expected != "none" and not is_later)
