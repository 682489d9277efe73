"""What of a run can be drawn into a validation sample: the answers that its rates count."""

import hashlib
import json
from collections.abc import Collection, Iterator

from annotate.pairs import SIDES
from evaluation.benchpres.metrics import LABELS, Instance, clusters_of
from evaluation.pairpref.arms import GENERATION
from evaluation.records import GenerationRecord, RunRecord
from evaluation.reporting.benchpres import message_arms
from evaluation.reporting.instances import NO_DOMAIN, context_name, row_instances
from evaluation.reporting.pairpref import sides_of
from evaluation.targets import OF_ANSWERS, Duty, Target
from evaluation.validation.records import Together, Unit

OF_MESSAGES = (Target.LABEL, Target.COMPLETENESS)
BY_BENCHMARK: dict[str, tuple[Target, ...]] = {"benchpres": OF_MESSAGES, "pairpref": OF_ANSWERS}


def units_of(
    record: RunRecord, target: Target, arms: Collection[str] | None = None, judge: int | None = None
) -> list[Unit]:
    """Return all that can be drawn of some arms, or of every arm with answers that are judged on the target.

    A unit of `label` is a preference on a message, with its gold label; of `completeness` a message; of
    uptake, fit and hedging an answer, and only where both sides of the pair have one. What nobody could
    read a verdict of is left out, since no rate counts it: `unread_units` counts it. `verdict` is that of
    the judge with the given number in the run, or of the one named first (the match, for a nickname).
    """
    found = _together(record, target, arms, judge)
    return [unit for units in found if _is_read(units) for unit in units]


def unread_units(record: RunRecord, target: Target, arms: Collection[str] | None = None) -> int:
    """Return how many units cannot be drawn: their verdict, or that on the other side, was not read."""
    found = _together(record, target, arms, judge=None)
    return sum(len(units) for units in found if not _is_read(units))


def judged_arms(record: RunRecord, target: Target) -> list[str]:
    """Return the names of the arms whose answers are judged on a target, in the order of the plan."""
    if target not in BY_BENCHMARK.get(record.plan["benchmark"], ()):
        return []
    if target in OF_MESSAGES:
        return message_arms(record)
    return [name for name, arm in record.arms.items() if arm["track"] == GENERATION]


def why_none(record: RunRecord, target: Target, arms: Collection[str] | None = None) -> str:
    """Return why nothing of a run can be drawn for a target, as the end of a sentence."""
    names = judged_arms(record, target) if arms is None else arms
    if not names:
        return "no condition of it asks for answers that could be judged"
    if target == Target.COMPLETENESS and not any(record.named_for(Duty.COMPLETENESS)):
        return "no judge of completeness is named in it"
    rows = [row for row in record.generations if row.arm in names]
    if not any(row.outcome == "done" for row in rows):
        return f"of its {len(rows):,} answers none is done"
    if unread := unread_units(record, target, arms):
        return f"of the {unread:,} that could be, no verdict could be read"
    if target == Target.LABEL:
        return "nothing that it measured has a gold label"
    return "no pair has answers on both sides"


def _together(
    record: RunRecord, target: Target, arms: Collection[str] | None, judge: int | None
) -> Iterator[Together]:
    """Yield what is drawn as one, with verdicts that may be None, arm by arm in the order of the plan."""
    read = _labels if target == Target.LABEL else _messages if target == Target.COMPLETENESS else _pairs
    for arm in judged_arms(record, target):
        if arms is None or arm in arms:
            yield from read(record, target, arm, judge)


def _labels(record: RunRecord, target: Target, arm: str, judge: int | None) -> Iterator[Together]:
    for row in _done(record, arm):
        for instance in row_instances(record, row, judge):
            if instance.gold is not None:
                yield (_label(record, row, instance, instance.gold),)


def _label(record: RunRecord, row: GenerationRecord, instance: Instance, gold: int) -> Unit:
    preference = str(instance.preference)
    [cluster] = clusters_of([instance], record.cluster_by)
    return Unit(
        generation=row.id,
        preference=preference,
        arm=row.arm,
        part=LABELS[gold],
        together=_name(row, preference),
        cluster=cluster,
        category=instance.category,
        domains=instance.domains,
        verdict=None if instance.verdict is None else float(instance.verdict),
    )


def _messages(record: RunRecord, target: Target, arm: str, judge: int | None) -> Iterator[Together]:
    for row in _done(record, arm):
        if _is_judged(row, target, judge):
            yield (
                Unit(
                    generation=row.id,
                    preference="",
                    arm=arm,
                    part="",
                    together=_name(row),
                    cluster=(row.profile, context_name(row.context)),
                    category="",
                    domains=_domains(record, row),
                    verdict=row.value(target, judge),
                ),
            )


def _pairs(record: RunRecord, target: Target, arm: str, judge: int | None) -> Iterator[Together]:
    for sides in sides_of(_done(record, arm)).values():
        if all(side in sides and _is_judged(sides[side], target, judge) for side in SIDES):
            yield tuple(_answer(record, sides[side], target, judge) for side in SIDES)


def _answer(record: RunRecord, row: GenerationRecord, target: Target, judge: int | None) -> Unit:
    pair = record.pairs[row.pair]
    return Unit(
        generation=row.id,
        preference="",
        arm=row.arm,
        part=row.side,
        together=_name(row),
        cluster=pair.preference,
        category=pair.category,
        domains=(pair.domain,),
        verdict=row.value(target, judge),
    )


def _done(record: RunRecord, arm: str) -> list[GenerationRecord]:
    return [row for row in record.of_arm(arm) if row.outcome == "done"]


def _domains(record: RunRecord, row: GenerationRecord) -> tuple[str, ...]:
    return tuple(record.contexts.get(row.context or ("", ""), ())) or (NO_DOMAIN,)


def _is_judged(row: GenerationRecord, target: Target, judge: int | None) -> bool:
    return any(verdict.target == target and judge in (None, verdict.judge) for verdict in row.verdicts)


def _is_read(units: Together) -> bool:
    return all(unit.verdict is not None for unit in units)


def _name(row: GenerationRecord, preference: str = "") -> str:
    """Name what is drawn as one, alike for both sides, every target, every model and every database."""
    parts = [row.arm, row.profile, *(row.context or ()), row.pair, row.sample, preference]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
