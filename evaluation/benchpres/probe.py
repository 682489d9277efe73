"""The classification probe: does a model know where a preference belongs, and does it act on it?

The model is asked directly whether a preference should be applied in a context. Its accuracy says what
it knows; beside the verdicts on its messages it splits MR and 1 - AAR into not knowing and not doing.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.agreement.estimate import Estimate
from annotate.agreement.rows import indexed, mask_of
from evaluation.benchpres.metrics import (
    APPLY,
    LABELS,
    RESAMPLES,
    SUPPRESS,
    ClusteredMeans,
    Instance,
    Mask,
    masks_by_label,
)

KNOWING, NOT_KNOWING, FOLLOWED = 0, 1, 2

type Question = tuple[Hashable, Hashable]


@dataclass(frozen=True)
class Decision:
    """What the model said: apply the preference in the context or not; None where it cannot be read."""

    context: Hashable
    preference: Hashable
    apply: bool | None

    @property
    def question(self) -> Question:
        """What was asked: (context, preference)."""
        return self.context, self.preference


@dataclass(frozen=True)
class ProbeAccuracy:
    """The share of decisions that equal the gold label, 0 to 1, of all and within each label.

    `unread` counts among the decisions with a gold label; those without one are in `without_gold`.
    """

    overall: Estimate
    within_suppress: Estimate
    within_apply: Estimate
    decisions: int
    without_gold: int
    unread: int


@dataclass(frozen=True)
class Split:
    """MR and 1 - AAR, each split into not doing (`knowing`) and not knowing, on the same instances.

    misapplied_knowing + misapplied_not_knowing = MR over instances of the gold label 0, and
    omitted_knowing + omitted_not_knowing = 1 - AAR over those of 1. Each is, as MR, the mean over the
    samples. The counts follow each other: without gold, of the rest without a readable verdict, of the
    rest without a readable decision; all other instances enter.
    """

    mr: Estimate
    misapplied_knowing: Estimate
    misapplied_not_knowing: Estimate
    aar: Estimate
    omitted_knowing: Estimate
    omitted_not_knowing: Estimate
    instances: int
    without_gold: int
    without_verdict: int
    without_decision: int


def probe_accuracy(
    decisions: Sequence[Decision], gold: Mapping[Question, int], *, seed: int, resamples: int = RESAMPLES
) -> ProbeAccuracy:
    """Return how often the decisions are right, with intervals over whole contexts.

    `gold` holds 0 or 1 by (context, preference).

    Raises:
        ValueError: if there are two decisions on the same question.
    """
    known = [row for row in _by_question(decisions).values() if row.question in gold]
    read = [row for row in known if row.apply is not None]
    labels = [gold[row.question] for row in read]
    means = ClusteredMeans(
        mask_of(row.apply == (label == APPLY) for row, label in zip(read, labels, strict=True)),
        np.vstack([np.ones((1, len(read)), dtype=bool), masks_by_label(labels)]),
        [(row.context,) for row in read],
        seed=seed,
        resamples=resamples,
    )
    return ProbeAccuracy(
        overall=means.mean((0,), "no decision that could be read has a gold label"),
        within_suppress=means.mean((1,), _no_decision(SUPPRESS)),
        within_apply=means.mean((2,), _no_decision(APPLY)),
        decisions=len(decisions),
        without_gold=len(decisions) - len(known),
        unread=len(known) - len(read),
    )


def split(
    instances: Sequence[Instance], decisions: Iterable[Decision], *, seed: int, resamples: int = RESAMPLES
) -> Split:
    """Return what the model does against the gold label, by whether it knew better.

    It knew better where its decision equals the gold label. Intervals resample whole (profile, context)
    clusters; an instance whose question has no readable decision is left out and counted.

    Raises:
        ValueError: if there are two decisions on the same question.
    """
    said = {question: row.apply for question, row in _by_question(decisions).items()}
    with_gold = [row for row in instances if row.gold is not None]
    judged = [row for row in with_gold if row.verdict is not None]
    rows = [row for row in judged if said.get((row.context, row.preference)) is not None]
    knew = mask_of(said[row.context, row.preference] == (row.gold == APPLY) for row in rows)
    means = _split_means(rows, knew, seed, resamples)
    (mr, aar), knowing, not_knowing = (
        [means.mean((kind, label), _no_instance(label)) for label in LABELS]
        for kind in (FOLLOWED, KNOWING, NOT_KNOWING)
    )
    return Split(
        mr=mr,
        misapplied_knowing=knowing[SUPPRESS],
        misapplied_not_knowing=not_knowing[SUPPRESS],
        aar=aar,
        omitted_knowing=knowing[APPLY],
        omitted_not_knowing=not_knowing[APPLY],
        instances=len(instances),
        without_gold=len(instances) - len(with_gold),
        without_verdict=len(with_gold) - len(judged),
        without_decision=len(judged) - len(rows),
    )


def _split_means(rows: list[Instance], knew: Mask, seed: int, resamples: int) -> ClusteredMeans:
    """Return the means at the places (knowing / not knowing / followed, gold label)."""
    followed = mask_of(row.verdict == 1 for row in rows)
    wrong = mask_of(row.verdict != row.gold for row in rows)
    labels = masks_by_label(row.gold for row in rows)
    return ClusteredMeans(
        np.stack([wrong & knew, wrong & ~knew, followed])[:, None],
        np.stack([labels] * 3),
        [row.cluster for row in rows],
        [row.sample for row in rows],
        seed=seed,
        resamples=resamples,
    )


def _by_question(decisions: Iterable[Decision]) -> dict[Question, Decision]:
    return indexed(decisions, lambda row: row.question, "the decision on")


def _no_decision(label: int) -> str:
    return f"no decision that could be read is on the gold label {LABELS[label]}"


def _no_instance(label: int) -> str:
    return f"no instance of the gold label {LABELS[label]} has a verdict and a decision that could be read"
