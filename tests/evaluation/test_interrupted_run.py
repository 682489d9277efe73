"""A run goes on after any interruption, and nothing that was answered is asked again."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotate.models import Dataset
from evaluation.actions import cancel_run, pause_run, requeue_orphans, resume_run, start_run
from evaluation.models import Call, Generation, Run, Shard, Verdict
from evaluation.running import execution, shards
from evaluation.running.execution import Why
from evaluation.running.results import Batch
from evaluation.running.shards import SILENCE, share_of, this_worker
from tests.evaluation.fake_endpoint import behaves_well, fake_endpoint, says
from tests.evaluation.runs import outcomes, planned_run, work

ALL_DONE = {"messages": [("done", "")] * 4, "verdicts": [("done", "")] * 8}
MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]


def start_process(*command, **streams):
    """Start a command in a process of its own, on the database of this test."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{database['NAME']}"
    else:
        place = f"{database['HOST']}:{database['PORT']}/{database['NAME']}"
        url = f"postgres://{database['USER']}:{database['PASSWORD']}@{place}"
    return subprocess.Popen(
        [*MANAGE, *command], env={**os.environ, "DATABASE_URL": url}, preexec_fn=hear_ctrl_c, **streams
    )


def hear_ctrl_c():
    """Undo what a shell does to commands in the background, whose children then ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def held(event):
    """Behave well once an event is set."""
    return lambda asked, times: replace(behaves_well(asked, times), hold=event)


def in_time(condition, message):
    """Wait until a condition holds; three minutes are more than any of them takes."""
    pause, end = threading.Event(), timezone.now() + timedelta(seconds=180)
    while not condition():
        assert timezone.now() < end, message
        pause.wait(0.02)


@pytest.mark.django_db(transaction=True)
def test_killed_worker_loses_no_finished_call_and_what_was_answered_is_not_asked_again():
    let_go, at_once = threading.Event(), threading.Semaphore(5)

    def behave(asked, times):
        is_free = let_go.is_set() or at_once.acquire(blocking=False)
        return behaves_well(asked, times) if is_free else held(let_go)(asked, times)

    with fake_endpoint(behave) as endpoint:
        run = planned_run(endpoint.url, samples=3)
        start_run(run)
        worker = start_process("work")
        in_time(lambda: run.calls.filter(outcome="answered").count() == 5, "the worker saved no five answers")
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        answered = set(Generation.objects.filter(reply__isnull=False).values_list("pk", flat=True))
        answered_verdicts = set(Verdict.objects.filter(reply__isnull=False).values_list("pk", flat=True))
        assert len(answered) + len(answered_verdicts) == 5
        saved_calls = set(run.calls.values_list("pk", flat=True))
        let_go.set()

        assert requeue_orphans() >= 1
        worker = start_process("work", "--once")
        assert worker.wait(120) == 0
        run.refresh_from_db()
        asked_in_all = len(endpoint.requests)

    assert run.state == Run.State.DONE
    assert outcomes(run) == {"messages": [("done", "")] * 12, "verdicts": [("done", "")] * 24}
    assert saved_calls <= set(run.calls.values_list("pk", flat=True))
    by_unit = Counter(run.calls.values_list("generation", "verdict"))
    assert set(by_unit.values()) == {1}
    assert len(by_unit) == 24
    in_flight = asked_in_all - 24
    assert 0 <= in_flight <= 8


@pytest.mark.django_db(transaction=True)
def test_asked_to_end_a_worker_keeps_what_comes_and_leaves_the_rest_in_the_queue():
    let_go = threading.Event()
    with fake_endpoint(held(let_go)) as endpoint:
        run = planned_run(endpoint.url, samples=25, subject={"concurrency": 1})
        start_run(run)
        worker = start_process("work")
        in_time(lambda: endpoint.requests, "the worker asked nothing")
        worker.terminate()
        let_go.set()
        worker.wait(120)
        run.refresh_from_db()
        assert run.state == Run.State.RUNNING
        states = set(run.shards.values_list("state", flat=True))
        assert "waiting" in states
        assert "running" not in states
        assert run.calls.filter(outcome="answered").count() == len(endpoint.requests)
        assert start_process("work", "--once").wait(120) == 0
        run.refresh_from_db()
        assert run.state == Run.State.DONE
        assert len(endpoint.requests) == 200


@pytest.mark.django_db(transaction=True)
def test_paused_run_sends_no_more_and_resumes_where_it_was(monkeypatch):
    monkeypatch.setattr(execution, "SECONDS_BETWEEN_LOOKS", 0)
    noticed = threading.Event()
    stop = execution.Work._stop
    monkeypatch.setattr(execution.Work, "_stop", lambda work, halt: (stop(work, halt), noticed.set())[0])

    def behave(asked, times):
        if len(endpoint.requests) == 3:
            pause_run(run)
            connection.close()
            noticed.wait(20)
        return behaves_well(asked, times)

    with fake_endpoint(behave) as endpoint:
        run = planned_run(endpoint.url, samples=2)
        start_run(run)
        halt = work(run)
        asked = len(endpoint.requests)
        assert (halt.why, run.state) == (Why.HELD, Run.State.PAUSED)
        assert run.calls.filter(outcome="answered").count() == asked < 16
        assert set(run.shards.values_list("state", flat=True)) == {"waiting"}
        resume_run(run)
        work(run)
        assert len(endpoint.requests) == 16
    assert run.state == Run.State.DONE


@pytest.mark.django_db
def test_reply_that_comes_after_a_cancellation_is_kept_though_its_unit_was_skipped():
    run = planned_run("http://127.0.0.1:9/v1")
    generation = run.generations.first()
    batch = Batch({generation.pk: {"reply": [{"choices": []}], "outcome": "done", "message": "Late."}})
    start_run(run)
    cancel_run(run)
    batch.write(is_held=True)
    generation.refresh_from_db()
    assert (generation.outcome, generation.message, generation.reply) == ("skipped", "", [{"choices": []}])


@pytest.mark.django_db
def test_cancelled_run_adds_up_and_late_answers_change_nothing():
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url)
        start_run(run)
        cancel_run(run)
        work(run)
        assert endpoint.requests == []
    assert outcomes(run) == {
        "messages": [("skipped", "the run was cancelled")] * 4,
        "verdicts": [("skipped", "the run was cancelled")] * 8,
    }


@pytest.mark.django_db
def test_corpus_that_changed_since_the_start_stops_the_run_before_anything_is_asked():
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url)
        start_run(run)
        Dataset.objects.update(version=2, content_hash="e" * 64)
        halt = work(run)
        assert endpoint.requests == []
    assert (halt.why, run.state) == (Why.CORPUS_CHANGED, Run.State.STOPPED)
    assert "is now version 2" in run.state_reason
    assert set(run.shards.values_list("state", flat=True)) == {"waiting"}


@pytest.mark.django_db
def test_run_whose_worker_was_gone_just_before_its_end_is_called_done():
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url)
        work(run)
    for state, verb in [
        (Run.State.RUNNING, lambda: requeue_orphans()),
        (Run.State.PAUSED, lambda: resume_run(run)),
    ]:
        Run.objects.update(state=state, finished_at=None)
        verb()
        run.refresh_from_db()
        assert run.state == Run.State.DONE
        assert run.finished_at


@pytest.mark.django_db
def test_second_answer_to_a_unit_is_no_second_result():
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url)
        work(run)
        before = list(Generation.objects.values()), list(Verdict.objects.values())
        Run.objects.update(state=Run.State.RUNNING)
        Shard.objects.update(state=Shard.State.WAITING)
        endpoint.behave = lambda asked, times: says("something else")
        run.refresh_from_db()
        work(run)
        assert (list(Generation.objects.values()), list(Verdict.objects.values())) == before
        assert len(endpoint.requests) == 8
    assert run.state == Run.State.DONE


@pytest.mark.django_db
def test_reply_that_was_stored_but_not_read_is_read_and_not_asked_for_again():
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url, profiles=1, contexts=1)
        work(run)
        Verdict.objects.filter(judge__isnull=False).update(outcome="planned", value=None)
        Generation.objects.update(outcome="planned", message="")
        Run.objects.update(state=Run.State.RUNNING)
        Shard.objects.update(state=Shard.State.WAITING)
        run.refresh_from_db()
        work(run)
        assert len(endpoint.requests) == 2
    assert outcomes(run) == {"messages": [("done", "")], "verdicts": [("done", "")] * 2}
    assert Generation.objects.get().message.startswith("Dear all")


@pytest.mark.django_db
def test_shards_of_the_silent_and_of_the_dead_are_found_again_and_of_the_living_not():
    run = planned_run("http://127.0.0.1:9/v1", samples=3)
    start_run(run)
    now = timezone.now()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    first, second = run.shards.all()

    def held_by(worker, seconds_ago):
        Shard.objects.filter(pk=first.pk).update(
            state="running", worker=worker, heartbeat_at=now - timedelta(seconds=seconds_ago)
        )
        return shards.free_orphans(now, run)

    host = shards.this_worker().rpartition(":")[0]
    assert held_by("elsewhere:1", 5) == []
    assert held_by(shards.this_worker(), 5) == []
    assert held_by("elsewhere:1", 61) == [first]
    assert held_by(f"{host}:{gone.pid}", 5) == [first]
    assert second.state == "waiting"


@pytest.mark.django_db
def test_shard_is_claimed_once_and_only_while_the_run_runs():
    run = planned_run("http://127.0.0.1:9/v1")
    shard = run.shards.first()
    assert shards.claim(shard.pk) is None
    start_run(run)
    assert shards.claim(shard.pk) == shard
    assert shards.claim(shard.pk) is None
    pause_run(run)
    assert shards.claim_next(run.pk) is None


@pytest.mark.django_db(transaction=True)
def test_waiting_for_a_run_does_it_here_where_no_worker_does(monkeypatch):
    monkeypatch.setattr("evaluation.management.watching.SECONDS_FOR_A_WORKER", 0)
    monkeypatch.setattr("evaluation.management.watching.SECONDS_BETWEEN_LOOKS", 0.05)
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url)
        start_run(run)
        call_command("resume_run", str(run.pk), "--wait")
    run.refresh_from_db()
    assert run.state == Run.State.DONE
    assert Call.objects.count() == 8


@pytest.mark.django_db(transaction=True)
def test_ctrl_c_pauses_the_run_and_says_how_to_go_on():
    let_go = threading.Event()
    with fake_endpoint(held(let_go)) as endpoint:
        run = planned_run(endpoint.url, samples=100, subject={"concurrency": 1})
        start_run(run)
        waiting = start_process("resume_run", str(run.pk), "--wait", stderr=subprocess.PIPE)
        in_time(lambda: endpoint.requests, "nothing was asked")
        waiting.send_signal(signal.SIGINT)
        let_go.set()
        said = waiting.communicate(timeout=120)[1].decode()
        asked = len(endpoint.requests)
    run.refresh_from_db()
    assert waiting.returncode == 1
    assert f"Go on with: manage.py resume_run {run.pk} --wait" in said
    assert run.state == Run.State.PAUSED
    assert run.calls.filter(outcome="answered").count() == asked < 800


@pytest.mark.django_db
def test_workers_of_an_endpoint_share_its_limit():
    run = planned_run("http://127.0.0.1:9/v1")
    judge = run.judges.get()
    assert share_of(run.endpoint_id, 7) == 7
    names = [f"elsewhere:{number}" for number in range(2)]
    now = timezone.now()
    for number, name in enumerate([*names, "elsewhere:silent"], start=100):
        seen = now if name in names else now - 2 * SILENCE
        run.shards.create(number=number, state="running", worker=name, heartbeat_at=seen)
    shares = share_of(run.endpoint_id, 7), share_of(judge.endpoint_id, 7), share_of(run.endpoint_id, 1)
    # 7 among three is 3, 2 and 2; nobody has less than one.
    assert shares[0] == shares[1] == (3 if this_worker() < min(names) else 2)
    assert shares[2] == 1
