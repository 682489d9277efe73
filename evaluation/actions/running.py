"""Starting a run, holding it, ending it. Same run, same rows: resuming copies nothing."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.problems import Problem
from evaluation.models import Generation, Run, Shard, Verdict
from evaluation.models.generation import Outcome
from evaluation.running.endings import corpus_change, end_if_complete
from evaluation.running.shards import free_orphans
from evaluation.spending import beyond_limits, check_limits, checked_limits
from evaluation.tasks import queue_shards, queue_waiting

State = Run.State
OPEN = (Shard.State.WAITING, Shard.State.RUNNING)


@transaction.atomic
def start_run(run: Run) -> None:
    """Hand the run to the workers; `Problem` where it is expected to exceed its limits."""
    _refuse_other_corpus(run)
    check_limits(run)
    _move(run, [State.PLANNED], State.RUNNING, started_at=timezone.now())
    queue_waiting(run.shards.all())


def pause_run(run: Run) -> None:
    """Let the calls under way end and begin no more."""
    _move(run, [State.RUNNING], State.PAUSED)


@transaction.atomic
def resume_run(run: Run, now: datetime | None = None) -> None:
    """Go on with what has not ended, also after a crash: what was answered is not asked again.

    `Problem` where the run has spent what it may.
    """
    _refuse_other_corpus(run)
    if reason := beyond_limits(run):
        raise Problem(f"{reason} Raise its limits to go on.")
    _move(run, [State.PAUSED, State.STOPPED, State.RUNNING], State.RUNNING, state_reason="")
    requeue_orphans(now, run)
    queue_waiting(run.shards.all())
    if end_if_complete(run):
        run.refresh_from_db()


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


def set_limits(run: Run, *, cost_limit: Any, token_limit: int | None) -> None:
    """Set what the run may spend in all, also while it runs; None is no limit."""
    run.cost_limit, run.token_limit = checked_limits(cost_limit, token_limit)
    run.save(update_fields=["cost_limit", "token_limit"])


def skip_planned(run: Run, reason: str) -> None:
    """Mark every unit that has not ended as skipped."""
    skipped = {"outcome": Outcome.SKIPPED, "reason": reason}
    Generation.objects.filter(run=run, outcome=Outcome.PLANNED).update(**skipped)
    Verdict.objects.filter(generation__run=run, outcome=Outcome.PLANNED).update(**skipped)


def requeue_orphans(now: datetime | None = None, run: Run | None = None) -> int:
    """Queue again what workers left that are gone, and return the number of shards.

    1. Shards that they held. The queue alone does not do that: the task of a killed worker stays *running*
       there for ever.
    2. Shards whose task was taken from the queue and never begun, where nobody works on their run.
    3. A run whose worker was gone just before it could call it done is called done.
    """
    orphans = free_orphans(now, run)
    queue_shards(shard.pk for shard in orphans)
    forgotten = queue_waiting(_unattended_shards(run))
    for finished in Run.objects.filter(state=State.RUNNING).exclude(shards__state__in=OPEN):
        end_if_complete(finished)
    return len(orphans) + forgotten


def _unattended_shards(run: Run | None) -> QuerySet[Shard]:
    """Return the shards of running runs, or of one of them, that nobody works on."""
    runs = Run.objects.filter(state=State.RUNNING).exclude(shards__state=Shard.State.RUNNING)
    return Shard.objects.filter(run__in=runs if run is None else runs.filter(pk=run.pk))


def _refuse_other_corpus(run: Run) -> None:
    if reason := corpus_change(run):
        raise Problem(reason)


def _move(run: Run, origins: list[str], target: str, **changes: object) -> None:
    """Move the run to a state, by an update that only succeeds from one of the states expected."""
    if not Run.objects.filter(pk=run.pk, state__in=origins).update(state=target, **changes):
        run.refresh_from_db()
        expected = " or ".join(State(origin).label for origin in origins)
        raise Problem(f"Run {run.pk} is {run.get_state_display()}; expected one that is {expected}.")
    run.refresh_from_db()
