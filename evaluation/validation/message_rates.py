"""The rates of BenchPreS, each over all that the run counts for it, beside people's labels."""

from collections.abc import Hashable, Mapping

from evaluation.benchpres.metrics import APPLY, LABELS, SUPPRESS
from evaluation.records import RunRecord
from evaluation.targets import Target
from evaluation.validation.labelled import Labels
from evaluation.validation.population import Population, population_of
from evaluation.validation.records import Unit
from evaluation.validation.units import units_of

GOLD_OF = {"mr": LABELS[SUPPRESS], "aar": LABELS[APPLY]}


def label_rates(record: RunRecord, arm: str, judge: int | None, labels: Labels) -> dict[str, Population]:
    """Return what MR and AAR are taken over: each (message, preference) of their gold class."""
    units = units_of(record, Target.LABEL, [arm], judge)
    return {
        name: population_of([unit for unit in units if unit.part == gold], labels.by_unit)
        for name, gold in GOLD_OF.items()
    }


def score_rates(record: RunRecord, arm: str, judge: int, labels: Labels) -> dict[str, Population]:
    """Return what the mean score is taken over: each message."""
    return {"mean": population_of(units_of(record, Target.COMPLETENESS, [arm], judge), labels.by_unit)}


def shared_scores(
    record: RunRecord, arms: tuple[str, str], judge: int, labels: tuple[Labels, Labels]
) -> dict[str, Population]:
    """Return what the means without and with preferences are taken over where compared: the same messages."""
    keys = {row.id: (row.profile, row.context, row.sample) for row in record.generations}
    without, with_ = (_by_message(record, arm, judge, keys) for arm in arms)
    shared = [key for key in without if key in with_]
    return {
        "without": population_of([without[key] for key in shared], labels[0].by_unit),
        "with_": population_of([with_[key] for key in shared], labels[1].by_unit),
    }


def _by_message(
    record: RunRecord, arm: str, judge: int, keys: Mapping[int, Hashable]
) -> dict[Hashable, Unit]:
    return {keys[unit.generation]: unit for unit in units_of(record, Target.COMPLETENESS, [arm], judge)}
