"""The tables of a comparison of two runs."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from evaluation.reporting.benchpres import FEW_CLUSTERS
from evaluation.reporting.benchpres_tables import (
    COMPARED,
    LABEL_OF,
    METRICS,
    comparison_note,
    comparison_rows,
)
from evaluation.reporting.judge_cards import cards_table
from evaluation.reporting.paired_tables import against, with_tests_counted
from evaluation.reporting.pairpref_tables import comparison_table
from evaluation.reporting.tables import Column, Row, Table, Unit

Report = dict[str, Any]

BY_PART = (
    Column("mr_difference", "MR, second - first, points", Unit.POINTS),
    Column("mr_exact_p", "McNemar, exact p", Unit.P),
    Column("aar_difference", "AAR, second - first, points", Unit.POINTS),
    Column("aar_exact_p", "McNemar, exact p", Unit.P),
    Column("gap_difference", "Gap, second - first, points", Unit.POINTS),
)
SCORES = (
    Column("first", "First, mean score", Unit.SCORE),
    Column("second", "Second, mean score", Unit.SCORE),
    Column("difference", "Second - first", Unit.SCORE),
    Column("shared", "Messages on both sides", Unit.COUNT),
)
WORDS = (
    Column("first", "First, median words", Unit.WORDS),
    Column("second", "Second, median words", Unit.WORDS),
    Column("shared", "Messages on both sides", Unit.COUNT),
)
PART_NOTE = "A context of several domains counts in each."
WORDS_NOTE = "Medians over the messages that were read on both sides; length is no rate and has no test."


def comparison_tables(report: Report) -> list[Table]:
    """Return the tables of a comparison, each saying how many tests it holds where there are several."""
    return [*with_tests_counted(list(TABLES[report["benchmark"]](report))), *_cards(report)]


def pair_name(found: Report) -> str:
    """Name the two arms of a comparison, or the one that both runs have."""
    return found["first"] if found["first"] == found["second"] else against(found)


def side_name(report: Report, found: Report, side: str) -> str:
    """Name one side of a comparison: the run and its arm."""
    return f"run {report[side]['run']}, {found[side]}"


def _benchpres(report: Report) -> Iterator[Table]:
    for found in report["comparisons"]:
        yield _rates(report, found)
        yield _parts(report, found)
    yield from _completeness(report)
    yield _words(report)


def _pairpref(report: Report) -> Iterator[Table]:
    for found in report["comparisons"]:
        table = comparison_table(found, _title(report, found), pair_name(found))
        yield replace(table, note=f"{table.note} {_resampling(found)}")


TABLES: dict[str, Callable[[Report], Iterator[Table]]] = {"benchpres": _benchpres, "pairpref": _pairpref}


def _cards(report: Report) -> Iterator[Table]:
    cards = {f"run {report[side]['run']}": report[side]["judge_cards"] for side in ("first", "second")}
    if any(cards.values()):
        yield cards_table(cards)


def _title(report: Report, found: Report) -> str:
    first, second = (side_name(report, found, side) for side in ("first", "second"))
    return f"{first[:1].upper()}{first[1:]}, against {second}"


def _resampling(found: Report) -> str:
    few = " With so few clusters the intervals are too narrow." if found["clusters"] < FEW_CLUSTERS else ""
    return f"{found['resamples']:,} resamples of {found['clusters']:,} clusters, seed {found['seed']}.{few}"


def _rates(report: Report, found: Report) -> Table:
    note = f"{comparison_note(found)} {_resampling(found)}"
    rows = list(comparison_rows(found))
    return Table("comparisons", _title(report, found), COMPARED, rows, note, pair_name(found))


def _parts(report: Report, found: Report) -> Table:
    rows = [
        Row(part, name, _part_cells(of_part))
        for part in ("domain", "category")
        for name, of_part in found[f"by_{part}"].items()
    ]
    title = f"In parts: {_title(report, found).lower()}"
    return Table("comparison_parts", title, BY_PART, rows, PART_NOTE, pair_name(found))


def _part_cells(found: Report) -> dict[str, Any]:
    """Return the differences, and the tests of those that are defined."""
    cells = {f"{metric}_difference": found[metric]["difference"] for metric in METRICS}
    for metric, label in LABEL_OF.items():
        if found[metric]["difference"]["value"] is not None:
            cells[f"{metric}_exact_p"] = found["tables"][label]["test"]["exact_p"]
    return cells


def _completeness(report: Report) -> Iterator[Table]:
    rows = [
        Row("", f"{pair_name(found)}, by {scores['name']}", scores)
        for found in report["comparisons"]
        for scores in found["completeness"]
    ]
    if rows:
        note = "Scores from 1 to 5 by judges that both runs have, over the messages scored on both sides."
        yield Table("completeness", "Task completeness of both runs", SCORES, rows, note)


def _words(report: Report) -> Table:
    rows = [Row("", pair_name(found), found["length"]) for found in report["comparisons"]]
    return Table("length", "Length of the messages of both runs", WORDS, rows, WORDS_NOTE)
