"""How far raters of a sample agree, people and judges alike: each two of them, and groups of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from annotate.agreement.estimate import Estimate
from annotate.agreement.resampled_agreement import resampled_statistics
from annotate.agreement.tables import read_labels, unit_by_category
from evaluation.validation.answers import answers_of, holds_pairs, together_of
from evaluation.validation.records import Rater, SampleRecord
from evaluation.validation.side_by_side import RESAMPLES, SideBySide, side_by_side

PEOPLE_PAIR, MIXED_PAIR, JUDGES_PAIR = "person with person", "judge with person", "judge with judge"
EVERYBODY, ALL_PEOPLE, ALL_JUDGES = "all raters", "people alone", "judges alone"


@dataclass(frozen=True)
class TwoRaters:
    """Agreement of two raters over the items that both answered; `left_out` items were not.

    `table` is categories x categories in declared order, a row an answer of the first. `linear` and
    `quadratic` are weighted kappas, None where the answers are no steps of a scale.
    """

    table: tuple[tuple[int, ...], ...]
    items: int
    left_out: int
    agreement: Estimate
    kappa: Estimate
    linear: Estimate | None
    quadratic: Estimate | None


@dataclass(frozen=True)
class PairOfRaters:
    """Two raters by name, what kind of pair they are, and how far they agree."""

    first: str
    second: str
    kind: str
    found: TwoRaters


@dataclass(frozen=True)
class GroupOfRaters:
    """Agreement of several raters: over items that two or more of them answered, `left_out` being the others.

    `agreement` is the share of equal pairs of answers, averaged over items; alpha is Krippendorff's, ordinal
    where the answers are steps of a scale.
    """

    name: str
    raters: tuple[str, ...]
    left_out: int
    agreement: Estimate
    alpha: Estimate
    gwet_ac1: Estimate


def pairs_of_raters(record: SampleRecord) -> list[PairOfRaters]:
    """Return the agreement of each two raters: people first, then judges with people, then judges."""
    answers = answers_of(record)
    found = [
        PairOfRaters(
            one.name,
            two.name,
            _kind(one, two),
            two_raters(record, side_by_side(record, answers[one.name], answers[two.name])),
        )
        for one, two in combinations(sorted(record.raters, key=lambda rater: rater.is_person), 2)
    ]
    order = (PEOPLE_PAIR, MIXED_PAIR, JUDGES_PAIR)
    return sorted(found, key=lambda pair: order.index(pair.kind))


def groups_of_raters(record: SampleRecord) -> list[GroupOfRaters]:
    """Return the agreement of all raters, of people alone and of judges alone."""
    judges = [rater.name for rater in record.judges]
    groups = {EVERYBODY: [*record.people, *judges], ALL_PEOPLE: record.people, ALL_JUDGES: judges}
    return [_group(record, name, raters) for name, raters in groups.items()]


def two_raters(record: SampleRecord, both: SideBySide) -> TwoRaters:
    """Return how far two raters agree on the items of a sample.

    Agreement has its Wilson interval and kappa that of Fleiss, Cohen & Everitt (1969); where items were
    drawn together, both have percentile intervals that draw them so.
    """
    kappas = both.kappas()
    return TwoRaters(
        table=both.rows,
        items=len(both.first),
        left_out=len(record.items) - len(both.first),
        agreement=both.agreement(),
        kappa=kappas["none"],
        linear=kappas.get("linear"),
        quadratic=kappas.get("quadratic"),
    )


def _group(record: SampleRecord, name: str, raters: Sequence[str]) -> GroupOfRaters:
    every = answers_of(record)
    rows = [(number, rater, answer) for rater in raters for number, answer in every[rater].items()]
    units, names, values = zip(*rows, strict=True) if rows else ((), (), ())
    labels = read_labels(units, names, values, record.value_words)
    alpha = "krippendorff_ordinal" if record.is_ordered else "krippendorff_nominal"
    found = resampled_statistics(
        unit_by_category(labels),
        record.value_words,
        ("percent_agreement", alpha, "gwet_ac1"),
        seed=record.seed,
        clusters=together_of(record, labels.units.tolist()) if holds_pairs(record) else None,
        resamples=RESAMPLES,
    )
    agreement = _as_rate(found["percent_agreement"])
    left_out = len(record.items) - int(agreement.denominator or 0)
    return GroupOfRaters(name, tuple(raters), left_out, agreement, found[alpha], found["gwet_ac1"])


def _as_rate(mean: Estimate) -> Estimate:
    """Say a mean of shares over items as their sum, of so many items."""
    return mean if mean.value is None else replace(mean, numerator=mean.value * (mean.denominator or 0))


def _kind(first: Rater, second: Rater) -> str:
    people = first.is_person + second.is_person
    return (JUDGES_PAIR, MIXED_PAIR, PEOPLE_PAIR)[people]
