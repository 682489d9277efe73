"""The tables of a PairPref report."""

from collections.abc import Iterator

from evaluation.pairpref.arms import CLASSIFIERS, GENERATION, SELECTION
from evaluation.reporting.paired_tables import (
    against,
    compared_columns,
    mcnemar_cells,
    with_tests_counted,
)
from evaluation.reporting.pairpref import PARTS, Report
from evaluation.reporting.tables import Column, Row, Table, Unit, rows_of

USE = (
    Column("use_positive", "Use+ %"),
    Column("use_negative", "Use- %"),
    Column("delta", "Delta, points", Unit.POINTS),
)
COUNTS = (Column("planned", "Pairs planned", Unit.COUNT), Column("retained", "retained", Unit.COUNT))
TRACK_COLUMNS = {
    SELECTION: (
        *USE,
        Column("pair_success", "Pair success %"),
        Column("off_task_positive", "Off task, positive %"),
        Column("off_task_negative", "Off task, negative %"),
        *COUNTS,
    ),
    GENERATION: (
        *USE,
        Column("use_both", "Use both %"),
        Column("pair_success", "Pair success (Gen-OK) %"),
        Column("fit_positive", "Fit, positive %"),
        Column("fit_negative", "Fit, negative %"),
        *COUNTS,
    ),
}
CLASSIFIER_COLUMNS = (
    *USE,
    Column("both_relevant", "Both sides relevant %"),
    Column("both_sufficient", "Both sides sufficient %"),
    *COUNTS,
)
MEASURES = {
    "use_positive": "Use+",
    "use_negative": "Use-",
    "delta": "Delta",
    "pair_success": "pair success",
    "use_both": "use both",
}
CONTROLS_NOTE = (
    "The controls, presentations, wordings and procedures of a track beside each other. Rates rest on the "
    "pairs that the arm retains."
)
MAIN_NOTE = (
    "As the paper's main table. Selection rates are over pairs with a valid choice on both sides; generation "
    "rates over retained pairs, pair success in generation over those with both fit judgements. A sample of "
    "a pair counts as a pair. 95 % intervals resample whole preferences."
)


def pairpref_tables(report: Report) -> Iterator[Table]:
    """Yield the tables of a report, one section after the other."""
    if report["main"]:
        yield _main(report)
    yield from _controls(report)
    yield from _classifiers(report)
    yield from _matched(report)
    yield from _comparisons(report)
    yield from _decisions(report)
    for name, found in report["arms"].items():
        yield _broken_down(name, found)
        yield _excluded(name, found)


def settings_name(settings: Report) -> str:
    """Name what an arm varies, whatever its track."""
    usual = {"control": "full", "presentation": "system_list", "wording": "nudge", "procedure": "direct"}
    parts = [settings[name] for name, value in usual.items() if settings[name] != value]
    if settings["reasoning"] is not None:
        parts.append(f"reasoning {'on' if settings['reasoning'] else 'off'}")
    return ", ".join(parts) or "default"


def _main(report: Report) -> Table:
    columns = (
        Column("use_positive", "Selection: Use+ %"),
        Column("use_negative", "Use- %"),
        Column("delta", "Delta, points", Unit.POINTS),
        Column("pair_success", "Pair success %"),
        Column("retained", "Generation: retained pairs", Unit.COUNT),
        Column("use_both", "Use both %"),
        Column("gen_ok", "Pair success (Gen-OK) %"),
    )
    rows = []
    for row in report["main"]:
        selection = report["arms"].get(row.get(SELECTION, ""), {})
        generation = report["arms"].get(row.get(GENERATION, ""), {})
        cells = {
            name: selection.get(name) for name in ("use_positive", "use_negative", "delta", "pair_success")
        }
        cells |= {name: generation.get(name) for name in ("retained", "use_both")}
        rows.append(
            Row("", settings_name(row["settings"]), cells | {"gen_ok": generation.get("pair_success")})
        )
    return Table("main", "Main results", columns, rows, MAIN_NOTE)


