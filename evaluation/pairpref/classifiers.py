"""Classifiers that decide on a preference without answering (PairPref, appendix F.5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotate.agreement.estimate import Estimate
from annotate.agreement.rows import mask_of
from evaluation.pairpref.metrics import (
    RESAMPLES,
    Counts,
    Measure,
    Measured,
    Pair,
    any_of,
    measured,
    missing_sides,
)

BOTH_DECIDED = "has a decision on both sides whether to apply the preference"
BOTH_RELEVANCES = "has a decision on both sides whether the preference is relevant"
BOTH_SUFFICIENCIES = "has a decision on both sides whether what is known is sufficient"


@dataclass(frozen=True)
class Decisions:
    """What one head of a classifier decided on each side of a pair; None where nothing valid came."""

    pair: Pair
    positive: bool | None
    negative: bool | None


@dataclass(frozen=True)
class DecisionRates(Counts):
    """The rates of a classifier, from 0 to 1, delta from -1 to 1 and without numerator.

    Use and delta are those of applying, over the retained pairs, which have both decisions to apply or
    not. `both_relevant` and `both_sufficient` are each over the pairs with both decisions of that head.
    """

    use_positive: Estimate
    use_negative: Estimate
    delta: Estimate
    both_relevant: Estimate
    both_sufficient: Estimate


def same_on_both_sides(pair: Pair, decision: bool | None) -> Decisions:
    """Return the one decision of a classifier that sees no situation, as it counts on both sides."""
    return Decisions(pair, decision, decision)


def measure_decisions(
    apply: Sequence[Decisions],
    relevant: Sequence[Decisions] = (),
    sufficient: Sequence[Decisions] = (),
    *,
    seed: int,
    resamples: int = RESAMPLES,
) -> Measured[DecisionRates]:
    """Return the rates of the heads, joined by pair, with percentile intervals over whole preferences.

    A classifier without a head gives no decisions for it.

    Raises:
        ValueError: if a head has a pair twice.
    """
    heads = [_by_pair(head) for head in (apply, relevant, sufficient)]
    pairs = list({identifier: row.pair for head in heads for identifier, row in head.items()}.values())
    applied, relevances, sufficiencies = ([_decided(head, pair) for pair in pairs] for head in heads)
    excluded = missing_sides([row.positive for row in applied], [row.negative for row in applied])
    valid = ~any_of(excluded)
    used = mask_of(bool(row.positive) for row in applied)
    misused = mask_of(bool(row.negative) for row in applied)
    measures = {
        "use_positive": Measure(used, valid, BOTH_DECIDED),
        "use_negative": Measure(misused, valid, BOTH_DECIDED),
        "delta": Measure(used.astype(float) - misused, valid, BOTH_DECIDED),
        "both_relevant": _yes_on_both(relevances, BOTH_RELEVANCES),
        "both_sufficient": _yes_on_both(sufficiencies, BOTH_SUFFICIENCIES),
    }
    return measured(DecisionRates, pairs, measures, excluded, seed, resamples)


def _by_pair(rows: Iterable[Decisions]) -> dict[str, Decisions]:
    found: dict[str, Decisions] = {}
    for row in rows:
        if row.pair.identifier in found:
            raise ValueError(f"pair {row.pair.identifier} is there twice")
        found[row.pair.identifier] = row
    return found


def _decided(head: dict[str, Decisions], pair: Pair) -> Decisions:
    return head.get(pair.identifier) or same_on_both_sides(pair, None)


def _yes_on_both(rows: Sequence[Decisions], needs: str) -> Measure:
    decided = mask_of(row.positive is not None and row.negative is not None for row in rows)
    return Measure(mask_of(bool(row.positive and row.negative) for row in rows), decided, needs)
