"""What a reviewer does: answer the three questions on a page, and answer them again to change them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.actions.seating import readable
from annotate.actions.slots import short_transaction
from annotate.judgements import Key, answers_to, questions_on
from annotate.models import Judgement, Review, Reviewer, Sheet, SheetRevision
from annotate.problems import Problem
from annotate.sheets import Given, Page, answers_of, second_pass_has_begun

LONGEST_COMMENT = 5_000


class StaleSheet(Problem):
    """The form was older than the answers that it would have changed."""


class UsedToken(Problem):
    """The form's token has saved another page before."""

    def __init__(self) -> None:
        super().__init__(
            "This form has been sent before with other answers, which were saved. "
            "Open the page again to change them."
        )


@short_transaction()
def begin_second_pass(reviewer: Reviewer) -> None:
    """Open the pairs to a reviewer who has judged every situation; from now on those answers stay."""
    _lock(reviewer)
    situations = 2 * reviewer.review.reviewed_pairs.count()
    if reviewer.sheets.exclude(side="").count() < situations:
        raise Problem("The first pass comes first. Answer every situation, then the pairs.")
    seats = Reviewer.objects.filter(pk=reviewer.pk, second_pass_at=None)
    seats.update(second_pass_at=timezone.now())


def save_sheet(
    reviewer: Reviewer,
    page: Page,
    answers: Sequence[Given],
    *,
    version: int,
    token: UUID,
    saved_by: User | None = None,
) -> Sheet:
    """Save a reviewer's answers to every question of a page; return its sheet.

    1. A form that comes twice, known by its token, changes nothing.
    2. A form older than the sheet is refused: `StaleSheet`.
    3. Nothing is taken once the review is closed, and nothing of the first pass once the second has begun:
       a situation is judged before it is seen beside its other side.
    4. Each save appends a revision, so that a change keeps the earlier answers.
    """
    checked = checked_answers(page.side, answers)
    with short_transaction():
        _lock(reviewer)
        sheet = reviewer.sheets.filter(pair=page.pair, side=page.side).first()
        if version != (sheet.version if sheet else 0):
            return _repeat(reviewer, page, checked, token, sheet)
        _refuse_if_over(reviewer, page)
        return append_revision(reviewer, page, checked, sheet, token, saved_by, timezone.now())


def append_revision(
    reviewer: Reviewer,
    page: Page,
    answers: Mapping[Key, Given],
    sheet: Sheet | None,
    token: UUID,
    saved_by: User | None,
    now: datetime,
) -> Sheet:
    """Write a sheet, new or one version on, with its answers; part of the caller's transaction."""
    if sheet is None:
        sheet = Sheet.objects.create(
            reviewer=reviewer, pair=page.pair, side=page.side, place=page.place, shown=dict(page.shown)
        )
    else:
        sheet.version += 1
        sheet.save(update_fields=["version", "changed_at"])
    try:
        with transaction.atomic():
            revision = SheetRevision.objects.create(
                sheet=sheet, version=sheet.version, token=token, saved_by=saved_by, saved_at=now
            )
    except IntegrityError as error:
        raise UsedToken from error
    Judgement.objects.bulk_create(
        Judgement(
            revision=revision,
            question=given.question,
            side=given.side,
            answer=given.answer,
            comment=given.comment,
        )
        for given in answers.values()
    )
    return sheet


def checked_answers(side: str, answers: Sequence[Given]) -> dict[Key, Given]:
    """Return the answers by question and side, in the order of the page.

    Raises `Problem` naming the question that has no answer, two, or one that there is not.
    """
    expected = questions_on(side)
    found: dict[Key, Given] = {}
    for given in answers:
        key = (given.question, given.side)
        if key not in expected or key in found:
            raise Problem(
                f"The answer to {_named(key)} comes twice, or to a question that is not on this page."
            )
        if given.answer not in answers_to(given.question):
            choices = ", ".join(answers_to(given.question))
            raise Problem(f"The answer to {_named(key)} is {given.answer!r}; expected one of {choices}.")
        found[key] = Given(
            given.question, given.side, given.answer, readable(given.comment, "comment", LONGEST_COMMENT)
        )
    if missing := [key for key in expected if key not in found]:
        raise Problem(
            f"Not saved: {', '.join(map(_named, missing))} has no answer yet. Answer every question."
        )
    return {key: found[key] for key in expected}


def _named(key: Key) -> str:
    """Name a question without its side, which a reviewer must not learn."""
    return key[0]


def _lock(reviewer: Reviewer) -> None:
    """Let another form of the same reviewer wait."""
    Reviewer.objects.select_for_update(no_key=True).get(pk=reviewer.pk)


def _repeat(
    reviewer: Reviewer, page: Page, answers: Mapping[Key, Given], token: UUID, sheet: Sheet | None
) -> Sheet:
    """Return the sheet that this very form saved before; refuse any other form that is out of date."""
    earlier = (
        SheetRevision.objects.filter(token=token, sheet__reviewer=reviewer).select_related("sheet").first()
    )
    if earlier is None:
        present = "has answers of yours" if sheet else "has no answers of yours"
        raise StaleSheet(
            "Not saved: this form was out of date, perhaps because the page is open in another window. "
            f"As saved, the page {present}. Answer again to change them."
        )
    given = {key: (each.answer, each.comment) for key, each in answers.items()}
    if earlier.sheet != sheet or answers_of(earlier) != given:
        raise UsedToken
    return earlier.sheet


def _refuse_if_over(reviewer: Reviewer, page: Page) -> None:
    review = Review.objects.get(pk=reviewer.review_id)
    if review.state == Review.State.CLOSED:
        raise Problem("Not saved: this review is closed. Answers can no longer be given or changed.")
    if not Reviewer.objects.filter(pk=reviewer.pk, is_active=True).exists():
        raise Problem("Not saved: your part in this review has ended.")
    if page.side and second_pass_has_begun(reviewer):
        raise Problem(
            "Not saved: you have begun the second pass. Answers of the first pass stay as they were given, "
            "each situation alone."
        )
    if not page.side and reviewer.sheets.exclude(side="").count() < 2 * review.reviewed_pairs.count():
        raise Problem("Not saved: the first pass comes first. Answer every situation, then the pairs.")
