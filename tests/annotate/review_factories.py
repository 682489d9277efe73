"""Small pair datasets and reviews in the database."""

from collections.abc import Mapping, Sequence
from uuid import uuid4

from django.contrib.auth.models import User

from annotate.actions.reviewing import save_sheet
from annotate.actions.reviews import create_review
from annotate.blinding import ReviewOrder
from annotate.judgements import ACCEPTABILITY, YES, questions_on
from annotate.models import (
    Companion,
    ContrastPair,
    CorpusVersion,
    Dataset,
    Preference,
    Reply,
    Review,
    ReviewedPair,
    Reviewer,
    Sheet,
    Situation,
)
from annotate.pairs import CATEGORIES, COMPANIONS, DOMAINS, ROLES, SIDES, TIERS
from annotate.sheets import Given, Page
from tests.annotate.factories import make_user

DISTANCES = (1, 3, 6)


def make_pair_dataset(preferences: int = 3, pairs: int = 2, slug: str = "pairs") -> Dataset:
    """Make a dataset of `pairs` contrast pairs for each of `preferences` preferences M01, M02, ..."""
    dataset = Dataset.objects.create(slug=slug, name=slug.title(), content_hash="d" * 64)
    CorpusVersion.objects.create(dataset=dataset, version=1, content_hash="d" * 64, file_hash="f" * 64)
    number = 0
    for p in range(preferences):
        preference = Preference.objects.create(
            dataset=dataset,
            key=f"M{p + 1:02}",
            domain=DOMAINS[p % len(DOMAINS)],
            text=f"User holds preference {p + 1}.",
            position=p,
        )
        Companion.objects.bulk_create(
            Companion(
                preference=preference, kind=kind, text=f"User has {kind} memory {n}.", position=position
            )
            for position, (kind, n) in enumerate(
                (kind, n) for kind, size in COMPANIONS.items() for n in range(size)
            )
        )
        for _ in range(pairs):
            make_pair(dataset, preference, number)
            number += 1
    return dataset


def make_pair(dataset: Dataset, preference: Preference, number: int) -> ContrastPair:
    """Make a contrast pair with texts that tell what they are, for tests to look for."""
    category = number % len(CATEGORIES)
    pair = ContrastPair.objects.create(
        dataset=dataset,
        preference=preference,
        identifier=f"{preference.key}-C{category + 1}-s{number}",
        category=CATEGORIES[category],
        tier=TIERS[number % 2],
        distance=DISTANCES[number % 3],
        request=f"Request {number}?",
        position=number,
    )
    Situation.objects.bulk_create(
        Situation(pair=pair, side=side, text=f"I am in situation {number}{letter}.")
        for side, letter in zip(SIDES, "xy", strict=True)
    )
    Reply.objects.bulk_create(
        Reply(pair=pair, role=role, text=f"Advice {number}{letter}.")
        for role, letter in zip(ROLES, "pqrs", strict=True)
    )
    return pair


def make_review(
    dataset: Dataset | None = None, reviewers: int = 2, slug: str = "review-1", users: Sequence[User] = ()
) -> Review:
    """Open a review of every pair of a dataset, with reviewers A1, A2, ... of new accounts."""
    people = list(users) or [make_user(f"{slug}-reviewer-{n + 1}", "annotator") for n in range(reviewers)]
    return create_review(slug=slug, dataset=dataset or make_pair_dataset(), users=people, seed=7)


def page_of(reviewer: Reviewer, pair: ReviewedPair, side: str = "") -> Page:
    """Return a reviewer's page of a situation, or without a side of a pair, as it is shown to them."""
    count = reviewer.review.reviewed_pairs.count()
    order = ReviewOrder(reviewer.seed, count)
    if side:
        places = (place for place in range(2 * count) if order.situation_at(place) == (pair.number, side))
        return Page(pair, side, next(places))
    place = next(place for place in range(count) if order.pair_at(place) == pair.number)
    shown = {"sides": order.sides(pair.number), **{each: order.replies(pair.number, each) for each in SIDES}}
    return Page(pair, "", place, shown)


def answer(
    reviewer: Reviewer,
    pair: ReviewedPair,
    side: str = "",
    answers: Mapping[tuple[str, str] | str, str] | None = None,
    comment: str = "",
) -> Sheet:
    """Save a page through the public door; questions not in `answers` get *yes* and the memory reply.

    Keys of `answers` are questions, or (question, side) for what is asked of both sides.
    """
    given = answers or {}
    sheet = reviewer.sheets.filter(pair=pair, side=side).first()

    def answer_to(question: str, about: str) -> str:
        otherwise = "memory" if question == ACCEPTABILITY else YES
        return given.get((question, about), given.get(question, otherwise))

    return save_sheet(
        reviewer,
        page_of(reviewer, pair, side),
        [
            Given(question, about, answer_to(question, about), comment)
            for question, about in questions_on(side)
        ],
        version=sheet.version if sheet else 0,
        token=uuid4(),
        saved_by=reviewer.user,
    )


def answer_all(
    reviewer: Reviewer, answers: Mapping[tuple[int, str], Mapping[tuple[str, str] | str, str]] | None = None
) -> None:
    """Answer every page of both passes; `answers` by (pair number, side), where it is not all *yes*."""
    given = answers or {}
    pairs = list(reviewer.review.reviewed_pairs.all())
    for side in (*SIDES, ""):
        for pair in pairs:
            answer(reviewer, pair, side, given.get((pair.number, side)))
