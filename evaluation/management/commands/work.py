"""Do the background work."""

import os
import signal
from types import FrameType
from typing import Any

from django.core.management.base import CommandParser
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker

from annotate.management.command import TactCommand
from evaluation.actions import requeue_orphans
from evaluation.running.execution import STOPPING

LONGEST_INTERVAL = 60.0


class QueueWorker(Worker):
    """A worker of the database queue that ends within the calls under way when asked to."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """Let the task at hand give back what it has not begun, then end; at once when asked twice."""
        if STOPPING.is_set():
            os._exit(1)
        STOPPING.set()
        super().shutdown(signum, frame)


class Command(TactCommand):
    """`work`: one worker. Start as many as needed."""

    help = (
        "Do background work: runs of models. Work that a killed worker left behind is queued again, at the "
        "start and from then on. Ctrl-C or SIGTERM lets the calls under way end; a second one does not wait."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the time between looks into the queue, and `--once`."""
        parser.add_argument("--interval", type=float, default=1.0, help="seconds between looks (default 1)")
        parser.add_argument("--once", action="store_true", help="end when the queue is empty")

    def handle(self, *args: Any, interval: float, once: bool, **options: Any) -> None:
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
            if requeued := requeue_orphans():
                self.stdout.write(f"Queued {requeued} shards again that a worker had left behind.")
            worker.run()
            if once:
                break
            STOPPING.wait(min(max(interval, 0.0), LONGEST_INTERVAL))
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, signal.SIG_DFL)
