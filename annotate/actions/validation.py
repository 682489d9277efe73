"""Opening a validation sample, seating its raters, closing and reopening it."""

import secrets
from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from annotate.actions.seating import (
    SEED_BITS,
    hold_in_state,
    refuse_bad_seed,
    refuse_bad_slug,
    refuse_long,
    seat_all,
    seat_label_set,
    seat_user,
    secret_chance,
)
from annotate.models import Rater, ValidationItem, ValidationSample
from annotate.problems import Problem, refuse_unknown
from annotate.validation import QUESTIONS, Question
from annotate.validation_guidelines import usual_guideline


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
    lock_rater(rater)
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


def lock_rater(rater: Rater) -> None:
    """Let another form of the same rater wait."""
    Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)
