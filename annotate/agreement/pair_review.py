"""How far two reviewers of contrast pairs agree (PairPref, appendix H, table 19).

Answers are {(pair, side, question): answer}, as `annotate.judgements` has them. Only pairs enter that both
reviewers answered whole, question by question; how many do not is counted. Intervals draw whole pairs.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotate.agreement.coefficients import gwet_ac1
from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import wilson_rate
from annotate.agreement.jaccard import mean_jaccard
from annotate.agreement.kappa import NO_UNIT, expected_agreement
from annotate.agreement.resampled_agreement import paired_agreement
from annotate.agreement.resampling import clustered_rates
from annotate.agreement.tables import counts_of_table, table_of
from annotate.agreement.two_raters import specific_agreement
from annotate.judgements import ACCEPTABILITY, CONTROL, YES_NO, accepted_roles
from annotate.pairs import ROLES, SIDES

RESAMPLES = 5_000
ACCEPTED, REJECTED = "accepted", "rejected"
ABOUT_ZERO = 0.05

Pair = Hashable
Answers = Mapping[Any, str]


@dataclass(frozen=True)
class Dimension:
    """Agreement of two reviewers on one question, and what explains their kappa.

    `first_used` and `second_used` say how often each gave each answer. `shared_exceptions` counts the
    judgements in which both gave one and the same answer other than the first.
    """

    question: str
    categories: tuple[str, ...]
    judgements: int
    pairs_left_out: int
    agreement: Estimate
    kappa: Estimate
    expected: Estimate
    gwet_ac1: Estimate
    positive: Estimate
    negative: Estimate
    prevalence_index: Estimate
    first_used: dict[str, int]
    second_used: dict[str, int]
    shared_exceptions: int


@dataclass(frozen=True)
class SetAgreement:
    """Agreement on which replies are acceptable.

    `whole_set` is over all situations, *uncertain* being an answer like the others; `replies`, one
    judgement a reply, and the mean Jaccard index are over those that neither found uncertain.
    """

    situations: int
    uncertain: int
    whole_set: Estimate
    replies: Dimension
    jaccard: Estimate
    both_empty: int


def question_agreement(
    question: str, first: Answers, second: Answers, pairs: Sequence[Pair], *, seed: int
) -> Dimension:
    """Return the agreement on a question with the answers yes, no and uncertain, over `pairs`."""
    sides = ("",) if question == CONTROL else SIDES
    keys = [(pair, side, question) for pair in pairs for side in sides]
    one, two = ([answers.get(key) for key in keys] for answers in (first, second))
    return _dimension(question, one, two, [pair for pair, _, _ in keys], YES_NO, seed)


def set_agreement(first: Answers, second: Answers, pairs: Sequence[Pair], *, seed: int) -> SetAgreement:
    """Return the agreement on the acceptable replies; *none* is four rejections, two *none* overlap by 1."""
    complete = [
        pair
        for pair in pairs
        if all((pair, side, ACCEPTABILITY) in answers for side in SIDES for answers in (first, second))
    ]
    keys = [(pair, side, ACCEPTABILITY) for pair in complete for side in SIDES]
    sets = [(key[0], accepted_roles(first[key]), accepted_roles(second[key])) for key in keys]
    sure = [(pair, one, two) for pair, one, two in sets if one is not None and two is not None]
    jaccard = mean_jaccard((one, two) for _, one, two in sure)
    overlaps = [mean_jaccard([(one, two)]).mean.value for _, one, two in sure]
    alike = [first[key] == second[key] for key in keys]
    whole_set = wilson_rate(sum(alike), len(keys), NO_UNIT)
    one, two = (
        [ACCEPTED if role in accepted else REJECTED for accepted in column for role in ROLES]
        for column in ([one for _, one, _ in sure], [two for _, _, two in sure])
    )
    places = [pair for pair, _, _ in sure for _ in ROLES]
    replies = _dimension(ACCEPTABILITY, one, two, places, (ACCEPTED, REJECTED), seed)
    return SetAgreement(
        situations=len(keys),
        uncertain=len(sets) - len(sure),
        whole_set=_mean_by_pair(whole_set, alike, [pair for pair, _, _ in sets], seed),
        replies=replace(replies, pairs_left_out=len(pairs) - len(complete)),
        jaccard=_mean_by_pair(jaccard.mean, overlaps, [pair for pair, _, _ in sure], seed),
        both_empty=jaccard.both_empty,
    )


def _mean_by_pair(found: Estimate, values: Sequence[Any], pairs: Sequence[Pair], seed: int) -> Estimate:
    """Give a mean over situations the interval of resampled pairs: the situations of one move together."""
    if found.value is None:
        return found
    of_pairs: dict[Pair, list[float]] = {}
    for pair, value in zip(pairs, values, strict=True):
        of_pairs.setdefault(pair, []).append(value)
    # In order of their values, so that the order of the pairs does not decide the interval.
    sums, counts = zip(*sorted((sum(each), len(each)) for each in of_pairs.values()), strict=True)
    rates = clustered_rates(
        {"mean": sums}, {"mean": counts}, range(len(sums)), seed=seed, resamples=RESAMPLES
    )
    drawn = rates.rate("mean")
    return replace(found, interval=drawn.interval, no_interval_reason=drawn.no_interval_reason)


def explanation(dimension: Dimension) -> str:
    """Say in a sentence or two what kappa rests on; the paradox of high agreement explains itself."""
    if not dimension.judgements or dimension.agreement.value is None or dimension.expected.value is None:
        return ""
    usual = dimension.categories[0]
    exceptions = [
        dimension.judgements - used[usual] for used in (dimension.first_used, dimension.second_used)
    ]
    margins = (
        f"Answers other than {usual}: {exceptions[0]:,} and {exceptions[1]:,} of {dimension.judgements:,}"
    )
    if dimension.kappa.value is None:
        why = f"Kappa is undefined, as {dimension.kappa.undefined_reason}"
        return f"{margins}. {why}: there is nothing to agree on by more than chance."
    chance = f"{100 * dimension.expected.value:.2f} % would be expected from how often each gives each answer"
    outcome = ", so kappa is about zero" if abs(dimension.kappa.value) < ABOUT_ZERO else ""
    shared = f"{margins}, {dimension.shared_exceptions:,} of them shared"
    return f"They agree on {100 * dimension.agreement.value:.2f} %; {chance}{outcome}. {shared}."


def _dimension(
    question: str,
    first: Sequence[str | None],
    second: Sequence[str | None],
    pairs: Sequence[Pair],
    categories: tuple[str, ...],
    seed: int,
) -> Dimension:
    broken = {pair for pair, *both in zip(pairs, first, second, strict=True) if None in both}
    whole = [pair not in broken for pair in pairs]
    one, two = (
        [value for value, is_in in zip(values, whole, strict=True) if is_in] for values in (first, second)
    )
    table = table_of(one, two, categories)
    measured = paired_agreement(first, second, pairs, categories, seed=seed, resamples=RESAMPLES)
    both, neither = int(table[0, 0]), int(table[1, 1])
    return Dimension(
        question=question,
        categories=categories,
        judgements=len(one),
        pairs_left_out=len(broken),
        agreement=measured.agreement,
        kappa=measured.kappa,
        expected=expected_agreement(table, categories),
        gwet_ac1=gwet_ac1(counts_of_table(table), categories),
        positive=specific_agreement(table, categories, categories[0]),
        negative=specific_agreement(table, categories, categories[1]),
        prevalence_index=_prevalence(both, neither, len(one)),
        first_used=_used(one, categories),
        second_used=_used(two, categories),
        shared_exceptions=int(np.trace(table)) - both,
    )


def _prevalence(both: int, neither: int, units: int) -> Estimate:
    """Return (both yes - both no) / N, of three answers too; Byrt et al. 1993 define it for two."""
    if not units:
        return Estimate(None, both - neither, 0, undefined_reason=NO_UNIT)
    return Estimate((both - neither) / units, both - neither, units)


def _used(values: Sequence[str | None], categories: Sequence[str]) -> dict[str, int]:
    counts = Counter(values)
    return {category: counts[category] for category in categories}
