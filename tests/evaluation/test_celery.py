"""Runs that are queued with a broker: what is sent when, what is refused, what is found again."""

import signal
import subprocess
import threading
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from annotate.problems import Problem
from config import celery
from evaluation import broker as sending
from evaluation import tasks
from evaluation.actions import resume_run, start_run
from evaluation.checks import check_broker_has_a_database_for_all
from evaluation.models import Endpoint, Run, Shard
from evaluation.running.execution import Halt, Why
from tests.evaluation.brokers import (
    BROKERS,
    CELERY,
    MANAGE,
    STARTED,
    in_time,
    queue_of_its_own,
    refuse_missing,
    workers,
)
from tests.evaluation.fake_endpoint import behaves_well, fake_endpoint
from tests.evaluation.runs import planned_run

NOWHERE = "http://127.0.0.1:9/v1"
HIDDEN = "never-shown"
SHARDS = 4  # of two profiles, each with six messages, four and two to a shard


@pytest.fixture
def broker(settings, request):
    """A broker within this process, with a queue of this test."""
    settings.CELERY_BROKER_URL = "memory://"
    settings.CELERY_TASK_DEFAULT_QUEUE = request.node.name


@pytest.fixture
def run(db, monkeypatch):
    """A run of several shards."""
    monkeypatch.setattr("evaluation.actions.planning.SHARD_SIZE", 4)
    return planned_run(NOWHERE, samples=3)


@pytest.fixture
def running(run, broker, django_capture_on_commit_callbacks):
    """The run, started, and its messages taken by nobody knows whom."""
    with django_capture_on_commit_callbacks(execute=True):
        start_run(run)
    drain()
    return run


def drain():
    """Take every message from the queue."""
    with sending.connected() as broker:
        broker.channel().queue_purge(celery.settings.CELERY_TASK_DEFAULT_QUEUE)


@pytest.fixture
def look(broker, django_capture_on_commit_callbacks):
    """Look for what was left behind, as workers do, and return the length of the queue."""

    def look_once():
        with django_capture_on_commit_callbacks(execute=True):
            celery.queue_what_was_left()
        return sending.queue_length()

    return look_once


# -- sending


