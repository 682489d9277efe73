"""The tables of the report of a judging run."""

from collections.abc import Iterator

from annotate.validation import QUESTIONS, Question
from evaluation.reporting.counts import PLANNED, WITH_REASON
from evaluation.reporting.tables import Column, Report, Row, Table, Unit

ITEMS = (Column("items", "Items", Unit.COUNT),)


def validation_run_tables(report: Report) -> Iterator[Table]:
    """Yield the one table of a report: every item stands in one of its rows."""
    sample = report["sample"]
    note = (
        f"What people say of the same items, and how far the judge agrees with them, stands in the report of "
        f"the sample {sample['name']} ({sample['sample']})."
    )
    rows = [*_read(report), *_not_read(report)]
    yield Table("values", QUESTIONS[Question(sample["question"])].words, ITEMS, rows, note)


def _read(report: Report) -> Iterator[Row]:
    for row in report["values"]:
        yield Row("", f"{row['words']} ({row['value']:g})", {"items": row["items"]})


def _not_read(report: Report) -> Iterator[Row]:
    """Yield a row for each reason why items have no value."""
    counts = report["counts"]["generations"]
    for outcome, words in WITH_REASON.items():
        for reason, number in counts[outcome].items():
            yield Row("", f"{words}: {reason}", {"items": number})
    if counts[PLANNED]:
        yield Row("", "not asked yet", {"items": counts[PLANNED]})
