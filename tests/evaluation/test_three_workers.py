"""A run is the same whoever does it: three workers, through the database or through a broker."""

import json
import threading
from collections import Counter
from contextlib import nullcontext
from zlib import crc32

import pytest
from django.core.management import call_command

from evaluation.models import Run
from evaluation.reports import run_report
from tests.evaluation.brokers import BROKERS, MANAGE, ON_POSTGRES, in_time, queue_of_its_own, workers
from tests.evaluation.fake_endpoint import DO_NOT_FOLLOW, FOLLOW, fake_endpoint, says
from tests.evaluation.runs import planned_run, start_run, work

pytestmark = pytest.mark.django_db(transaction=True)

WORK = [*MANAGE, "work", "--interval", "0.2"]
MESSAGES = 4 * 8
CALLS = MESSAGES * 2  # a message, and a verdict by the judge; the other verdict is by match


@pytest.fixture(params=list(BROKERS) if ON_POSTGRES else ["database"], autouse=True)
def way(request, monkeypatch):
    """Runs are queued in the database or with a broker, in shards small enough for three."""
    monkeypatch.setattr("evaluation.actions.planning.SHARD_SIZE", 2)
    is_database = request.param == "database"
    with nullcontext() if is_database else queue_of_its_own(request.param, monkeypatch):
        yield request.param


def behave(asked, times):
    """Answer by chance, which only the question decides."""
    chance = crc32(same(asked).encode())
    if asked.is_judging:
        return says(FOLLOW if chance % 3 else DO_NOT_FOLLOW)
    return says(f"Dear all, {chance}. {'Joker' if chance % 2 else 'Yours'}")


def same(asked):
    return json.dumps([asked.body["messages"], asked.body.get("seed")])


def plan(endpoint):
    """Plan a run of which each worker can hold four of sixteen shards at most."""
    return planned_run(endpoint.url, samples=8, subject={"concurrency": 2, "deadline": 200})


def found(run):
    report = run_report(run)
    return {part: report[part] for part in ("conditions", "counts")}


def holders(run):
    """Who works on shards of the run now."""
    return set(run.shards.filter(state="running").values_list("worker", flat=True))


def has_ended(run):
    run.refresh_from_db()
    return run.state != Run.State.RUNNING


def test_three_workers_find_what_one_finds():
    let_go = threading.Event()
    let_go.set()

    def behave_once_let_go(asked, times):
        let_go.wait(180)
        return behave(asked, times)

    with fake_endpoint(behave_once_let_go) as endpoint:
        alone = plan(endpoint)
        work(alone)
        expected = found(alone)
        assert (alone.state, expected["counts"]["done"]) == (Run.State.DONE, MESSAGES * 3)
        call_command("flush", interactive=False, verbosity=0)

        let_go.clear()
        run = plan(endpoint)
        start_run(run)
        with workers(3, *WORK) as three:
            in_time(lambda: len(holders(run)) == 3, "not every worker took a shard")
            let_go.set()
            in_time(lambda: has_ended(run), "the run did not end")
            for worker in three:
                worker.terminate()
            assert [worker.wait(60) for worker in three] == [0, 0, 0]
        asked_in_all = len(endpoint.requests)

    assert run.state == Run.State.DONE
    assert found(run) == expected
    assert len(set(run.shards.values_list("worker", flat=True))) == 3
    assert asked_in_all == 2 * CALLS


def test_worker_killed_among_three_costs_nothing_that_was_answered():
    let_go, free = threading.Event(), threading.Semaphore(10)
    answered = set()

    def behave_ten_times(asked, times):
        if free.acquire(blocking=False):
            answered.add(same(asked))
        else:
            let_go.wait(180)
        return behave(asked, times)

    with fake_endpoint(behave_ten_times) as endpoint:
        run = plan(endpoint)
        start_run(run)
        with workers(3, *WORK) as three:
            in_time(lambda: run.calls.count() == 10 and len(holders(run)) == 3, "no ten calls were saved")
            saved = set(run.calls.values_list("pk", flat=True))
            killed, *others = three
            killed.kill()
            killed.wait()
            let_go.set()
            in_time(lambda: has_ended(run), "the run did not end by itself")
            for worker in others:
                worker.terminate()
            assert [worker.wait(60) for worker in others] == [0, 0]

    assert run.state == Run.State.DONE
    assert found(run)["counts"]["done"] == MESSAGES * 3
    assert saved <= set(run.calls.values_list("pk", flat=True))
    by_unit = Counter(run.calls.values_list("generation", "verdict"))
    assert (len(by_unit), set(by_unit.values())) == (CALLS, {1})
    assert len(answered) == 10
    assert {endpoint.times[question] for question in answered} == {1}
    most_under_way = 2 + 4
    assert CALLS <= len(endpoint.requests) <= CALLS + most_under_way
    assert run.calls_perhaps_lost >= most_under_way
