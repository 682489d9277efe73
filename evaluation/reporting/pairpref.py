"""What a PairPref run found: both tracks and the classifiers under each arm, arms of a track against each
other, and the tracks matched.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from evaluation.pairpref.arms import APPLICABILITY_FIRST, GENERATION, PREFERENCE_ONLY, SELECTION, TWO_DRAFTS
from evaluation.pairpref.classifiers import Decisions, measure_decisions, same_on_both_sides
from evaluation.pairpref.comparison import (
    Comparison,
    compare_decisions,
    compare_generations,
    compare_selections,
)
from evaluation.pairpref.matched import match_tracks
from evaluation.pairpref.metrics import (
    Answer,
    Answers,
    Choices,
    measure_generation,
    measure_selection,
)
from evaluation.pairpref.prompting import APPLY, SET_ASIDE
from evaluation.records import GenerationRecord, RunRecord
from evaluation.reporting.counts import count_units
from evaluation.reporting.plain import plain
from evaluation.targets import Duty, Target

Report = dict[str, Any]
PARTS = ("category", "domain", "tier", "distance", "preference")
SETTINGS = ("control", "presentation", "wording", "procedure", "reasoning")
HEADS = ("apply", "relevant", "sufficient")
DECIDING = (APPLICABILITY_FIRST, TWO_DRAFTS)
TRUTHS = {"yes": True, APPLY: True, "no": False, SET_ASIDE: False}
Sides = dict[tuple[str, int], dict[str, GenerationRecord]]


def pairpref_sections(record: RunRecord) -> Report:
    """Return the sections of the report that PairPref has of its own. Rates go from 0 to 1."""
    return {
        "arms": {name: arm_report(record, name) for name in record.arms},
        "main": main_table(record),
        "matched": list(_matched(record)),
        "comparisons": list(_comparisons(record)),
    }


def arm_report(record: RunRecord, arm: str) -> Report:
    """Return the rates of one arm, whole and in parts, with the counts behind them."""
    settings = record.arms[arm]
    return {
        "settings": settings,
        **_measured(record, arm, None),
        "by_judge": _by_judge(record, arm),
        "decisions": _decisions_before_answers(record, arm),
        "counts": count_units(record.of_arm(arm)),
    }


def main_table(record: RunRecord) -> list[Report]:
    """Return the rows of the paper's main table: the arms of both tracks that are asked alike."""
    rows: dict[tuple[Any, ...], Report] = {}
    for name, arm in record.arms.items():
        if arm["track"] in (SELECTION, GENERATION):
            settings = {key: arm[key] for key in SETTINGS}
            row = rows.setdefault(tuple(settings.values()), {"settings": settings})
            row[arm["track"]] = name
    return list(rows.values())


def choices_of(record: RunRecord, arm: str) -> list[Choices]:
    """Return the roles chosen on both sides of each pair and sample."""
    return [
        Choices(record.pairs[pair], sample, *(_choice(sides.get(side)) for side in ("positive", "negative")))
        for (pair, sample), sides in sides_of(record.of_arm(arm)).items()
    ]


def answers_of(record: RunRecord, arm: str, judge: int | None = None) -> list[Answers]:
    """Return what was judged of both answers of each pair and sample, by one judge or by the first."""
    judges = [row.number for row in record.named_for(Duty.ANSWERS)]
    judge = judge or (judges[0] if judges else None)
    return [
        Answers(
            record.pairs[pair],
            sample,
            *(_answer(sides.get(side), judge) for side in ("positive", "negative")),
        )
        for (pair, sample), sides in sides_of(record.of_arm(arm)).items()
    ]


def decisions_of(record: RunRecord, arm: str, head: str = "apply") -> list[Decisions]:
    """Return what a head of a classifier decided on both sides of each pair."""
    rows = list(_first_samples(record.of_arm(arm)))
    if record.arms[arm]["track"] == PREFERENCE_ONLY:
        return [same_on_both_sides(record.pairs[row.pair], _truth(row)) for row in rows]
    return list(_decisions(record, [row for row in rows if row.task == head]))


def sides_of(rows: Iterable[GenerationRecord]) -> Sides:
    """Return the units of each (pair, sample) by side."""
    found: Sides = {}
    for row in rows:
        found.setdefault((row.pair, row.sample), {})[row.side] = row
    return found


