"""The corrected rates of PairPref beside the same from plain loops over the pairs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import fmean

import pytest

from evaluation.records import GenerationRecord, RunRecord
from evaluation.targets import Target
from evaluation.validation.correction import correct
from evaluation.validation.records import SampleRecord
from evaluation.validation.units import units_of
from tests.evaluation.validation.planted import contrast_pairs, labelled

UPTAKE, FIT, HEDGE = Target.UPTAKE, Target.FIT, Target.HEDGE
GRADED = {"use_positive", "use_negative", "delta"}

type Says = Callable[[GenerationRecord, str], float | None]


def everything(record: RunRecord, target: Target, known) -> SampleRecord:
    return labelled(record, target, known[target], size=len(units_of(record, target)), over=())


@dataclass
class Pair:
    """A pair as a slow reader sees it: both sides, and what the judge says of each."""

    positive: GenerationRecord
    negative: GenerationRecord

    def judged(self, target: str) -> list[float | None]:
        return [row.value(target) for row in (self.positive, self.negative)]

    @property
    def is_retained(self) -> bool:
        is_done = self.positive.outcome == self.negative.outcome == "done"
        return is_done and None not in self.judged("uptake") and self.judged("hedge") == [0, 0]

    @property
    def has_fits(self) -> bool:
        return self.is_retained and None not in self.judged("fit")


def pairs_of(record: RunRecord) -> list[Pair]:
    found: dict = {}
    for row in record.generations:
        found.setdefault((row.pair, row.sample), {})[row.side] = row
    return [Pair(sides["positive"], sides["negative"]) for sides in found.values()]


def value_of(name: str, pair: Pair, says: Says) -> float | None:
    """Return what a rate counts of a pair by what somebody says of its answers; None if that is not known."""
    used, misused = says(pair.positive, "uptake"), says(pair.negative, "uptake")
    fits, misfits = says(pair.positive, "fit"), says(pair.negative, "fit")
    needs = {
        "use_positive": [used],
        "use_negative": [misused],
        "delta": [used, misused],
        "use_both": [used, misused],
        "fit_positive": [fits],
        "fit_negative": [misfits],
        "pair_success": [used, misused, fits, misfits],
    }[name]
    if None in needs:
        return None
    if name == "delta":
        return used - misused
    if name == "use_both":
        return float(used >= 0.5 and misused >= 0.5)
    if name == "pair_success":
        return float(used >= 0.5 and misused == 0 and fits == 1 and misfits == 1)
    return needs[0]


def counted(record: RunRecord, name: str) -> list[Pair]:
    needs_fits = name in ("fit_positive", "fit_negative", "pair_success")
    return [pair for pair in pairs_of(record) if (pair.has_fits if needs_fits else pair.is_retained)]


def judge_says(row: GenerationRecord, target: str) -> float | None:
    return row.value(target)


def person_says(samples: list[SampleRecord]) -> Says:
    """What the person says of the items of some samples, as far as they are there."""
    said = {
        (sample.target, item.unit.generation): item.given["annotator 1"]
        for sample in samples
        for item in sample.items
    }
    return lambda row, target: said.get((target, row.id))


NAMES = ("use_positive", "use_negative", "delta", "use_both", "fit_positive", "fit_negative", "pair_success")


@pytest.mark.parametrize("name", NAMES)
def test_raw_rates_of_pairs_and_those_with_everything_labelled_are_what_plain_loops_find(name):
    record, known = contrast_pairs(1, preferences=14, pairs=10, samples=2, unread=0.05)
    samples = [everything(record, target, known) for target in (UPTAKE, FIT)]
    [arm] = correct(record, samples)
    found, pairs = arm.rates[name], counted(record, name)
    judged = [value_of(name, pair, judge_says) for pair in pairs]
    people = [value_of(name, pair, person_says(samples)) for pair in pairs]
    assert len(pairs) == found.raw.denominator == found.labelled > 50
    assert found.raw.value == pytest.approx(fmean(judged))
    assert found.prediction_powered.value == pytest.approx(fmean(people))
    assert judged != people
    assert hasattr(found, "rogan_gladen") == (name not in GRADED)


@pytest.mark.parametrize("seeds", [(1, 1), (1, 2)])
@pytest.mark.parametrize("name", NAMES)
def test_part_of_the_pairs_labelled_corrects_as_plain_loops_do(name, seeds):
    """With a stratum drawn more thinly than the other, each labelled pair stands for those of its stratum.

    What two samples of different seeds share was drawn twice, each time with its own chance.
    """
    record, known = contrast_pairs(2, preferences=14, pairs=10)
    pairs = {id(pair): pair for pair in counted(record, name)}
    samples = [
        in_two_strata(labelled(record, target, known[target], size=160, seed=seed, over=()))
        for target, seed in zip((UPTAKE, FIT), seeds, strict=True)
    ]
    weights = {
        item.unit.generation: sample.strata[item.stratum].weight
        for sample in samples
        for item in sample.items
    }
    [arm] = correct(record, samples)
    found, says = arm.rates[name], person_says(samples)
    known_pairs = [pair for pair in pairs.values() if value_of(name, pair, says) is not None]
    draws = 2 if name == "pair_success" and seeds == (1, 2) else 1
    of_weight = [weights[pair.positive.id] ** draws for pair in known_pairs]
    judged = [value_of(name, pair, judge_says) for pair in known_pairs]
    people = [value_of(name, pair, says) for pair in known_pairs]
    mean_of_all = fmean(value_of(name, pair, judge_says) for pair in pairs.values())

    def weighed(values: list[float]) -> float:
        return fmean(values, of_weight)

    assert found.labelled == len(known_pairs) < len(pairs)
    tuning = found.powered.tuning
    beyond = weighed([one - tuning * other for one, other in zip(people, judged, strict=True)])
    low, high = found.powered.bounds
    expected = min(max(tuning * mean_of_all + beyond, low), high)
    assert found.prediction_powered.value == pytest.approx(expected)
    if name not in GRADED:
        yes, no = ([place for place, one in enumerate(people) if one == answer] for answer in (1, 0))
        sensitivity, specificity = (
            fmean([judged[at] == people[at] for at in places], [of_weight[at] for at in places])
            for places in (yes, no)
        )
        assert found.sensitivity.value == pytest.approx(sensitivity)
        assert found.specificity.value == pytest.approx(specificity)
        back = (mean_of_all + specificity - 1) / (sensitivity + specificity - 1)
        assert found.rogan_gladen.value == pytest.approx(min(max(back, 0), 1))


def in_two_strata(sample: SampleRecord) -> SampleRecord:
    """The same items as if those of every other preference had been drawn ten times as thinly."""
    first, *_ = sample.strata
    thin = replace(first, name="thin", size=10 * first.size)
    items = [replace(item, stratum=int(item.unit.cluster[1:]) % 2) for item in sample.items]
    return replace(sample, strata=(first, thin), items=tuple(items))


@pytest.mark.parametrize("side", ["positive", "negative"])
def test_hedging_is_corrected_over_all_answers_judged(side):
    record, known = contrast_pairs(3, preferences=14, unread=0.05)
    [arm] = correct(record, [everything(record, HEDGE, known)])
    found = arm.rates[f"hedging_{side}"]
    units = [unit for unit in units_of(record, HEDGE) if unit.part == side]
    assert set(arm.rates) == {"hedging_positive", "hedging_negative"}
    assert found.raw.value == pytest.approx(fmean(unit.verdict for unit in units))
    assert found.rogan_gladen.value == pytest.approx(fmean(known[HEDGE][unit.key] for unit in units))


def test_each_sample_corrects_what_it_can():
    record, known = contrast_pairs(4)
    uptake, fit = (labelled(record, target, known[target], size=60) for target in (UPTAKE, FIT))
    names = {
        (uptake.slug,): {"use_positive", "use_negative", "delta", "use_both"},
        (fit.slug,): {"fit_positive", "fit_negative"},
        (uptake.slug, fit.slug): set(NAMES),
    }
    for samples in ([uptake], [fit], [uptake, fit]):
        [arm] = correct(record, samples)
        assert set(arm.rates) == names[tuple(sample.slug for sample in samples)]


def test_pair_success_rests_on_the_pairs_that_both_samples_hold():
    record, known = contrast_pairs(5, preferences=20, pairs=10)
    retained = {pair.positive.id for pair in counted(record, "pair_success")}
    for seeds in ((1, 1), (1, 2)):
        samples = [
            labelled(record, target, known[target], size=size, seed=seed)
            for target, size, seed in zip((UPTAKE, FIT), (200, 120), seeds, strict=True)
        ]
        drawn = [{item.unit.generation for item in sample.items} for sample in samples]
        found = correct(record, samples)[0].rates["pair_success"]
        assert found.labelled == len(drawn[0] & drawn[1] & retained)
        # With one seed the smaller sample lies in the larger one.
        assert (drawn[1] <= drawn[0]) is (seeds == (1, 1))


def test_labels_on_pairs_that_the_run_does_not_retain_are_told():
    record, known = contrast_pairs(6)
    [arm] = correct(record, [everything(record, UPTAKE, known)])
    stray = len(pairs_of(record)) - len(counted(record, "delta"))
    assert f"People labelled {stray} more that the run does not retain" in " ".join(
        arm.rates["delta"].warnings
    )


def test_each_judge_of_answers_is_corrected_over_the_pairs_that_it_retains():
    record, known = contrast_pairs(7)
    second = replace(record.judges[0], number=2, endpoint={"name": "second"})
    rows = tuple(
        replace(
            row,
            verdicts=(
                *row.verdicts,
                *(replace(one, judge=2, value=0.0 if one.target == "hedge" else 1.0) for one in row.verdicts),
            ),
        )
        for row in record.generations
    )
    record = replace(record, judges=(*record.judges, second), generations=rows)
    found = correct(record, [everything(record, UPTAKE, known)])
    assert [arm.judge for arm in found] == ["judge", "second"]
    assert found[0].rates["delta"].raw.denominator == len(counted(record, "delta"))
    assert found[1].rates["delta"].raw.denominator == len(pairs_of(record))
    assert found[1].rates["use_positive"].raw.value == 1
