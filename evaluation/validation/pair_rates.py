"""The rates of PairPref's generation, each over what the run counts for it, beside people's labels."""

from collections.abc import Iterator, Mapping

import numpy as np

from annotate.pairs import SIDES
from evaluation.pairpref.metrics import Answer, Answers, Mask, Measure, generation_measures
from evaluation.records import RunRecord
from evaluation.reporting.pairpref import answers_of, sides_of
from evaluation.targets import Target
from evaluation.validation.labelled import Label, Labels
from evaluation.validation.population import Floats, Population, population_of
from evaluation.validation.units import units_of

type Need = tuple[Target, str]
type Needs = frozenset[Need]
type LabelsByNeed = Mapping[Need, list[Label | None]]

UPTAKES: Needs = frozenset((Target.UPTAKE, side) for side in SIDES)
FITS: Needs = frozenset((Target.FIT, side) for side in SIDES)
# What people must have said of a pair before its value is known.
NEEDS: dict[str, Needs] = {
    "use_positive": frozenset({(Target.UPTAKE, "positive")}),
    "use_negative": frozenset({(Target.UPTAKE, "negative")}),
    "delta": UPTAKES,
    "use_both": UPTAKES,
    "fit_positive": frozenset({(Target.FIT, "positive")}),
    "fit_negative": frozenset({(Target.FIT, "negative")}),
    "pair_success": UPTAKES | FITS,
}
STRAY = "People labelled {stray:,} more that the run does not retain, by the judge's word: they do not count."


def hedging_rates(
    record: RunRecord, arm: str, judge: int | None, labels: Mapping[Target, Labels]
) -> dict[str, Population]:
    """Return what the share of hedging answers is taken over on each side, where people labelled hedging.

    These are all answers judged on hedging on both sides of their pair.
    """
    if Target.HEDGE not in labels:
        return {}
    units, known = units_of(record, Target.HEDGE, [arm], judge), labels[Target.HEDGE].by_unit
    return {
        f"hedging_{side}": population_of([unit for unit in units if unit.part == side], known)
        for side in SIDES
    }


def pair_rates(
    record: RunRecord, arm: str, judge: int | None, labels: Mapping[Target, Labels]
) -> dict[str, Population]:
    """Return what the rates of pairs are taken over, as far as people labelled what they rest on.

    The pairs are those that the run retains by the judge's word. `pair_success` needs samples of uptake and
    of fit, and a pair that is in both, labelled on both sides.
    """
    known = _known(record, arm, labels)
    judged = answers_of(record, arm, judge)
    of_judge, of_people = generation_measures(judged), generation_measures(list(_answers(judged, known)))
    return {
        name: _over(judged, of_judge[name], of_people[name].values, _weights(needs, known, labels))
        for name, needs in NEEDS.items()
        if needs <= known.keys()
    }


def _over(judged: list[Answers], measure: Measure, truths: Floats | Mask, weights: Floats) -> Population:
    """Return a measure's pairs beside what people say of those that have a weight."""
    kept, is_known = measure.enters, weights > 0
    stray = int((is_known & ~kept).sum())
    return Population(
        verdicts=measure.values[kept].astype(float),
        truths=np.where(is_known, truths, np.nan)[kept],
        clusters=tuple(row.pair.preference for row, is_kept in zip(judged, kept, strict=True) if is_kept),
        weights=weights[kept],
        notes=(STRAY.format(stray=stray),) if stray else (),
    )


def _known(record: RunRecord, arm: str, labels: Mapping[Target, Labels]) -> LabelsByNeed:
    """Return people's label on each side of each pair and sample, in the order of the run."""
    rows = sides_of(record.of_arm(arm)).values()
    return {
        (target, side): [found.by_unit.get((sides[side].id, "")) if side in sides else None for sides in rows]
        for target, found in labels.items()
        for side in SIDES
    }


def _answers(judged: list[Answers], known: LabelsByNeed) -> Iterator[Answers]:
    """Yield the pairs as people judge them; that no answer hedges is the run's word, not theirs."""
    for place, row in enumerate(judged):
        said = {need: labels[place] for need, labels in known.items()}
        positive, negative = (_answer(said, side) for side in SIDES)
        yield Answers(row.pair, row.sample, positive, negative)


def _answer(said: Mapping[Need, Label | None], side: str) -> Answer:
    uptake, fit = (said.get((target, side)) for target in (Target.UPTAKE, Target.FIT))
    return Answer(uptake.truth if uptake else None, int(fit.truth) if fit else None, hedge=False)


def _weights(needs: Needs, known: LabelsByNeed, labels: Mapping[Target, Labels]) -> Floats:
    """Return for how many pairs each one stands of which all that is needed is known; 0 for any other.

    Both answers of a pair are drawn together. Two samples with one seed take pairs in one order, so what is
    in the smaller one is in both; with two seeds they are independent.
    """
    weights = {need: np.array([label.weight if label else 0.0 for label in known[need]]) for need in needs}
    of_targets = [
        np.max([weights[need] for need in needs if need[0] == target], axis=0)
        for target in {target for target, _ in needs}
    ]
    has_one_seed = len({labels[target].seed for target, _ in needs}) == 1
    together = np.max(of_targets, axis=0) if has_one_seed else np.prod(of_targets, axis=0)
    return np.where(np.all(list(weights.values()), axis=0), together, 0.0)