def test_shards_are_sent_once_their_run_can_be_read(run, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        start_run(run)
    assert sending.queue_length() == 0
    for callback in callbacks:
        callback()
    assert sending.queue_length() == SHARDS
    assert not DBTaskResult.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_sent_of_a_start_that_is_undone(run, broker):
    with transaction.atomic():
        start_run(run)
        transaction.set_rollback(True)
    run.refresh_from_db()
    assert run.state == Run.State.PLANNED
    assert sending.queue_length() == 0


@pytest.mark.parametrize("scheme", ["amqp", "redis"])
@pytest.mark.parametrize(("state", "verb"), [("planned", start_run), ("stopped", resume_run)])
def test_run_is_not_started_where_the_broker_does_not_answer(run, settings, scheme, state, verb):
    Run.objects.update(state=state)
    settings.CELERY_BROKER_URL = f"{scheme}://tact:{HIDDEN}@127.0.0.1:1/"
    with pytest.raises(Problem, match=rf"{scheme}://tact:\*\*@127\.0\.0\.1:1/.*refused.*Start it") as refused:
        verb(run)
    assert HIDDEN not in str(refused.value)
    run.refresh_from_db()
    assert run.state == state


@pytest.mark.parametrize("name", BROKERS)
def test_wrong_password_is_told_and_not_shown(settings, name):
    refuse_missing(name)
    scheme, place = {"RabbitMQ": ("amqp", "127.0.0.1:5672//"), "Redis": ("redis", "127.0.0.1:6379/0")}[name]
    settings.CELERY_BROKER_URL = f"{scheme}://nobody-of-this-name:{HIDDEN}@{place}"
    with pytest.raises(Problem, match="does not answer as expected") as refused:
        sending.refuse_silent_broker()
    assert HIDDEN not in str(refused.value)


def test_broker_that_fails_after_the_start_costs_only_a_moment(
    run, broker, look, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def fail(shard_ids):
        raise Problem("The broker is gone.")

    with monkeypatch.context() as failing:
        failing.setattr(sending, "send", fail)
        with django_capture_on_commit_callbacks(execute=True):
            start_run(run)
    assert "The broker is gone. What waits is queued by the workers" in caplog.text
    assert run.state == Run.State.RUNNING
    assert look() == SHARDS


# -- finding again


def test_what_waits_without_a_message_is_queued_once(running, look):
    assert sending.queue_length() == 0
    assert look() == SHARDS
    assert look() == SHARDS


def test_nothing_is_queued_where_somebody_works_on_the_run(running, look):
    Shard.objects.filter(number=0).update(state="running", worker="elsewhere:1", heartbeat_at=timezone.now())
    assert look() == 0


def test_orphan_is_queued_however_much_waits_in_the_queue(running, look):
    sending.send([running.shards.first().pk])
    Shard.objects.filter(number=0).update(state="running", worker="elsewhere:1", heartbeat_at=None)
    assert look() == 2
    assert set(running.shards.values_list("state", flat=True)) == {"waiting"}
    assert look() == 2


def test_broker_is_not_asked_where_no_run_runs(run, settings):
    settings.CELERY_BROKER_URL = "amqp://127.0.0.1:1/"
    celery.queue_what_was_left()


def test_run_whose_endpoint_rests_is_queued_when_that_is_over(running, look):
    def rest(seconds):
        end = (timezone.now() + timedelta(seconds=seconds)).isoformat()
        Endpoint.objects.filter(name="judge").update(capabilities={"rests_until": end})

    rest(600)
    assert look() == 0
    rest(-1)
    assert look() == SHARDS


@pytest.mark.parametrize(
    ("halt", "expected"), [(Halt(Why.PROCESS_ENDS), SHARDS), (Halt(Why.ENDPOINT_RESTS, "later", 600), 0)]
)
def test_what_a_worker_leaves_is_sent_at_once_and_what_has_to_wait_is_not(
    running, monkeypatch, django_capture_on_commit_callbacks, halt, expected
):
    monkeypatch.setattr(tasks, "run_shard", lambda shard_id: halt)
    with django_capture_on_commit_callbacks(execute=True):
        celery.work_on_shard(running.shards.first().pk)
    assert sending.queue_length() == expected


def test_message_of_a_shard_that_was_removed_is_dropped(running):
    gone = running.shards.first().pk
    Shard.objects.filter(pk=gone).delete()
    celery.work_on_shard(gone)
    assert set(running.shards.values_list("state", flat=True)) == {"waiting"}


# -- workers


@pytest.mark.django_db(transaction=True)
def test_working_once_does_what_waits_and_ends(broker):
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url)
        start_run(run)
        drain()
        call_command("work", "--once")
    run.refresh_from_db()
    assert run.state == Run.State.DONE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", STARTED)
def test_celerys_own_command_works_too_and_leaves_the_rest_to_others_when_asked_to_end(name, monkeypatch):
    let_go = threading.Event()

    def behave(asked, times):
        let_go.wait(180)
        return behaves_well(asked, times)

    with queue_of_its_own(name, monkeypatch), fake_endpoint(behave) as endpoint:
        run = planned_run(endpoint.url, samples=25, subject={"concurrency": 1, "deadline": 200})
        start_run(run)
        with workers(1, *CELERY, "worker") as (worker,):
            in_time(lambda: endpoint.requests, "the worker asked nothing")
            worker.send_signal(signal.SIGTERM)
            let_go.set()
            assert worker.wait(120) == 0
        run.refresh_from_db()
        assert run.state == Run.State.RUNNING
        assert set(run.shards.values_list("state", flat=True)) <= {"waiting", "done"}
        assert run.calls.filter(outcome="answered").count() == len(endpoint.requests) < 200
        drain()  # so that only the look for what was left behind finds the rest
        with workers(1, *CELERY, "worker"):
            in_time(lambda: Run.objects.get().state != Run.State.RUNNING, "the run did not end")
        assert Run.objects.get().state == Run.State.DONE
        assert len(endpoint.requests) == 200


def test_celerys_own_command_without_a_broker_says_what_to_start(monkeypatch):
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    ended = subprocess.run([*CELERY, "worker"], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert "CELERY_BROKER_URL is not set: runs are queued in the database" in ended.stderr


# -- settings


def test_broker_of_another_kind_is_refused_and_its_password_not_shown(monkeypatch):
    monkeypatch.setenv("CELERY_BROKER_URL", f"sqs://key:{HIDDEN}@")
    ended = subprocess.run([*MANAGE, "check"], capture_output=True, text=True, timeout=120)
    assert ended.returncode != 0
    assert "CELERY_BROKER_URL names a broker on which Tact is not tested" in ended.stderr
    assert HIDDEN not in ended.stderr


@pytest.mark.parametrize(
    ("url", "on_sqlite", "expected"),
    [("", True, []), ("redis://h", False, []), ("redis://h", True, ["evaluation.W002"])],
)
def test_broker_with_a_database_of_one_machine_is_warned_of(settings, url, on_sqlite, expected):
    settings.CELERY_BROKER_URL, settings.ON_SQLITE = url, on_sqlite
    assert [warning.id for warning in check_broker_has_a_database_for_all(None)] == expected
