"""How a model uses a preference where it fits and where it does not (PairPref, section 4.1).

A row is one sample of a contrast pair. Use+ and Use- are the means of its use u on the two sides, delta is
Use+ - Use-. In selection u is 1 where the reply that follows the preference was chosen, else 0, off-task
replies included; in generation u is a judged uptake of 0, 0.5 or 1. Only rows with both sides valid enter;
every other row is counted under one reason. Intervals resample whole preferences.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.coefficients import divided
from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import ONE_CLUSTER
from annotate.agreement.resampling import clustered_rates, percentile_interval, with_interval
from annotate.agreement.rows import mask_of
from annotate.pairs import CATEGORIES, DOMAINS, ROLES, TIERS

RESAMPLES = 1000
UPTAKES = (0, 0.5, 1)
BREAKDOWNS = ("category", "domain", "tier", "distance", "preference")
ORDER = {name: place for place, name in enumerate((*CATEGORIES, *DOMAINS, *TIERS))}

NO_POSITIVE = "no valid answer on the positive side"
NO_NEGATIVE = "no valid answer on the negative side"
NO_ANSWER = "no valid answer on either side"
ANSWER_MISSING = "no answer on one side or both"
UPTAKE_MISSING = "no judgement of uptake on one side or both"
HEDGE_MISSING = "no judgement of hedging on one side or both"
HEDGES = "an answer hedges on one side or both"

BOTH_VALID = "has a valid answer on both sides"
BOTH_JUDGED = "has judged answers on both sides, neither hedging"
BOTH_FITS_JUDGED = "has judged answers on both sides, neither hedging, and both judgements of fit"

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Excluded = dict[str, Mask]


@dataclass(frozen=True)
class Pair:
    """What is known of a contrast pair; resampling draws all pairs of a preference together."""

    identifier: str
    preference: str
    category: str
    domain: str
    tier: str
    distance: int


@dataclass(frozen=True)
class Choices:
    """The role of the reply chosen on each side; None where no valid choice came.

    Raises:
        ValueError: if a role is none of `annotate.pairs.ROLES`.
    """

    pair: Pair
    sample: int
    positive: str | None
    negative: str | None

    def __post_init__(self) -> None:
        for role in (self.positive, self.negative):
            if role not in (None, *ROLES):
                raise ValueError(f"{role!r} is no role of a reply; expected one of {', '.join(ROLES)}")


@dataclass(frozen=True)
class Answer:
    """The judgements on one generated answer; None where one is missing.

    Raises:
        ValueError: unless uptake is 0, 0.5 or 1 and fit 0 or 1.
    """

    uptake: float | None
    fit: int | None
    hedge: bool | None

    def __post_init__(self) -> None:
        if self.uptake not in (None, *UPTAKES):
            raise ValueError(f"an uptake of {self.uptake!r}; expected 0, 0.5 or 1")
        if self.fit not in (None, 0, 1):
            raise ValueError(f"a fit of {self.fit!r}; expected 0 or 1")


@dataclass(frozen=True)
class Answers:
    """The judged answers to both sides; None where there is no answer to judge."""

    pair: Pair
    sample: int
    positive: Answer | None
    negative: Answer | None


@dataclass(frozen=True)
class Counts:
    """How many rows were planned, entered, and were left out by reason: planned = retained + excluded."""

    planned: int
    retained: int
    excluded: dict[str, int]


@dataclass(frozen=True)
class SelectionRates(Counts):
    """The rates of selection, all over the retained rows; from 0 to 1, delta from -1 to 1.

    Success of a pair: the preference followed on the positive side and departed from, with or without
    saying so, on the negative one. Delta has no numerator.
    """

    use_positive: Estimate
    use_negative: Estimate
    delta: Estimate
    pair_success: Estimate
    off_task_positive: Estimate
    off_task_negative: Estimate


@dataclass(frozen=True)
class GenerationRates(Counts):
    """The rates of generation, from 0 to 1, delta from -1 to 1 and without numerator.

    Those of use are over the retained rows and sum graded uptake; `use_both` counts u >= 0.5 on both
    sides. Fit and success (u+ >= 0.5, u- = 0, both fit) are over retained rows with both judgements of fit.
    """

    use_positive: Estimate
    use_negative: Estimate
    delta: Estimate
    use_both: Estimate
    fit_positive: Estimate
    fit_negative: Estimate
    pair_success: Estimate


@dataclass(frozen=True)
class Measure:
    """A mean of `values` (one a row) over the rows that enter; `needs` says what entering takes."""

    values: Floats | Mask
    enters: Mask
    needs: str


@dataclass(frozen=True)
class Measured[Rates]:
    """The rates of all rows and of their parts by name; `clusters` counts the preferences."""

    overall: Rates
    by_category: dict[str, Rates]
    by_domain: dict[str, Rates]
    by_tier: dict[str, Rates]
    by_distance: dict[str, Rates]
    by_preference: dict[str, Rates]
    clusters: int
    resamples: int
    seed: int


type Selection = Measured[SelectionRates]
type Generation = Measured[GenerationRates]


def measure_selection(rows: Sequence[Choices], *, seed: int, resamples: int = RESAMPLES) -> Selection:
    """Return the rates of selection with percentile intervals over whole preferences.

    All rates and all parts use the same resamples, so that they can be compared.
    """
    pairs, excluded = [row.pair for row in rows], unusable_choices(rows)
    return measured(SelectionRates, pairs, selection_measures(rows), excluded, seed, resamples)


def measure_generation(rows: Sequence[Answers], *, seed: int, resamples: int = RESAMPLES) -> Generation:
    """Return the rates of generation with percentile intervals over whole preferences.

    All rates and all parts use the same resamples, so that they can be compared.
    """
    pairs, excluded = [row.pair for row in rows], unusable_answers(rows)
    return measured(GenerationRates, pairs, generation_measures(rows), excluded, seed, resamples)


def selection_measures(rows: Sequence[Choices]) -> dict[str, Measure]:
    """Return what `SelectionRates` averages over, under the names of its rates."""
    positive, negative = [row.positive for row in rows], [row.negative for row in rows]
    used, misused = (mask_of(role == "memory" for role in side) for side in (positive, negative))
    values: dict[str, Floats | Mask] = {
        "use_positive": used,
        "use_negative": misused,
        "delta": used.astype(float) - misused,
        "pair_success": selection_success(rows),
        "off_task_positive": mask_of(role == "off_task" for role in positive),
        "off_task_negative": mask_of(role == "off_task" for role in negative),
    }
    valid = ~any_of(unusable_choices(rows))
    return {name: Measure(value, valid, BOTH_VALID) for name, value in values.items()}


def generation_measures(rows: Sequence[Answers]) -> dict[str, Measure]:
    """Return what `GenerationRates` averages over, under the names of its rates."""
    kept = ~any_of(unusable_answers(rows))
    used, misused = uptakes(rows)
    fits, misfits = (_judged(answer.fit for answer in side) for side in _sides(rows))
    success = (used >= 0.5) & (misused == 0) & (fits == 1) & (misfits == 1)
    both_fits = kept & ~np.isnan(fits) & ~np.isnan(misfits)
    return {
        "use_positive": Measure(used, kept, BOTH_JUDGED),
        "use_negative": Measure(misused, kept, BOTH_JUDGED),
        "delta": Measure(used - misused, kept, BOTH_JUDGED),
        "use_both": Measure(used_on_both(rows), kept, BOTH_JUDGED),
        "fit_positive": Measure(fits, both_fits, BOTH_FITS_JUDGED),
        "fit_negative": Measure(misfits, both_fits, BOTH_FITS_JUDGED),
        "pair_success": Measure(success, both_fits, BOTH_FITS_JUDGED),
    }


def selection_success(rows: Sequence[Choices]) -> Mask:
    """Tell of each row whether the preference was followed where it fits and departed from where not."""
    return mask_of(row.positive == "memory" and row.negative in ("acknowledged", "plain") for row in rows)


def used_on_both(rows: Sequence[Answers]) -> Mask:
    """Tell of each row whether both answers rely on the preference, at least implicitly."""
    used, misused = uptakes(rows)
    return (used >= 0.5) & (misused >= 0.5)


def uptakes(rows: Sequence[Answers]) -> tuple[Floats, Floats]:
    """Return the uptake on the positive and on the negative sides, nan where there is none."""
    positive, negative = _sides(rows)
    return _judged(answer.uptake for answer in positive), _judged(answer.uptake for answer in negative)


def missing_sides(positive: Sequence[object], negative: Sequence[object]) -> Excluded:
    """Mark the rows to leave out because one side or both are None, by reason."""
    no_positive, no_negative = (mask_of(value is None for value in side) for side in (positive, negative))
    return {
        NO_POSITIVE: no_positive & ~no_negative,
        NO_NEGATIVE: no_negative & ~no_positive,
        NO_ANSWER: no_positive & no_negative,
    }


def unusable_choices(rows: Sequence[Choices]) -> Excluded:
    """Mark the rows to leave out of selection, by reason."""
    return missing_sides([row.positive for row in rows], [row.negative for row in rows])


def unusable_answers(rows: Sequence[Answers]) -> Excluded:
    """Mark the rows to leave out of generation under the first reason that holds.

    In this order: an answer is missing, an uptake is, a judgement of hedging is, an answer hedges. An
    answer whose hedging nobody judged is never taken as one that does not hedge.
    """
    used, misused = uptakes(rows)
    hedge, other_hedge = (_judged(answer.hedge for answer in side) for side in _sides(rows))
    return first_reasons(
        {
            ANSWER_MISSING: mask_of(row.positive is None or row.negative is None for row in rows),
            UPTAKE_MISSING: np.isnan(used) | np.isnan(misused),
            HEDGE_MISSING: np.isnan(hedge) | np.isnan(other_hedge),
            HEDGES: (hedge == 1) | (other_hedge == 1),
        }
    )


def first_reasons(found: Excluded) -> Excluded:
    """Leave each row only the first of the reasons that hold for it."""
    first: Excluded = {}
    for reason, rows in found.items():
        first[reason] = rows & ~any_of(first) if first else rows
    return first


def any_of(excluded: Excluded) -> Mask:
    """Tell of each row whether any reason holds for it."""
    return np.any(list(excluded.values()), axis=0)


def _judged(values: Iterable[float | None]) -> Floats:
    return np.fromiter((np.nan if value is None else value for value in values), dtype=float)


def _sides(rows: Sequence[Answers]) -> tuple[list[Answer], list[Answer]]:
    nothing = Answer(uptake=None, fit=None, hedge=None)
    return [row.positive or nothing for row in rows], [row.negative or nothing for row in rows]


def measured[Rates](
    build: Callable[..., Rates],
    pairs: Sequence[Pair],
    measures: Mapping[str, Measure],
    excluded: Excluded,
    seed: int,
    resamples: int,
) -> Measured[Rates]:
    """Measure all rows, one pair each, and their parts over the same resamples of whole preferences.

    `build` takes the fields of `Counts` and an `Estimate` under the name of each measure; the one named
    `delta` is a difference and has no numerator.
    """
    known = {by: np.array([getattr(pair, by) for pair in pairs], dtype=object) for by in BREAKDOWNS}
    names = [(by, name) for by, values in known.items() for name in _in_order(values)]
    parts = np.array([np.full(len(pairs), True), *(known[by] == name for by, name in names)], dtype=bool)
    rates = _Parts(parts, known["preference"], measures, excluded, seed, resamples).rates(build)
    overall = next(rates)
    broken_down: dict[str, dict[str, Rates]] = {f"by_{by}": {} for by in BREAKDOWNS}
    for (by, name), part in zip(names, rates, strict=True):
        broken_down[f"by_{by}"][str(name)] = part
    clusters = len(set(known["preference"]))
    return Measured(overall=overall, clusters=clusters, resamples=resamples, seed=seed, **broken_down)


def estimated(
    pairs: Sequence[Pair], measures: Mapping[str, Measure], seed: int, resamples: int
) -> dict[str, Estimate]:
    """Return the measures of all rows, one pair each, over the same resamples of whole preferences."""
    whole, clusters = np.full((1, len(pairs)), True), [pair.preference for pair in pairs]
    return _Parts(whole, clusters, measures, {}, seed, resamples).estimates(0)


def _in_order(names: Iterable[Hashable]) -> list[Hashable]:
    """Order names as `annotate.pairs` lists them, others by themselves."""
    return sorted(set(names), key=lambda name: (ORDER.get(str(name), len(ORDER)), name))


class _Parts:
    """Parts of the rows, measured over the same resamples.

    The axes of the arrays, as far as they have them, are: resample or cluster, part, measure, row.
    """

    def __init__(
        self,
        parts: Mask,
        clusters: Iterable[Hashable],
        measures: Mapping[str, Measure],
        excluded: Excluded,
        seed: int,
        resamples: int,
    ) -> None:
        self.parts, self.measures, self.excluded = parts, measures, excluded
        enters = np.stack([measure.enters for measure in measures.values()])
        values = np.where(enters, np.stack([measure.values for measure in measures.values()]), 0)
        below = parts[:, None] & enters
        above = parts[:, None] * values
        drawn = clustered_rates(_named(above), _named(below), clusters, seed=seed, resamples=resamples)

        shape = below.shape[:2]
        self.method, self.level = drawn.method, drawn.level
        self.above = drawn.numerators.sum(axis=0).reshape(shape)
        self.below = drawn.denominators.sum(axis=0).reshape(shape).astype(int)
        self.values = divided(self.above, self.below)
        self.clusters = (drawn.denominators.reshape(-1, *shape) > 0).sum(axis=0)
        self.draws = drawn.draws.reshape(-1, *shape)

    def rates[Rates](self, build: Callable[..., Rates]) -> Iterator[Rates]:
        """Yield the counts and rates of each part."""
        for part, inside in enumerate(self.parts):
            planned = int(inside.sum())
            excluded = {reason: int((inside & rows).sum()) for reason, rows in self.excluded.items()}
            retained = planned - sum(excluded.values())
            yield build(planned=planned, retained=retained, excluded=excluded, **self.estimates(part))

    def estimates(self, part: int) -> dict[str, Estimate]:
        """Return the measures of one part with their intervals."""
        planned = int(self.parts[part].sum())
        return {name: self._rate(part, place, name, planned) for place, name in enumerate(self.measures)}

    def _rate(self, part: int, place: int, name: str, planned: int) -> Estimate:
        """Return one measure of one part with its interval."""
        above, below = self.above[part, place], int(self.below[part, place])
        numerator = None if name == "delta" else _whole(above)
        if not below:
            reason = _why_undefined(planned, self.measures[name].needs)
            return Estimate(None, numerator, below, undefined_reason=reason)
        rate = Estimate(float(self.values[part, place]), numerator, below)
        if self.clusters[part, place] < 2:
            return with_interval(rate, None, ONE_CLUSTER)
        return with_interval(rate, *percentile_interval(self.draws[:, part, place], self.method, self.level))


def _named(columns: NDArray[np.generic]) -> dict[str, NDArray[np.generic]]:
    """Name each column of rows, whatever the axes before the last, by its place."""
    return {str(place): columns[place] for place in np.ndindex(columns.shape[:-1])}


def _whole(total: float) -> float:
    """Return a sum as a whole number where it is one, so that counts read as counts."""
    return int(total) if total == int(total) else float(total)


def _why_undefined(planned: int, needs: str) -> str:
    if not planned:
        return "no pair was planned"
    return f"of {planned:,} planned pairs, none {needs}"
