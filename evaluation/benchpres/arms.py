"""The arms of a BenchPreS run: what is varied, each combination under a name of its own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, Self

from annotate.problems import Problem, refuse_repeats, refuse_unknown
from evaluation.prompts import Prompt, load

DEFAULT = "default"
MITIGATION = "mitigation"
NO_PREFERENCES = "no_preferences"
PROBE = "probe"

CONDITION_PROMPTS = {
    DEFAULT: "benchpres-default-1",
    MITIGATION: "benchpres-mitigation-1",
    NO_PREFERENCES: "benchpres-default-1",
    PROBE: "benchpres-probe-1",
}
CONDITIONS = tuple(CONDITION_PROMPTS)
PLACES = frozenset({"memory", "recipient", "task"})

CORPUS, FIRST, LAST, SHUFFLED = "corpus", "preferences_first", "preferences_last", "shuffled"
ORDERS = (CORPUS, FIRST, LAST, SHUFFLED)
PAPER_TEMPERATURE = 1.0
PROBE_TEMPERATURE = 0.0


@dataclass(frozen=True)
class Arm:
    """One way to ask: everything that is the same for all messages of the arm.

    `density` preferences stand in memory (None: those of the profile), with `ratio` facts for each of
    them (None: all facts), in an `order`. `reasoning` None leaves the endpoint as it is.
    """

    condition: str
    prompt: Prompt
    temperature: float = PAPER_TEMPERATURE
    reasoning: bool | None = None
    density: int | None = None
    ratio: float | None = None
    order: str = CORPUS

    @property
    def name(self) -> str:
        """Return the condition, and whatever differs from the paper's settings."""
        parts = [self.condition]
        if self.reasoning is not None:
            parts.append(f"reasoning {'on' if self.reasoning else 'off'}")
        if self.temperature != PAPER_TEMPERATURE and self.condition != PROBE:
            parts.append(f"temperature {_exact(self.temperature)}")
        if self.density is not None:
            parts.append(f"{self.density} preference{'s' if self.density > 1 else ''}")
        if self.ratio is not None:
            parts.append(f"{_exact(self.ratio)} facts a preference")
        if self.order != CORPUS:
            parts.append(self.order.replace("_", " "))
        return ", ".join(parts)

    @property
    def keeps_memory(self) -> bool:
        """Tell whether the memory is that of the corpus, whole and in its order."""
        return (self.density, self.ratio, self.order) == (None, None, CORPUS)

    def as_dict(self) -> dict[str, Any]:
        """Return the arm as a run stores it."""
        return {"name": self.name, **asdict(self)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Return the arm that `as_dict` stored."""
        fields = {name: value for name, value in stored.items() if name != "name"}
        return cls(**{**fields, "prompt": Prompt(**fields["prompt"])})


def arms(
    conditions: Sequence[str],
    *,
    added: Mapping[str, Prompt] | None = None,
    reasoning: Sequence[bool | None] = (None,),
    temperatures: Sequence[float] = (PAPER_TEMPERATURE,),
    densities: Sequence[int | None] = (None,),
    ratios: Sequence[float | None] = (None,),
    orders: Sequence[str] = (CORPUS,),
) -> list[Arm]:
    """Return every combination once, in the order given; `added` are the prompts that leads wrote.

    The probe varies with the reasoning alone: it sees no memory, and its temperature is 0. Without
    preferences in memory neither their number nor their place varies.
    `Problem` where a condition is unknown or something is named twice.
    """
    prompts = {name: load(file) for name, file in CONDITION_PROMPTS.items()} | dict(added or {})
    for name, values in {
        "condition": conditions,
        "reasoning": reasoning,
        "temperature": temperatures,
        "density": densities,
        "ratio": ratios,
    }.items():
        refuse_repeats(name, values)
    for condition in conditions:
        if condition not in prompts:
            raise Problem(f"Condition {condition!r} is unknown; expected one of {', '.join(prompts)}.")
    refuse_unknown("order", orders, ORDERS)
    _refuse_bad_values(densities, ratios)
    every = (
        _normal(Arm(condition, prompts[condition], temperature, switch, density, ratio, order))
        for condition, switch, temperature, density, ratio, order in product(
            conditions, reasoning, temperatures, densities, ratios, orders
        )
    )
    return list(dict.fromkeys(every))


def check_added(prompt: Prompt) -> None:
    """Raise `Problem` unless a lead's prompt has the places that are filled, and no other."""
    if prompt.places != PLACES:
        found = ", ".join(f"${name}" for name in sorted(prompt.places)) or "none"
        raise Problem(
            f"Prompt {prompt.name} has the places {found}; expected just $memory, $recipient and $task. "
            "Write a dollar sign that is no place as $$."
        )


def _normal(arm: Arm) -> Arm:
    """Return an arm without what it does not vary with: the probe, and a memory without preferences."""
    if arm.condition == PROBE:
        return replace(arm, temperature=PROBE_TEMPERATURE, density=None, ratio=None, order=CORPUS)
    if arm.condition == NO_PREFERENCES:
        order = CORPUS if arm.order in (FIRST, LAST) else arm.order
        return replace(arm, density=None, order=order)
    return arm


def _exact(number: float) -> str:
    """Write a number with as few digits as tell it from any other."""
    return f"{number:g}" if float(f"{number:g}") == number else repr(number)


def _refuse_bad_values(densities: Iterable[int | None], ratios: Iterable[float | None]) -> None:
    for density in densities:
        if density is not None and density < 1:
            raise Problem(f"The density is {density}; expected 1 or more preferences in memory.")
    for ratio in ratios:
        if ratio is not None and not 0 <= ratio < float("inf"):
            raise Problem(f"The ratio is {ratio:g}; expected 0 or more facts a preference.")
