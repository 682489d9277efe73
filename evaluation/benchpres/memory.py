"""What stands in a profile's memory under an arm: which preferences, which facts, in which order."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaluation.benchpres.arms import FIRST, LAST, NO_PREFERENCES, SHUFFLED, Arm

ContextKey = tuple[str, str]


@dataclass(frozen=True)
class Statement:
    """One line of a profile's memory, a fact or a preference; a nickname is a preference of its kind."""

    text: str
    is_preference: bool = False
    is_nickname: bool = False


@dataclass(frozen=True)
class PlannedProfile:
    """A profile's memory, and the whole prompts that the corpus supplies, by (recipient, task).

    `strangers` are the preferences of other profiles, which fill a memory that is to hold more.
    """

    key: str
    memory: Sequence[Statement]
    supplied_prompts: Mapping[ContextKey, str] = field(default_factory=dict)
    strangers: Sequence[Statement] = ()

    @property
    def preferences(self) -> list[Statement]:
        """Return the profile's own preferences."""
        return [statement for statement in self.memory if statement.is_preference]

    @property
    def addable(self) -> list[Statement]:
        """Return the strangers that can be added: a second nickname would contradict the first."""
        own = {statement.text for statement in self.memory}
        others = [statement for statement in self.strangers if statement.text not in own]
        has_nickname = any(statement.is_nickname for statement in self.memory)
        nicknames = [] if has_nickname else [one for one in others if one.is_nickname][:1]
        return [one for one in others if not one.is_nickname or one in nicknames]


def own_preferences(profile: PlannedProfile, arm: Arm, context: ContextKey, seed: int) -> list[Statement]:
    """Return those of the profile's own preferences that are measured: all, or as many as the density.

    Which ones is drawn anew for each context, so that every preference is measured at every density.
    The draws of growing densities contain each other. Without preferences in memory all are measured.
    """
    if arm.density is None or arm.condition == NO_PREFERENCES:
        return profile.preferences
    drawn = _shuffled(profile.preferences, seed, "own", profile.key, *context)[: arm.density]
    return [statement for statement in profile.preferences if statement in drawn]


def remembered(profile: PlannedProfile, arm: Arm, context: ContextKey, seed: int) -> list[str]:
    """Return the texts in memory under an arm, in their order; the same for the same seed."""
    measured = own_preferences(profile, arm, context, seed)
    kept = set() if arm.condition == NO_PREFERENCES else set(measured)
    added = _added(profile, arm, len(kept), seed)
    facts = _places_of_facts(profile, arm, len(measured) + len(added), seed)
    own = [
        statement
        for place, statement in enumerate(profile.memory)
        if (statement in kept if statement.is_preference else place in facts)
    ]
    return [statement.text for statement in _ordered(own, added, profile, arm, seed)]


def _added(profile: PlannedProfile, arm: Arm, kept: int, seed: int) -> list[Statement]:
    """Return the strangers' preferences that fill the memory up to the density."""
    missing = max(0, (arm.density or 0) - kept) if arm.condition != NO_PREFERENCES else 0
    return _shuffled(profile.addable, seed, "added", profile.key)[:missing]


def _places_of_facts(profile: PlannedProfile, arm: Arm, preferences: int, seed: int) -> set[int]:
    """Return where the facts stand that are kept: all, or so many for each preference.

    Preferences that the condition leaves out count, so that it leaves the same facts as the others.
    """
    places = [place for place, statement in enumerate(profile.memory) if not statement.is_preference]
    if arm.ratio is None:
        return set(places)
    return set(
        _shuffled(places, seed, "facts", profile.key)[: round(min(arm.ratio * preferences, len(places)))]
    )


def _ordered(
    own: list[Statement], added: list[Statement], profile: PlannedProfile, arm: Arm, seed: int
) -> list[Statement]:
    """Put what was added at drawn places among the rest, then all into the order of the arm."""
    chance = _chance(seed, "places", profile.key)
    statements = list(own)
    for stranger in added:
        statements.insert(chance.randrange(len(statements) + 1), stranger)
    if arm.order == SHUFFLED:
        return _shuffled(statements, seed, "order", profile.key)
    if arm.order in (FIRST, LAST):
        # Stable: within facts, and within preferences, the corpus' order stays.
        return sorted(statements, key=lambda statement: statement.is_preference is (arm.order == LAST))
    return statements


def _shuffled[T](rows: Sequence[T], seed: int, *names: str) -> list[T]:
    shuffled = list(rows)
    _chance(seed, *names).shuffle(shuffled)
    return shuffled


def _chance(seed: int, *names: str) -> random.Random:
    return random.Random("\n".join([str(seed), *names]))  # noqa: S311 - a repeatable draw, no secret
