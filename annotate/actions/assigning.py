"""Which item an annotator gets next."""

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone

from annotate.actions.slots import LEASE, end_lapsed_leases, leave_item, short_transaction
from annotate.allocation import RandomOrder
from annotate.labelling_sql import (
    Seat,
    count_labelled,
    insert_held,
    move_cursor,
    read_any_unmet,
    read_held,
    read_seat,
    read_unmet,
    renew_lease,
    take_slot,
)
from annotate.models import Annotator, Assignment, Item

# Batches of the walk double from one number, which is mostly enough, and end after two thousand in all;
# what lies behind is found through the index of open items instead.
FIRST_BATCH, LAST_BATCH = 1, 1024


def next_item(annotator: Annotator, now: datetime | None = None) -> Assignment | None:
    """Give the annotator an item to label, or `None` when there is nothing to do today.

    1. Leases of others that ran out end.
    2. An item already held is shown again, its lease renewed.
    3. Else the next open one in the annotator's own random order.
    4. Else any open one not met yet: one that was full when the walk passed it.
    5. Else the one skipped longest ago.
    """
    now = now or timezone.now()
    end_lapsed_leases(annotator, now)
    with short_transaction():
        return assign(read_seat(annotator, lock=True), now)


def assign(seat: Seat, now: datetime) -> Assignment | None:
    """Do steps 2 to 5 of `next_item`, inside a transaction that has locked the seat."""
    if why_nothing_to_do(seat):
        return None
    return _held(seat, now) or _next_in_order(seat, now) or _any_unmet(seat, now) or _skipped(seat, now)


def why_nothing_to_do(seat: Seat) -> str:
    """Say why the annotator gets no items at all; empty if it is not so."""
    if seat.is_over:
        return "Your seat in this campaign has ended." if not seat.is_active else "The campaign is closed."
    if seat.label_limit is not None and count_labelled(seat.pk) >= seat.label_limit:
        return f"You gave {seat.label_limit} labels, which is the most that one annotator gives here."
    return ""


def _held(seat: Seat, now: datetime) -> Assignment | None:
    """Return the item in hand with its lease renewed; give it back if it was set aside meanwhile."""
    assignment = read_held(seat)
    if assignment and assignment.item.set_aside:
        leave_item(assignment, Assignment.State.SKIPPED, now)
        return None
    if assignment:
        renew_lease(assignment, now + LEASE)
    return assignment


def _next_in_order(seat: Seat, now: datetime) -> Assignment | None:
    """Walk on from the cursor to an item that is open, and leave the cursor behind it."""
    order = RandomOrder(seat.seed, seat.item_count)
    for start, stop in _batches(seat.cursor):
        numbers = list(order.numbers(start, stop))
        if not numbers:
            return None
        open_items = read_unmet(seat, numbers)
        for place, number in enumerate(numbers, start + 1):
            if number in open_items and (assignment := _begin(seat, open_items[number], now)):
                move_cursor(seat, place)
                return assignment
        move_cursor(seat, start + len(numbers))
    return None


def _batches(start: int) -> Iterator[tuple[int, int]]:
    size = FIRST_BATCH
    while size <= LAST_BATCH:
        yield start, start + size
        start, size = start + size, size * 2


def _any_unmet(seat: Seat, now: datetime) -> Assignment | None:
    for item in read_any_unmet(seat, LAST_BATCH):
        if assignment := _begin(seat, item, now):
            return assignment
    return None


def _begin(seat: Seat, item: Item, now: datetime) -> Assignment | None:
    return insert_held(seat, item, now + LEASE, now) if take_slot(item.pk) else None


def _skipped(seat: Seat, now: datetime) -> Assignment | None:
    skipped = Assignment.objects.filter(
        annotator=seat.pk, state=Assignment.State.SKIPPED, item__open_slots__gt=0, item__set_aside=""
    )
    in_turn = skipped.select_related("item__context", "item__preference").order_by("changed_at")
    for assignment in in_turn[:LAST_BATCH]:
        if take_slot(assignment.item_id):
            return _hold(assignment, now)
    return None


def _hold(assignment: Assignment, now: datetime) -> Assignment:
    assignment.state = Assignment.State.HELD
    assignment.held_until = now + LEASE
    assignment.changed_at = now
    assignment.save(update_fields=["state", "held_until", "changed_at"])
    return assignment
