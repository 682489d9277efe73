"""The tables of the report of a validation sample."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from annotate.validation import TEXTS
from evaluation.reporting.tables import Column, Report, Row, Table, Unit, rows_of
from evaluation.validation.alternative import STRICTEST_FIRST

AGREEMENT = Column("agreement", "Agreement %")
KAPPAS = {
    "kappa": "Cohen's kappa",
    "linear": "Kappa, linear weights",
    "quadratic": "Kappa, quadratic weights",
}
NUMBERS = (Column("items", "Items", Unit.COUNT), Column("left_out", "Left out", Unit.COUNT))
PARTS = ("part", "category", "domain")
FEW = Column("few", "Note", Unit.TEXT)
ITEMS = {
    "people": {
        "with_reference": "with an answer of people",
        "divided": "people are divided",
        "cannot_tell": "nobody who labelled it could tell",
        "unlabelled": "nobody labelled it",
    },
    "answered": {"by_one": "by one person or more", "by_two": "by two or more", "by_all": "by all"},
    "": {"changed": "read differently by the run since the draw", "items": "all"},
}
ERRORS = (Column("sensitivity", "Sensitivity %"), Column("specificity", "Specificity %"))
PLAIN_COUNTS = (
    Column("positives", "Yes of people", Unit.COUNT),
    Column("missed", "Missed of these", Unit.COUNT),
    Column("negatives", "No of people", Unit.COUNT),
    Column("false_alarms", "False alarms of these", Unit.COUNT),
)
REFERENCE_NOTE = (
    "A judge is laid against the median of people's answers, a person against that of the others. Where two "
    "middle answers differ, people are divided, and the item is left out; so is one without an answer of the "
    "rater."
)
WEIGHTED = (
    "Strata were drawn unequally: in sensitivity and specificity each item stands for as many as the draw "
    "says, and the counts behind them are what so many items are worth. All the rest is of the sample as it "
    "was drawn."
)
BASELINE_NOTE = (
    "Over the items that the judge and two or more people answered: how often two answers are the same, "
    "averaged over items. The interval of the difference draws whole items, the same for both."
)
STAND_IN_NOTE = (
    "Alternative annotator test (Calderon, Reichart and Dror 2025), for three people or more. Each person "
    "and the judge are laid against the others: the judge wins where the person is not better by epsilon or "
    "more, and passes where it wins against half of the people. The average advantage is how often it does "
    "no worse."
)


def validation_tables(report: Report) -> list[Table]:
    """Return every table of a report but the disagreements: who agrees with whom, then the counts."""
    return [
        _pairs(report),
        _groups(report),
        _against(report),
        *_baseline(report),
        *_stand_ins(report),
        *_parts(report),
        *_confusions(report),
        _items(report),
        _raters(report),
        _strata(report),
    ]


def disagreement_table(report: Report) -> Table:
    """Return the items that a judge or people differ on, with all that is shown of them."""
    rows = report["disagreements"]
    shown = [name for name in TEXTS if any(name in row["texts"] for row in rows)]
    columns = [
        Column("part", "Part", Unit.TEXT),
        Column("category", "Category", Unit.TEXT),
        Column("domains", "Domains", Unit.TEXT),
        Column("reference", "People say", Unit.TEXT),
        Column("said", "Who said what", Unit.TEXT),
        Column("disagreeing", "Judges that differ", Unit.TEXT),
        Column("comments", "Comments", Unit.TEXT),
        *(Column(name, TEXTS[name], Unit.TEXT) for name in shown),
    ]
    note = "Those that most judges differ on first. Where people are divided, no judge is said to differ."
    return Table("disagreements", "Items to read again", columns, [_disagreement(row) for row in rows], note)


def _disagreement(row: Report) -> Row:
    cells = {
        "part": row["part"] or None,
        "category": row["category"] or None,
        "domains": ", ".join(row["domains"]) or None,
        "reference": row["reference"] or "divided",
        "said": _listed(row["people"] | row["judges"]),
        "disagreeing": ", ".join(row["disagreeing"]) or None,
        "comments": _listed(row["comments"]) or None,
    }
    return Row("item", str(row["number"]), row["texts"] | cells)


def _listed(named: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {words}" for name, words in named.items())


def _pairs(report: Report) -> Table:
    rows = [Row(pair["kind"], f"{pair['first']} and {pair['second']}", pair) for pair in report["pairs"]]
    columns = (AGREEMENT, *_kappas(report), *NUMBERS)
    return Table("pairs", "Agreement of each two", columns, rows, report["what_enters"])


def _groups(report: Report) -> Table:
    scale = "ordinal" if report["is_ordered"] else "nominal"
    columns = (
        Column("agreement", "Agreement %, mean over items"),
        Column("alpha", f"Krippendorff's alpha, {scale}", Unit.SCORE),
        Column("gwet_ac1", "Gwet's AC1", Unit.SCORE),
        Column("left_out", "Left out", Unit.COUNT),
    )
    note = (
        "Over the items that two or more of them answered; the others are left out. Intervals: "
        f"{report['resamples']:,} resamples of whole items, seed {report['seed']}."
    )
    rows = [Row("", group["name"], group) for group in report["groups"]]
    return Table("groups", "Agreement of all together", columns, rows, note)


def _against(report: Report) -> Table:
    rows = [
        Row(part, found["rater"], found["overall"])
        for part, every in (("judge", report["judges"]), ("person", report["people"]))
        for found in every
    ]
    columns = (AGREEMENT, *_kappas(report), *_errors(report), *NUMBERS)
    note = " ".join([REFERENCE_NOTE, *_errors_note(report), *_why_no_baseline(report)])
    return Table("against_people", "Each judge against people", columns, rows, note)


def _why_no_baseline(report: Report) -> Iterator[str]:
    if not report["baseline"]["judges"]:
        yield report["baseline"]["words"]


def _errors(report: Report) -> tuple[Column, ...]:
    """Return the columns of a question of two answers, and the items behind them where rates hide these."""
    if len(report["values"]) != 2:
        return ()
    return (*ERRORS, *PLAIN_COUNTS) if report["is_weighted"] else ERRORS


def _errors_note(report: Report) -> Iterator[str]:
    if _errors(report):
        no, yes = (value["words"] for value in report["values"])
        yield (f"Sensitivity is how often {yes} is said where people say so, specificity how often {no} is.")
        if report["is_weighted"]:
            yield WEIGHTED


def _kappas(report: Report) -> list[Column]:
    names = KAPPAS if report["is_ordered"] else ("kappa",)
    return [Column(name, KAPPAS[name], Unit.SCORE) for name in names]


def _baseline(report: Report) -> Iterator[Table]:
    columns = (
        Column("with_people", "Agrees with people %"),
        Column("among_people", "People with each other %"),
        Column("difference", "Difference, points", Unit.POINTS),
        *NUMBERS,
    )
    baseline = report["baseline"]
    rows = [Row("judge", found["judge"], found) for found in baseline["judges"]]
    if rows:
        note = f"{baseline['words']} {BASELINE_NOTE}"
        yield Table("baseline", "Judges beside people", columns, rows, note)


def _stand_ins(report: Report) -> Iterator[Table]:
    columns = [
        *(Column(f"wins_{epsilon:g}", f"Wins, epsilon {epsilon:g}, %") for epsilon in STRICTEST_FIRST),
        Column("average_advantage", "Average advantage %"),
        Column("smallest_epsilon", "Passes from epsilon", Unit.SCORE),
    ]
    rows = [Row("judge", found["judge"], _test_cells(found["tests"])) for found in report["stand_ins"]]
    if rows:
        yield Table("stand_ins", "May a judge stand in for a person?", columns, rows, STAND_IN_NOTE)


def _test_cells(tests: list[Report]) -> Report:
    """Return the share of people won against at each epsilon; the rest is the same at all of them."""
    wins = {f"wins_{test['epsilon']:g}": test["winning_rate"] for test in tests}
    return wins | {name: tests[0][name] for name in ("average_advantage", "smallest_epsilon")}


def _parts(report: Report) -> Iterator[Table]:
    """Yield what is behind the agreement of each judge with people, and of each person as a detail.

    Parts that rates are kept apart by have every measure, categories and domains agreement alone.
    """
    columns = (AGREEMENT, *_kappas(report), *_errors(report), NUMBERS[0], FEW)
    for kind in ("judges", "people"):
        for found in report[kind]:
            rows = [_in_part(row) for part in PARTS for row in rows_of(part, found[f"by_{part}"])]
            if rows:
                title = f"In parts, against people: {found['rater']}"
                yield Table("parts", title, columns, rows, is_detail=kind == "people")


def _in_part(row: Row) -> Row:
    kept = row.cells if row.part == "part" else {name: row.cells[name] for name in ("agreement", "items")}
    return replace(row, cells={**kept, FEW.key: "few items" if row.cells["is_few"] else None})


def _confusions(report: Report) -> Iterator[Table]:
    words = [value["words"] for value in report["values"]]
    columns = [Column(word, word, Unit.COUNT) for word in words]
    for found in report["judges"]:
        table = zip(words, found["overall"]["table"], strict=True)
        rows = [Row("people say", word, dict(zip(words, counts, strict=True))) for word, counts in table]
        title = f"What {found['rater']} says, by what people say"
        yield Table("confusion", title, columns, rows)


def _items(report: Report) -> Table:
    rows = [
        Row(part, words, {"items": report["counts"][name]})
        for part, named in ITEMS.items()
        for name, words in named.items()
    ]
    return Table("counts", "Items", NUMBERS[:1], rows, "Those of the first part add up to all.")


def _raters(report: Report) -> Table:
    columns = (
        Column("answered", "Answered", Unit.COUNT),
        Column("no_answer", "Cannot tell, or not read", Unit.COUNT),
        Column("not_given", "Not given", Unit.COUNT),
    )
    rows = [Row(row["kind"], row["rater"], row) for row in report["counts"]["raters"]]
    return Table("counts", "Who answered how many items", columns, rows)


def _strata(report: Report) -> Table:
    columns = (
        Column("size", "Could be drawn", Unit.COUNT),
        Column("drawn", "Drawn", Unit.COUNT),
        Column("weight", "Each stands for", Unit.SCORE),
    )
    rows = [Row("", row["name"], row) for row in report["strata"]]
    over = f"Evenly over {', '.join(report['over'])}." if report["over"] else "From all alike."
    return Table("counts", "How the sample was drawn", columns, rows, over, is_detail=True)
