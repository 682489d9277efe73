"""The slots of an item: taken before a label begins, given back when it does not come.

*Held* and *labelled* assignments take a slot. A slot is taken by an update that only succeeds while one
is open, so that no number of simultaneous annotators can take more than the overlap. Locks are taken in
one order, annotator before assignment before item, so that two writers never wait for each other.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.models import Annotator, Assignment, Item

LEASE = timedelta(minutes=30)


def take_slot(item: Item) -> bool:
    """Take one of the item's open slots; tell whether there was one."""
    taken = Item.objects.filter(pk=item.pk, open_slots__gt=0).update(open_slots=F("open_slots") - 1)
    return taken == 1


def give_back_slot(item_id: int) -> None:
    """Open one slot of the item again."""
    Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + 1)


@transaction.atomic(savepoint=False)
def leave_item(assignment: Assignment, state: str, now: datetime | None = None) -> bool:
    """End a hold without a label and give the slot back; tell whether the item was still held."""
    held = Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.HELD)
    left = held.update(state=state, held_until=None, changed_at=now or timezone.now()) == 1
    if left:
        give_back_slot(assignment.item_id)
    return left


def release_item(assignment: Assignment) -> bool:
    """Take a held item away from its annotator, who may meet it again later; tell whether it was held."""
    return leave_item(assignment, Assignment.State.SKIPPED)


def end_lapsed_leases(annotator: Annotator, now: datetime) -> None:
    """Give back what others sat on for too long. The annotator's own hold is renewed, not ended."""
    lapsed = Assignment.objects.filter(state=Assignment.State.HELD, held_until__lte=now)
    for assignment in lapsed.exclude(annotator=annotator):
        leave_item(assignment, Assignment.State.SKIPPED, now)


def lock_seat(annotator: Annotator) -> Annotator:
    """Let one transaction at a time act for an annotator; return the row as it is now."""
    seats = Annotator.objects.select_for_update(of=("self",), no_key=True)
    return seats.select_related("campaign").get(pk=annotator.pk)
