"""The background tasks, safe to deliver twice. They are queued in the database, or with a broker."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.tasks import TaskResultStatus, task
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from annotate.problems import Problem
from evaluation.models import Endpoint, Run, Shard
from evaluation.running.execution import Why, run_shard

logger = logging.getLogger(__name__)


@task
def work_on_shard(shard_id: int) -> None:
    """Work on a shard, and on what else of its run waits; nothing where another worker has the shard.

    What this process leaves undone is queued again: at once where it was asked to end, later where an
    endpoint asked for a long wait.
    """
    halt = run_shard(shard_id)
    if halt is None or halt.why not in {Why.PROCESS_ENDS, Why.ENDPOINT_RESTS}:
        return
    waiting = Shard.objects.filter(
        run__shards=shard_id, run__state=Run.State.RUNNING, state=Shard.State.WAITING
    )
    if not halt.has_worked:
        waiting = waiting.filter(pk=shard_id)
    queue_shards(waiting.values_list("pk", flat=True), seconds=halt.seconds)


def queue_waiting(shards: QuerySet[Shard]) -> int:
    """Queue those of the shards that wait and have no task to come, and return their number."""
    waiting = shards.filter(state=Shard.State.WAITING)
    left = _awake(waiting) if settings.CELERY_BROKER_URL else _without_task(waiting)
    queue_shards(left)
    return len(left)


def queue_shards(shard_ids: Iterable[int], seconds: float = 0.0) -> None:
    """Queue shards, to be worked on after so many seconds. One that is queued already does no harm.

    Raises `Problem` where the broker does not answer.
    """
    if settings.CELERY_BROKER_URL:
        # A wait needs no message, which would lie with one worker till then: `queue_waiting` is called again.
        _queue_with_broker([] if seconds > 0 else list(shard_ids))
        return
    later = work_on_shard.using(run_after=timezone.now() + timedelta(seconds=seconds))
    for shard_id in shard_ids:
        (later if seconds > 0 else work_on_shard).enqueue(shard_id)


def _without_task(waiting: QuerySet[Shard]) -> list[int]:
    """Return the shards that no task in the database is to take up.

    A task that runs does not count: that of a killed worker does so for ever.
    """
    shard_ids = list(waiting.values_list("pk", flat=True))
    if not shard_ids:
        return []
    tasks = DBTaskResult.objects.filter(task_path=work_on_shard.module_path, status=TaskResultStatus.READY)
    to_come = {task["args"][0] for task in tasks.values_list("args_kwargs", flat=True)}
    return [pk for pk in shard_ids if pk not in to_come]


def _awake(waiting: QuerySet[Shard]) -> list[int]:
    """Return the shards of runs that wait for no endpoint."""
    now = timezone.now()
    shards = list(waiting.values_list("pk", "run"))
    resting = {run_id for run_id in {run_id for _, run_id in shards} if _rests(run_id, now)}
    return [pk for pk, run_id in shards if run_id not in resting]


def _rests(run_id: int, now: datetime) -> bool:
    """Tell whether some endpoint of a run still wants no call."""
    of_run = Endpoint.objects.filter(Q(runs=run_id) | Q(judged_runs__run=run_id))
    ends = [found.get("rests_until") for found in of_run.values_list("capabilities", flat=True)]
    return any(datetime.fromisoformat(end) > now for end in ends if end)


def _queue_with_broker(shard_ids: list[int]) -> None:
    """Send the shards once what was written about them is there to be read.

    The broker is asked before: where it does not answer, nothing is written.
    """
    # Only who has a broker waits the third of a second that this import takes.
    from evaluation.broker import refuse_silent_broker

    if shard_ids:
        refuse_silent_broker()
        transaction.on_commit(partial(_send, shard_ids))


def _send(shard_ids: list[int]) -> None:
    """Send the shards. What the broker fails to take now waits, and workers queue it again."""
    from evaluation.broker import send

    try:
        send(shard_ids)
    except Problem as problem:
        logger.warning("%s What waits is queued by the workers once the broker answers.", problem)
