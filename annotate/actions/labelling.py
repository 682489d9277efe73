"""What an annotator does with an item in hand: label it, change the label, skip it, say "cannot decide"."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils import timezone

from annotate.actions.assigning import assign, why_nothing_to_do
from annotate.actions.seating import readable
from annotate.actions.slots import end_lapsed_leases, leave_item, short_transaction
from annotate.labelling_sql import (
    Seat,
    complete_held,
    insert_label,
    insert_revision,
    read_met,
    read_seat,
    take_slot,
)
from annotate.models import Annotator, Assignment, Flag, Item, Label, LabelRevision
from annotate.problems import Problem

LONGEST_COMMENT = 5_000


class StaleLabel(Problem):
    """The form was older than the label that it would have changed."""


class ItemCompleted(Problem):
    """The hold on the item had ended and others have filled its slots."""


class AlreadyLabelled(Problem):
    """The annotator has labelled the item, so it can no longer be skipped or flagged."""


class UsedToken(Problem):
    """The form's token has saved another answer before."""

    def __init__(self) -> None:
        super().__init__(
            "This form has been sent before with another answer, which was saved. "
            "Open the item again to change it."
        )


@dataclass(frozen=True)
class Answer:
    """An answer on an item, 1 apply or 0 suppress, as a form brings it.

    `version` is the version of the label that the form showed, 0 where there was none. The token makes
    a repeat known.
    """

    item: Item
    value: int
    version: int
    token: UUID
    saved_by: User | None = None


@short_transaction()
def submit_label(
    annotator: Annotator, item: Item, value: int, *, version: int, token: UUID, saved_by: User | None = None
) -> Label:
    """Save the annotator's answer on an item, 1 apply or 0 suppress; return the label.

    1. A form that comes twice, known by its token, changes nothing.
    2. A form older than the label is refused: `StaleLabel`.
    3. A first label needs the held slot, or a new one: `ItemCompleted` if others took the last.
    4. Each save appends a revision, so that a change keeps the earlier answer.
    """
    return _save(read_seat(annotator, lock=True), Answer(item, value, version, token, saved_by))


def submit_and_go_on(annotator: Annotator, answer: Answer) -> Assignment | None:
    """Save a label and give the next item, in one transaction, which is faster than two."""
    now = timezone.now()
    end_lapsed_leases(annotator, now)
    with short_transaction():
        seat = read_seat(annotator, lock=True)
        _save(seat, answer)
        return assign(seat, now)


@short_transaction()
def skip_item(annotator: Annotator, item: Item) -> None:
    """Put the item off; it comes again when nothing else is left. Doing it twice is harmless."""
    assignment, label = read_met(read_seat(annotator, lock=True), item)
    _refuse_if_labelled(label)
    if assignment:
        leave_item(assignment, Assignment.State.SKIPPED)


@short_transaction()
def flag_item(annotator: Annotator, item: Item, comment: str, token: UUID) -> Flag:
    """Say "cannot decide", which is no label, gives the slot back and goes to the lead with the comment."""
    seat = read_seat(annotator, lock=True)
    if earlier := Flag.objects.filter(token=token, annotator=annotator, item=item).first():
        return earlier
    comment = readable(comment, "comment", LONGEST_COMMENT)
    if not comment:
        raise Problem("The comment is empty; write what makes this one hard to decide.")
    _refuse_if_over(seat)
    assignment, label = read_met(seat, item)
    _refuse_if_labelled(label)
    if not assignment or not leave_item(assignment, Assignment.State.FLAGGED):
        _set_state(seat, item, Assignment.State.FLAGGED, timezone.now())
    return Flag.objects.create(item=item, annotator=annotator, comment=comment, token=token)


def _save(seat: Seat, answer: Answer) -> Label:
    if answer.value not in Label.Value.values:
        raise Problem(f"The label is {answer.value!r}; expected 1 (apply) or 0 (suppress).")
    assignment, label = read_met(seat, answer.item)
    if answer.version != (label.version if label else 0):
        return _repeat(seat, answer, label)
    _refuse_if_over(seat)
    now = timezone.now()
    if label is None:
        _become_labelled(seat, answer.item, assignment, now)
        label = insert_label(seat, answer.item, answer.value, now)
    else:
        label.value, label.version = answer.value, label.version + 1
        label.save(update_fields=["value", "version", "changed_at"])
    try:
        insert_revision(label, seat, answer.token, answer.saved_by.pk if answer.saved_by else None, now)
    except IntegrityError as error:
        raise UsedToken from error
    return label


def _repeat(seat: Seat, answer: Answer, label: Label | None) -> Label:
    """Return the label that this very form saved before; refuse any other form that is out of date."""
    earlier = LabelRevision.objects.filter(token=answer.token).select_related("label").first()
    if earlier is None:
        raise _stale(label)
    saved = (earlier.label.annotator_id, earlier.label.item_id, earlier.value)
    if saved != (seat.pk, answer.item.pk, answer.value):
        raise UsedToken
    return earlier.label


def _stale(label: Label | None) -> StaleLabel:
    present = f"your answer is {label.get_value_display()!r}" if label else "there is no answer of yours"
    return StaleLabel(
        "Not saved: this form was out of date, perhaps because the item is open in another window. "
        f"As saved, {present}. Choose again if it should be another."
    )


def _refuse_if_over(seat: Seat) -> None:
    if seat.is_over:
        raise Problem(f"{why_nothing_to_do(seat)} Labels can no longer be given or changed.")


def _refuse_if_labelled(label: Label | None) -> None:
    if label:
        raise AlreadyLabelled("You labelled this item already. You can change your answer, not withdraw it.")


def _become_labelled(seat: Seat, item: Item, assignment: Assignment | None, now: datetime) -> None:
    """Turn the hold into a label; where the hold has ended, or never was, take a slot first."""
    if reason := why_nothing_to_do(seat):
        raise Problem(f"Not saved. {reason}")
    if assignment and assignment.state == Assignment.State.HELD:
        return complete_held(assignment, now)
    if not take_slot(item.pk):
        raise ItemCompleted(
            "Not saved: the time to answer this item had run out, and others have completed it meanwhile. "
            "Go on with the next one."
        )
    return _set_state(seat, item, Assignment.State.LABELLED, now)


def _set_state(seat: Seat, item: Item, state: str, now: datetime) -> None:
    new = {"state": state, "held_until": None, "changed_at": now}
    Assignment.objects.update_or_create(item=item, annotator_id=seat.pk, defaults=new)
