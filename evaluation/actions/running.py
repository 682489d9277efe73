"""Starting a run, holding it, ending it. Same run, same rows: resuming copies nothing."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotate.problems import Problem
from evaluation.models import Generation, Run, Shard, Verdict
from evaluation.models.generation import Outcome
from evaluation.tasks import work_on_shard

State = Run.State

# A worker tells that it is alive every few seconds; silence for this long means that it is not.
SILENCE = timedelta(seconds=60)


def start_run(run: Run) -> None:
    """Hand the run to the workers."""
    _move(run, [State.PLANNED], State.RUNNING, started_at=timezone.now())
    _enqueue_waiting(run)


def pause_run(run: Run) -> None:
    """Let the calls under way end and begin no more."""
    _move(run, [State.RUNNING], State.PAUSED)


def resume_run(run: Run, now: datetime | None = None) -> None:
    """Go on with what has not ended, also after a crash: what was answered is not asked again."""
    _move(run, [State.PAUSED, State.STOPPED, State.RUNNING], State.RUNNING, state_reason="")
    requeue_orphans(now, run)
    _enqueue_waiting(run)


@transaction.atomic
def cancel_run(run: Run) -> None:
    """End the run for good; what has not ended is skipped."""
    _move(
        run,
        [State.PLANNED, State.RUNNING, State.PAUSED, State.STOPPED],
        State.CANCELLED,
        finished_at=timezone.now(),
    )
    skip_planned(run, "the run was cancelled")


def stop_run(run: Run, reason: str) -> None:
    """Hold the run because the endpoint refuses every call, in the endpoint's words."""
    Run.objects.filter(pk=run.pk, state=State.RUNNING).update(state=State.STOPPED, state_reason=reason)


def skip_planned(run: Run, reason: str) -> None:
    """Mark every unit that has not ended as skipped."""
    skipped = {"outcome": Outcome.SKIPPED, "reason": reason}
    Generation.objects.filter(run=run, outcome=Outcome.PLANNED).update(**skipped)
    Verdict.objects.filter(generation__run=run, outcome=Outcome.PLANNED).update(**skipped)


def end_if_complete(run: Run) -> bool:
    """Call the run done once every unit has ended; tell whether it is."""
    open_units = (
        Generation.objects.filter(run=run, outcome=Outcome.PLANNED).exists()
        or Verdict.objects.filter(generation__run=run, outcome=Outcome.PLANNED).exists()
    )
    if open_units:
        return False
    Run.objects.filter(pk=run.pk, state=State.RUNNING).update(state=State.DONE, finished_at=timezone.now())
    return True


def requeue_orphans(now: datetime | None = None, run: Run | None = None) -> int:
    """Queue the shards of workers that fell silent again; return their number.

    The queue alone does not do that: the task of a killed worker stays *running* there for ever.
    """
    silent = Q(heartbeat_at__lte=(now or timezone.now()) - SILENCE) | Q(heartbeat_at=None)
    orphans = Shard.objects.filter(silent, state=Shard.State.RUNNING, run__state=State.RUNNING)
    if run is not None:
        orphans = orphans.filter(run=run)
    requeued = 0
    for shard in orphans:
        back = Shard.objects.filter(silent, pk=shard.pk, state=Shard.State.RUNNING)
        if back.update(state=Shard.State.WAITING, worker="") == 1:
            work_on_shard.enqueue(shard.pk)
            requeued += 1
    return requeued


def _move(run: Run, origins: list[str], target: str, **changes: object) -> None:
    """Move the run to a state, by an update that only succeeds from one of the states expected."""
    if not Run.objects.filter(pk=run.pk, state__in=origins).update(state=target, **changes):
        run.refresh_from_db()
        expected = " or ".join(State(origin).label for origin in origins)
        raise Problem(f"Run {run.pk} is {run.get_state_display()}; expected one that is {expected}.")
    run.refresh_from_db()


def _enqueue_waiting(run: Run) -> None:
    for shard in run.shards.filter(state=Shard.State.WAITING).order_by("number"):
        work_on_shard.enqueue(shard.pk)
