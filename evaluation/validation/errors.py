"""How often a rater is right where people say yes, and where they say no: sensitivity and specificity."""

from dataclasses import replace

import numpy as np

from annotate.agreement.estimate import Estimate
from annotate.agreement.judge_error import JudgeError, judge_error
from evaluation.validation.answers import weights_of
from evaluation.validation.records import SampleRecord
from evaluation.validation.side_by_side import SideBySide

NEVER = "people say {answer} of no item that was answered"


def is_weighted(record: SampleRecord) -> bool:
    """Tell whether items of a sample stand for different numbers, as some strata were drawn more thinly."""
    return len(set(weights_of(record).values())) > 1


def errors_of(both: SideBySide) -> JudgeError | None:
    """Return how often a rater, the second, is right about a question of two answers; None for one of more.

    The higher answer is the positive one. Every item stands for as many as the draw says. Intervals are
    Wilson's; where items were drawn together, they draw them so.
    """
    if len(both.categories) != 2:
        return None
    no, yes = both.categories
    truths, verdicts = ([float(answer == yes) for answer in side] for side in (both.first, both.second))
    found = judge_error(verdicts, truths, both.weights)
    return replace(
        found,
        sensitivity=_as_drawn(both, yes, found.sensitivity),
        specificity=_as_drawn(both, no, found.specificity),
    )


def _as_drawn(both: SideBySide, answer: str, share: Estimate) -> Estimate:
    """Return how often this answer of people is met, with the interval that the draw asks for."""
    if share.value is None:
        return replace(share, undefined_reason=NEVER.format(answer=answer))
    of_these = np.array(both.weights) * (np.array(both.first) == answer)
    return both.as_drawn(share, of_these * (np.array(both.second) == answer), of_these)
