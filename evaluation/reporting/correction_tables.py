"""The tables of corrected rates: what people labelled, raw beside corrected, and how many labels to go."""

from collections.abc import Iterator, Sequence

from evaluation.reporting.tables import Column, Report, Row, Table, Unit
from evaluation.validation.correction import SCORES

SECTION = "corrected"
LABELS = (
    Column("items", "Items", Unit.COUNT),
    Column("labelled", "With people's answer", Unit.COUNT),
    Column("without_reference", "Without one, or divided", Unit.COUNT),
    Column("changed", "Read differently since", Unit.COUNT),
    Column("people", "People", Unit.COUNT),
    Column("notices", "Notices", Unit.TEXT),
)
BEHIND = (
    Column("labelled", "Labelled", Unit.COUNT),
    Column("positives", "People say 1", Unit.COUNT),
    Column("negatives", "People say 0", Unit.COUNT),
    Column("disagreements", "Judge differs on", Unit.COUNT),
    Column("sensitivity", "Sensitivity %"),
    Column("specificity", "Specificity %"),
    Column("sufficient", "Sufficient", Unit.TEXT),
    Column("warnings", "Warnings", Unit.TEXT),
)
NEEDED = (
    Column("labelled", "Labelled", Unit.COUNT),
    Column("rogan_gladen", "More, by Rogan-Gladen", Unit.COUNT),
    Column("prediction_powered", "More, prediction-powered", Unit.COUNT),
)
IN_POINTS = ("gap", "delta")
NO_ITEMS = "Not corrected: no item of the sample is of this condition."
NEEDED_NOTE = (
    "Further labels, drawn as those there are, until the interval is so wide at most. A label is an item of "
    "the rate: an answer, or for what is counted by pairs a pair with all that its value rests on."
)


def correction_tables(report: Report) -> Iterator[Table]:
    """Yield the tables of the corrected rates of a run."""
    yield labels_table(report)
    for found in report["arms"]:
        yield rates_table(report, found)
        yield needed_table(report, found)


def labels_table(report: Report) -> Table:
    """Return what people labelled of each sample and arm."""
    arms = {(row["sample"], row["arm"]): row for found in report["arms"] for row in found["labels"]}
    rows = []
    for sample in report["samples"]:
        about = {"people": sample["people"], "notices": " ".join(sample["notices"]) or None}
        of_sample = {arm: row | about for (slug, arm), row in arms.items() if slug == sample["sample"]}
        of_sample |= {arm: {"items": 0, "notices": NO_ITEMS} for arm in sample["without_items"]}
        rows += [Row("sample", f"{sample['sample']}, {arm}", cells) for arm, cells in of_sample.items()]
    return Table(SECTION, "Samples that correct the rates", LABELS, rows, report["what_enters"])


def rates_table(report: Report, found: Report) -> Table:
    """Return the rates of an arm, raw and corrected beside each other."""
    unit, scale = (Unit.SCORE, ", 1 to 5") if _is_of_scores(found) else (Unit.PERCENT, " %")
    columns = (
        Column("raw", f"Raw{scale}", unit),
        Column("rogan_gladen", f"Corrected by Rogan-Gladen{scale}", unit),
        Column("prediction_powered", f"Corrected, prediction-powered{scale}", unit),
        *BEHIND,
    )
    rows = [Row("", _name(name, rate), _cells(rate)) for name, rate in found["rates"].items()]
    title = f"Raw and corrected, {_about(found)}"
    return Table(SECTION, title, _used(columns, rows), rows, report["sufficient"], found["arm"])


def needed_table(report: Report, found: Report) -> Table:
    """Return how many labels more the rates of an arm take."""
    is_of_scores = _is_of_scores(found)
    width = report["score_width"] if is_of_scores else report["width"]
    wished = f"{width:g}" if is_of_scores else f"{width:g} ({100 * width:g} points)"
    rows = [Row("", _name(name, rate), _needed_cells(rate)) for name, rate in found["rates"].items()]
    title = f"Labels to go until an interval is {wished} wide, {_about(found)}"
    return Table(SECTION, title, _used(NEEDED, rows), rows, NEEDED_NOTE, found["arm"], is_detail=True)


def _is_of_scores(found: Report) -> bool:
    return any(name in SCORES for name in found["rates"])


def _about(found: Report) -> str:
    against = f" against {found['against']}" if found["against"] else ""
    return f"{found['arm']}{against}, by {found['judge']}"


def _name(name: str, rate: Report) -> str:
    return f"{rate['name']}, points" if name in IN_POINTS else rate["name"]


def _cells(rate: Report) -> Report:
    return rate | {
        "sufficient": "yes" if rate["is_sufficient"] else "no",
        "warnings": " ".join(rate["warnings"]) or None,
    }


def _needed_cells(rate: Report) -> Report:
    needed = {name: rate["needed"][name] for name in ("rogan_gladen", "prediction_powered")}
    told = {
        name: found["reason"] if found["labels"] is None else found["labels"]
        for name, found in needed.items()
        if found
    }
    return {"labelled": rate["labelled"]} | told


def _used(columns: Sequence[Column], rows: Sequence[Row]) -> list[Column]:
    """Leave out what no row has."""
    return [column for column in columns if any(row.cells.get(column.key) is not None for row in rows)]
