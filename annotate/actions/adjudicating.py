"""Settling what reviewers answered differently, after they are done; their own answers stay as they are."""

from django.contrib.auth.models import User
from django.db import transaction

from annotate.actions.seating import readable
from annotate.judgements import answers_to
from annotate.models import Adjudication, Review, ReviewedPair
from annotate.problems import Problem
from annotate.review_work import Disagreement, disagreement_on, why_not_settled

LONGEST_REASON = 2_000


@transaction.atomic
def adjudicate(
    pair: ReviewedPair, question: str, side: str, answer: str, reason: str, decided_by: User | None = None
) -> Adjudication:
    """Decide a question of a pair that reviewers answered differently; the latest decision holds.

    Raises `Problem` while the review is open or somebody has not finished, for a question without a
    disagreement, for an answer that there is not, and without a reason.
    """
    review = Review.objects.select_for_update().get(pk=pair.review_id)
    if why := why_not_settled(review):
        raise Problem(why)
    found = disagreement_on(pair, question, side)
    if found is None:
        raise Problem(f"On {pair.pair}, {named(question, side)}, the annotators agree; nothing to settle.")
    return Adjudication.objects.create(
        pair=pair,
        question=question,
        side=side,
        answer=checked_answer(found, answer),
        reason=checked_reason(reason),
        decided_by=decided_by,
    )


def checked_answer(found: Disagreement, answer: str) -> str:
    """Return an answer that the question has."""
    if answer not in answers_to(found.question):
        expected = ", ".join(answers_to(found.question))
        raise Problem(
            f"The decision on {named(found.question, found.side)} is {answer!r}; expected {expected}."
        )
    return answer


def checked_reason(reason: str) -> str:
    """Return a reason that says something."""
    reason = readable(reason, "reason", LONGEST_REASON)
    if not reason:
        raise Problem("The reason is empty; write why it is decided so.")
    return reason


def named(question: str, side: str) -> str:
    """Name a question with the side it is about."""
    return f"{question} of the {side} situation" if side else question
