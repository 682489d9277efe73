"""The rates of a run with its judges' errors carried in, from samples of its answers that people labelled.

Every rate is over what the run counts for it, all samples together; people's labels on some of it correct the
rest. What is yes or no is corrected twice (Rogan & Gladen 1978; prediction-powered inference, Angelopoulos et
al. 2023). Graded values and differences have no sensitivity and specificity: the second alone corrects them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from annotate.agreement.corrected_rate import CorrectedMean, corrected_mean, corrected_rate
from evaluation.records import RunRecord
from evaluation.reporting.benchpres import with_and_without
from evaluation.targets import OF_ANSWERS, Duty, Target
from evaluation.validation.difference import CorrectedDifference, Side, difference_of
from evaluation.validation.labelled import Labels, labels_of
from evaluation.validation.message_rates import label_rates, score_rates, shared_scores
from evaluation.validation.pair_rates import hedging_rates, pair_rates
from evaluation.validation.population import Population
from evaluation.validation.records import EXACT_MATCH, SampleRecord

type Corrected = CorrectedMean | CorrectedDifference
type Labelled = Mapping[tuple[str, Target], Labels]
type View = tuple[str, int | None]

NAMES = {
    "mr": "MR",
    "aar": "AAR",
    "gap": "AAR - MR",
    "mean": "Mean score",
    "without": "Without preferences",
    "with_": "With preferences",
    "difference": "With - without",
    "use_positive": "Use+",
    "use_negative": "Use-",
    "delta": "Delta",
    "use_both": "Use both",
    "fit_positive": "Fit, positive",
    "fit_negative": "Fit, negative",
    "pair_success": "Pair success (Gen-OK)",
    "hedging_positive": "Hedging, positive",
    "hedging_negative": "Hedging, negative",
}
SCORES = ("mean", "without", "with_", "difference")
# The ends of the scale of what is graded; anything else is 0 or 1.
GRADED = {
    "mean": (1.0, 5.0),
    "without": (1.0, 5.0),
    "with_": (1.0, 5.0),
    "use_positive": (0.0, 1.0),
    "use_negative": (0.0, 1.0),
    "delta": (-1.0, 1.0),
}
AS_COUNTED = "all its judges, as the run counts them"


@dataclass(frozen=True, eq=False)
class CorrectedArm:
    """The rates of an arm by one judge, raw and corrected, and the labels that correct them.

    `against` is the arm without preferences that completeness is compared with, empty for anything else.
    """

    arm: str
    judge: str
    labels: tuple[Labels, ...]
    rates: dict[str, Corrected]
    against: str = ""


def correct(record: RunRecord, samples: Sequence[SampleRecord]) -> list[CorrectedArm]:
    """Return the rates of each arm that samples were drawn from, by each judge whose verdicts they are.

    Only labels on an arm's own answers correct it. People's word is the median of their answers; an item on
    which they are divided, or whose text the run has read differently since, says nothing.

    Raises:
        Problem: as `labels_of`.
    """
    labelled = labels_of(record.plan["run"], samples)
    return [
        *_of_labels(record, labelled),
        *_of_scores(record, labelled),
        *_with_against_without(record, labelled),
        *_of_pairs(record, labelled),
    ]


def _of_labels(record: RunRecord, labelled: Labelled) -> Iterator[CorrectedArm]:
    for arm in record.arms:
        if labels := labelled.get((arm, Target.LABEL)):
            for name, judge in _views_of_labels(record):
                sides = _sides(label_rates(record, arm, judge, labels))
                gap = difference_of(sides["aar"], sides["mr"])
                yield CorrectedArm(arm, name, (labels,), _found(sides) | {"gap": gap})


def _of_scores(record: RunRecord, labelled: Labelled) -> Iterator[CorrectedArm]:
    for arm in record.arms:
        if labels := labelled.get((arm, Target.COMPLETENESS)):
            for judge in record.named_for(Duty.COMPLETENESS):
                sides = _sides(score_rates(record, arm, judge.number, labels))
                yield CorrectedArm(arm, judge.name, (labels,), _found(sides))


def _with_against_without(record: RunRecord, labelled: Labelled) -> Iterator[CorrectedArm]:
    for judge in record.named_for(Duty.COMPLETENESS):
        for arms in with_and_without(record):
            without, with_ = (labelled.get((arm, Target.COMPLETENESS)) for arm in arms)
            if without and with_:
                sides = _sides(shared_scores(record, arms, judge.number, (without, with_)))
                difference = difference_of(sides["with_"], sides["without"])
                rates = _found(sides) | {"difference": difference}
                yield CorrectedArm(arms[1], judge.name, (without, with_), rates, against=arms[0])


def _of_pairs(record: RunRecord, labelled: Labelled) -> Iterator[CorrectedArm]:
    for arm in record.arms:
        labels = {target: labelled[arm, target] for target in OF_ANSWERS if (arm, target) in labelled}
        if labels:
            for judge in record.named_for(Duty.ANSWERS):
                over = pair_rates(record, arm, judge.number, labels)
                over |= hedging_rates(record, arm, judge.number, labels)
                yield CorrectedArm(arm, judge.name, tuple(labels.values()), _found(_sides(over)))


def _views_of_labels(record: RunRecord) -> list[View]:
    """Return whose verdicts rates of labels are shown by: what the run counts, then each of several judges.

    What the run counts holds its exact matches, and of several judges the word of the one named first.
    """
    judges = list(record.named_for(Duty.LABELS))
    if len(judges) < 2:
        return [(judges[0].name if judges else EXACT_MATCH, None)]
    return [(AS_COUNTED, None), *((judge.name, judge.number) for judge in judges)]


def _sides(over: Mapping[str, Population]) -> dict[str, Side]:
    return {name: Side(NAMES[name], each, _corrected(name, each)) for name, each in over.items()}


def _found(sides: Mapping[str, Side]) -> dict[str, Corrected]:
    return {name: side.found for name, side in sides.items()}


def _corrected(name: str, over: Population) -> CorrectedMean:
    columns = over.verdicts, over.truths, over.clusters, over.weights
    bounds = GRADED.get(name)
    found = corrected_mean(*columns, bounds=bounds) if bounds else corrected_rate(*columns)
    return replace(found, warnings=(*found.warnings, *over.notes))
