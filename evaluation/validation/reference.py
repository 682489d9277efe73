"""What people say of an item together: the reference that a judge is laid against."""

from collections.abc import Collection
from dataclasses import dataclass

from evaluation.validation.answers import Answers, answers_of
from evaluation.validation.records import Item, SampleRecord


@dataclass(frozen=True)
class Reference:
    """The median of people's answers by item, and the numbers of the items that have none, by reason.

    `divided`: an even number of answers leaves two different middle ones. `cannot_tell`: all who labelled
    the item could not tell. `unlabelled`: nobody did.
    """

    values: Answers
    divided: tuple[int, ...]
    cannot_tell: tuple[int, ...]
    unlabelled: tuple[int, ...]


def reference_of(record: SampleRecord, people: Collection[str] | None = None) -> Reference:
    """Return the reference of some people, or of all; every item is in one of its four parts."""
    names = record.people if people is None else people
    every = answers_of(record)
    values, divided, cannot_tell, unlabelled = {}, [], [], []
    for item in record.items:
        answers = [every[name][item.number] for name in names if item.number in every[name]]
        if answers:
            middle = _middle(record, answers)
            if middle is None:
                divided.append(item.number)
            else:
                values[item.number] = middle
        elif _is_labelled(item, names):
            cannot_tell.append(item.number)
        else:
            unlabelled.append(item.number)
    return Reference(values, tuple(divided), tuple(cannot_tell), tuple(unlabelled))


def _middle(record: SampleRecord, answers: list[str]) -> str | None:
    """Return the median of answers; None where there are two middle ones and they differ."""
    ordered = sorted(answers, key=record.value_words.index)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else None


def _is_labelled(item: Item, people: Collection[str]) -> bool:
    return any(name in item.given for name in people)
