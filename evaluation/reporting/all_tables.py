"""The tables of a report of any benchmark, those that all have in common last."""

from collections.abc import Callable, Iterator

from evaluation.reporting.benchpres_tables import benchpres_tables
from evaluation.reporting.construction_tables import construction_tables
from evaluation.reporting.correction_tables import correction_tables
from evaluation.reporting.counts import WITH_REASON
from evaluation.reporting.judge_cards import cards_table
from evaluation.reporting.pairpref_tables import pairpref_tables
from evaluation.reporting.tables import Column, Report, Row, Table, Unit
from evaluation.reporting.validation_run_tables import validation_run_tables

TABLES: dict[str, Callable[[Report], Iterator[Table]]] = {
    "benchpres": benchpres_tables,
    "pairpref": pairpref_tables,
    "construction": construction_tables,
    "validation": validation_run_tables,
}
ENDED = (
    Column("units", "Units", Unit.COUNT),
    Column("done", "Done", Unit.COUNT),
    Column("planned", "Planned", Unit.COUNT),
    *(Column(name, words[:1].upper() + words[1:], Unit.COUNT) for name, words in WITH_REASON.items()),
    Column("reasons", "Reasons", Unit.TEXT),
)
SPENT = (
    Column("calls", "Calls", Unit.COUNT),
    Column("without_count", "Without a count", Unit.COUNT),
    Column("input", "Input tokens", Unit.COUNT),
    Column("cached", "Cached", Unit.COUNT),
    Column("output", "Output tokens", Unit.COUNT),
    Column("reasoning", "Reasoning", Unit.COUNT),
    Column("cost", "US dollars", Unit.TEXT),
    Column("price", "Price from", Unit.TEXT),
)
UNKNOWN = "unknown"
ANSWERS_AND_VERDICTS = {"generations": "answers of the model", "verdicts": "verdicts"}
UNITS = {"validation": {"generations": "judgements"}}


def report_tables(report: Report) -> list[Table]:
    """Return every table of a report: what was found, and corrected, who was validated, what was spent."""
    judges = report.get("judge_cards")
    cards = [cards_table({"": judges})] if judges else []
    corrected = correction_tables(report["corrected"]) if "corrected" in report else []
    return [
        *TABLES[report["benchmark"]](report),
        *corrected,
        *cards,
        _endings(report),
        _spending(report),
    ]


def _endings(report: Report) -> Table:
    rows = []
    for kind, words in UNITS.get(report["benchmark"], ANSWERS_AND_VERDICTS).items():
        counts = report["counts"][kind]
        summed = {name: sum(counts[name].values()) for name in WITH_REASON}
        rows.append(Row("", words, {**counts, **summed, "reasons": _reasons(counts)}))
    return Table("counts", "How the units ended", ENDED, rows)


def _reasons(counts: Report) -> str:
    return "; ".join(
        f"{number:,} {reason}" for name in WITH_REASON for reason, number in counts[name].items()
    )


def _spending(report: Report) -> Table:
    rows = []
    for part in report["spending"]:
        tokens = {name: UNKNOWN if value is None else value for name, value in part["tokens"].items()}
        cells = {name: part[name] for name in ("calls", "without_count")}
        cells |= {"cost": part["cost"] or UNKNOWN, "price": part["price"] or UNKNOWN}
        rows.append(Row("", f"{part['who']}: {part['name']}", tokens | cells))
    note = "Cached tokens are part of the input, reasoning tokens part of the output; unknown is not zero."
    return Table("spending", "Calls, tokens and cost", SPENT, rows, note)
