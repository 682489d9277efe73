"""What every reviewer of a contrast pair confirms together (PairPref, appendix H, table 20)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import wilson_rate
from annotate.judgements import ACCEPTABILITY, NO, NONE, YES, accepted_roles
from annotate.pairs import SIDES

# The criteria of table 20 in its order, each with the words for it.
CRITERIA = {
    "positive_applicable": "positive side is applicable",
    "negative_inapplicable": "negative side is inapplicable",
    "original": "both sides match the original direction",
    "contrast": "contrast in either direction",
    "memory_accepted": "memory reply is acceptable on the positive side",
    "memory_rejected": "memory reply is not acceptable on the negative side",
}
NO_PAIR = "there is no pair that two annotators or more have all judged whole"

PairAnswers = Mapping[tuple[str, str], str]  # (side, question) -> answer


@dataclass(frozen=True)
class Confirmation:
    """What all reviewers of one pair confirm; `no_reply` lists the sides without an acceptable reply."""

    positive_applicable: bool
    negative_inapplicable: bool
    opposite: bool
    memory_accepted: bool
    memory_rejected: bool
    no_reply: tuple[str, ...]

    @property
    def original(self) -> bool:
        """Tell whether both sides match the direction that the pair was written for."""
        return self.positive_applicable and self.negative_inapplicable

    @property
    def contrast(self) -> bool:
        """Tell whether the preference applies on one side and not on the other, whichever it is."""
        return self.original or self.opposite


def confirmation(answers: Sequence[PairAnswers]) -> Confirmation:
    """Return what the answers of all reviewers of one pair confirm; *uncertain* confirms nothing.

    Raises:
        ValueError: if there are fewer than two reviewers; one alone confirms nothing jointly.
    """
    if len(answers) < 2:
        raise ValueError(f"{len(answers)} reviewers; a joint confirmation needs two or more")

    def all_say(side: str, answer: str) -> bool:
        return all(given[side, "applicability"] == answer for given in answers)

    def all_judge_memory(side: str, is_accepted: bool) -> bool:
        sets = [accepted_roles(given[side, ACCEPTABILITY]) for given in answers]
        return all(roles is not None and ("memory" in roles) is is_accepted for roles in sets)

    return Confirmation(
        positive_applicable=all_say("positive", YES),
        negative_inapplicable=all_say("negative", NO),
        opposite=all_say("positive", NO) and all_say("negative", YES),
        memory_accepted=all_judge_memory("positive", is_accepted=True),
        memory_rejected=all_judge_memory("negative", is_accepted=False),
        no_reply=tuple(
            side for side in SIDES if all(given[side, ACCEPTABILITY] == NONE for given in answers)
        ),
    )


def confirmation_rates(pairs: Sequence[Confirmation]) -> dict[str, Estimate]:
    """Return the rate of each criterion over the pairs with its Wilson interval.

    `no_reply`, no candidate is acceptable, is over the situations, two a pair.
    """
    rates = {
        name: wilson_rate(sum(getattr(pair, name) for pair in pairs), len(pairs), NO_PAIR)
        for name in CRITERIA
    }
    empty = sum(len(pair.no_reply) for pair in pairs)
    return rates | {"no_reply": wilson_rate(empty, len(SIDES) * len(pairs), NO_PAIR)}