def _controls(report: Report) -> Iterator[Table]:
    for track, columns in TRACK_COLUMNS.items():
        arms = {name: found for name, found in report["arms"].items() if found["settings"]["track"] == track}
        if len(arms) > 1:
            rows = [Row("", settings_name(found["settings"]), found) for found in arms.values()]
            yield Table("controls", f"Conditions of the {track} track", columns, rows, CONTROLS_NOTE)


def _classifiers(report: Report) -> Iterator[Table]:
    arms = {
        name: found for name, found in report["arms"].items() if found["settings"]["track"] in CLASSIFIERS
    }
    if arms:
        note = "Decisions without an answer. The side-blind one counts on both sides."
        title = "Answer-free classifiers"
        yield Table("classifiers", title, CLASSIFIER_COLUMNS, rows_of("", arms), note)


def _matched(report: Report) -> Iterator[Table]:
    columns = (
        Column("retained", "Common pairs", Unit.COUNT),
        Column("selection_success", "Success in selection %"),
        Column("use_both", "Of these, use both in generation %"),
    )
    rows = [
        Row("", settings_name(report["arms"][found["selection"]]["settings"]), found["overall"])
        for found in report["matched"]
    ]
    if rows:
        note = "Pairs with an uptake on both answers and no hedging; situational fit is not needed."
        yield Table("matched", "Both tracks on the same pairs", columns, rows, note)


def comparison_table(found: Report, title: str, arm: str = "") -> Table:
    """Lay two arms of one track beside each other, with McNemar's test of what is a yes or a no."""
    rows = []
    for measure, contrast in found["measures"].items():
        tested = mcnemar_cells(found["tests"].get(measure))
        rows.append(Row("", MEASURES[measure], contrast | tested))
    return Table("comparisons", title, compared_columns("Yes"), rows, _comparison_note(found), arm)


def _comparison_note(found: Report) -> str:
    return (
        f"{found['shared']:,} samples of pairs are on both sides; {found['only_first']:,} only on the first, "
        f"{found['only_second']:,} only on the second; {found['left_out']:,} of the shared ones are not "
        "retained on both sides and are left out. Intervals resample whole preferences, the same for both "
        "sides; McNemar's test takes samples of pairs for independent."
    )


def _comparisons(report: Report) -> Iterator[Table]:
    tables = [comparison_table(found, against(found)) for found in report["comparisons"]]
    yield from with_tests_counted(tables)


def _decisions(report: Report) -> Iterator[Table]:
    decided = {name: found["decisions"] for name, found in report["arms"].items() if found["decisions"]}
    if decided:
        note = "The decision that the procedure takes before its answer, scored apart from the answer."
        yield Table("decisions", "Decided before answering", (*USE, *COUNTS), rows_of("", decided), note)


def _broken_down(arm: str, found: Report) -> Table:
    columns = TRACK_COLUMNS.get(found["settings"]["track"], CLASSIFIER_COLUMNS)
    rows = [Row("all", "all pairs", found)]
    for part in PARTS:
        rows += rows_of(part, found[f"by_{part}"])
    rows += [Row("judge", row["judge"], row) for row in found["by_judge"]]
    note = (
        f"{found['resamples']:,} resamples of {found['clusters']:,} whole preferences, seed {found['seed']}."
    )
    return Table("rates", f"Rates in all parts, {arm}", columns, rows, note, arm, is_detail=True)


def _excluded(arm: str, found: Report) -> Table:
    rows = [Row("", "retained", {"pairs": found["retained"]})]
    rows += [Row("excluded", reason, {"pairs": number}) for reason, number in found["excluded"].items()]
    title = f"Retained and excluded pairs, {arm}"
    columns = (Column("pairs", "Pairs", Unit.COUNT),)
    return Table("excluded", title, columns, rows, arm=arm, is_detail=True)
