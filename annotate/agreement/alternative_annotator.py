"""Whether a judge may stand in for a person: the alternative annotator test (Calderon, Reichart & Dror 2025).

Each person is left out in turn. On every item that the person, the judge and somebody else answered, person
and judge are scored against the others; who scores no worse than the other has the advantage, on a tie both.
The judge wins against a person whose advantage is less than epsilon above the judge's, by a one-sided test;
epsilon is what the judge's lower price is worth. A judge who wins against half of the people or more passes.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import false_discovery_control, rankdata, t

from annotate.agreement.estimate import Estimate
from annotate.agreement.tables import Floats

# What the paper proposes, by who the people are.
EPSILONS = {"experts": 0.2, "skilled annotators": 0.15, "crowd workers": 0.1}
FALSE_DISCOVERIES = 0.05
FEWEST_PEOPLE = 3
ENOUGH_FOR_T = 30
PASSING_RATE = 0.5
GRID = np.arange(101) / 100
CLOSE = 1e-9

FEW_PEOPLE = "{people} people answered items of this sample; the test takes {fewest} or more"
FEW_ITEMS = (
    "{enough} of {people} people answered {items} items or more together with the judge and another person;"
    " it takes {fewest} such people, and on fewer items no judge could win"
)
NEVER_PASSES = "the judge passes at no epsilon up to 1"


@dataclass(frozen=True)
class LeftOut:
    """The judge beside one person, both against the others, on `items` items.

    `judge_advantage` is the share of items on which the judge does no worse than the person,
    `person_advantage` the share the other way round. `p` is before the correction for several people.
    """

    person: Hashable
    items: int
    judge_advantage: float
    person_advantage: float
    test: str
    p: float
    is_won: bool


@dataclass(frozen=True)
class AlternativeAnnotatorTest:
    """The test at one epsilon; where it is refused, `passes` is `None` and every estimate says why.

    `items` have answers of the judge and two people or more; `skipped` people share too few of them.
    `average_advantage` is the judge's, over the people; `smallest_epsilon`, in steps of 0.01, is where the
    judge begins to pass.
    """

    epsilon: float
    items: int
    people: tuple[LeftOut, ...]
    skipped: tuple[Hashable, ...]
    winning_rate: Estimate
    average_advantage: Estimate
    smallest_epsilon: Estimate
    passes: bool | None


def alternative_annotator_test(
    judge: ArrayLike, people: Mapping[Hashable, ArrayLike], *, epsilon: float, is_ordered: bool = False
) -> AlternativeAnnotatorTest:
    """Test whether the judge may stand in for one of the people, at one epsilon.

    Raises:
        ValueError: as `alternative_annotator_tests`.
    """
    [test] = alternative_annotator_tests(judge, people, epsilons=[epsilon], is_ordered=is_ordered)
    return test


def alternative_annotator_tests(
    judge: ArrayLike,
    people: Mapping[Hashable, ArrayLike],
    *,
    epsilons: Sequence[float],
    is_ordered: bool = False,
) -> tuple[AlternativeAnnotatorTest, ...]:
    """Return the test at each epsilon.

    `judge` and each of `people` are numbers of shape (items,), nan where there is no answer; who answered
    nothing is no one. The score against the others is the share of equal answers, for ordered answers minus
    the root mean squared difference. The test is a t-test where a person has 30 items or more, else
    Wilcoxon's signed-rank test, exact; Benjamini & Yekutieli (2001) at 0.05 over the people. Items count as
    independent.

    Raises:
        ValueError: if lengths differ or an epsilon is outside 0 to 1.
    """
    for epsilon in epsilons:
        if not 0 <= epsilon <= 1:
            raise ValueError(f"epsilon is {epsilon}; expected 0 to 1")
    judged, given = _columns(judge, people)
    names = [name for name, column in zip(people, given.T, strict=True) if not np.isnan(column).all()]
    given, needed = given[:, ~np.isnan(given).all(axis=0)], fewest_items(len(names))
    items = int((~np.isnan(judged) & ((~np.isnan(given)).sum(axis=1) > 1)).sum())
    advantages = {name: _advantages(judged, given, place, is_ordered) for place, name in enumerate(names)}
    tested = {name: found for name, found in advantages.items() if len(found) >= needed}
    skipped = tuple(name for name in names if name not in tested)
    if len(tested) < FEWEST_PEOPLE:
        words = _few(len(names), len(tested), needed)
        return tuple(_refused(epsilon, items, skipped, words) for epsilon in epsilons)
    tries = np.append(GRID, epsilons)
    p = np.array([_p_values(found[:, 1] - found[:, 0], tries) for found in tested.values()])
    is_won = false_discovery_control(p, axis=0, method="by") <= FALSE_DISCOVERIES
    smallest = _smallest(is_won[:, : len(GRID)].mean(axis=0) >= PASSING_RATE)
    return tuple(
        _tested(epsilon, items, skipped, tested, smallest, p[:, place], is_won[:, place])
        for place, epsilon in enumerate(epsilons, start=len(GRID))
    )


def _tested(
    epsilon: float,
    items: int,
    skipped: tuple[Hashable, ...],
    tested: Mapping[Hashable, NDArray[np.int64]],
    smallest: Estimate,
    p: Floats,
    is_won: NDArray[np.bool_],
) -> AlternativeAnnotatorTest:
    people = tuple(
        _left_out(name, found, *test) for (name, found), *test in zip(tested.items(), p, is_won, strict=True)
    )
    return AlternativeAnnotatorTest(
        epsilon,
        items,
        people,
        skipped,
        Estimate(float(is_won.mean()), int(is_won.sum()), len(people)),
        Estimate(float(np.mean([one.judge_advantage for one in people])), denominator=len(people)),
        smallest,
        bool(is_won.mean() >= PASSING_RATE),
    )


def fewest_items(people: int) -> int:
    """Return how many items of each person it takes for half of the people to be won at all.

    The smallest p that the signed-rank test of n items can give is 2^-n.
    """
    people = max(people, FEWEST_PEOPLE)
    wins, harmonic = ceil(people * PASSING_RATE), sum(1 / rank for rank in range(1, people + 1))
    return ceil(-log2(wins / people * FALSE_DISCOVERIES / harmonic))


def _columns(judge: ArrayLike, people: Mapping[Hashable, ArrayLike]) -> tuple[Floats, Floats]:
    judged = np.asarray(judge, dtype=float)
    given = [np.asarray(column, dtype=float) for column in people.values()]
    if judged.ndim != 1 or any(column.shape != judged.shape for column in given):
        shapes = [column.shape for column in given]
        raise ValueError(f"the judge's answers have shape {judged.shape}, people's {shapes}")
    return judged, np.array(given).reshape(len(given), len(judged)).T


def _advantages(judged: Floats, given: Floats, place: int, is_ordered: bool) -> NDArray[np.int64]:
    """Return, an item a row, whether the judge does no worse than the person, and the other way round."""
    person, others = given[:, place], np.delete(given, place, axis=1)
    shared = ~np.isnan(judged) & ~np.isnan(person) & ~np.isnan(others).all(axis=1)
    ahead = _score(judged[shared], others[shared], is_ordered)
    ahead -= _score(person[shared], others[shared], is_ordered)
    return np.stack([ahead >= -CLOSE, ahead <= CLOSE], axis=1).astype(np.int64)


def _score(answers: Floats, others: Floats, is_ordered: bool) -> Floats:
    apart = answers[:, None] - others
    if is_ordered:
        return -np.sqrt(np.nanmean(apart**2, axis=1))
    return np.nanmean(np.where(np.isnan(apart), np.nan, apart == 0), axis=1)


def _p_values(differences: NDArray[np.int64], epsilons: Floats) -> Floats:
    """Return for each epsilon how likely differences as low as these are if their mean is epsilon."""
    count, mean = len(differences), float(differences.mean())
    if count < ENOUGH_FOR_T:
        return np.array([_signed_rank(differences - epsilon) for epsilon in epsilons])
    error = float(differences.std(ddof=1)) / sqrt(count)
    if not error:
        return np.where(mean < epsilons, 0.0, 1.0)
    return t.cdf((mean - epsilons) / error, count - 1)


def _signed_rank(values: Floats) -> float:
    """Return Wilcoxon's exact one-sided p that values lie below 0, given their ties (Wilcoxon 1945)."""
    values = np.round(values[np.abs(values) > CLOSE], 9)
    if not values.size:
        return 1.0
    # Twice the ranks are whole numbers, though tied ones are halves.
    ranks = np.rint(2 * rankdata(np.abs(values))).astype(int)
    chances = np.ones(1)
    for rank in ranks:
        longer = np.zeros(len(chances) + rank)
        longer[: len(chances)] += chances / 2
        longer[rank:] += chances / 2
        chances = longer
    return float(chances[: ranks[values > 0].sum() + 1].sum())


def _left_out(name: Hashable, advantages: NDArray[np.int64], p: float, is_won: bool) -> LeftOut:
    judge, person = (float(share) for share in advantages.mean(axis=0))
    test = "t-test" if len(advantages) >= ENOUGH_FOR_T else "Wilcoxon's signed-rank test"
    return LeftOut(name, len(advantages), judge, person, test, float(p), bool(is_won))


def _smallest(passes: NDArray[np.bool_]) -> Estimate:
    if not passes.any():
        return Estimate(None, undefined_reason=NEVER_PASSES)
    return Estimate(float(GRID[passes.argmax()]))


def _few(people: int, tested: int, items: int) -> str:
    if people < FEWEST_PEOPLE:
        return FEW_PEOPLE.format(people=people, fewest=FEWEST_PEOPLE)
    return FEW_ITEMS.format(enough=tested, people=people, items=items, fewest=FEWEST_PEOPLE)


def _refused(
    epsilon: float, items: int, skipped: tuple[Hashable, ...], words: str
) -> AlternativeAnnotatorTest:
    nothing = Estimate(None, undefined_reason=words)
    return AlternativeAnnotatorTest(epsilon, items, (), skipped, nothing, nothing, nothing, None)
