"""What a BenchPreS run asks about its rows."""

from collections.abc import Sequence
from functools import cached_property

from annotate.models import Preference, Profile
from evaluation.benchpres.arms import Arm
from evaluation.benchpres.memory import ContextKey, PlannedProfile, Statement, own_preferences
from evaluation.benchpres.prompting import (
    completeness_question,
    label_question,
    message_question,
    probe_question,
)
from evaluation.models.generation import Generation, Task
from evaluation.models.run import Run
from evaluation.models.verdict import Verdict
from evaluation.questions import Question
from evaluation.targets import Target


class AskingBenchPreS:
    """The questions of one run, over profiles that are read once each."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.arms = {stored["name"]: Arm.from_dict(stored) for stored in run.arms}
        self._profiles: dict[int, PlannedProfile] = {}

    def prepare(self, generation: Generation) -> None:
        """Read the memory of the profile."""
        if generation.profile:
            self.profile(generation.profile)

    def question(self, generation: Generation) -> Question:
        """Ask for a message, or put the probe."""
        arm, context = self.arms[generation.condition], context_key(generation)
        if generation.task == Task.PROBE:
            return probe_question(_of(generation.preference).text, context, arm)
        return message_question(self.profile(_of(generation.profile)), context, arm, self.run.seed)

    def verdict_question(self, verdict: Verdict, generation: Generation, message: str) -> Question:
        """Ask whether the preference is followed, or how complete the message is."""
        if verdict.target == Target.COMPLETENESS:
            return completeness_question(context_key(generation), message)
        return label_question(_of(verdict.preference).text, message)

    def needless(self, generation: Generation, message: str, verdicts: Sequence[Verdict]) -> str:
        """Return nothing: every verdict is needed."""
        return ""

    def measured(self, generation: Generation) -> set[str]:
        """Return the texts of the preferences that are measured on a message."""
        profile, arm = self.profile(_of(generation.profile)), self.arms[generation.condition]
        kept = own_preferences(profile, arm, context_key(generation), self.run.seed)
        return {statement.text for statement in kept}

    def profile(self, profile: Profile) -> PlannedProfile:
        """Return a profile's memory, supplied prompts, and what others prefer."""
        if profile.pk not in self._profiles:
            self._profiles[profile.pk] = planned_profile(profile, self._strangers)
        return self._profiles[profile.pk]

    @cached_property
    def _strangers(self) -> list[Statement]:
        """Return every preference that a profile holds, where some arm fills the memory with them."""
        if all(arm.density is None for arm in self.arms.values()):
            return []
        held = Preference.objects.filter(dataset=self.run.dataset_id, holders__isnull=False).distinct()
        return [_statement(preference) for preference in held.order_by("position")]


def context_key(generation: Generation) -> ContextKey:
    """Return the (recipient, task) of a row."""
    context = _of(generation.context)
    return context.recipient, context.task


def planned_profile(profile: Profile, strangers: list[Statement]) -> PlannedProfile:
    """Read a profile's memory, facts and preferences in their one order, and its supplied prompts."""
    facts = [(row.position, Statement(row.text)) for row in profile.statements.all()]
    held = [
        (row.position, _statement(row.preference))
        for row in profile.held_preferences.select_related("preference")
    ]
    memory = [statement for _, statement in sorted(facts + held, key=lambda row: row[0])]
    prompts = profile.supplied_prompts.select_related("context")
    supplied = {(row.context.recipient, row.context.task): row.text for row in prompts}
    return PlannedProfile(profile.key, memory, supplied, strangers)


def _statement(preference: Preference) -> Statement:
    return Statement(preference.text, is_preference=True, is_nickname=bool(preference.nickname))


def _of[T](row: T | None) -> T:
    """Return what a row points to; the database holds that a unit of this kind points to it."""
    if row is None:
        raise ValueError("a unit of BenchPreS lacks its profile, context or preference")
    return row
