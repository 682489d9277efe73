"""A validation sample and its raters, and the answers that they give."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.actions.labelling import LONGEST_COMMENT, StaleLabel, UsedToken
from annotate.actions.seating import (
    SEED_BITS,
    hold_in_state,
    readable,
    refuse_bad_seed,
    refuse_bad_slug,
    refuse_long,
    seat_all,
    seat_label_set,
    seat_user,
    secret_chance,
)
from annotate.actions.slots import short_transaction
from annotate.models import (
    Rater,
    ValidationItem,
    ValidationLabel,
    ValidationLabelRevision,
    ValidationSample,
)
from annotate.problems import Problem, refuse_unknown
from annotate.validation import QUESTIONS, Question, words_of
from annotate.validation_guidelines import usual_guideline


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


@transaction.atomic
def create_sample(
    *,
    slug: str,
    question: str,
    texts: Sequence[Mapping[str, str]],
    seed: int,
    users: Sequence[User] = (),
    label_sets: Sequence[str] = (),
    name: str = "",
    guideline: str = "",
    is_example: bool = False,
    created_by: User | None = None,
) -> ValidationSample:
    """Open a validation sample of the items whose texts are given, numbered in the order given.

    Raters' orders and pseudonyms come from the seed and the site's secret key, so that no order leads back
    to what was drawn. A label set is a seat without an account, for answers that come by a file. Without a
    guideline, the question's usual one is taken.
    """
    refuse_bad_slug(ValidationSample, slug)
    refuse_long("title", name, ValidationSample._meta.get_field("name").max_length or 0)
    refuse_bad_seed(seed)
    refuse_unknown("question", [question], list(Question))
    _refuse_bad_texts(Question(question), texts)
    sample = ValidationSample.objects.create(
        slug=slug,
        name=name or slug,
        question=question,
        guideline=guideline or usual_guideline(question),
        is_example=is_example,
        created_by=created_by,
    )
    ValidationItem.objects.bulk_create(
        ValidationItem(sample=sample, number=number, texts=dict(each))
        for number, each in enumerate(texts, start=1)
    )
    seat_all(sample, sample.raters, users, label_sets, secret_chance("raters", seed))
    return sample


def _refuse_bad_texts(question: Question, texts: Sequence[Mapping[str, str]]) -> None:
    """Raise `Problem` unless each item has the texts that its page shows, and none that it does not."""
    expected = QUESTIONS[question].texts
    if not texts:
        raise Problem("A validation sample needs at least one item; none is there.")
    for number, each in enumerate(texts, start=1):
        if set(each) != set(expected):
            raise Problem(
                f"Item {number} has the texts {', '.join(each) or 'none'}; the question {question.value!r} "
                f"is asked with {', '.join(expected)}, and with no other."
            )


@transaction.atomic
def add_rater(sample: ValidationSample, user: User) -> Rater:
    """Give a user a seat in an open sample, with an order of items of their own."""
    hold_in_state(sample, ValidationSample.State.OPEN)
    return seat_user(sample, sample.raters, user, secrets.randbits(SEED_BITS))


@transaction.atomic
def add_label_set(sample: ValidationSample, name: str) -> Rater:
    """Give an open sample a seat without an account, for answers that come by a file."""
    hold_in_state(sample, ValidationSample.State.OPEN)
    return seat_label_set(sample, sample.raters, name, secrets.randbits(SEED_BITS))


def end_rater(rater: Rater) -> None:
    """Let a rater answer no more; the answers stay in exports, reports do without them."""
    _set_active(rater, is_active=False)


def take_up_rater(rater: Rater) -> None:
    """Let a rater whose seat was ended answer again."""
    _set_active(rater, is_active=True)


@transaction.atomic
def _set_active(rater: Rater, *, is_active: bool) -> None:
    _lock(rater)
    Rater.objects.filter(pk=rater.pk).update(is_active=is_active)


@transaction.atomic
def close_sample(sample: ValidationSample) -> None:
    """End labelling; from now on the answers stay as they are.

    Answers that are being saved hold their rater, and come in before the end.
    """
    hold_in_state(sample, ValidationSample.State.OPEN)
    list(sample.raters.select_for_update(no_key=True))
    _set_state(sample, ValidationSample.State.CLOSED)


@transaction.atomic
def reopen_sample(sample: ValidationSample) -> None:
    """Let answers be given and changed again."""
    hold_in_state(sample, ValidationSample.State.CLOSED)
    _set_state(sample, ValidationSample.State.OPEN)


def _set_state(sample: ValidationSample, state: str) -> None:
    sample.state = state
    sample.save(update_fields=["state"])


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
        _lock(rater)
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


def _lock(rater: Rater) -> None:
    """Let another form of the same rater wait."""
    Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)


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
