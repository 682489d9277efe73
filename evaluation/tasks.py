"""The background tasks, safe to deliver twice."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import QuerySet
from django.tasks import TaskResultStatus, task
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from evaluation.models import Run, Shard
from evaluation.running.execution import Why, run_shard


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
    """Queue those of the shards that wait and have no task to come, and return their number.

    A task that runs does not count: that of a killed worker does so for ever.
    """
    waiting = list(shards.filter(state=Shard.State.WAITING).values_list("pk", flat=True))
    if not waiting:
        return 0
    tasks = DBTaskResult.objects.filter(task_path=work_on_shard.module_path, status=TaskResultStatus.READY)
    to_come = {task["args"][0] for task in tasks.values_list("args_kwargs", flat=True)}
    left = [pk for pk in waiting if pk not in to_come]
    queue_shards(left)
    return len(left)


def queue_shards(shard_ids: Iterable[int], seconds: float = 0.0) -> None:
    """Queue shards, to be worked on after so many seconds. One that is queued already does no harm."""
    later = work_on_shard.using(run_after=timezone.now() + timedelta(seconds=seconds))
    for shard_id in shard_ids:
        (later if seconds > 0 else work_on_shard).enqueue(shard_id)
