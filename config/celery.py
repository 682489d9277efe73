"""The workers of a broker: `manage.py work`, or `celery -A config worker`. `evaluation.broker` sends."""

import logging
import os
import sys
import threading
from typing import Any

from celery import signals
from django.conf import settings
from django.db import close_old_connections, connection

from evaluation.broker import WORK_ON_SHARD, app, queue_length

logger = logging.getLogger(__name__)


@app.task(name=WORK_ON_SHARD)
def work_on_shard(shard_id: int) -> None:
    """Work on a shard, and on what else of its run waits; nothing where it was removed meanwhile."""
    from evaluation.models import Shard
    from evaluation.tasks import work_on_shard

    if Shard.objects.filter(pk=shard_id).exists():
        work_on_shard.call(shard_id)


@signals.celeryd_init.connect
def refuse_without_broker(**_: Any) -> None:
    """End where a worker is started by hand and runs are queued in the database."""
    if not settings.CELERY_BROKER_URL:
        sys.exit("CELERY_BROKER_URL is not set: runs are queued in the database, for `manage.py work`.")


@signals.setup_logging.connect
def leave_logging_alone(**_: Any) -> None:
    """Log as the settings say: a receiver of this signal keeps Celery from setting up its own."""


@signals.worker_shutting_down.connect
def let_calls_end(**_: Any) -> None:
    """Let the calls under way end and leave the rest to others; end at once when asked twice."""
    from evaluation.running.execution import STOPPING

    if STOPPING.is_set():
        os._exit(1)
    STOPPING.set()


@signals.worker_ready.connect
def begin_to_look(**_: Any) -> None:
    """Look for what was left behind, from now on, beside the tasks."""
    threading.Thread(target=_keep_looking, name="look for work left behind", daemon=True).start()


def _keep_looking() -> None:
    from evaluation.running.execution import STOPPING

    while not STOPPING.is_set():
        try:
            queue_what_was_left()
        except Exception as error:
            # Broker and database come back; a worker that no longer looked would not.
            logger.warning("Looking for work left behind, next try soon: %s", error)
        close_old_connections()
        STOPPING.wait(app.conf.seconds_between_looks)
    connection.close()


def queue_what_was_left() -> None:
    """Queue again what workers left that are gone, and what waits without a message.

    As long as a message waits, every worker is busy: only orphans are queued then. The rest would be queued
    once more at each look, and no worker could begin it earlier.
    """
    from evaluation.actions import requeue_orphans
    from evaluation.models import Run
    from evaluation.running.shards import free_orphans
    from evaluation.tasks import queue_shards

    if not Run.objects.filter(state=Run.State.RUNNING).exists():
        return
    if queue_length():
        queue_shards(shard.pk for shard in free_orphans())
    else:
        requeue_orphans()
