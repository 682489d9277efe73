"""A run as plain data: all that its report rests on, read from the database or from an archive."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluation.pairpref.metrics import Pair
from evaluation.targets import Duty

Context = tuple[str, str]


@dataclass(frozen=True)
class JudgeRecord:
    """A judge by its number in the run, from 1, with the endpoint as the run knew it."""

    number: int
    endpoint: dict[str, Any]
    duty: str
    category: str
    is_subject: bool

    @property
    def name(self) -> str:
        """Name the judge and what it judges."""
        part = self.category or ("" if self.duty in (Duty.LABELS, Duty.ANSWERS) else self.duty)
        return f"{self.endpoint['name']} ({part})" if part else self.endpoint["name"]

    def as_dict(self) -> dict[str, Any]:
        """Return who judges what; an empty category is all that no other judge of labels has."""
        return {
            "name": self.name,
            "judge": self.endpoint,
            "duty": self.duty,
            "category": self.category,
            "is_subject": self.is_subject,
        }


@dataclass(frozen=True)
class VerdictRecord:
    """A verdict. `judge` is the number of a judge, or None for an exact match."""

    target: str
    preference: str
    judge: int | None
    number: int
    outcome: str
    reason: str
    value: float | None
    details: dict[str, Any] | None = None


@dataclass(frozen=True)
class GenerationRecord:
    """A unit and what was read from it. What it is not about is None or empty."""

    id: int
    task: str
    arm: str
    sample: int
    profile: str
    context: Context | None
    preference: str
    pair: str
    side: str
    outcome: str
    reason: str
    message: str
    choice: str
    verdicts: tuple[VerdictRecord, ...] = ()

    def value(self, target: str, judge: int | None = None, preference: str = "") -> float | None:
        """Return the value of a verdict; of several judges' the first one's, where none is named."""
        for verdict in self.verdicts:
            is_wanted = verdict.target == target and verdict.preference == preference
            if is_wanted and judge in (None, verdict.judge):
                return verdict.value
        return None


@dataclass(frozen=True)
class RunRecord:
    """A run: its plan, its judges, its units in the order of the plan, and what of the corpus they rest on.

    `cluster_by` says what intervals of BenchPreS resample: (profile, context) clusters or profiles, whole.
    `gold` is by (recipient, task) and text of the preference, `preferences` holds categories by text, keys
    and domains of PairPref beside them, `contexts` holds domains, `pairs` what is known of a pair. `spending`
    and `calls` sum up the ledger.
    """

    plan: dict[str, Any]
    judges: tuple[JudgeRecord, ...]
    generations: tuple[GenerationRecord, ...]
    gold: dict[tuple[Context, str], int] = field(default_factory=dict)
    preferences: dict[str, str] = field(default_factory=dict)
    preference_keys: dict[str, str] = field(default_factory=dict)
    preference_domains: dict[str, str] = field(default_factory=dict)
    contexts: dict[Context, tuple[str, ...]] = field(default_factory=dict)
    pairs: dict[str, Pair] = field(default_factory=dict)
    cluster_by: Literal["context", "profile"] = "context"
    spending: tuple[dict[str, Any], ...] = ()
    calls: dict[str, int] = field(default_factory=dict)

    @property
    def seed(self) -> int:
        """Return the seed of the intervals."""
        return self.plan["seed"]

    @property
    def arms(self) -> dict[str, dict[str, Any]]:
        """Return the arms by name, in the order of the plan."""
        return {arm["name"]: arm for arm in self.plan["arms"]}

    def of_arm(self, arm: str) -> tuple[GenerationRecord, ...]:
        """Return the units of one arm."""
        return tuple(row for row in self.generations if row.arm == arm)

    def named_for(self, duty: str) -> Iterator[JudgeRecord]:
        """Yield the judges that are named for a duty."""
        return (judge for judge in self.judges if judge.duty == duty)