def compare_arms(first: tuple[RunRecord, str], second: tuple[RunRecord, str]) -> Comparison:
    """Compare two arms of one track, each with its run, on what both retain; the seed is the first run's.

    Where a run has several judges of answers, the one named first counts.
    """
    record, arm = first
    track, seed = record.arms[arm]["track"], record.seed
    if track == SELECTION:
        return compare_selections(choices_of(*first), choices_of(*second), seed=seed)
    if track == GENERATION:
        return compare_generations(answers_of(*first), answers_of(*second), seed=seed)
    return compare_decisions(decisions_of(*first), decisions_of(*second), seed=seed)


def _comparisons(record: RunRecord) -> Iterator[Report]:
    """Yield each further arm of a track against the first arm of that track."""
    firsts: dict[str, str] = {}
    for name, arm in record.arms.items():
        first = firsts.setdefault(arm["track"], name)
        if first != name:
            found = plain(compare_arms((record, first), (record, name)))
            yield {"first": first, "second": name, "track": arm["track"], **found}


def _measured(record: RunRecord, arm: str, judge: int | None) -> Report:
    track = record.arms[arm]["track"]
    found: Any
    if track == SELECTION:
        found = measure_selection(choices_of(record, arm), seed=record.seed)
    elif track == GENERATION:
        found = measure_generation(answers_of(record, arm, judge), seed=record.seed)
    else:
        found = _classified(record, arm, track)
    whole = plain(found)
    return {**whole.pop("overall"), **whole}


def _classified(record: RunRecord, arm: str, track: str) -> Any:
    heads = HEADS[:1] if track == PREFERENCE_ONLY else HEADS
    return measure_decisions(*(decisions_of(record, arm, head) for head in heads), seed=record.seed)


def _by_judge(record: RunRecord, arm: str) -> list[Report]:
    """Return the whole arm's rates by each judge, where a run has several."""
    judges = list(record.named_for(Duty.ANSWERS))
    if record.arms[arm]["track"] != GENERATION or len(judges) < 2:
        return []
    return [
        {
            "judge": judge.name,
            **plain(measure_generation(answers_of(record, arm, judge.number), seed=record.seed).overall),
        }
        for judge in judges
    ]


def _decisions_before_answers(record: RunRecord, arm: str) -> Report | None:
    """Score the decision that a procedure takes before its answer, apart from the answer."""
    settings = record.arms[arm]
    if settings["track"] != GENERATION or settings["procedure"] not in DECIDING:
        return None
    rows = list(_first_samples(record.of_arm(arm)))
    found = plain(measure_decisions(list(_decisions(record, rows)), seed=record.seed))
    return found["overall"]


def _matched(record: RunRecord) -> Iterator[Report]:
    """Yield selection against generation of the arms that are asked alike."""
    for row in main_table(record):
        if SELECTION in row and GENERATION in row:
            found = match_tracks(
                choices_of(record, row[SELECTION]), answers_of(record, row[GENERATION]), seed=record.seed
            )
            yield {"selection": row[SELECTION], "generation": row[GENERATION], **plain(found)}


def _decisions(record: RunRecord, rows: Iterable[GenerationRecord]) -> Iterator[Decisions]:
    for (pair, _), sides in sides_of(rows).items():
        yield Decisions(record.pairs[pair], *(_truth(sides.get(side)) for side in ("positive", "negative")))


def _first_samples(rows: Iterable[GenerationRecord]) -> Iterator[GenerationRecord]:
    """Yield what was decided first: decisions count once a pair."""
    return (row for row in rows if row.sample == 1)


def _choice(row: GenerationRecord | None) -> str | None:
    return row.choice if row and row.outcome == "done" else None


def _truth(row: GenerationRecord | None) -> bool | None:
    return TRUTHS.get(row.choice) if row and row.outcome == "done" else None


def _answer(row: GenerationRecord | None, judge: int | None) -> Answer | None:
    if row is None or row.outcome != "done":
        return None
    uptake, fit, hedge = (row.value(target, judge) for target in (Target.UPTAKE, Target.FIT, Target.HEDGE))
    return Answer(uptake, None if fit is None else int(fit), None if hedge is None else bool(hedge))
