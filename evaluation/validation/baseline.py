"""Each judge beside people: does it agree with them as often as they agree with each other?"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from annotate.agreement.estimate import Estimate
from annotate.agreement.resampling import clustered_rates
from evaluation.validation.answers import Answers, answers_of, together_of
from evaluation.validation.records import SampleRecord
from evaluation.validation.side_by_side import RESAMPLES


@dataclass(frozen=True)
class BesidePeople:
    """How often a judge and a person agree, and two people, on the same items; averaged over items.

    The `items` that enter are those that the judge and two or more people answered. The difference, judge -
    people, is taken draw by draw over items.
    """

    judge: str
    items: int
    left_out: int
    with_people: Estimate
    among_people: Estimate
    difference: Estimate


def beside_people(record: SampleRecord) -> list[BesidePeople]:
    """Return every judge beside people; none where fewer than two people are in the sample."""
    if len(record.people) < 2:
        return []
    answers = answers_of(record)
    people = [answers[name] for name in record.people]
    return [_beside(record, judge.name, answers[judge.name], people) for judge in record.judges]


def _beside(record: SampleRecord, name: str, judge: Answers, people: list[Answers]) -> BesidePeople:
    shares = {item.number: found for item in record.items for found in _shares(item.number, judge, people)}
    ones = [1] * len(shares)
    rates = clustered_rates(
        {
            "with_people": [with_people for with_people, _ in shares.values()],
            "among_people": [among_people for _, among_people in shares.values()],
        },
        {"with_people": ones, "among_people": ones},
        together_of(record, shares),
        seed=record.seed,
        resamples=RESAMPLES,
    )
    return BesidePeople(
        judge=name,
        items=len(shares),
        left_out=len(record.items) - len(shares),
        with_people=rates.rate("with_people"),
        among_people=rates.rate("among_people"),
        difference=rates.difference("with_people", minus="among_people"),
    )


def _shares(number: int, judge: Answers, people: list[Answers]) -> Iterator[tuple[float, float]]:
    """Yield the shares of equal pairs of answers on an item: judge with person, person with person."""
    given = [answers[number] for answers in people if number in answers]
    if number in judge and len(given) > 1:
        alike = [one == two for one, two in combinations(given, 2)]
        yield fmean(judge[number] == answer for answer in given), fmean(alike)
