"""A judge's card: what one sample says of a judge, in short and without resampling."""

from dataclasses import dataclass, replace

from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import wilson_rate
from annotate.agreement.kappa import cohen_kappa, exact_agreement
from annotate.agreement.tables import Integers
from evaluation.validation.answers import Answers, answers_of, own_part, parts_of
from evaluation.validation.records import Rater, SampleRecord
from evaluation.validation.reference import reference_of
from evaluation.validation.side_by_side import side_by_side

# A judge that was checked on fewer items is said to be checked on few labels.
ENOUGH = 30
IN_THE_REPORT = "both sides of a pair are in it, and the report of the sample draws them together"


@dataclass(frozen=True)
class Measures:
    """A judge against the reference of people, over the items that both answered.

    Of two answers, no and yes, `sensitivity` is how often the judge says yes where people do, `specificity`
    how often no where they do. Both are None where more can be answered.
    """

    items: int
    agreement: Estimate
    kappa: Estimate
    sensitivity: Estimate | None
    specificity: Estimate | None


@dataclass(frozen=True)
class Card:
    """Where a judge was laid against people, on how much, and how well it does.

    `judge` is its name in the sample, `judging_run` the run in which it judged the sample alone. `people` are
    those who answered an item that counts. `by_part` is what the run's rates are kept apart by.
    """

    sample: str
    run: int
    dataset: str
    target: str
    judge: str
    kind: str
    judging_run: int | None
    people: int
    overall: Measures
    by_part: dict[str, Measures]
    is_example: bool
    is_open: bool

    @property
    def is_validation(self) -> bool:
        """Tell whether there is anything to lay the judge against."""
        return self.overall.items > 0

    @property
    def standing(self) -> str:
        """Say that the judge was validated, and where it was on few labels or on examples alone."""
        few = "few " if self.overall.items < ENOUGH else ""
        kind = "example " if self.is_example else ""
        return f"validated on {few}{kind}labels" if few or kind else "validated"

    @property
    def words(self) -> str:
        """Say in one line how often the judge agrees with people, and on what."""
        found = self.overall.agreement
        if found.value is None:
            return f"not validated in {self.sample}: {found.undefined_reason}"
        is_open = ", where labelling is open" if self.is_open else ""
        rate = f"{100 * found.value:.1f} %, {found.numerator:,g} of {found.denominator:,g}"
        return f"{self.standing}: {rate}, in {self.sample}{is_open}"


def card_of(record: SampleRecord, judge: Rater) -> Card:
    """Return the card of one of the judges of a sample.

    Where items were drawn together, the two sides of a pair, an overall number stands without an interval:
    only the report resamples.
    """
    reference, answers = reference_of(record).values, answers_of(record)
    given = answers[judge.name]
    counted = [number for number in reference if number in given]
    return Card(
        sample=record.slug,
        run=record.run,
        dataset=record.dataset,
        target=record.target,
        judge=judge.name,
        kind=judge.kind,
        judging_run=judge.run,
        people=sum(any(number in answers[name] for number in counted) for name in record.people),
        overall=_measures(record, reference, given),
        by_part={
            name: _measures(part, reference, given) for name, part in parts_of(record, own_part).items()
        },
        is_example=record.is_example,
        is_open=record.state == "open",
    )


def _measures(record: SampleRecord, reference: Answers, given: Answers) -> Measures:
    both = side_by_side(record, reference, given)
    table, words = both.table, both.categories
    no, yes = _rates(table, words) if len(words) == 2 else (None, None)
    found = Measures(
        items=len(both.first),
        agreement=exact_agreement(table, words),
        kappa=cohen_kappa(table, words),
        sensitivity=yes,
        specificity=no,
    )
    return found if both.are_apart else _without_intervals(found)


def _rates(table: Integers, words: tuple[str, ...]) -> list[Estimate]:
    """Return for each answer how often the judge gives it where people do."""
    return [
        wilson_rate(int(table[place, place]), int(table[place].sum()), f"people say {word!r} of no item")
        for place, word in enumerate(words)
    ]


def _without_intervals(found: Measures) -> Measures:
    return replace(
        found,
        agreement=_bare(found.agreement),
        kappa=_bare(found.kappa),
        sensitivity=found.sensitivity and _bare(found.sensitivity),
        specificity=found.specificity and _bare(found.specificity),
    )


def _bare(found: Estimate) -> Estimate:
    if found.value is None:
        return found
    return replace(found, interval=None, no_interval_reason=IN_THE_REPORT)
