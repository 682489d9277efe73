"""What a worker found out, written in batches: replies, readings, and the ledger of calls."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from django.db import connection, transaction
from django.db.models import Field

from evaluation.llm.call import Attempt
from evaluation.models import Call, Generation, Verdict
from evaluation.models.generation import Outcome
from evaluation.running.shards import finish
from evaluation.running.units import AnswerUnit, VerdictUnit

Changes = dict[int, dict[str, Any]]


@dataclass
class Batch:
    """Rows to change by primary key, calls to enter, and shards that are done with them."""

    generations: Changes = field(default_factory=dict)
    verdicts: Changes = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    done_shards: list[int] = field(default_factory=list)

    def write(self, *, is_held: bool = False) -> None:
        """Write everything in one transaction. A unit that has ended stays as it is.

        Where the run was held while calls were under way, a unit that was skipped keeps the reply that
        came: it was paid for.
        """
        with transaction.atomic():
            for model, rows in ((Generation, self.generations), (Verdict, self.verdicts)):
                _change_planned(model, rows)
                if is_held:
                    _keep_replies(model, rows)
            Call.objects.bulk_create(self.calls)
            finish(self.done_shards)

    def __bool__(self) -> bool:
        return bool(self.generations or self.verdicts or self.calls or self.done_shards)


class Results:
    """What has come since the last batch was taken."""

    def __init__(self, run_id: int) -> None:
        self.run_id = run_id
        self.batch = Batch()

    def keep_reply(self, unit: AnswerUnit | VerdictUnit, body: dict[str, Any]) -> None:
        """Keep a raw reply, before it is read."""
        unit.replies.append(body)
        self._of(unit)["reply"] = list(unit.replies)

    def end(self, unit: AnswerUnit | VerdictUnit, outcome: str, reason: str = "", **values: Any) -> None:
        """End a unit, in the row at hand as it will stand in the database."""
        changes = {"outcome": str(outcome), "reason": reason, **values}
        self._of(unit).update(changes)
        for name, value in changes.items():
            setattr(unit.row, name, value)

    def ledger(self, unit: AnswerUnit | VerdictUnit) -> Callable[[Attempt], None]:
        """Return what notes the attempts of a unit: a verdict's calls apart from its generation's."""
        is_verdict = isinstance(unit, VerdictUnit)
        place = {"verdict_id": unit.pk} if is_verdict else {"generation_id": unit.pk}
        return lambda attempt: self.batch.calls.append(_call(attempt, run_id=self.run_id, **place))

    def take(self) -> Batch:
        """Return the batch and begin a new one."""
        taken, self.batch = self.batch, Batch()
        return taken

    def put_back(self, batch: Batch) -> None:
        """Take back a batch that could not be written, under what has come since."""
        newer = self.batch
        for call in batch.calls:
            call.pk = None
        self.batch = Batch(
            _merged(batch.generations, newer.generations),
            _merged(batch.verdicts, newer.verdicts),
            batch.calls + newer.calls,
            batch.done_shards + newer.done_shards,
        )

    def _of(self, unit: AnswerUnit | VerdictUnit) -> dict[str, Any]:
        rows = self.batch.verdicts if isinstance(unit, VerdictUnit) else self.batch.generations
        return rows.setdefault(unit.pk, {})


def _change_planned(model: type[Generation] | type[Verdict], rows: Changes) -> None:
    """Change rows that have not ended, one prepared statement for all that change the same columns.

    One update a row through the query builder takes three times the processor time of all the rest
    of the writing.
    """
    by_columns: dict[tuple[str, ...], list[tuple[Any, ...]]] = defaultdict(list)
    for pk, changes in rows.items():
        names = tuple(sorted(changes))
        fields = (cast(Field, model._meta.get_field(name)) for name in names)
        values = (field.get_db_prep_save(changes[field.name], connection) for field in fields)
        by_columns[names].append((*values, pk, Outcome.PLANNED.value))
    with connection.cursor() as cursor:
        for names, parameters in by_columns.items():
            columns = ", ".join(f"{connection.ops.quote_name(name)} = %s" for name in names)
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.executemany(f"UPDATE {table} SET {columns} WHERE id = %s AND outcome = %s", parameters)  # noqa: S608


def _keep_replies(model: type[Generation] | type[Verdict], rows: Changes) -> None:
    for pk, changes in rows.items():
        if "reply" in changes:
            skipped = model._default_manager.filter(pk=pk, outcome=Outcome.SKIPPED)
            skipped.update(reply=changes["reply"])


def _merged(older: Changes, newer: Changes) -> Changes:
    return {pk: older.get(pk, {}) | newer.get(pk, {}) for pk in [*older, *newer]}


def _call(attempt: Attempt, **place: Any) -> Call:
    return Call(
        **place,
        attempt=attempt.number,
        parameters=attempt.parameters,
        status=attempt.status,
        outcome=attempt.outcome,
        error=attempt.error,
        started_at=attempt.started_at,
        seconds=attempt.seconds,
        input_tokens=attempt.usage.input_tokens,
        cached_tokens=attempt.usage.cached_tokens,
        output_tokens=attempt.usage.output_tokens,
        reasoning_tokens=attempt.usage.reasoning_tokens,
        may_be_billed_twice=attempt.may_be_billed_twice,
    )
