"""Which item an annotator gets next."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotate.actions.slots import LEASE, end_lapsed_leases, leave_item, lock_seat, take_slot
from annotate.allocation import RandomOrder
from annotate.models import Annotator, Assignment, Campaign, Item

# Batches of the walk double from a few numbers, which are nearly always enough, and end after some
# thousand; what lies behind is found through the index of open items instead.
FIRST_BATCH, LAST_BATCH = 4, 1024


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
    with transaction.atomic():
        seat = lock_seat(annotator)
        if why_nothing_to_do(seat):
            return None
        return _held(seat, now) or _next_in_order(seat, now) or _any_unmet(seat, now) or _skipped(seat, now)


def is_over(seat: Annotator) -> bool:
    """Tell whether the annotator may no longer give or change labels."""
    return seat.campaign.state == Campaign.State.CLOSED or not seat.is_active


def why_nothing_to_do(seat: Annotator) -> str:
    """Say why the annotator gets no items at all; empty if it is not so."""
    if seat.campaign.state == Campaign.State.CLOSED:
        return "The campaign is closed."
    if not seat.is_active:
        return "Your seat in this campaign has ended."
    limit = seat.campaign.label_limit
    if limit is not None and labelled(seat).count() >= limit:
        return f"You gave {limit} labels, which is the most that one annotator gives here."
    return ""


def labelled(seat: Annotator) -> QuerySet[Assignment]:
    """Return what the annotator has labelled."""
    return seat.assignments.filter(state=Assignment.State.LABELLED)


def item_count(campaign_id: int) -> int:
    """Count the items of a campaign by the highest number, which stays fast with a million of them."""
    last = Item.objects.filter(campaign=campaign_id).order_by("-number").values_list("number", flat=True)[:1]
    return next((number + 1 for number in last), 0)


def _held(seat: Annotator, now: datetime) -> Assignment | None:
    """Return the item in hand with its lease renewed; give it back if it was set aside meanwhile."""
    in_hand = seat.assignments.filter(state=Assignment.State.HELD)
    assignment = in_hand.select_related("item__context", "item__preference").first()
    if assignment is None:
        return None
    if assignment.item.set_aside:
        leave_item(assignment, Assignment.State.SKIPPED, now)
        return None
    assignment.held_until = now + LEASE
    assignment.save(update_fields=["held_until"])
    return assignment


def _next_in_order(seat: Annotator, now: datetime) -> Assignment | None:
    """Walk on from the cursor to an item that is open, and leave the cursor behind it."""
    order = RandomOrder(seat.seed, item_count(seat.campaign_id))
    for start, stop in _batches(seat.cursor):
        numbers = list(order.numbers(start, stop))
        open_items = {item.number: item for item in _unmet(seat).filter(number__in=numbers)}
        for place, number in enumerate(numbers, start):
            if number in open_items and (assignment := _begin(seat, open_items[number], now)):
                _move_cursor(seat, place + 1)
                return assignment
        if numbers:
            _move_cursor(seat, start + len(numbers))
    return None


def _batches(start: int) -> Iterator[tuple[int, int]]:
    size = FIRST_BATCH
    while size <= LAST_BATCH:
        yield start, start + size
        start, size = start + size, size * 2


def _move_cursor(seat: Annotator, place: int) -> None:
    seat.cursor = place
    seat.save(update_fields=["cursor"])


def _any_unmet(seat: Annotator, now: datetime) -> Assignment | None:
    for item in _unmet(seat).order_by("number")[:LAST_BATCH]:
        if assignment := _begin(seat, item, now):
            return assignment
    return None


def _skipped(seat: Annotator, now: datetime) -> Assignment | None:
    skipped = seat.assignments.filter(state=Assignment.State.SKIPPED, item__in=_open(seat))
    for assignment in skipped.select_related("item__context", "item__preference").order_by("changed_at")[
        :LAST_BATCH
    ]:
        if take_slot(assignment.item):
            return _hold(assignment, now)
    return None


def _hold(assignment: Assignment, now: datetime) -> Assignment:
    assignment.state = Assignment.State.HELD
    assignment.held_until = now + LEASE
    assignment.changed_at = now
    assignment.save(update_fields=["state", "held_until", "changed_at"])
    return assignment


def _begin(seat: Annotator, item: Item, now: datetime) -> Assignment | None:
    if not take_slot(item):
        return None
    return Assignment.objects.create(item=item, annotator=seat, held_until=now + LEASE, changed_at=now)


def _open(seat: Annotator) -> QuerySet[Item]:
    return Item.objects.filter(campaign=seat.campaign_id, open_slots__gt=0, set_aside="")


def _unmet(seat: Annotator) -> QuerySet[Item]:
    met = Assignment.objects.filter(item=OuterRef("pk"), annotator=seat)
    return _open(seat).filter(~Exists(met)).select_related("context", "preference")
