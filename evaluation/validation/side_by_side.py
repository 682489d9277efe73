"""Two columns of answers to the same items, and the measures of them that the draw decides on.

Items that were drawn together, the two sides of a pair, are drawn together by every interval.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from annotate.agreement.estimate import Estimate
from annotate.agreement.kappa import Weights, exact_agreement, weighted_kappa
from annotate.agreement.resampled_agreement import paired_agreement
from annotate.agreement.resampling import clustered_rates, with_interval
from annotate.agreement.tables import Integers, table_of
from evaluation.validation.answers import Answers, together_of, weights_of
from evaluation.validation.records import SampleRecord

RESAMPLES = 5_000


@dataclass(frozen=True)
class SideBySide:
    """The answers of two raters, one an item that both answered.

    `together` says what each item was drawn with, `weights` for how many it stands. `is_ordered` tells that
    the categories are steps of a scale.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    together: tuple[Hashable, ...]
    weights: tuple[float, ...]
    categories: tuple[str, ...]
    is_ordered: bool
    seed: int

    @property
    def table(self) -> Integers:
        """Return how often each two answers were given, a row an answer of the first."""
        return table_of(self.first, self.second, self.categories)

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Return the rows of the table."""
        return tuple(tuple(row) for row in self.table.tolist())

    @property
    def are_apart(self) -> bool:
        """Tell whether no two items were drawn together."""
        return len(set(self.together)) == len(self.together)

    def agreement(self) -> Estimate:
        """Return the share of equal answers, with its Wilson interval or that of drawn pairs."""
        alike = [one == two for one, two in zip(self.first, self.second, strict=True)]
        return self.as_drawn(exact_agreement(self.table, self.categories), alike, [1] * len(alike))

    def kappas(self) -> dict[Weights, Estimate]:
        """Return kappa, and the weighted ones of a scale, with their large-sample intervals or drawn ones."""
        weighted: tuple[Weights, ...] = ("linear", "quadratic") if self.is_ordered else ()
        if self.are_apart:
            weights: tuple[Weights, ...] = ("none", *weighted)
            return {weight: weighted_kappa(self.table, self.categories, weight) for weight in weights}
        drawn = paired_agreement(
            self.first,
            self.second,
            self.together,
            self.categories,
            seed=self.seed,
            weights=weighted,
            resamples=RESAMPLES,
        )
        return {"none": drawn.kappa, **drawn.weighted}

    def as_drawn(self, rate: Estimate, numerators: ArrayLike, denominators: ArrayLike) -> Estimate:
        """Return a rate over the items, with the interval of drawn pairs where items were drawn together."""
        if self.are_apart:
            return rate
        of_items = {"rate": numerators}, {"rate": denominators}
        drawn = clustered_rates(*of_items, self.together, seed=self.seed, resamples=RESAMPLES).rate("rate")
        return with_interval(rate, drawn.interval, drawn.no_interval_reason)


def side_by_side(record: SampleRecord, first: Answers, second: Answers) -> SideBySide:
    """Lay two raters' answers side by side, in the order of the items, where both answered."""
    numbers = [item.number for item in record.items if item.number in first and item.number in second]
    weights = weights_of(record)
    return SideBySide(
        first=tuple(first[number] for number in numbers),
        second=tuple(second[number] for number in numbers),
        together=tuple(together_of(record, numbers)),
        weights=tuple(weights[number] for number in numbers),
        categories=record.value_words,
        is_ordered=record.is_ordered,
        seed=record.seed,
    )
