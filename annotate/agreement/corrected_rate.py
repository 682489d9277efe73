"""A rate of a run as the judge saw it, and set right for the judge's errors by what people labelled.

Two corrections stand side by side. Rogan & Gladen (1978) turn the rate back by the judge's sensitivity and
specificity; prediction-powered inference adds what people say beyond the judge. Both are one estimator: the
first is the second with a tuning of 1 / (sensitivity + specificity - 1). So both have its interval. That of
Lang & Reiczigel (2014) supposes a judge who was measured elsewhere, not on items of the run itself; its
allowance for small samples is kept, but what it adds up would be far too wide here.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import cluster_robust_mean
from annotate.agreement.judge_error import JudgeError, judge_error
from annotate.agreement.label_numbers import labels_for_allowance
from annotate.agreement.prediction_powered import PredictionPowered, prediction_powered_mean
from annotate.agreement.rogan_gladen import USELESS
from annotate.agreement.tables import Floats

ENOUGH_OF_EACH = 20
ENOUGH_CLUSTERS = 30
LARGEST_ALLOWANCE = 0.1
# Found by simulation: benchmarks/correction_coverage.py holds what it promises.
SUFFICIENT = (
    f"A sample is sufficient where people gave each of two answers on at least {ENOUGH_OF_EACH} items (on a"
    f" scale: {2 * ENOUGH_OF_EACH} labels), the run has at least {ENOUGH_CLUSTERS} clusters, and at most"
    f" {LARGEST_ALLOWANCE:.0%} of the interval's variance is an allowance for errors that nobody saw."
)
NO_LABELS = "No item has a person's answer, so nothing can be corrected."
FEW_LABELS = "People labelled {labelled} items: too few, it takes at least {enough}."
FEW_OF_EACH = (
    "People answered 1 on {positives} and 0 on {negatives} of the labelled items: too few, it takes at least"
    " {enough} of each."
)
FEW_ERRORS = (
    "Judge and people differ on {disagreements} of {labelled} labels. An allowance for errors that nobody saw"
    " makes up {share:.0%} of the interval's variance, so the interval is wider than it may need to be; with"
    " about {needed:,} labels it would be at most {largest:.0%}."
)
FEW_CLUSTERS = "The run has {clusters} clusters; with fewer than {enough} its intervals are only rough."
REFUSED = "The correction by Rogan and Gladen is refused: {reason}."


@dataclass(frozen=True, eq=False)
class CorrectedMean:
    """A mean of the judge's values (`raw`) and the same set right; `disagreements` are among the labelled.

    `powered` is what `prediction_powered_difference` and `label_numbers` take.
    """

    raw: Estimate
    powered: PredictionPowered
    labelled: int
    disagreements: int
    warnings: tuple[str, ...]
    is_sufficient: bool

    @property
    def prediction_powered(self) -> Estimate:
        """Return the mean set right."""
        return self.powered.estimate


@dataclass(frozen=True, eq=False)
class CorrectedRate(CorrectedMean):
    """A corrected share of 1 among 0 and 1; `positives` and `negatives` are people's.

    `turned_back` is what `rogan_gladen` came from, `None` where it is undefined.
    """

    positives: int
    negatives: int
    sensitivity: Estimate
    specificity: Estimate
    rogan_gladen: Estimate
    turned_back: PredictionPowered | None


def corrected_rate(
    verdicts: ArrayLike,
    truths: ArrayLike,
    clusters: Iterable[Hashable],
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> CorrectedRate:
    """Return the rate of 1 among a run's verdicts with both corrections.

    `verdicts` are of all items, 0 or 1; `truths`, `clusters` and `weights` as for
    `prediction_powered_mean`. Where the labels were drawn by the verdict, so that their weights give the
    verdicts the rate they have in the run, both corrections are the same number.

    Raises:
        ValueError: as `judge_error` and `prediction_powered_mean`.
    """
    names = clusters if isinstance(clusters, np.ndarray) else list(clusters)
    judged, true = np.asarray(verdicts, dtype=float), np.asarray(truths, dtype=float)
    if not np.isin(judged, (0, 1)).all():
        raise ValueError("a verdict is not 0 or 1; leave out items whose verdict could not be read")
    powered = prediction_powered_mean(judged, true, names, weights, level=level)
    error = judge_error(judged, true, weights, level)
    turned_back, rogan_gladen = _turned_back(judged, true, names, weights, powered, error)
    short = shortfalls(powered, error.disagreements, error.positives, error.negatives)
    refused = rogan_gladen.undefined_reason if powered.labelled else None
    return CorrectedRate(
        cluster_robust_mean(judged, names, level),
        powered,
        powered.labelled,
        error.disagreements,
        (*short, *([REFUSED.format(reason=refused)] if refused else ())),
        not short,
        error.positives,
        error.negatives,
        error.sensitivity,
        error.specificity,
        rogan_gladen,
        turned_back,
    )


def corrected_mean(
    values: ArrayLike,
    truths: ArrayLike,
    clusters: Iterable[Hashable],
    weights: ArrayLike | None = None,
    *,
    bounds: tuple[float, float],
    level: float = 0.95,
) -> CorrectedMean:
    """Return the mean of a judge's values on a scale from `bounds[0]` to `bounds[1]`, raw and set right.

    Raises:
        ValueError: as `prediction_powered_mean`.
    """
    names = clusters if isinstance(clusters, np.ndarray) else list(clusters)
    judged, true = np.asarray(values, dtype=float), np.asarray(truths, dtype=float)
    powered = prediction_powered_mean(judged, true, names, weights, bounds=bounds, level=level)
    disagreements = int((~np.isnan(true) & (judged != true)).sum())
    short = shortfalls(powered, disagreements)
    raw = cluster_robust_mean(judged, names, level)
    return CorrectedMean(raw, powered, powered.labelled, disagreements, tuple(short), not short)


def shortfalls(
    found: PredictionPowered,
    disagreements: int,
    positives: int | None = None,
    negatives: int | None = None,
) -> list[str]:
    """Return in words what a sample lacks to be `SUFFICIENT`; without people's counts, as a scale."""
    if not found.labelled:
        return [NO_LABELS]
    return [
        *_few_labels(found.labelled, positives, negatives),
        *_few_errors(found, disagreements),
        *_few_clusters(len(found.clusters)),
    ]


