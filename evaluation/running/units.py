"""The units of a shard as the worker sees them: what to ask, and what has come so far."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from annotate.models import Profile
from evaluation.benchpres.plan import ContextKey, PlannedProfile, unit_messages
from evaluation.benchpres.prompting import Messages, Statement
from evaluation.models import Generation, Shard, Verdict
from evaluation.models.generation import Outcome

Replies = list[dict[str, Any]]


@dataclass
class VerdictUnit:
    """A verdict that has not ended. `replies` are the raw answers so far, the last one last."""

    pk: int
    preference: str
    nickname: str
    judge_id: int | None
    replies: Replies
    has_ended: bool = False


@dataclass
class MessageUnit:
    """A message with its verdicts that have not ended; the message itself may have."""

    pk: int
    shard_id: int
    key: str
    profile: PlannedProfile
    context: ContextKey
    condition: str
    outcome: str
    message: str
    replies: Replies
    verdicts: list[VerdictUnit] = field(default_factory=list)

    def prompt(self) -> Messages:
        """Return what the model is asked."""
        return unit_messages(self.profile, self.context, self.condition)


class Memories:
    """The profiles of a run, each read once."""

    def __init__(self) -> None:
        self._known: dict[int, PlannedProfile] = {}

    def of(self, profile: Profile) -> PlannedProfile:
        """Return a profile's memory and supplied prompts."""
        if profile.pk not in self._known:
            self._known[profile.pk] = planned_profile(profile)
        return self._known[profile.pk]


def planned_profile(profile: Profile) -> PlannedProfile:
    """Read a profile's memory, facts and preferences in their one order, and its supplied prompts."""
    facts = [(row.position, Statement(row.text)) for row in profile.statements.all()]
    held = [
        (row.position, Statement(row.preference.text, is_preference=True))
        for row in profile.held_preferences.select_related("preference")
    ]
    memory = [statement for _, statement in sorted(facts + held, key=lambda row: row[0])]
    prompts = profile.supplied_prompts.select_related("context")
    return PlannedProfile(
        profile.key, memory, {(row.context.recipient, row.context.task): row.text for row in prompts}
    )


def load_units(shard: Shard, memories: Memories) -> list[MessageUnit]:
    """Return what a shard still has to do, in the order of the plan."""
    verdicts = _open_verdicts(shard)
    left = Q(outcome=Outcome.PLANNED) | Q(pk__in=verdicts)
    rows = Generation.objects.filter(left, shard=shard).select_related("profile", "context").order_by("pk")
    return [
        MessageUnit(
            pk=row.pk,
            shard_id=shard.pk,
            key=row.key,
            profile=memories.of(row.profile),
            context=(row.context.recipient, row.context.task),
            condition=row.condition,
            outcome=row.outcome,
            message=row.message,
            replies=replies_of(row.reply),
            verdicts=verdicts[row.pk],
        )
        for row in rows
    ]


def replies_of(stored: Any) -> Replies:
    """Return the raw replies of a row, oldest first."""
    return list(stored) if isinstance(stored, Iterable) and not isinstance(stored, dict | str) else []


def _open_verdicts(shard: Shard) -> dict[int, list[VerdictUnit]]:
    """Return the verdicts of a shard that have not ended, by generation."""
    rows = Verdict.objects.filter(generation__shard=shard, outcome=Outcome.PLANNED)
    verdicts: dict[int, list[VerdictUnit]] = defaultdict(list)
    for row in rows.select_related("preference").order_by("pk"):
        unit = VerdictUnit(
            row.pk, row.preference.text, row.preference.nickname, row.judge_id, replies_of(row.reply)
        )
        verdicts[row.generation_id].append(unit)
    return verdicts
