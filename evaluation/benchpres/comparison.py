"""Two runs, two conditions or two judges on the same instances, compared pair by pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotate.agreement.contrast import Contrast, PairedTable, paired_table
from annotate.agreement.rows import indexed, mask_of
from evaluation.benchpres.metrics import (
    APPLY,
    LABELS,
    RESAMPLES,
    SUPPRESS,
    ClusterBy,
    ClusteredMeans,
    Instance,
    Mask,
    Signs,
    clusters_of,
    masks_by_label,
)

FIRST, SECOND = 0, 1

type Pair = tuple[Instance, Instance]


@dataclass(frozen=True)
class Comparison:
    """MR, AAR and gap of two sides, and McNemar's table for each gold label (0, 1), a yes being *followed*.

    `shared` instances are in both; of these `without_gold` lack a gold label on a side, and
    `without_verdict`, among the rest, a verdict on a side. All others are compared.
    """

    mr: Contrast
    aar: Contrast
    gap: Contrast
    tables: dict[int, PairedTable]
    shared: int
    only_first: int
    only_second: int
    without_gold: int
    without_verdict: int
    clusters: int
    resamples: int
    seed: int


def compare(
    first: Sequence[Instance],
    second: Sequence[Instance],
    *,
    seed: int,
    resamples: int = RESAMPLES,
    cluster_by: ClusterBy = "context",
) -> Comparison:
    """Compare what two sides have in common, by (profile, context, preference, sample).

    Only pairs with a gold label and a verdict on both sides enter, so that both rest on the same
    instances. Where one side has more samples, those that the other lacks are left out and counted.

    McNemar's test takes the instances as independent, while the interval resamples whole clusters.

    Raises:
        ValueError: if an instance is given twice on a side, or has two different gold labels.
    """
    one, two = (indexed(side, lambda row: row.key, "instance") for side in (first, second))
    shared = [(row, two[key]) for key, row in one.items() if key in two]
    with_gold = [pair for pair in shared if _same_gold(pair)]
    pairs = [pair for pair in with_gold if None not in (pair[FIRST].verdict, pair[SECOND].verdict)]
    followed = np.stack([mask_of(pair[side].verdict == 1 for pair in pairs) for side in (FIRST, SECOND)])
    labels = masks_by_label(row.gold for row, _ in pairs)
    means = _means(pairs, followed, labels, cluster_by, seed, resamples)
    mr, aar, gap = _contrasts(means, labels.sum(axis=1).tolist())
    return Comparison(
        mr=mr,
        aar=aar,
        gap=gap,
        tables={label: paired_table(*followed[:, labels[label]]) for label in LABELS},
        shared=len(shared),
        only_first=len(one) - len(shared),
        only_second=len(two) - len(shared),
        without_gold=len(shared) - len(with_gold),
        without_verdict=len(with_gold) - len(pairs),
        clusters=means.cluster_count,
        resamples=resamples,
        seed=seed,
    )


def _same_gold(pair: Pair) -> bool:
    """Say whether both have a gold label.

    Raises:
        ValueError: if they are two different labels.
    """
    first, second = pair
    if first.gold is None or second.gold is None:
        return False
    if first.gold != second.gold:
        labels = f"the gold label {first.gold} on one side and {second.gold} on the other"
        raise ValueError(f"instance {first.key} has {labels}; expected the same")
    return True


def _means(
    pairs: list[Pair], followed: Mask, labels: Mask, cluster_by: ClusterBy, seed: int, resamples: int
) -> ClusteredMeans:
    """Return the rates at the places (side, label)."""
    rows = [row for row, _ in pairs]
    return ClusteredMeans(
        followed[:, None],
        np.stack([labels, labels]),
        clusters_of(rows, cluster_by),
        [row.sample for row in rows],
        seed=seed,
        resamples=resamples,
    )


def _contrasts(means: ClusteredMeans, pairs: list[int]) -> list[Contrast]:
    """Return MR, AAR and gap of both sides; `pairs` counts those of each label."""
    missing = " and ".join(LABELS[label] for label in LABELS if not pairs[label])
    rates = [_contrast_of_rate(means, label, pairs[label]) for label in LABELS]
    signs: list[Signs] = [{(side, APPLY): 1, (side, SUPPRESS): -1} for side in (FIRST, SECOND)]
    reason = f"without pairs of the gold label {missing} there is no gap"
    first, second = (means.combined(of_side, sum(pairs), reason) for of_side in signs)
    # In this order equal rates cancel exactly, without a trace of rounding.
    between: Signs = {(SECOND, APPLY): 1, (FIRST, APPLY): -1, (FIRST, SUPPRESS): 1, (SECOND, SUPPRESS): -1}
    difference = means.combined(between, sum(pairs), reason)
    return [*rates, Contrast(first, second, difference)]


def _contrast_of_rate(means: ClusteredMeans, label: int, pairs: int) -> Contrast:
    reason = f"no shared instance has the gold label {LABELS[label]} and a verdict on both sides"
    first, second = (means.mean((side, label), reason) for side in (FIRST, SECOND))
    signs: Signs = {(SECOND, label): 1, (FIRST, label): -1}
    return Contrast(first, second, means.combined(signs, pairs, reason))
