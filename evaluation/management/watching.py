"""Waiting for a run: watching the worker that does it, or doing it here where there is none."""

import threading
from collections.abc import Callable

from django.db import connection
from django.utils import timezone

from evaluation.actions import pause_run
from evaluation.models import Run, Shard
from evaluation.running.endings import end_if_complete
from evaluation.running.execution import STOPPING, run_shard
from evaluation.running.progress import Progress, run_progress
from evaluation.running.shards import free_orphans, this_worker

SECONDS_BETWEEN_LOOKS = 1.0
# A worker looks into the queue every second: after this long there is none.
SECONDS_FOR_A_WORKER = 2.5

Show = Callable[[Progress], None]


def work_and_watch(run: Run, show: Show) -> None:
    """Watch the run until it ends, and work on it here where no worker does; Ctrl-C pauses it.

    Raises KeyboardInterrupt again once the calls under way have ended; a second Ctrl-C does not wait.
    """
    work = threading.Thread(target=stand_in, args=[run.pk], name=f"work on run {run.pk}", daemon=True)
    work.start()
    try:
        watch(run, show)
    except KeyboardInterrupt:
        pause_run(run)
        raise
    finally:
        work.join()


def stand_in(run_id: int) -> None:
    """Work on the run whenever no worker does, until it no longer runs."""
    try:
        STOPPING.wait(SECONDS_FOR_A_WORKER)
        while not STOPPING.is_set():
            run = Run.objects.get(pk=run_id)
            if run.state != Run.State.RUNNING:
                return
            free_orphans(run=run)
            if not _is_worked_on(run):
                _work_on(run)
            STOPPING.wait(SECONDS_BETWEEN_LOOKS)
    finally:
        connection.close()


def watch(run: Run, show: Show) -> None:
    """Show the progress every second until the run no longer runs."""
    pause = threading.Event()
    while True:
        run.refresh_from_db()
        show(run_progress(run, timezone.now()))
        if run.state != Run.State.RUNNING:
            return
        pause.wait(SECONDS_BETWEEN_LOOKS)


def _is_worked_on(run: Run) -> bool:
    held = run.shards.filter(state=Shard.State.RUNNING)
    return held.exclude(worker=this_worker()).exists()


def _work_on(run: Run) -> None:
    waiting = run.shards.filter(state=Shard.State.WAITING).order_by("number").first()
    if waiting:
        run_shard(waiting.pk)
    else:
        end_if_complete(run)
