"""Each judge against the reference of people, and each person against that of the others, in one form."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evaluation.validation.agreement import TwoRaters, two_raters
from evaluation.validation.answers import Answers, answers_of, only
from evaluation.validation.records import Item, Rater, SampleRecord
from evaluation.validation.reference import Reference, reference_of

FEW = 10


@dataclass(frozen=True)
class Measured:
    """A rater against a reference over some items, of which few say little.

    in the table of `found` a row is an answer of the reference, a column one of the rater.
    """

    found: TwoRaters
    is_few: bool


@dataclass(frozen=True)
class AgainstPeople:
    """A judge against people, or a person against the others: overall and in parts.

    The items of `overall`, `without_reference` and `without_answer` (those with a reference that the rater
    did not answer) add up to the items of the sample. An item of several domains counts in each.
    """

    rater: str
    kind: str
    overall: Measured
    without_reference: int
    without_answer: int
    by_part: dict[str, Measured]
    by_category: dict[str, Measured]
    by_domain: dict[str, Measured]


def judges_against_people(record: SampleRecord) -> list[AgainstPeople]:
    """Return every judge against the reference of all people."""
    reference = reference_of(record)
    return [_against(record, judge, reference) for judge in record.judges]


def people_against_others(record: SampleRecord) -> list[AgainstPeople]:
    """Return every person against the reference of the others; none where there is but one person."""
    people = [rater for rater in record.raters if rater.is_person]
    if len(people) < 2:
        return []
    others = {one.name: [two.name for two in people if two is not one] for one in people}
    return [_against(record, person, reference_of(record, others[person.name])) for person in people]


def _against(record: SampleRecord, rater: Rater, reference: Reference) -> AgainstPeople:
    answers = answers_of(record)[rater.name]
    overall = _measured(record, reference.values, answers)
    return AgainstPeople(
        rater=rater.name,
        kind=rater.kind,
        overall=overall,
        without_reference=len(record.items) - len(reference.values),
        without_answer=len(reference.values) - overall.found.items,
        by_part=_in_parts(record, reference.values, answers, _part),
        by_category=_in_parts(record, reference.values, answers, _category),
        by_domain=_in_parts(record, reference.values, answers, lambda item: item.unit.domains),
    )


def _part(item: Item) -> Iterable[str]:
    return [item.unit.part] if item.unit.part else []


def _category(item: Item) -> Iterable[str]:
    return [item.unit.category] if item.unit.category else []


def _in_parts(
    record: SampleRecord, reference: Answers, answers: Answers, names: Callable[[Item], Iterable[str]]
) -> dict[str, Measured]:
    parts: dict[str, list[Item]] = {}
    for item in record.items:
        for name in names(item):
            parts.setdefault(name, []).append(item)
    return {name: _measured(only(record, parts[name]), reference, answers) for name in sorted(parts)}


def _measured(record: SampleRecord, reference: Answers, answers: Answers) -> Measured:
    found = two_raters(record, reference, answers)
    return Measured(found, is_few=found.items < FEW)
