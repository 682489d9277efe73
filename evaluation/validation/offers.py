"""How much of a run can be drawn into validation samples, before any is drawn."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.records import RunRecord
from evaluation.targets import QUESTIONS_FOR_PEOPLE
from evaluation.validation.units import judged_arms, units_of, unread_units, why_none


@dataclass(frozen=True)
class Offer:
    """What a run has for one question: items that can be drawn and items whose verdict was not read, by arm.

    `why_none` is the end of a sentence, empty where something can be drawn.
    """

    question: str
    items: dict[str, int]
    not_read: dict[str, int]
    why_none: str

    @property
    def total(self) -> int:
        """Return how many items can be drawn of all arms."""
        return sum(self.items.values())

    @property
    def rows(self) -> list[tuple[str, int, int]]:
        """Return (arm, items, items not read) in the order of the plan."""
        return [(arm, self.items[arm], self.not_read[arm]) for arm in self.items]


def offers_of(record: RunRecord, questions: Iterable[str]) -> list[Offer]:
    """Return what a run has for each question, by its name in `QUESTIONS_FOR_PEOPLE`."""
    return [_offer(record, question) for question in questions]


def _offer(record: RunRecord, question: str) -> Offer:
    target = QUESTIONS_FOR_PEOPLE[question]
    units = Counter(unit.arm for unit in units_of(record, target))
    arms = judged_arms(record, target)
    return Offer(
        question=question,
        items={arm: units[arm] for arm in arms},
        not_read={arm: unread_units(record, target, [arm]) for arm in arms},
        why_none="" if units else why_none(record, target),
    )
