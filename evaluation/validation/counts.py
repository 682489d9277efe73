"""How much of a sample has been answered; every row adds up to its items."""

from dataclasses import dataclass

from evaluation.validation.answers import answers_of
from evaluation.validation.records import Rater, SampleRecord
from evaluation.validation.reference import reference_of


@dataclass(frozen=True)
class RaterCounts:
    """What one rater did with the items: three numbers that add up to them.

    `no_answer` is a person's *cannot tell*, and what could not be read of a judge.
    """

    rater: str
    kind: str
    answered: int
    no_answer: int
    not_given: int


@dataclass(frozen=True)
class SampleCounts:
    """How many items there are, and what people said of them.

    `with_reference`, `divided`, `cannot_tell` and `unlabelled` add up to the items. `by_one`, `by_two` and
    `by_all` are those that at least so many people answered, `changed` those whose answer the run has since
    read differently.
    """

    items: int
    with_reference: int
    divided: int
    cannot_tell: int
    unlabelled: int
    by_one: int
    by_two: int
    by_all: int
    changed: int
    raters: tuple[RaterCounts, ...]


def counts_of(record: SampleRecord) -> SampleCounts:
    """Count the items of a sample by what people and judges did with them."""
    answers, reference = answers_of(record), reference_of(record)
    people = [answers[name] for name in record.people]
    answered = [sum(item.number in given for given in people) for item in record.items]
    return SampleCounts(
        items=len(record.items),
        with_reference=len(reference.values),
        divided=len(reference.divided),
        cannot_tell=len(reference.cannot_tell),
        unlabelled=len(reference.unlabelled),
        by_one=sum(number >= 1 for number in answered),
        by_two=sum(number >= 2 for number in answered),
        by_all=sum(number == len(people) > 0 for number in answered),
        changed=sum(item.is_changed for item in record.items),
        raters=tuple(_of_rater(record, rater, len(answers[rater.name])) for rater in record.raters),
    )


def _of_rater(record: SampleRecord, rater: Rater, answered: int) -> RaterCounts:
    given = sum(rater.name in item.given for item in record.items)
    return RaterCounts(rater.name, rater.kind, answered, given - answered, len(record.items) - given)
