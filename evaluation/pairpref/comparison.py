"""Two arms, of one run or of two, on the same contrast pairs (PairPref), compared sample by sample."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotate.agreement.contrast import Contrast, PairedTable, paired_table
from annotate.agreement.estimate import Estimate
from annotate.agreement.rows import indexed
from evaluation.pairpref.classifiers import Decisions
from evaluation.pairpref.metrics import (
    RESAMPLES,
    Answers,
    Choices,
    Measure,
    Pair,
    estimated,
    generation_measures,
    selection_measures,
)

SELECTION = ("use_positive", "use_negative", "delta", "pair_success")
GENERATION = (*SELECTION, "use_both")
TESTED = ("pair_success", "use_both")
FIRST, SECOND, DIFFERENCE = "first", "second", "difference"
NOTHING_SHARED = "no sample of a pair is in both"

type Beside = dict[str, Measure]


@dataclass(frozen=True)
class Comparison:
    """The rates of two arms on the samples of pairs that both retain, and McNemar's tables.

    `measures` has `use_positive`, `use_negative`, `delta`, `pair_success` and, of generation, `use_both`;
    `tests` has the last two. Their meaning is that of `evaluation.pairpref.metrics`; delta and the
    differences have no numerator. `shared` samples are in both arms; of these `left_out` are not retained
    in one arm or both, and all others are compared. `clusters` counts the preferences of the shared samples.

    McNemar's test takes the samples of pairs as independent; the intervals resample whole preferences.
    """

    measures: dict[str, Contrast]
    tests: dict[str, PairedTable]
    shared: int
    only_first: int
    only_second: int
    left_out: int
    clusters: int
    resamples: int
    seed: int


def compare_selections(
    first: Sequence[Choices], second: Sequence[Choices], *, seed: int, resamples: int = RESAMPLES
) -> Comparison:
    """Compare two arms of selection on the samples with a valid answer to both sides of the pair in both.

    Raises:
        ValueError: if an arm has a sample of a pair twice.
    """
    return _compared(_join(first, second), selection_measures, SELECTION, seed, resamples)


def compare_generations(
    first: Sequence[Answers], second: Sequence[Answers], *, seed: int, resamples: int = RESAMPLES
) -> Comparison:
    """Compare two arms of generation on the samples that `measure_generation` retains in both.

    Success of a pair needs its two judgements of fit in both arms besides, so it may rest on fewer.

    Raises:
        ValueError: if an arm has a sample of a pair twice.
    """
    return _compared(_join(first, second), generation_measures, GENERATION, seed, resamples)


def compare_decisions(
    first: Sequence[Decisions], second: Sequence[Decisions], *, seed: int, resamples: int = RESAMPLES
) -> Comparison:
    """Compare two classifiers, by what each decides on applying, on the pairs that both decide on both sides.

    A pair succeeds where the preference is applied on the positive side and not on the negative one.

    Raises:
        ValueError: if a classifier has a pair twice.
    """
    one, two = ([_as_choices(row) for row in side] for side in (first, second))
    return compare_selections(one, two, seed=seed, resamples=resamples)


def _as_choices(row: Decisions) -> Choices:
    """Take applying for the reply that follows the preference, and not applying for the plain one."""
    roles = {True: "memory", False: "plain", None: None}
    return Choices(row.pair, 1, roles[row.positive], roles[row.negative])


@dataclass(frozen=True)
class _Joined[Row: (Choices, Answers)]:
    """The rows of both arms that share a sample of a pair, in the same order, and how many do not."""

    first: list[Row]
    second: list[Row]
    only_first: int
    only_second: int

    @property
    def pairs(self) -> list[Pair]:
        return [row.pair for row in self.first]


def _join[Row: (Choices, Answers)](first: Sequence[Row], second: Sequence[Row]) -> _Joined[Row]:
    one, two = (
        indexed(side, lambda row: (row.pair.identifier, row.sample), "sample of a pair")
        for side in (first, second)
    )
    shared = [place for place in one if place in two]
    return _Joined(
        [one[place] for place in shared],
        [two[place] for place in shared],
        only_first=len(one) - len(shared),
        only_second=len(two) - len(shared),
    )


def _compared[Row: (Choices, Answers)](
    joined: _Joined[Row],
    measures_of: Callable[[Sequence[Row]], dict[str, Measure]],
    names: Sequence[str],
    seed: int,
    resamples: int,
) -> Comparison:
    one, two = (measures_of(side) for side in (joined.first, joined.second))
    beside = {name: _beside(one[name], two[name]) for name in names}
    shared = len(joined.first)
    return Comparison(
        measures=_contrasts(joined.pairs, beside, seed, resamples),
        tests={name: _table(beside[name]) for name in TESTED if name in names},
        shared=shared,
        only_first=joined.only_first,
        only_second=joined.only_second,
        left_out=shared - int(beside["delta"][DIFFERENCE].enters.sum()),
        clusters=len({pair.preference for pair in joined.pairs}),
        resamples=resamples,
        seed=seed,
    )


def _beside(first: Measure, second: Measure) -> Beside:
    """Return a measure of both arms, and the difference in each row, over the rows that enter in both."""
    enters, needs = first.enters & second.enters, first.needs
    one, two = first.values.astype(float), second.values.astype(float)
    values = {FIRST: one, SECOND: two, DIFFERENCE: two - one}
    return {place: Measure(numbers, enters, needs) for place, numbers in values.items()}


def _contrasts(
    pairs: Sequence[Pair], beside: Mapping[str, Beside], seed: int, resamples: int
) -> dict[str, Contrast]:
    """Estimate everything on the same resamples."""
    measures = {
        f"{place} {name}": measure for name, parts in beside.items() for place, measure in parts.items()
    }
    found = {
        name: _reworded(estimate, len(pairs), measures[name].needs)
        for name, estimate in estimated(pairs, measures, seed, resamples).items()
    }
    return {name: _contrast(name, found) for name in beside}


def _contrast(name: str, found: Mapping[str, Estimate]) -> Contrast:
    first, second, difference = (found[f"{place} {name}"] for place in (FIRST, SECOND, DIFFERENCE))
    if name == "delta":
        first, second = replace(first, numerator=None), replace(second, numerator=None)
    return Contrast(first, second, replace(difference, numerator=None))


def _reworded(found: Estimate, shared: int, needs: str) -> Estimate:
    """Let an undefined estimate say why nothing enters in both arms."""
    if found.value is not None:
        return found
    reason = f"of {shared:,} samples of pairs that are in both, none {needs}, in the first and in the second"
    return replace(found, undefined_reason=reason if shared else NOTHING_SHARED)


def _table(beside: Beside) -> PairedTable:
    enters = beside[DIFFERENCE].enters
    first, second = (beside[place].values[enters] == 1 for place in (FIRST, SECOND))
    return paired_table(first, second)
