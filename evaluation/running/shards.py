"""Who works on which shard: a shard is claimed by a conditional update, and found again when left alone."""

import os
import socket
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import F, Q
from django.utils import timezone

from evaluation.models import Run, Shard

State = Shard.State

# A worker tells that it is alive every few seconds; silence for this long means that it is not.
SILENCE = timedelta(seconds=60)


def this_worker() -> str:
    """Return the name under which this process claims shards."""
    return f"{socket.gethostname()}:{os.getpid()}"


def claim(shard_id: int) -> Shard | None:
    """Take a shard of a running run that nobody works on; None where somebody does, or nothing is left."""
    mine = {"state": State.RUNNING, "worker": this_worker(), "heartbeat_at": timezone.now()}
    # No join: PostgreSQL looks again at the columns of a row that another worker claims at the same moment,
    # but not at a subquery, which the update of a join becomes; both would have it.
    running = Run.objects.filter(state=Run.State.RUNNING)
    waiting = Shard.objects.filter(pk=shard_id, state=State.WAITING, run__in=running)
    return Shard.objects.select_related("run").get(pk=shard_id) if waiting.update(**mine) else None


def claim_next(run_id: int) -> Shard | None:
    """Take the first waiting shard of a run, or None where none waits."""
    waiting = Shard.objects.filter(run=run_id, state=State.WAITING, run__state=Run.State.RUNNING)
    while (pk := waiting.order_by("number").values_list("pk", flat=True).first()) is not None:
        if shard := claim(pk):
            return shard
    return None


def beat(shard_ids: Iterable[int]) -> None:
    """Tell that this worker is alive and has these shards."""
    mine = Shard.objects.filter(pk__in=list(shard_ids), state=State.RUNNING, worker=this_worker())
    mine.update(heartbeat_at=timezone.now())


def finish(shard_ids: Iterable[int]) -> None:
    """Call these shards done."""
    Shard.objects.filter(pk__in=list(shard_ids)).update(state=State.DONE)


def release(shard_ids: Iterable[int]) -> None:
    """Give back the shards that this worker did not finish."""
    mine = Shard.objects.filter(pk__in=list(shard_ids), state=State.RUNNING, worker=this_worker())
    mine.update(state=State.WAITING, worker="")


def free_orphans(now: datetime | None = None, run: Run | None = None) -> list[Shard]:
    """Set the shards of workers that are gone to waiting, and return them.

    Gone is a worker that fell silent, or a process of this machine that no longer exists. Its calls under
    way are noted in the run: they are asked again, and no row tells what they cost.
    """
    silent = Q(heartbeat_at__lte=(now or timezone.now()) - SILENCE) | Q(heartbeat_at=None)
    held = Shard.objects.filter(state=State.RUNNING, run__state=Run.State.RUNNING)
    if run is not None:
        held = held.filter(run=run)
    gone = [name for name in held.order_by().values_list("worker", flat=True).distinct() if _is_dead(name)]
    left_alone = silent | Q(worker__in=gone)
    orphans = [
        shard
        for shard in held.filter(left_alone).order_by("run", "number")
        if Shard.objects.filter(left_alone, pk=shard.pk, state=State.RUNNING).update(
            state=State.WAITING, worker=""
        )
    ]
    for run_id, _ in {(shard.run_id, shard.worker) for shard in orphans}:
        lost = F("calls_perhaps_lost") + most_calls_at_once(run_id)
        Run.objects.filter(pk=run_id).update(calls_perhaps_lost=lost)
    return orphans


def share_of(endpoint_id: int, concurrency: int, now: datetime | None = None) -> int:
    """Return how many calls of an endpoint this worker may have under way: the limit is that of all.

    It is divided among the workers that hold shards of any run that asks the endpoint, what is left over
    going to the first by name. Each may have one, or it could not work at all.
    """
    alive = Shard.objects.filter(state=State.RUNNING, heartbeat_at__gt=(now or timezone.now()) - SILENCE)
    asking = alive.filter(Q(run__endpoint=endpoint_id) | Q(run__judges__endpoint=endpoint_id))
    workers = sorted({this_worker(), *asking.order_by().values_list("worker", flat=True).distinct()})
    whole, rest = divmod(concurrency, len(workers))
    return max(1, whole + (workers.index(this_worker()) < rest))


def most_calls_at_once(run_id: int) -> int:
    """Return how many calls of a run a worker has under way at most: those of each of its endpoints."""
    run = Run.objects.get(pk=run_id)
    judges = run.judges.values_list("endpoint", "endpoint_snapshot")
    endpoints = {run.endpoint_id: run.endpoint_snapshot, **dict(judges)}
    return sum(snapshot["concurrency"] for snapshot in endpoints.values())


def _is_dead(worker: str) -> bool:
    """Tell whether a worker was a process of this machine that no longer exists."""
    host, _, process = worker.rpartition(":")
    if host != socket.gethostname() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
