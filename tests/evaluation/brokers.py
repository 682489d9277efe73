"""Brokers and workers of a test: real ones, on this machine."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.utils import timezone

from evaluation import broker as sending

BROKERS = {"RabbitMQ": "amqp://guest:guest@127.0.0.1:5672//", "Redis": "redis://127.0.0.1:6379/0"}
# A broker is for several machines, which share a PostgreSQL; with SQLite one of them has to do.
ON_POSTGRES = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
STARTED = list(BROKERS) if ON_POSTGRES else ["RabbitMQ"]
MANAGE = [sys.executable, "manage.py"]
CELERY = [sys.executable, "-m", "celery", "-A", "config"]


@contextmanager
def queue_of_its_own(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a broker, here and in processes started here, with a queue that is removed in the end."""
    url, queue = BROKERS[name], f"tact-test-{uuid4().hex}"
    refuse_missing(name)
    monkeypatch.setattr(settings, "CELERY_BROKER_URL", url)
    monkeypatch.setattr(settings, "CELERY_TASK_DEFAULT_QUEUE", queue)
    monkeypatch.setenv("CELERY_BROKER_URL", url)
    monkeypatch.setenv("CELERY_QUEUE", queue)
    try:
        yield
    finally:
        {"RabbitMQ": remove_from_rabbitmq, "Redis": remove_from_redis}[name](queue)


def remove_from_rabbitmq(queue: str) -> None:
    with sending.connected() as broker:
        channel = broker.channel()
        channel.queue_delete(queue)
        channel.exchange_delete(queue)


def remove_from_redis(queue: str) -> None:
    """Remove the queue, and what a killed worker had taken from it, which Redis would give back later."""
    server = redis.Redis.from_url(BROKERS["Redis"])
    for tag, message in server.hgetall("unacked").items():
        if queue.encode() in message:
            server.hdel("unacked", tag)
            server.zrem("unacked_index", tag)
    for key in server.scan_iter(f"*{queue}*"):
        server.delete(key)


def refuse_missing(name: str) -> None:
    """Skip the test where there is no such broker; in CI there is one, or the test fails."""
    place = urlsplit(BROKERS[name])
    try:
        socket.create_connection((place.hostname, place.port), timeout=5).close()
    except OSError as error:
        miss = pytest.fail if os.environ.get("CI") else pytest.skip
        miss(f"{name} does not answer on {place.hostname}:{place.port}: {error}")


@contextmanager
def workers(number: int, *command: str) -> Iterator[list[subprocess.Popen]]:
    """Start workers on the database of this test; kill in the end those that still run."""
    environment = {**os.environ, "DATABASE_URL": database_url()}
    processes = [subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment) for _ in range(number)]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def database_url() -> str:
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    place = f"{database['HOST']}:{database['PORT']}/{database['NAME']}"
    return f"postgres://{database['USER']}:{database['PASSWORD']}@{place}"


def in_time(condition: Callable[[], object], message: str) -> None:
    """Wait until a condition holds; three minutes are more than any of them takes."""
    pause, end = threading.Event(), timezone.now() + timedelta(seconds=180)
    while not condition():
        assert timezone.now() < end, message
        pause.wait(0.05)
