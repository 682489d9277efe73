"""Opening a review, its seats, closing and reopening."""

import pytest
from django.db import IntegrityError, transaction

from annotate.actions.adjudicating import adjudicate
from annotate.actions.reviews import (
    add_reviewer,
    close_review,
    create_review,
    draw_pairs,
    end_reviewer,
    reopen_review,
    take_up_reviewer,
)
from annotate.models import Review
from annotate.problems import Problem
from annotate.review_reports import read_answers
from tests.annotate.factories import make_dataset, make_user
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_pair_dataset(preferences=4, pairs=5)


@pytest.fixture
def people():
    return [make_user(name, "annotator") for name in ("ana", "ben", "cem")]


def identifiers(review: Review) -> list[str]:
    return list(review.reviewed_pairs.values_list("pair__identifier", flat=True))


def test_the_sample_that_is_previewed_is_the_one_that_is_opened(dataset, people):
    settings = {"sample": 9, "stratum": "domain", "seed": 5}
    seen = draw_pairs(dataset, **settings)
    review = create_review(slug="pairs-1", dataset=dataset, users=people, **settings)
    assert list(review.reviewed_pairs.values_list("pair_id", flat=True)) == list(seen.ids)
    assert list(review.reviewed_pairs.values_list("number", flat=True)) == list(range(9))
    keys = set(review.reviewed_pairs.values_list("pair__preference__key", flat=True))
    assert keys == {"M01", "M02", "M03", "M04"}


def test_a_review_remembers_what_it_was_drawn_from(dataset, people):
    review = create_review(slug="pairs-1", dataset=dataset, users=people, sample=6, stratum="preference")
    review.refresh_from_db()
    assert (review.corpus_version, review.corpus_hash, review.stratum) == (1, "d" * 64, "preference")
    assert (review.name, review.state) == ("pairs-1", "open")
    again = draw_pairs(dataset, sample=6, stratum="preference", seed=review.seed)
    assert set(review.reviewed_pairs.values_list("pair_id", flat=True)) == set(again.ids)


def test_without_a_size_every_pair_is_judged(dataset, people):
    assert create_review(slug="pairs-1", dataset=dataset, users=people).reviewed_pairs.count() == 20


def test_the_same_seed_gives_the_same_sample_orders_and_pseudonyms(dataset, people):
    one, two = (
        create_review(slug=slug, dataset=dataset, users=people, label_sets=["x"], sample=8, seed=11)
        for slug in ("one", "two")
    )
    assert identifiers(one) == identifiers(two)
    seats = [set(review.reviewers.values_list("user", "pseudonym", "seed")) for review in (one, two)]
    assert seats[0] == seats[1]
    assert len({seed for _, _, seed in seats[0]}) == 4


def test_pseudonyms_do_not_follow_the_order_of_the_accounts(dataset, people):
    found = {
        tuple(
            create_review(slug=f"r-{seed}", dataset=dataset, users=people, seed=seed)
            .reviewers.order_by("pseudonym")
            .values_list("user__username", flat=True)
        )
        for seed in range(8)
    }
    assert len(found) > 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"slug": "no spaces"}, "'no spaces' cannot stand in an address"),
        ({"slug": "there"}, "There is a review 'there' already"),
        ({"users": 1}, "needs two annotators or more; 1 are named"),
        ({"users": 0, "label_sets": ["a"]}, "needs two annotators or more; 1 are named"),
        ({"users": 0, "label_sets": ["a", "a"]}, "'a' is the name of another seat"),
        ({"users": 0, "label_sets": ["a", "b" * 41]}, "has 41 characters; expected 40 at most"),
        ({"sample": 3}, "The sample is 3; expected at least 4"),
        ({"sample": 21}, "at most the 20 pairs"),
        ({"stratum": "tier"}, "Stratum 'tier' is unknown; expected one of category, domain, preference"),
        ({"seed": -1}, "The seed is -1"),
        ({"seed": 2**62}, "The seed is"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_words_and_leaves_nothing(dataset, people, wrong, words):
    make_review(make_pair_dataset(slug="other"), slug="there")
    wanted = {"slug": "pairs-1", "users": 2} | wrong
    wanted["users"] = people[: wanted["users"]]
    with pytest.raises(Problem, match=words):
        create_review(dataset=dataset, **wanted)
    assert Review.objects.count() == 1


def test_a_dataset_without_pairs_cannot_be_reviewed(people):
    with pytest.raises(Problem, match="has no contrast pairs"):
        create_review(slug="pairs-1", dataset=make_dataset(), users=people)


def test_a_lead_gets_no_seat_and_nobody_two(dataset, people):
    lead = make_user("lena", "lead")
    with pytest.raises(Problem, match="lena is a lead"):
        create_review(slug="pairs-1", dataset=dataset, users=[*people, lead])
    review = create_review(slug="pairs-1", dataset=dataset, users=people)
    with pytest.raises(Problem, match="ana has a seat in review pairs-1 already"):
        add_reviewer(review, people[0])
    with pytest.raises(Problem, match="lena is a lead"):
        add_reviewer(review, lead)


def test_a_seat_is_added_to_an_open_review_only(dataset, people):
    review = create_review(slug="pairs-1", dataset=dataset, users=people[:2])
    assert add_reviewer(review, people[2]).pseudonym == "A3"
    close_review(review)
    with pytest.raises(Problem, match="is closed; expected one that is open"):
        add_reviewer(review, make_user("dora", "annotator"))


def test_answers_of_an_ended_seat_stay_and_do_not_count():
    review = make_review(reviewers=3)
    seat, pair = review.reviewers.get(pseudonym="A3"), review.reviewed_pairs.first()
    answer(seat, pair, "positive")
    end_reviewer(seat)
    assert (seat.sheets.count(), read_answers(review).reviewers) == (1, ("A1", "A2"))
    with pytest.raises(Problem, match="your part in this review has ended"):
        answer(seat, pair, "negative")
    take_up_reviewer(seat)
    answer(seat, pair, "negative")
    assert read_answers(review).reviewers == ("A1", "A2", "A3")


def test_a_closed_review_takes_no_answer_until_it_is_reopened():
    review = make_review()
    seat, pair = review.reviewers.first(), review.reviewed_pairs.first()
    close_review(review)
    with pytest.raises(Problem, match="this review is closed"):
        answer(seat, pair, "positive")
    with pytest.raises(Problem, match="is closed; expected one that is open"):
        close_review(review)
    reopen_review(review)
    answer(seat, pair, "positive")
    with pytest.raises(Problem, match="is open; expected one that is closed"):
        reopen_review(review)


def test_once_something_is_settled_a_review_stays_closed():
    review = make_review(make_pair_dataset(preferences=1, pairs=1))
    first, second = review.reviewers.all()
    answer_all(first)
    answer_all(second, {(0, "positive"): {"validity": "no"}})
    close_review(review)
    adjudicate(review.reviewed_pairs.get(), "validity", "positive", "yes", "Still true.")
    with pytest.raises(Problem, match="disagreements have been settled already"):
        reopen_review(review)
    review.refresh_from_db()
    assert review.state == Review.State.CLOSED


def test_the_database_refuses_a_pair_or_a_number_twice(dataset, people):
    review = create_review(slug="pairs-1", dataset=dataset, users=people, sample=5)
    there = review.reviewed_pairs.first()
    other = dataset.pairs.exclude(reviewed__review=review).first()
    for pair, number in ((there.pair, 99), (other, there.number)):
        with pytest.raises(IntegrityError), transaction.atomic():
            review.reviewed_pairs.create(pair=pair, number=number)
