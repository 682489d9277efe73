"""Whether a judge may stand in for a person: the alternative annotator test over a sample."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from annotate.agreement.alternative_annotator import (
    EPSILONS,
    FEWEST_PEOPLE,
    AlternativeAnnotatorTest,
    alternative_annotator_tests,
)
from evaluation.validation.records import Item, SampleRecord

STRICTEST_FIRST = tuple(sorted(EPSILONS.values()))


@dataclass(frozen=True)
class StandIn:
    """The test of one judge at each epsilon that the paper proposes, the strictest first."""

    judge: str
    tests: tuple[AlternativeAnnotatorTest, ...]


def stand_ins(record: SampleRecord) -> list[StandIn]:
    """Return the tests of every judge; none where fewer people are in the sample than the test takes.

    Answers are compared as steps of a scale where they are such.
    """
    if len(record.people) < FEWEST_PEOPLE:
        return []
    people: dict[Hashable, list[float]] = {name: _numbers(record, name) for name in record.people}
    return [
        StandIn(
            judge.name,
            alternative_annotator_tests(
                _numbers(record, judge.name), people, epsilons=STRICTEST_FIRST, is_ordered=record.is_ordered
            ),
        )
        for judge in record.judges
    ]


def _numbers(record: SampleRecord, rater: str) -> list[float]:
    """Return a rater's answers item by item, nan where there is none."""
    return [_number(item, rater) for item in record.items]


def _number(item: Item, rater: str) -> float:
    value = item.given.get(rater)
    return np.nan if value is None else value
