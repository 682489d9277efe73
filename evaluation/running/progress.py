"""How far a run has come, how fast it goes, how long it will take."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from evaluation.models import Run, Shard, Verdict
from evaluation.models.generation import Outcome
from evaluation.running.shards import SILENCE

RATE_WINDOW = timedelta(minutes=5)


@dataclass(frozen=True)
class Size:
    """What a plan asks for: messages, verdicts by judges, and verdicts by exact match, which cost nothing."""

    generations: int
    judged: int
    matched: int

    @property
    def calls(self) -> int:
        """Return the number of answers that models must give."""
        return self.generations + self.judged

    @property
    def verdicts(self) -> int:
        """Return the number of verdicts of both kinds."""
        return self.judged + self.matched

    @property
    def units(self) -> int:
        """Return the number of units, those without a call included."""
        return self.generations + self.verdicts


@dataclass(frozen=True)
class Progress:
    """Units ended of a plan's size; the rate in calls per second, None where nothing ended lately.

    `is_worked_on` tells whether a worker gave a sign of life within the last minute.
    """

    size: Size
    generations_ended: int
    verdicts_ended: int
    per_second: float | None
    seconds_left: float | None
    is_worked_on: bool

    @property
    def ended(self) -> int:
        """Return the number of units that ended in any way."""
        return self.generations_ended + self.verdicts_ended

    @property
    def share(self) -> float:
        """Return the part that has ended, from 0 to 1."""
        return self.ended / self.size.units if self.size.units else 0.0


def run_size(run: Run) -> Size:
    """Count what a run asks for."""
    verdicts = Verdict.objects.filter(generation__run=run).aggregate(
        judged=Count("judge"), matched=Count("id", filter=Q(judge=None))
    )
    return Size(run.generations.count(), **verdicts)


def run_progress(run: Run, now: datetime) -> Progress:
    """Count what has ended, and reckon the time left from the calls of the last minutes."""
    size = run_size(run)
    generations = run.generations.exclude(outcome=Outcome.PLANNED).count()
    verdicts = Verdict.objects.filter(generation__run=run).exclude(outcome=Outcome.PLANNED).count()
    rate = calls_per_second(run, now) if run.state == Run.State.RUNNING else None
    left = size.generations - generations + judgements_left(run)
    alive = run.shards.filter(state=Shard.State.RUNNING, heartbeat_at__gte=now - SILENCE).exists()
    return Progress(size, generations, verdicts, rate, left / rate if rate else None, alive)


def judgements_left(run: Run) -> int:
    """Return the number of verdicts still to come that need a call; an exact match needs none."""
    planned = Verdict.objects.filter(generation__run=run, outcome=Outcome.PLANNED)
    return planned.filter(judge__isnull=False).count()


def calls_per_second(run: Run, now: datetime) -> float | None:
    """Return the calls that were answered in the last minutes, or since the start, a second."""
    since = max(now - RATE_WINDOW, run.started_at or now)
    answered = run.calls.filter(outcome="answered", started_at__gte=since).count()
    seconds = (now - since).total_seconds()
    return answered / seconds if answered and seconds > 0 else None
