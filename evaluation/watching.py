"""Working on a run in this very process, beside any other workers, and watching how far it is."""

import threading
from collections.abc import Callable

from django.db import connection
from django.utils import timezone

from evaluation.actions import pause_run
from evaluation.execution import run_shard
from evaluation.models import Run, Shard
from evaluation.progress import Progress, run_progress

SECONDS_BETWEEN_LOOKS = 1.0

Show = Callable[[Progress], None]


def work_and_watch(run: Run, show: Show) -> None:
    """Do the run's shards here, next to any workers, until it ends; Ctrl-C pauses it.

    Raises KeyboardInterrupt again once the calls under way have ended.
    """
    work = threading.Thread(target=work_on_run, args=[run.pk], name=f"work on run {run.pk}")
    work.start()
    try:
        watch(run, show)
    except KeyboardInterrupt:
        pause_run(run)
        raise
    finally:
        work.join()


def work_on_run(run_id: int) -> None:
    """Do every shard that no worker has begun."""
    try:
        for pk in Shard.objects.filter(run=run_id, state=Shard.State.WAITING).values_list("pk", flat=True):
            run_shard(pk)
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
