"""What an annotator does with an item: take it, label it, change the label, skip it, say "cannot decide"."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from annotate.actions.assigning import is_over, next_item, why_nothing_to_do
from annotate.actions.label_import import import_labels
from annotate.actions.slots import leave_item, lock_seat, release_item, take_slot
from annotate.models import Annotator, Assignment, Flag, Item, Label, LabelRevision
from annotate.problems import Problem

__all__ = [
    "AlreadyLabelled",
    "ItemCompleted",
    "StaleLabel",
    "flag_item",
    "import_labels",
    "next_item",
    "release_item",
    "skip_item",
    "submit_label",
]


class StaleLabel(Problem):
    """The form was older than the label that it would have changed."""


class ItemCompleted(Problem):
    """The hold on the item had ended and others have filled its slots."""


class AlreadyLabelled(Problem):
    """The annotator has labelled the item, so it can no longer be skipped or flagged."""


@transaction.atomic
def submit_label(
    annotator: Annotator, item: Item, value: int, *, version: int, token: UUID, saved_by: User | None = None
) -> Label:
    """Save the annotator's answer on an item, 1 apply or 0 suppress; return the label.

    `version` is the version of the label that the form showed, 0 where there was none.

    1. A form that comes twice, known by its token, changes nothing.
    2. A form older than the label is refused: `StaleLabel`.
    3. A first label needs the held slot, or a new one: `ItemCompleted` if others took the last.
    4. Each save appends a revision, so that a change keeps the earlier answer.
    """
    if value not in Label.Value.values:
        raise Problem(f"The label is {value!r}; expected 1 (apply) or 0 (suppress).")
    seat = lock_seat(annotator)
    if repeated := LabelRevision.objects.filter(token=token).select_related("label").first():
        return _repeat(repeated, seat, item, value)
    _refuse_if_over(seat)
    assignment = _assignment(seat, item)
    label = _present_label(seat, item, assignment)
    _refuse_if_stale(label, version)
    if label is None:
        _become_labelled(seat, item, assignment)
        label = Label.objects.create(item=item, annotator=seat, value=value)
    else:
        label.value, label.version = value, label.version + 1
        label.save(update_fields=["value", "version", "changed_at"])
    _append_revision(label, seat, token, saved_by)
    return label


@transaction.atomic
def skip_item(annotator: Annotator, item: Item) -> None:
    """Put the item off; it comes again when nothing else is left. Doing it twice is harmless."""
    assignment = _assignment(lock_seat(annotator), item)
    _refuse_if_labelled(assignment)
    if assignment:
        leave_item(assignment, Assignment.State.SKIPPED)


@transaction.atomic
def flag_item(annotator: Annotator, item: Item, comment: str, token: UUID) -> Flag:
    """Say "cannot decide", which is no label, gives the slot back and goes to the lead with the comment."""
    seat = lock_seat(annotator)
    if earlier := Flag.objects.filter(token=token, annotator=seat, item=item).first():
        return earlier
    comment = comment.strip()
    if not comment:
        raise Problem("The comment is empty; write what makes this one hard to decide.")
    _refuse_if_over(seat)
    assignment = _assignment(seat, item)
    _refuse_if_labelled(assignment)
    if assignment:
        leave_item(assignment, Assignment.State.FLAGGED)
    _set_state(seat, item, assignment, Assignment.State.FLAGGED)
    return Flag.objects.create(item=item, annotator=seat, comment=comment, token=token)


def _assignment(seat: Annotator, item: Item) -> Assignment | None:
    rows = Assignment.objects.select_for_update(of=("self",), no_key=True)
    return rows.filter(item=item, annotator=seat).first()


def _present_label(seat: Annotator, item: Item, assignment: Assignment | None) -> Label | None:
    if assignment is None or assignment.state != Assignment.State.LABELLED:
        return None
    return Label.objects.get(item=item, annotator=seat)


def _repeat(revision: LabelRevision, seat: Annotator, item: Item, value: int) -> Label:
    label = revision.label
    if (label.annotator_id, label.item_id, revision.value) != (seat.pk, item.pk, value):
        raise Problem(
            "This form has been sent before with another answer, which was saved. "
            "Open the item again to change it."
        )
    return label


def _refuse_if_over(seat: Annotator) -> None:
    if is_over(seat):
        raise Problem(f"{why_nothing_to_do(seat)} Labels can no longer be given or changed.")


def _refuse_if_stale(label: Label | None, version: int) -> None:
    if version != (label.version if label else 0):
        present = f"your answer is {label.get_value_display()!r}" if label else "there is no answer of yours"
        raise StaleLabel(
            "Not saved: this form was out of date, perhaps because the item is open in another window. "
            f"As saved, {present}. Choose again if it should be another."
        )


def _refuse_if_labelled(assignment: Assignment | None) -> None:
    if assignment and assignment.state == Assignment.State.LABELLED:
        raise AlreadyLabelled("You labelled this item already. You can change your answer, not withdraw it.")


def _become_labelled(seat: Annotator, item: Item, assignment: Assignment | None) -> None:
    """Turn the hold into a label; where the hold has ended, or never was, take a slot first."""
    if reason := why_nothing_to_do(seat):
        raise Problem(f"Not saved. {reason}")
    is_held = assignment is not None and assignment.state == Assignment.State.HELD
    if not is_held and not take_slot(item):
        raise ItemCompleted(
            "Not saved: the time to answer this item had run out, and others have completed it meanwhile. "
            "Go on with the next one."
        )
    _set_state(seat, item, assignment, Assignment.State.LABELLED)


def _set_state(seat: Annotator, item: Item, assignment: Assignment | None, state: str) -> None:
    assignment = assignment or Assignment(item=item, annotator=seat)
    assignment.state = state
    assignment.held_until = None
    assignment.changed_at = timezone.now()
    assignment.save()


def _append_revision(label: Label, seat: Annotator, token: UUID, saved_by: User | None) -> None:
    LabelRevision.objects.create(
        label=label,
        version=label.version,
        value=label.value,
        guideline=seat.campaign.guideline,
        token=token,
        saved_by=saved_by,
    )
