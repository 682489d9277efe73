"""The units of a shard as the worker sees them: what to ask, and what has come so far."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from evaluation.asking import Asking
from evaluation.models import Generation, Shard, Verdict
from evaluation.models.generation import Outcome, Task
from evaluation.questions import Question

Replies = list[dict[str, Any]]

# What a row points to and a question needs, read in a few queries for all rows.
POINTS_TO = ("profile", "context", "preference", "pair__preference", "sampled__item")
PARTS_OF_PAIRS = ("pair__situations", "pair__replies", "pair__preference__companions")


@dataclass
class VerdictUnit:
    """A verdict that has not ended. `replies` are the raw answers so far, the last one last."""

    row: Verdict
    replies: Replies
    has_ended: bool = False

    @property
    def pk(self) -> int:
        """Return the key of the row."""
        return self.row.pk


@dataclass
class AnswerUnit:
    """An answer with its verdicts that have not ended; the answer itself may have."""

    row: Generation
    asking: Asking
    replies: Replies
    verdicts: list[VerdictUnit] = field(default_factory=list)
    ended_verdicts: list[Verdict] = field(default_factory=list)

    @property
    def pk(self) -> int:
        """Return the key of the row."""
        return self.row.pk

    @property
    def is_judged_in_turn(self) -> bool:
        """Tell whether each verdict waits for the one before it, which may make it needless."""
        return self.row.task == Task.CANDIDATE

    def needless(self) -> str:
        """Return why no further verdict is needed; empty where one is."""
        verdicts = [*self.ended_verdicts, *(verdict.row for verdict in self.verdicts)]
        return self.asking.needless(self.row, self.row.message, verdicts)

    def question(self) -> Question:
        """Return what the model is asked."""
        return self.asking.question(self.row)

    def verdict_question(self, verdict: VerdictUnit) -> Question:
        """Return what a judge is asked about the answer."""
        return self.asking.verdict_question(verdict.row, self.row, self.row.message)


def load_units(shard: Shard, asking: Asking) -> list[AnswerUnit]:
    """Return what a shard still has to do, in the order of the plan."""
    verdicts, ended = _verdicts(shard)
    left = Q(outcome=Outcome.PLANNED) | Q(pk__in=verdicts)
    found = Generation.objects.filter(left, shard=shard).order_by("pk")
    rows = list(found.select_related(*POINTS_TO).prefetch_related(*PARTS_OF_PAIRS))
    for row in rows:
        asking.prepare(row)
    return [
        AnswerUnit(
            row=row,
            asking=asking,
            replies=replies_of(row.reply),
            verdicts=verdicts[row.pk],
            ended_verdicts=ended[row.pk],
        )
        for row in rows
    ]


def replies_of(stored: Any) -> Replies:
    """Return the raw replies of a row, oldest first."""
    return list(stored) if isinstance(stored, Iterable) and not isinstance(stored, dict | str) else []


def _verdicts(shard: Shard) -> tuple[dict[int, list[VerdictUnit]], dict[int, list[Verdict]]]:
    """Return the verdicts of a shard that have not ended, and those that have, by generation."""
    rows = Verdict.objects.filter(generation__shard=shard).select_related("preference").order_by("pk")
    left: dict[int, list[VerdictUnit]] = defaultdict(list)
    ended: dict[int, list[Verdict]] = defaultdict(list)
    for row in rows:
        if row.outcome == Outcome.PLANNED:
            left[row.generation_id].append(VerdictUnit(row, replies_of(row.reply)))
        else:
            ended[row.generation_id].append(row)
    return left, ended
