"""What a rater does: answer a question about an item, and answer it again to change it."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.actions.labelling import LONGEST_COMMENT, StaleLabel, UsedToken
from annotate.actions.seating import readable
from annotate.actions.slots import short_transaction
from annotate.actions.validation import lock_rater
from annotate.models import Rater, ValidationItem, ValidationLabel, ValidationLabelRevision, ValidationSample
from annotate.problems import Problem
from annotate.validation import words_of


@dataclass(frozen=True)
class Given:
    """An answer on an item as a form or a file brings it; no value means *cannot tell*."""

    item: ValidationItem
    value: float | None
    comment: str
    token: UUID
    saved_by: User | None = None

    def checked(self, rater: Rater) -> "Given":
        """Return the answer as it is kept. Raises `Problem` for one that the question does not have."""
        if self.item.sample_id != rater.sample_id:
            raise Problem(f"There is no {self.item} in sample {rater.sample}.")
        values = self.item.sample.asked.values
        if self.value is not None and self.value not in values:
            menu = ", ".join(f"{each:g}" for each in values)
            raise Problem(f"The answer is {self.value!r}; expected one of {menu}, or none: *cannot tell*.")
        value = None if self.value is None else float(self.value)
        return replace(self, value=value, comment=readable(self.comment, "comment", LONGEST_COMMENT))


def save_validation_label(
    rater: Rater,
    item: ValidationItem,
    value: float | None,
    *,
    comment: str = "",
    version: int,
    token: UUID,
    saved_by: User | None = None,
) -> ValidationLabel:
    """Save a rater's answer on an item, None for *cannot tell*; return the label.

    1. A form that comes twice, known by its token, changes nothing.
    2. A form older than the label is refused: `StaleLabel`.
    3. Nothing is taken once the sample is closed or the seat ended.
    4. Each save appends a revision, so that a change keeps the earlier answer.
    """
    given = Given(item, value, comment, token, saved_by).checked(rater)
    with short_transaction():
        lock_rater(rater)
        label = rater.labels.filter(item=item).first()
        if version != (label.version if label else 0):
            return _repeat(rater, given, label)
        _refuse_if_over(rater)
        return append_revision(rater, given, label, timezone.now())


def append_revision(
    rater: Rater, given: Given, label: ValidationLabel | None, now: datetime
) -> ValidationLabel:
    """Write a label, new or one version on, with its revision; part of the caller's transaction."""
    if label is None:
        label = ValidationLabel(rater=rater, item=given.item, question=given.item.sample.question)
    else:
        label.version += 1
    label.value, label.comment = given.value, given.comment
    label.save()
    try:
        with transaction.atomic():
            ValidationLabelRevision.objects.create(
                label=label,
                version=label.version,
                token=given.token,
                value=given.value,
                comment=given.comment,
                saved_by=given.saved_by,
                saved_at=now,
            )
    except IntegrityError as error:
        raise UsedToken from error
    return label


def _repeat(rater: Rater, given: Given, label: ValidationLabel | None) -> ValidationLabel:
    """Return the label that this very form saved before; refuse any other form that is out of date."""
    revisions = ValidationLabelRevision.objects.filter(token=given.token, label__rater=rater)
    earlier = revisions.select_related("label").first()
    if earlier is None:
        raise _stale(label)
    if (earlier.label.item_id, earlier.value, earlier.comment) != (given.item.pk, given.value, given.comment):
        raise UsedToken
    return earlier.label


def _stale(label: ValidationLabel | None) -> StaleLabel:
    present = f"your answer is {words_of(label.question, label.value)!r}" if label else "you have no answer"
    return StaleLabel(
        "Not saved: this form was out of date, perhaps because the item is open in another window. "
        f"As saved, {present}. Choose again if it should be another."
    )


def _refuse_if_over(rater: Rater) -> None:
    current = Rater.objects.select_related("sample").get(pk=rater.pk)
    if current.sample.state == ValidationSample.State.CLOSED:
        raise Problem("Not saved: labelling has ended here. Answers can no longer be given or changed.")
    if not current.is_active:
        raise Problem("Not saved: your part in this has ended.")
