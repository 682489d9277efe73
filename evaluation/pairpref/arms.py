"""The arms of a PairPref run: track, control, presentation, wording and procedure, under a name each."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, Self

from annotate.problems import refuse_repeats, refuse_unknown

SELECTION, GENERATION = "selection", "generation"
PREFERENCE_ONLY, RELEVANCE_GATE = "preference_only", "relevance_gate"
CLASSIFIERS = (PREFERENCE_ONLY, RELEVANCE_GATE)
TRACKS = (SELECTION, GENERATION, *CLASSIFIERS)

FULL, NO_SITUATION, NO_MEMORY, TOP5, FAR15 = "full", "no_situation", "no_memory", "top5", "far15"
CONTROLS = (FULL, NO_SITUATION, NO_MEMORY, TOP5, FAR15)

SYSTEM_LIST, USER_BLOCK, DIALOG = "system_list", "user_block", "dialog"
PRESENTATIONS = (SYSTEM_LIST, USER_BLOCK, DIALOG)

NUDGE, BARE, MITIGATE = "nudge", "bare", "mitigate"
WORDINGS = (NUDGE, BARE, MITIGATE)

DIRECT, APPLICABILITY_FIRST, TWO_DRAFTS, STEP_BY_STEP = (
    "direct",
    "applicability_first",
    "two_drafts",
    "step_by_step",
)
PROCEDURES = (DIRECT, APPLICABILITY_FIRST, TWO_DRAFTS, STEP_BY_STEP)


@dataclass(frozen=True)
class Arm:
    """One way to ask. The procedures of appendix G belong to the generation track alone.

    `reasoning` None leaves the endpoint as it is.
    """

    track: str
    control: str = FULL
    presentation: str = SYSTEM_LIST
    wording: str = NUDGE
    procedure: str = DIRECT
    reasoning: bool | None = None

    @property
    def name(self) -> str:
        """Return the track, and whatever differs from the paper's main setting."""
        varied = {
            self.control: FULL,
            self.presentation: SYSTEM_LIST,
            self.wording: NUDGE,
            self.procedure: DIRECT,
        }
        parts = [self.track, *(value for value, usual in varied.items() if value != usual)]
        if self.reasoning is not None:
            parts.append(f"reasoning {'on' if self.reasoning else 'off'}")
        return ", ".join(parts)

    @property
    def is_classifier(self) -> bool:
        """Tell whether the arm decides about a preference without an answer."""
        return self.track in CLASSIFIERS

    def as_dict(self) -> dict[str, Any]:
        """Return the arm as a run stores it."""
        return {"name": self.name, **asdict(self)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Return the arm that `as_dict` stored."""
        return cls(**{name: value for name, value in stored.items() if name != "name"})


def arms(
    tracks: Sequence[str],
    *,
    controls: Sequence[str] = (FULL,),
    presentations: Sequence[str] = (SYSTEM_LIST,),
    wordings: Sequence[str] = (NUDGE,),
    procedures: Sequence[str] = (DIRECT,),
    reasoning: Sequence[bool | None] = (None,),
) -> list[Arm]:
    """Return every combination that differs, once, in the order given.

    A classifier sees no memory list, so that only the reasoning varies it; without memory there is nothing
    to present or to word; a procedure other than *direct* needs an answer to write.
    `Problem` where a name is unknown or comes twice.
    """
    for kind, names, known in (
        ("track", tracks, TRACKS),
        ("control", controls, CONTROLS),
        ("presentation", presentations, PRESENTATIONS),
        ("wording", wordings, WORDINGS),
        ("procedure", procedures, PROCEDURES),
    ):
        refuse_unknown(kind, names, known)
    refuse_repeats("reasoning", reasoning)
    every = (
        _normal(Arm(*settings))
        for settings in product(tracks, controls, presentations, wordings, procedures, reasoning)
    )
    return list(dict.fromkeys(every))


def _normal(arm: Arm) -> Arm:
    """Return an arm without what it does not vary with."""
    if arm.is_classifier:
        return Arm(arm.track, reasoning=arm.reasoning)
    if arm.control == NO_MEMORY:
        arm = replace(arm, presentation=SYSTEM_LIST, wording=NUDGE)
    return arm if arm.track == GENERATION else replace(arm, procedure=DIRECT)
