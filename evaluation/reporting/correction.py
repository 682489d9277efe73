"""The rates of a run corrected for its judges' errors, as plain data: read by page, command and API."""

from collections.abc import Iterator, Sequence
from typing import Any

from annotate.agreement.corrected_rate import SUFFICIENT, CorrectedRate
from annotate.problems import Problem
from evaluation.records import RunRecord
from evaluation.reporting.plain import plain
from evaluation.targets import Target
from evaluation.validation.correction import NAMES, SCORES, Corrected, CorrectedArm, correct
from evaluation.validation.label_planner import labels_needed
from evaluation.validation.labelled import Labels
from evaluation.validation.records import SampleRecord
from evaluation.validation.units import judged_arms

Report = dict[str, Any]

WIDTH, SCORE_WIDTH = 0.1, 0.5
METHODS = {"rogan_gladen": "Rogan-Gladen", "prediction_powered": "Prediction-powered"}
OF_SHARES = ("positives", "negatives", "sensitivity", "specificity", "rogan_gladen")
WHAT_ENTERS = (
    "Raw rates are over all that the run counts, its samples together. Only labels on a condition's own "
    "answers correct it. People's word on an item is the median of their answers; where they are divided or "
    "cannot tell, or where the run has read its answer differently since, the item says nothing. Graded "
    "values and differences have no sensitivity and specificity: prediction-powered inference alone corrects "
    "them."
)
OF_PAIRS = (
    "Which pairs are retained is the judge's word, for it says which answers hedge; that is not corrected. "
    "Pair success takes samples of uptake and of fit, best of one seed: it rests on the pairs that both hold."
)


def correction_report(
    record: RunRecord,
    samples: Sequence[SampleRecord],
    *,
    width: float = WIDTH,
    score_width: float = SCORE_WIDTH,
) -> Report:
    """Return the corrected rates of a run, ready for JSON; rates go from 0 to 1, scores from 1 to 5.

    For intervals of `width` and, of scores, `score_width` it is told how many labels more they take.

    Raises:
        Problem: as `correct`, and if a width is not above 0.
    """
    for wished in (width, score_width):
        if not wished > 0:
            raise Problem(f"An interval {wished:g} wide was wished for; expected a width above 0.")
    is_of_pairs = record.plan["benchmark"] == "pairpref"
    return {
        "what_enters": f"{WHAT_ENTERS} {OF_PAIRS}" if is_of_pairs else WHAT_ENTERS,
        "sufficient": SUFFICIENT,
        "width": width,
        "score_width": score_width,
        "samples": [_sample(record, sample) for sample in samples],
        "arms": [_arm(found, width, score_width) for found in correct(record, samples)],
    }


def _sample(record: RunRecord, sample: SampleRecord) -> Report:
    arms = judged_arms(record, Target(sample.target))
    return {
        "sample": sample.slug,
        "name": sample.name,
        "target": sample.target,
        "state": sample.state,
        "people": len(sample.people),
        "notices": list(sample.notices),
        "without_items": [arm for arm in arms if arm not in sample.arms],
    }


def _arm(found: CorrectedArm, width: float, score_width: float) -> Report:
    return {
        "arm": found.arm,
        "against": found.against,
        "judge": found.judge,
        "labels": [_labels(labels) for labels in found.labels],
        "rates": {
            name: _rate(name, rate, score_width if name in SCORES else width)
            for name, rate in found.rates.items()
        },
    }


def _labels(labels: Labels) -> Report:
    return {
        "sample": labels.sample,
        "target": labels.target,
        "arm": labels.arm,
        "items": labels.items,
        "labelled": len(labels.by_unit),
        "without_reference": labels.without_reference,
        "changed": labels.changed,
    }


def _rate(name: str, found: Corrected, width: float) -> Report:
    is_share = isinstance(found, CorrectedRate)
    return {
        "name": NAMES[name],
        "raw": plain(found.raw),
        "prediction_powered": plain(found.prediction_powered),
        **{part: plain(getattr(found, part)) if is_share else None for part in OF_SHARES},
        "labelled": found.labelled,
        "disagreements": found.disagreements,
        "is_sufficient": found.is_sufficient,
        "warnings": [*found.warnings, *_clipped(found)],
        "needed": plain(labels_needed(found, width)),
    }


def _clipped(found: Corrected) -> Iterator[str]:
    """Yield what stands beside an interval in small print: that the estimate had to be clipped."""
    for method, words in METHODS.items():
        estimate = getattr(found, method, None)
        if estimate and estimate.interval and estimate.interval.note:
            yield f"{words}: {estimate.interval.note}."
