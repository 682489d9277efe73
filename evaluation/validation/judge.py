"""A judge as it is named for one target, and what is known of it: the same judge in any sample."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evaluation.keys import Asked
from evaluation.targets import TARGETS_OF
from evaluation.validation.card import Card
from evaluation.validation.records import EXACT_MATCH, Rater

OTHER_PROMPT, OTHER_PARAMETERS = "another prompt", "other parameters"
CHANGES_AN_ANSWER = ("base_url", "model", "parameters")


@dataclass(frozen=True)
class NamedJudge:
    """A judge and what it is asked: an endpoint as a run knows it, and a prompt by its hash.

    An exact match has neither. A prompt without a hash is like no other.
    """

    name: str
    target: str
    endpoint: dict[str, Any] = field(default_factory=dict)
    prompt_hash: str = ""

    @property
    def duty(self) -> str:
        """Return what a judge of the target is named for in a run."""
        return next(duty for duty, targets in TARGETS_OF.items() if self.target in targets)

    def differences(self, rater: Rater) -> tuple[str, ...] | None:
        """Return in what a judge of a sample differs: nothing for the same one, None for another model."""
        if not self.endpoint or not rater.endpoint:
            return () if not self.endpoint and rater.kind == EXACT_MATCH else None
        one, two = (_asked(endpoint) for endpoint in (self.endpoint, rater.endpoint))
        if (one.base_url, one.model) != (two.base_url, two.model):
            return None
        is_same_prompt = bool(self.prompt_hash) and self.prompt_hash == rater.prompt_hash
        is_same = {OTHER_PROMPT: is_same_prompt, OTHER_PARAMETERS: one.parameters == two.parameters}
        return tuple(name for name, same in is_same.items() if not same)


@dataclass(frozen=True)
class Known:
    """What is known of a judge on one target.

    `cards` are its own, the weightiest first. `only_with` says in words in what judges of the same model
    differ that people checked on the target.
    """

    judge: NamedJudge
    cards: tuple[Card, ...]
    only_with: tuple[str, ...]

    @property
    def is_validated(self) -> bool:
        """Tell whether this very judge was laid against people, whatever came out."""
        return bool(self.cards)

    @property
    def words(self) -> str:
        """Say in one line how the judge was validated, or that it was not."""
        if not self.cards:
            only = f": validated only with {' or '.join(self.only_with)}" if self.only_with else ""
            return f"not validated{only}"
        more = len(self.cards) - 1
        return self.cards[0].words + (f", and in {more} more" if more else "")


def known_of(judge: NamedJudge, found: Iterable[tuple[Rater, Card]]) -> Known:
    """Return what is known of a judge, of all judges of samples and their cards."""
    alike = list(_alike(judge, found))
    own = [card for differences, card in alike if not differences]
    others = {" and ".join(differences): None for differences, _ in alike if differences}
    return Known(judge, tuple(sorted(own, key=_weight)), tuple(others))


def _alike(judge: NamedJudge, found: Iterable[tuple[Rater, Card]]) -> Iterator[tuple[tuple[str, ...], Card]]:
    """Yield the validations of the same model on the target, with what differs."""
    for rater, card in found:
        differences = judge.differences(rater)
        if differences is not None and card.target == judge.target and card.is_validation:
            yield differences, card


def _weight(card: Card) -> tuple[bool, int, int]:
    """Sort labels that recruited people gave before examples, more items before fewer, then by run."""
    return card.is_example, -card.overall.items, -card.run


def _asked(endpoint: dict[str, Any]) -> Asked:
    return Asked(**{name: endpoint[name] for name in CHANGES_AN_ANSWER})
