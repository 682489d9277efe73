"""How well judges agree with people on a validation sample, as plain data: read by page, command and API."""

from typing import Any

from annotate.validation import QUESTIONS, Question
from evaluation.reporting.plain import plain
from evaluation.targets import QUESTIONS_FOR_PEOPLE
from evaluation.validation.against_people import (
    AgainstPeople,
    Measured,
    judges_against_people,
    people_against_others,
)
from evaluation.validation.agreement import groups_of_raters, pairs_of_raters
from evaluation.validation.alternative import stand_ins
from evaluation.validation.answers import holds_pairs
from evaluation.validation.baseline import BesidePeople, beside_people
from evaluation.validation.counts import counts_of
from evaluation.validation.disagreements import disagreements
from evaluation.validation.errors import is_weighted
from evaluation.validation.records import SampleRecord
from evaluation.validation.side_by_side import RESAMPLES

Report = dict[str, Any]

WHAT_ENTERS = (
    "People's answers are those that stand now. That somebody cannot tell is no answer, and neither is what "
    "could not be read of a judge. An item counts for two raters where both answered it; the others are left "
    "out."
)
PAIRS_TOGETHER = "Intervals draw both sides of a pair together."
NO_BASELINE = {
    0: "Nobody labels the sample: there is nothing to lay judges against.",
    1: "One person: no baseline. How often people agree with each other takes two.",
}
UNDECIDED = "The interval includes 0: the sample does not tell the two apart."


def sample_report(record: SampleRecord) -> Report:
    """Return everything that a sample says of its judges, ready for JSON; rates go from 0 to 1."""
    return {
        **_describe(record),
        "notices": list(record.notices),
        "what_enters": f"{WHAT_ENTERS} {PAIRS_TOGETHER if holds_pairs(record) else ''}".strip(),
        "counts": plain(counts_of(record)),
        "pairs": [_flat(plain(pair), "found") for pair in pairs_of_raters(record)],
        "groups": plain(groups_of_raters(record)),
        "judges": [_against(found) for found in judges_against_people(record)],
        "people": [_against(found) for found in people_against_others(record)],
        "baseline": _baseline(record),
        "stand_ins": plain(stand_ins(record)),
        "disagreements": plain(disagreements(record)),
    }


def _baseline(record: SampleRecord) -> Report:
    found = beside_people(record)
    words = NO_BASELINE.get(len(record.people)) or " ".join(map(beside_words, found))
    return {"judges": plain(found), "words": words}


def beside_words(found: BesidePeople) -> str:
    """Say how often a judge agrees with people beside how often they agree with each other."""
    if found.difference.value is None:
        return f"{found.judge} beside people: no item was answered by it and by two people."
    difference = round(found.difference.value, 9)
    how = "less often than" if difference < 0 else "more often than" if difference > 0 else "as often as"
    rates = f"{_percent(found.with_people.value)} against {_percent(found.among_people.value)}"
    return (
        f"{found.judge} agrees with people {how} they agree with each other: {rates}; difference "
        f"{100 * difference:+.1f} points {_reach(found)}"
    )


def _reach(found: BesidePeople) -> str:
    interval = found.difference.interval
    if interval is None:
        return f"(no interval: {found.difference.no_interval_reason})."
    ends = f"[{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]."
    return f"{ends} {UNDECIDED}" if interval.low <= 0 <= interval.high else ends


def _percent(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:.1f} %"


def _describe(record: SampleRecord) -> Report:
    question = next(name for name, target in QUESTIONS_FOR_PEOPLE.items() if target == record.target)
    return {
        "sample": record.slug,
        "name": record.name,
        "run": record.run,
        "target": record.target,
        "question": QUESTIONS[Question(question)].words,
        "state": record.state,
        "arms": list(record.arms),
        "over": list(record.over),
        "seed": record.seed,
        "resamples": RESAMPLES,
        "strata": [
            plain(stratum) | {"weight": stratum.weight if stratum.drawn else None}
            for stratum in record.strata
        ],
        "values": [
            {"value": value, "words": words}
            for value, words in zip(record.values, record.value_words, strict=True)
        ],
        "is_ordered": record.is_ordered,
        "is_weighted": is_weighted(record),
        "raters": plain(record.raters),
    }


def _against(found: AgainstPeople) -> Report:
    return plain(found) | {
        "overall": _measured(found.overall),
        "by_part": {name: _measured(part) for name, part in found.by_part.items()},
    }


def _measured(found: Measured) -> Report:
    return _flat(_flat(plain(found), "found"), "errors")


def _flat(report: Report, name: str) -> Report:
    """Lift what stands under a name one level up; nothing where there is nothing."""
    return {key: value for key, value in report.items() if key != name} | (report[name] or {})
