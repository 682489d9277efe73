"""Each judge against the reference of people, and each person against that of the others, in one form."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotate.agreement.estimate import Estimate
from annotate.agreement.judge_error import JudgeError
from evaluation.validation.agreement import TwoRaters, two_raters
from evaluation.validation.answers import answers_of, own_part, parts_of
from evaluation.validation.errors import errors_of
from evaluation.validation.records import Rater, SampleRecord, Unit
from evaluation.validation.reference import Reference, reference_of
from evaluation.validation.side_by_side import SideBySide, side_by_side

FEW = 10


@dataclass(frozen=True)
class Measured:
    """A rater against a reference over some items, of which few say little.

    In the table of `found` a row is an answer of the reference, a column one of the rater. `errors` is None
    for a question of more than two answers.
    """

    found: TwoRaters
    errors: JudgeError | None
    is_few: bool


@dataclass(frozen=True)
class Share:
    """The agreement of a rater with a reference over a category or a domain, with its table of answers."""

    agreement: Estimate
    table: tuple[tuple[int, ...], ...]
    items: int
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
    by_category: dict[str, Share]
    by_domain: dict[str, Share]


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

    def both(part: SampleRecord) -> SideBySide:
        return side_by_side(part, reference.values, answers)

    overall = _measured(record, both(record))
    return AgainstPeople(
        rater=rater.name,
        kind=rater.kind,
        overall=overall,
        without_reference=len(record.items) - len(reference.values),
        without_answer=len(reference.values) - overall.found.items,
        by_part={name: _measured(part, both(part)) for name, part in parts_of(record, own_part).items()},
        by_category={name: _share(both(part)) for name, part in parts_of(record, _category).items()},
        by_domain={name: _share(both(part)) for name, part in parts_of(record, _domains).items()},
    )


def _category(unit: Unit) -> Iterable[str]:
    return filter(None, [unit.category])


def _domains(unit: Unit) -> Iterable[str]:
    return unit.domains


def _measured(record: SampleRecord, both: SideBySide) -> Measured:
    found = two_raters(record, both)
    return Measured(found, errors_of(both), is_few=found.items < FEW)


def _share(both: SideBySide) -> Share:
    items = len(both.first)
    return Share(both.agreement(), both.rows, items, is_few=items < FEW)
