"""Background work through a broker: RabbitMQ or Redis, where CELERY_BROKER_URL names one.

A message is the number of a shard that waits, and no more. What is left to do stands in the database:

1. A message twice does no harm: a shard is claimed by one worker.
2. A message lost costs some seconds: every worker looks for what was left behind, and queues it again.
3. A wait needs no message: what has to wait is found by the same look once its time has come.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import Celery
from django.conf import settings
from kombu import Connection
from kombu.exceptions import KombuError

from annotate.problems import Problem

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

WORK_ON_SHARD = "tact.work_on_shard"
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


def send(shard_ids: Iterable[int]) -> None:
    """Send a message for each shard. Raises `Problem` where the broker does not answer."""
    with connected() as broker, app.amqp.Producer(broker) as producer:
        for shard_id in shard_ids:
            queue = settings.CELERY_TASK_DEFAULT_QUEUE
            app.send_task(WORK_ON_SHARD, (shard_id,), producer=producer, queue=queue, retry=False)


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
