"""Opening a review, seating its reviewers, closing and reopening it."""

import secrets
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from annotate.actions.seating import (
    SEED_BITS,
    hold_in_state,
    refuse_bad_seed,
    refuse_bad_slug,
    refuse_long,
    seat_all,
    seat_user,
    secret_chance,
)
from annotate.models import Dataset, Review, ReviewedPair, Reviewer
from annotate.models.review import STRATA
from annotate.problems import Problem
from annotate.sampling import Candidate, Sample, draw_sample


def draw_pairs(dataset: Dataset, *, sample: int | None, stratum: str, seed: int) -> Sample:
    """Return the sample that a review with these settings would judge; `None` takes every pair.

    Raises `Problem` for a stratum that there is not, or a size that cannot be drawn.
    """
    if stratum not in STRATA:
        raise Problem(f"Stratum {stratum!r} is unknown; expected one of {', '.join(STRATA)}.")
    refuse_bad_seed(seed)
    rows = dataset.pairs.values_list("pk", "preference__key", STRATA[Review.Stratum(stratum)])
    candidates = [Candidate(*row) for row in rows]
    return draw_sample(candidates, len(candidates) if sample is None else sample, seed)


@transaction.atomic
def create_review(
    *,
    slug: str,
    dataset: Dataset,
    users: Sequence[User] = (),
    label_sets: Sequence[str] = (),
    sample: int | None = None,
    stratum: str = Review.Stratum.CATEGORY,
    seed: int | None = None,
    name: str = "",
    guideline: str = "",
    is_example: bool = False,
    created_by: User | None = None,
) -> Review:
    """Open a review of a sample of a dataset's pairs for two or more reviewers.

    From the seed come the sample and the numbers of its pairs. Reviewers' orders and pseudonyms come from it
    and the site's secret key: whoever could work an order out from a small seed would know sides and roles.
    A label set is a seat without an account, under its own name, for answers that come by a file.
    """
    refuse_bad_slug(Review, slug)
    refuse_long("title", name, Review._meta.get_field("name").max_length or 0)
    if len(users) + len(label_sets) < 2:
        raise Problem(f"A review needs two annotators or more; {len(users) + len(label_sets)} are named.")
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    drawn = draw_pairs(dataset, sample=sample, stratum=stratum, seed=seed)
    review = Review.objects.create(
        slug=slug,
        name=name or slug,
        dataset=dataset,
        corpus_version=dataset.version,
        corpus_hash=dataset.content_hash,
        stratum=stratum,
        seed=seed,
        guideline=guideline,
        is_example=is_example,
        created_by=created_by,
    )
    ReviewedPair.objects.bulk_create(
        ReviewedPair(review=review, pair_id=pair, number=number) for number, pair in enumerate(drawn.ids)
    )
    seat_all(review, review.reviewers, users, label_sets, secret_chance("reviewers", seed))
    return review


@transaction.atomic
def add_reviewer(review: Review, user: User) -> Reviewer:
    """Give a user a seat in an open review, with orders of their own."""
    hold_in_state(review, Review.State.OPEN)
    return seat_user(review, review.reviewers, user, secrets.randbits(SEED_BITS))


@transaction.atomic
def end_reviewer(reviewer: Reviewer) -> None:
    """Let a reviewer answer no more; the answers stay in exports, reports do without them."""
    _set_active(reviewer, is_active=False)


@transaction.atomic
def take_up_reviewer(reviewer: Reviewer) -> None:
    """Let a reviewer whose seat was ended answer again."""
    _set_active(reviewer, is_active=True)


def _set_active(reviewer: Reviewer, *, is_active: bool) -> None:
    """Change who counts, which is over once a lead has begun to settle what they answered differently."""
    Reviewer.objects.select_for_update(no_key=True).get(pk=reviewer.pk)
    review = Review.objects.select_for_update().get(pk=reviewer.review_id)
    if is_being_settled(review):
        raise Problem(
            f"Disagreements of review {review} have been settled already; its annotators stay as they were."
        )
    Reviewer.objects.filter(pk=reviewer.pk).update(is_active=is_active)


def is_being_settled(review: Review) -> bool:
    """Tell whether a lead has decided a disagreement."""
    return review.reviewed_pairs.filter(adjudications__isnull=False).exists()


@transaction.atomic
def close_review(review: Review) -> None:
    """End the independent answers; from now on they stay as they are, and disagreements can be settled.

    Answers that are being saved hold their reviewer, and come in before the end.
    """
    list(review.reviewers.select_for_update(no_key=True))
    _move(review, Review.State.OPEN, Review.State.CLOSED)


@transaction.atomic
def reopen_review(review: Review) -> None:
    """Let answers be given again, which is over once a lead has begun to settle disagreements."""
    if is_being_settled(review):
        raise Problem(
            f"Review {review} cannot be opened again: disagreements have been settled already, and answers "
            "given after that would not be independent."
        )
    _move(review, Review.State.CLOSED, Review.State.OPEN)


def _move(review: Review, origin: str, target: str) -> None:
    hold_in_state(review, origin)
    review.state = target
    review.save(update_fields=["state"])
