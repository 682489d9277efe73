"""What people's labels make known of a run's answers, and for how many each labelled one stands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from annotate.problems import Problem, refuse_repeats
from evaluation.targets import Target
from evaluation.validation.answers import weights_of
from evaluation.validation.records import SampleRecord
from evaluation.validation.reference import Reference, reference_of

type Key = tuple[int, str]


@dataclass(frozen=True)
class Label:
    """What people say of a unit together, and for how many units of its stratum that stands."""

    truth: float
    weight: float


@dataclass(frozen=True)
class Labels:
    """The items of a sample that are of one arm, the sum of `by_unit`, `without_reference` and `changed`.

    `by_unit` holds those on which people's answers have a median. Of a `changed` item people saw another
    text than the run's judges have judged.
    """

    sample: str
    target: Target
    arm: str
    seed: int
    items: int
    changed: int
    without_reference: int
    by_unit: Mapping[Key, Label]


def labels_of(run: int, samples: Sequence[SampleRecord]) -> dict[tuple[str, Target], Labels]:
    """Return people's labels by arm and target, from one or more samples of a run.

    Raises:
        Problem: if a sample is of another run, has no label that counts or is named twice, or if two samples
            are of one target and one arm.
    """
    refuse_repeats("sample", [sample.slug for sample in samples])
    found: dict[tuple[str, Target], Labels] = {}
    for sample in samples:
        _refuse_of_another_run(run, sample)
        for arm, labels in _by_arm(sample).items():
            first = found.setdefault((arm, labels.target), labels)
            if first is not labels:
                _refuse_second(first, labels, arm)
    return found


def _by_arm(sample: SampleRecord) -> dict[str, Labels]:
    reference = reference_of(sample)
    known = dict(_known(sample, reference))
    found = {arm: _of_arm(sample, arm, known) for arm in sample.arms}
    if not any(labels.by_unit for labels in found.values()):
        raise Problem(_why_no_label(sample, reference))
    return found


def _known(sample: SampleRecord, reference: Reference) -> Iterator[tuple[int, Label]]:
    """Yield what is known of each item that counts, by its number.

    It stands for its share of what its stratum was drawn from, also of the items drawn that do not count:
    labelling that has come further in one stratum than in another must not shift a rate.
    """
    values, weights = dict(zip(sample.value_words, sample.values, strict=True)), weights_of(sample)
    counting = [item for item in sample.items if item.number in reference.values and not item.is_changed]
    drawn, counted = (Counter(item.stratum for item in items) for items in (sample.items, counting))
    for item in counting:
        truth = values[reference.values[item.number]]
        yield item.number, Label(truth, weights[item.number] * drawn[item.stratum] / counted[item.stratum])


def _of_arm(sample: SampleRecord, arm: str, known: Mapping[int, Label]) -> Labels:
    items = [item for item in sample.items if item.unit.arm == arm]
    unchanged = [item for item in items if not item.is_changed]
    by_unit = {item.unit.key: known[item.number] for item in unchanged if item.number in known}
    return Labels(
        sample=sample.slug,
        target=Target(sample.target),
        arm=arm,
        seed=sample.seed,
        items=len(items),
        changed=len(items) - len(unchanged),
        without_reference=len(unchanged) - len(by_unit),
        by_unit=by_unit,
    )


def _refuse_of_another_run(run: int, sample: SampleRecord) -> None:
    if sample.run != run:
        raise Problem(
            f"Sample {sample.slug} is of answers of run {sample.run}, and says nothing of run {run}; name a "
            f"sample of run {run}, or correct run {sample.run} by it."
        )


def _refuse_second(first: Labels, second: Labels, arm: str) -> NoReturn:
    raise Problem(
        f"Samples {first.sample} and {second.sample} ask the same of condition {arm}; name only one of them."
    )


def _why_no_label(sample: SampleRecord, reference: Reference) -> str:
    """Say why nothing is known from a sample, and what to do."""
    if len(reference.unlabelled) == len(sample.items):
        return (
            f"Nobody has labelled an item of sample {sample.slug} yet, so it corrects nothing. Give people a "
            "seat in it and let them label it under *My work*, or take answers in from a file with "
            "import_validation_labels."
        )
    changed = sum(item.is_changed and item.number in reference.values for item in sample.items)
    return (
        f"Of the {len(sample.items):,} items of sample {sample.slug} none has a label that counts: "
        f"{len(reference.unlabelled):,} are not labelled, {len(reference.cannot_tell):,} nobody could tell, "
        f"on {len(reference.divided):,} people are divided, and of {changed:,} the answer has been read "
        "differently since. Let people label more of it."
    )
