"""The rows of a run's units under the names of its record, for reports and for archives."""

from collections.abc import Iterator
from typing import Any

from evaluation.models import Run, RunJudge, Verdict

Row = dict[str, Any]

ROWS_AT_ONCE = 2000
GENERATION = (
    "id", "task", "condition", "sample", "profile__key", "context__recipient", "context__task",
    "preference__text", "pair__identifier", "side", "outcome", "reason", "message", "choice",
)  # fmt: skip
VERDICT = (
    "generation_id", "target", "preference__text", "judge_id", "number", "outcome", "reason", "value",
    "details",
)  # fmt: skip
# What a record calls a column.
NAMES = {
    "condition": "arm",
    "profile__key": "profile",
    "preference__text": "preference",
    "pair__identifier": "pair",
    "generation_id": "generation",
    "verdict_id": "verdict",
    "judge_id": "judge",
    "sampled__item__number": "item",
}
OFTEN_NOTHING = ("profile", "preference", "pair")


def generation_rows(run: Run, *more: str, at_once: int = ROWS_AT_ONCE) -> Iterator[Row]:
    """Yield the units in the order of the plan, with further columns; the context is a pair or None."""
    rows = run.generations.order_by("id").values(*GENERATION, *more)
    for row in rows.iterator(chunk_size=at_once):
        recipient, task = row.pop("context__recipient"), row.pop("context__task")
        yield named(row) | {"context": None if recipient is None else (recipient, task)}


def verdict_rows(run: Run, *more: str, at_once: int = ROWS_AT_ONCE) -> Iterator[Row]:
    """Yield the verdicts by unit, each judge's in the order in which the judges were named.

    A judge is its number in the run, from 1; None is an exact match.
    """
    numbers = judge_numbers(run)
    rows = Verdict.objects.filter(generation__run=run).order_by("generation_id", "judge_id", "id")
    for row in rows.values(*VERDICT, *more).iterator(chunk_size=at_once):
        yield named(row) | {"judge": numbers.get(row["judge_id"])}


def named(row: Row) -> Row:
    """Return a row under the names of the record; what it is not about is empty."""
    found = {NAMES.get(column, column): value for column, value in row.items()}
    return found | {name: found[name] or "" for name in OFTEN_NOTHING if name in found}


def judge_numbers(run: Run) -> dict[int, int]:
    """Return the number of each judge in the run, from 1."""
    judges = RunJudge.objects.filter(run=run).order_by("id").values_list("pk", flat=True)
    return {pk: number for number, pk in enumerate(judges, start=1)}
