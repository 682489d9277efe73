"""A validation sample as plain data: what its report rests on."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

PEOPLE, RUN_JUDGE, SAMPLE_JUDGE, EXACT_MATCH = (
    "person",
    "judge of the run",
    "judge of the sample",
    "exact match",
)
# Those whose verdicts the run counts.
OF_RUN = (RUN_JUDGE, EXACT_MATCH)


@dataclass(frozen=True)
class Unit:
    """What can be drawn: an answer and, for labels, the preference that it is judged by.

    `part` is what rates are kept apart by: the gold label (suppress, apply), the side of a pair, or nothing.
    Units with one `together` are drawn as one. Only a unit of a run's record has a `cluster`, which is what
    intervals of the run draw whole, and a `verdict`: the value that the run counts, None where it could not
    be read.
    """

    generation: int
    preference: str
    arm: str
    part: str
    together: str
    category: str
    domains: tuple[str, ...]
    cluster: Hashable = None
    verdict: float | None = None

    @property
    def key(self) -> tuple[int, str]:
        """Return what finds the unit again: its generation and preference."""
        return self.generation, self.preference


# What is drawn as one: a unit, or both sides of a pair.
type Together = tuple[Unit, ...]


@dataclass(frozen=True)
class Stratum:
    """A part of what could be drawn: its name, how many draws it offered, how many were made."""

    name: str
    size: int
    drawn: int

    @property
    def weight(self) -> float:
        """Return for how many each one that was drawn stands."""
        return self.size / self.drawn


@dataclass(frozen=True)
class Rater:
    """A person, or a judge: of the run, or one that judged the sample alone.

    `kind` is one of this module's constants. `judge` is a run judge's number in the run; `endpoint` and
    `prompt_hash` say what answered, and to what prompt; `run` is the run in which a judge of the sample did.
    """

    name: str
    kind: str
    judge: int | None = None
    run: int | None = None
    endpoint: dict[str, Any] = field(default_factory=dict)
    prompt_hash: str = ""

    @property
    def is_person(self) -> bool:
        """Tell a person from a judge."""
        return self.kind == PEOPLE


@dataclass(frozen=True)
class Item:
    """An item: its unit as drawn, what is shown of it, and what each rater said, by name.

    A rater that is not named has not answered. None is a person's *cannot tell*, or a judge's answer that
    could not be read. `is_changed` tells that the run's answer has since been read differently: the run's
    verdicts are then no longer about this text, and are left out.
    """

    number: int
    unit: Unit
    stratum: int
    texts: dict[str, str]
    given: dict[str, float | None]
    comments: dict[str, str] = field(default_factory=dict)
    is_changed: bool = False


@dataclass(frozen=True)
class SampleRecord:
    """A sample with all that is known of it. `values` are the declared answers in their order.

    `is_example` tells that no recruited person gave the labels.
    """

    slug: str
    name: str
    run: int
    target: str
    state: str
    seed: int
    arms: tuple[str, ...]
    over: tuple[str, ...]
    strata: tuple[Stratum, ...]
    values: tuple[float, ...]
    value_words: tuple[str, ...]
    is_ordered: bool
    raters: tuple[Rater, ...]
    items: tuple[Item, ...]
    notices: tuple[str, ...] = ()
    dataset: str = ""
    is_example: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Return the names of the people, in the order of their seats."""
        return tuple(rater.name for rater in self.raters if rater.is_person)

    @property
    def judges(self) -> tuple[Rater, ...]:
        """Return the judges and the exact match, those of the run first."""
        return tuple(rater for rater in self.raters if not rater.is_person)
