"""The tables of a construction report."""

from collections.abc import Iterator

from annotate.pairs import words_of
from evaluation.reporting.tables import Column, Report, Row, Table, Unit

PASSED = (Column("asked", "Asked", Unit.COUNT), Column("passed", "Passed every stage", Unit.COUNT))
NOTE = "Passing every stage is acceptance by a filter, not correctness: people review what passed."


def construction_tables(report: Report) -> Iterator[Table]:
    """Yield the tables of a report."""
    count = (Column("candidates", "Candidates", Unit.COUNT),)
    stages = [Row("", stage, {"candidates": number}) for stage, number in report["stages"].items()]
    yield Table("stages", "How many candidates passed each stage", count, stages, NOTE)
    drops = [Row("", reason, {"candidates": number}) for reason, number in report["drops"].items()]
    if drops:
        yield Table("drops", "Why candidates were dropped", count, drops)
    checks = (Column("passed", "Passed", Unit.COUNT), Column("failed", "Failed", Unit.COUNT))
    rows = [Row("", words_of(name), numbers) for name, numbers in report["checks"].items()]
    yield Table("checks", "Checks of the semantic verification", checks, rows)
    parts = [
        Row(part, words_of(name), numbers)
        for part in ("category", "preference")
        for name, numbers in report[f"by_{part}"].items()
    ]
    yield Table("parts", "What passed", PASSED, parts)
    yield _candidates(report)


def _candidates(report: Report) -> Table:
    """Return every candidate with the last stage that it passed, and why it was dropped."""
    columns = (
        Column("kind", "Kind", Unit.TEXT),
        Column("stage", "Last stage passed", Unit.TEXT),
        Column("dropped", "Dropped because of", Unit.TEXT),
    )
    rows = [
        Row(
            "",
            row["identifier"] or f"{row['preference']}, number {row['number']}",
            {
                "kind": f"{words_of(row['category'])}, {row['tier']}",
                "stage": row["stage"],
                "dropped": row["dropped"] or ("nothing: it passed" if row["passed"] else "not ended yet"),
            },
        )
        for row in report["candidates"]
    ]
    return Table("candidates", "Every candidate", columns, rows, is_detail=True)
