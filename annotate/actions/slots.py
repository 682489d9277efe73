"""The slots of an item: taken before a label begins, given back when it does not come.

*Held* and *labelled* assignments take a slot. A slot is taken by an update that only succeeds while one
is open, so that no number of simultaneous annotators can take more than the overlap. Locks are taken in
one order, annotator before assignment before item, so that two writers never wait for each other.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from threading import RLock

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from annotate.labelling_sql import read_lapsed
from annotate.models import Annotator, Assignment, Item

LEASE = timedelta(minutes=30)
TURN = RLock()


@contextmanager
def short_transaction() -> Iterator[None]:
    """Begin a transaction, one thread at a time on SQLite.

    SQLite has one writer and lets those who wait sleep for milliseconds; here the next begins at once.
    """
    with TURN if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
        yield


@transaction.atomic(savepoint=False)
def leave_item(assignment: Assignment, state: str, now: datetime | None = None) -> bool:
    """End a hold without a label and give the slot back; tell whether the item was still held."""
    held = Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.HELD)
    left = held.update(state=state, held_until=None, changed_at=now or timezone.now()) == 1
    if left:
        Item.objects.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)
    return left


def release_item(assignment: Assignment) -> bool:
    """Take a held item away from its annotator, who may meet it again later; tell whether it was held."""
    return leave_item(assignment, Assignment.State.SKIPPED)


def end_lapsed_leases(annotator: Annotator, now: datetime) -> None:
    """Give back what others sat on for too long. The annotator's own hold is renewed, not ended."""
    for assignment in read_lapsed(annotator, now):
        leave_item(assignment, Assignment.State.SKIPPED, now)