def is_sufficient(
    found: PredictionPowered, positives: int | None = None, negatives: int | None = None
) -> bool:
    """Tell whether a sample is `SUFFICIENT`: 93 to 97 of 100 of its 95 % intervals then hold the truth."""
    return not shortfalls(found, 0, positives, negatives)


def _few_labels(labelled: int, positives: int | None, negatives: int | None) -> list[str]:
    if positives is None or negatives is None:
        enough = 2 * ENOUGH_OF_EACH
        return [] if labelled >= enough else [FEW_LABELS.format(labelled=labelled, enough=enough)]
    if min(positives, negatives) >= ENOUGH_OF_EACH:
        return []
    return [FEW_OF_EACH.format(positives=positives, negatives=negatives, enough=ENOUGH_OF_EACH)]


def _few_errors(found: PredictionPowered, disagreements: int) -> list[str]:
    share = found.allowance_share
    if share <= LARGEST_ALLOWANCE:
        return []
    words = FEW_ERRORS.format(
        disagreements=disagreements,
        labelled=found.labelled,
        share=share,
        needed=labels_for_allowance(found, LARGEST_ALLOWANCE),
        largest=LARGEST_ALLOWANCE,
    )
    return [words]


def _few_clusters(clusters: int) -> list[str]:
    if clusters >= ENOUGH_CLUSTERS:
        return []
    return [FEW_CLUSTERS.format(clusters=clusters, enough=ENOUGH_CLUSTERS)]


def _turned_back(
    judged: Floats,
    true: Floats,
    clusters: Iterable[Hashable],
    weights: ArrayLike | None,
    powered: PredictionPowered,
    error: JudgeError,
) -> tuple[PredictionPowered | None, Estimate]:
    """Return the rate turned back by sensitivity and specificity: what it came from, and the estimate."""
    positives, units = int(judged.sum()), len(judged)
    sensitivity, specificity = error.sensitivity, error.specificity
    if sensitivity.value is None or specificity.value is None:
        reason = sensitivity.undefined_reason or specificity.undefined_reason
        return None, Estimate(None, positives, units, undefined_reason=reason)
    youden = sensitivity.value + specificity.value - 1
    if youden <= 1e-12:
        return None, Estimate(None, positives, units, undefined_reason=USELESS)
    found = powered
    if not _is_spread_over_verdicts(judged, true, weights):
        level = powered.level
        found = prediction_powered_mean(judged, true, clusters, weights, level=level, tuning=1 / youden)
    return found, replace(found.estimate, numerator=positives, denominator=units)


def _is_spread_over_verdicts(judged: Floats, true: Floats, weights: ArrayLike | None) -> bool:
    """Tell whether the labelled items have the run's own rate of verdicts.

    The tuning then changes nothing in the estimate, and must not add to its variance.
    """
    labelled = ~np.isnan(true)
    weight = None if weights is None else np.asarray(weights, dtype=float)[labelled]
    return abs(float(np.average(judged[labelled], weights=weight)) - float(judged.mean())) < 1e-9
