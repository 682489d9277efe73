"""Background work through a broker: RabbitMQ or Redis, where CELERY_BROKER_URL names one.

A message is the number of a shard that waits, and no more. What is left to do stands in the database:

1. A message twice does no harm: a shard is claimed by one worker.
2. A message lost costs some seconds: every worker looks for what was left behind, and queues it again.
3. A wait needs no message: what has to wait is found by the same look once its time has come.
"""

import logging
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import Celery, signals
from django.conf import settings
from django.db import close_old_connections, connection
from kombu import Connection
from kombu.exceptions import KombuError

from annotate.problems import Problem

logger = logging.getLogger(__name__)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SECONDS_TO_ANSWER = 4
SECONDS_BETWEEN_LOOKS = 5.0

app = Celery("tact")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    # A worker is one process, and works on one shard after another until its run is done.
    worker_pool="solo",
    worker_concurrency=1,
    worker_prefetch_multiplier=1,
    # Acknowledged at its end, a message keeps the next one with the broker: acknowledged at its begin, the
    # next would lie with this worker, maybe for hours, while others are idle. After half an hour RabbitMQ
    # (after an hour Redis) gives the message to another worker, who finds the shard taken and drops it;
    # RabbitMQ also closes the channel, which the worker opens again when it gets there.
    task_acks_late=True,
    broker_channel_error_retry=True,
    # A worker at work answers no heartbeat and no remote control.
    broker_heartbeat=0,
    worker_enable_remote_control=False,
    # The database outlasts the broker, and so do workers.
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    seconds_between_looks=SECONDS_BETWEEN_LOOKS,
)


@app.task(name="tact.work_on_shard")
def work_on_shard(shard_id: int) -> None:
    """Work on a shard, and on what else of its run waits; nothing where it was removed meanwhile."""
    from evaluation.models import Shard
    from evaluation.tasks import work_on_shard

    if Shard.objects.filter(pk=shard_id).exists():
        work_on_shard.call(shard_id)


# -- sending


def send(shard_ids: Iterable[int]) -> None:
    """Send a message for each shard. Raises `Problem` where the broker does not answer."""
    with connected() as broker, app.amqp.Producer(broker) as producer:
        for shard_id in shard_ids:
            queue = settings.CELERY_TASK_DEFAULT_QUEUE
            work_on_shard.apply_async((shard_id,), producer=producer, queue=queue, retry=False)


def refuse_silent_broker() -> None:
    """Raise `Problem` where the broker does not answer."""
    with connected():
        pass


def queue_length() -> int:
    """Return how many messages no worker has taken yet."""
    with connected() as broker:
        try:
            queue = broker.channel().queue_declare(settings.CELERY_TASK_DEFAULT_QUEUE, passive=True)
        except broker.channel_errors:  # no such queue: RabbitMQ before the first message, Redis when empty
            return 0
        return queue.message_count


@contextmanager
def connected() -> Iterator[Connection]:
    """Connect to the broker; any of its errors becomes a `Problem` that shows the address, no password."""
    wait: dict[str, Any] = {"connect_timeout": SECONDS_TO_ANSWER}
    if settings.CELERY_BROKER_URL.startswith("redis"):
        wait["transport_options"] = {"socket_connect_timeout": SECONDS_TO_ANSWER}
    with app.connection_for_write(settings.CELERY_BROKER_URL, **wait) as broker:
        try:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            yield broker
        except (*broker.connection_errors, *broker.channel_errors, KombuError) as error:
            raise Problem(
                f"The broker {broker.as_uri()} does not answer as expected: {error}. Nothing was queued. "
                "Start it, or correct CELERY_BROKER_URL (without it, work is queued in the database)."
            ) from error


# -- what a worker does beside its tasks


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
