"""Do the background work."""

import os
import signal
import sys
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker

from annotate.management.command import TactCommand
from evaluation.actions import requeue_orphans
from evaluation.models import Run, Shard
from evaluation.running.execution import STOPPING
from evaluation.running.shards import this_worker
from evaluation.tasks import work_on_shard

LONGEST_INTERVAL = 60.0
SHORTEST_INTERVAL = 0.1


def stop(signum: int, frame: FrameType | None) -> None:
    """Let the task at hand give back what it has not begun; end at once when asked twice."""
    if STOPPING.is_set():
        os._exit(1)
    STOPPING.set()


class QueueWorker(Worker):
    """A worker of the database queue that ends within the calls under way when asked to."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """Let the task at hand end, then end."""
        stop(signum, frame)
        super().shutdown(signum, frame)


class Command(TactCommand):
    """`work`: one worker. Start as many as needed."""

    help = (
        "Do background work: runs of models. Work that a killed worker left behind is queued again, at the "
        "start and from then on. Ctrl-C or SIGTERM lets the calls under way end; a second one does not wait. "
        "With CELERY_BROKER_URL the work comes from that broker, else from the database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the time between looks into the queue, and `--once`."""
        parser.add_argument(
            "--interval",
            type=float,
            help="seconds between looks into the queue (default 1); with a broker, which needs no looks, "
            "between looks for work left behind (default 5)",
        )
        parser.add_argument("--once", action="store_true", help="end when the queue is empty")

    def handle(self, *args: Any, interval: float | None, once: bool, **options: Any) -> None:
        """Work in the way that the settings name."""
        if interval is not None:
            interval = min(max(interval, SHORTEST_INTERVAL), LONGEST_INTERVAL)
        if not settings.CELERY_BROKER_URL:
            self.work_from_database(interval or 1.0, once)
        elif once:
            self.work_on_what_waits()
        else:
            work_from_broker(interval)

    def work_from_database(self, interval: float, once: bool) -> None:
        """Empty the queue, look for orphans, wait, and begin again."""
        worker = QueueWorker(
            queue_names=["*"],
            interval=0,
            batch=True,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
            excluded_queue_names=[],
        )
        worker.configure_signals()
        while worker.running:
            self.look_for_orphans()
            worker.run()
            if once:
                break
            STOPPING.wait(interval)
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, signal.SIG_DFL)

    def work_on_what_waits(self) -> None:
        """Do what the database says is to be done, whether or not the broker has a message of it."""
        before = {name: signal.signal(name, stop) for name in (signal.SIGINT, signal.SIGTERM)}
        self.look_for_orphans()
        waiting = Shard.objects.filter(state=Shard.State.WAITING, run__state=Run.State.RUNNING)
        for shard_id in list(waiting.order_by("run", "number").values_list("pk", flat=True)):
            if not STOPPING.is_set():
                work_on_shard.call(shard_id)
        for name, handler in before.items():
            signal.signal(name, handler)

    def look_for_orphans(self) -> None:
        """Queue again what was left behind, and say so."""
        if requeued := requeue_orphans():
            self.stdout.write(f"Queued {requeued} shards again that a worker had left behind.")


def work_from_broker(interval: float | None) -> None:
    """Take one message after another until asked to end; exit with Celery's status."""
    from config.celery import app

    if interval is not None:
        app.conf.seconds_between_looks = interval
    worker = app.Worker(
        hostname=f"tact@{this_worker()}",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)
