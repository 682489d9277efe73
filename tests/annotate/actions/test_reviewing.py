"""A reviewer's answers: saved whole, kept when changed, refused when out of turn or out of date."""

from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.actions.reviewing import StaleSheet, UsedToken, save_sheet
from annotate.actions.reviews import close_review, end_reviewer, reopen_review, take_up_reviewer
from annotate.judgements import ACCEPTABLE, YES_NO, questions_on
from annotate.models import Judgement, Review, ReviewedPair, Reviewer, Sheet, SheetRevision
from annotate.pairs import SIDES
from annotate.problems import Problem
from annotate.sheets import Given, answers_of, own_answers
from tests.annotate.factories import make_user
from tests.annotate.review_factories import answer, answer_all, make_review, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def review() -> Review:
    return make_review()


@pytest.fixture
def reviewer(review: Review) -> Reviewer:
    return review.reviewers.get(pseudonym="A1")


@pytest.fixture
def pair(review: Review) -> ReviewedPair:
    return review.reviewed_pairs.first()


def given(applicability: str = "yes", side: str = "positive", comment: str = "") -> list[Given]:
    """Answer the three questions about a situation."""
    answers = {"applicability": applicability, "validity": "yes", "naturalness": "yes"}
    return [Given(question, side, value, comment) for question, value in answers.items()]


def save(
    reviewer: Reviewer,
    pair: ReviewedPair,
    answers: list[Given],
    version: int = 0,
    token: UUID | None = None,
    side: str = "positive",
) -> Sheet:
    return save_sheet(
        reviewer, page_of(reviewer, pair, side), answers, version=version, token=token or uuid4()
    )


def answer_first_pass(reviewer: Reviewer) -> None:
    for pair in reviewer.review.reviewed_pairs.all():
        for side in SIDES:
            answer(reviewer, pair, side)


# Saving and changing.


def test_changing_an_answer_keeps_the_old_one(reviewer, pair):
    answer(reviewer, pair, "positive", {"applicability": "no"}, comment="Too spicy for the guest?")
    sheet = answer(reviewer, pair, "positive", {"applicability": "uncertain"})
    first, second = sheet.revisions.all()
    assert answers_of(first)["applicability", "positive"] == ("no", "Too spicy for the guest?")
    assert answers_of(second)["applicability", "positive"] == ("uncertain", "")
    assert own_answers(sheet) == answers_of(second)
    assert sheet.version == 2


def test_a_save_keeps_who_when_and_in_what_order(reviewer, pair):
    before = timezone.now()
    answer_first_pass(reviewer)
    sheet = answer(reviewer, pair)
    sheet.refresh_from_db()
    page = page_of(reviewer, pair)
    assert sheet.place == page.place
    assert sheet.shown == {name: list(order) for name, order in page.shown.items()}
    revision = sheet.revisions.get()
    assert revision.saved_by == reviewer.user
    assert before <= revision.saved_at <= timezone.now()


def test_a_sheet_outlives_the_account(reviewer, pair):
    sheet = answer(reviewer, pair, "positive")
    reviewer.user.delete()
    sheet.refresh_from_db()
    assert sheet.revisions.get().saved_by is None
    assert len(own_answers(sheet)) == 3


# What a page needs.


@pytest.mark.parametrize("missing", range(3))
def test_a_page_is_saved_whole_or_not_at_all(reviewer, pair, missing):
    answers = given()
    left_out = answers.pop(missing)
    with pytest.raises(Problem, match=f"Not saved: {left_out.question} has no answer yet"):
        save(reviewer, pair, answers)
    assert not Sheet.objects.exists()


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([*given(), given()[0]], "The answer to applicability comes twice"),
        (given(side="negative"), "or to a question that is not on this page"),
        ([*given()[1:], Given("control", "", "yes")], "The answer to control comes twice, or to a question"),
        (given("none"), "The answer to applicability is 'none'; expected one of yes, no, uncertain"),
        (given(""), "The answer to applicability is ''"),
        (given(comment="x" * 5_001), "has 5,001 characters; expected 5,000 at most"),
    ],
)
def test_answers_that_do_not_fit_the_page_are_refused(reviewer, pair, answers, words):
    with pytest.raises(Problem, match=words):
        save(reviewer, pair, answers)
    assert not Sheet.objects.exists()


def test_refusals_name_no_side(reviewer, pair):
    for side in SIDES:
        for answers in ([], given(side=SIDES[0]) + given(side=SIDES[1]), given("maybe", side)):
            with pytest.raises(Problem) as refusal:
                save(reviewer, pair, answers, side=side)
            assert not any(name in str(refusal.value) for name in SIDES)


def test_comments_are_kept_as_every_database_can_hold_them(reviewer, pair):
    sheet = save(reviewer, pair, given(comment=" Is\0 it? \r\n"))
    assert {comment for _, comment in own_answers(sheet).values()} == {"Is it?"}


# Repeats and what is out of date.


def test_a_form_sent_twice_changes_nothing(reviewer, pair):
    token = uuid4()
    first = save(reviewer, pair, given("no"), token=token)
    assert save(reviewer, pair, given("no"), token=token) == first
    assert SheetRevision.objects.count() == 1


def test_a_repeat_of_an_earlier_form_is_harmless_after_a_change_too(reviewer, pair):
    token = uuid4()
    save(reviewer, pair, given("no"), token=token)
    save(reviewer, pair, given("yes"), version=1)
    sheet = save(reviewer, pair, given("no"), token=token)
    assert sheet.version == 2
    assert own_answers(sheet)["applicability", "positive"] == ("yes", "")


def test_a_repeat_is_known_once_the_review_is_closed(reviewer, pair, review):
    token = uuid4()
    save(reviewer, pair, given(), token=token)
    close_review(review)
    assert save(reviewer, pair, given(), token=token).version == 1


def test_a_token_saves_one_page_with_one_set_of_answers(reviewer, pair, review):
    token = uuid4()
    save(reviewer, pair, given("no"), token=token)
    with pytest.raises(UsedToken):
        save(reviewer, pair, given("yes"), token=token)
    with pytest.raises(UsedToken):
        save(reviewer, pair, given("no", comment="Hm."), token=token)
    with pytest.raises(UsedToken):
        save(reviewer, pair, given("yes"), version=1, token=token)
    with pytest.raises(UsedToken):
        save(reviewer, review.reviewed_pairs.last(), given("no"), token=token)
    with pytest.raises(UsedToken):
        save(review.reviewers.get(pseudonym="A2"), pair, given("no"), token=token)
    assert SheetRevision.objects.count() == Sheet.objects.count() == 1
    assert Sheet.objects.get().version == 1


@pytest.mark.parametrize(("version", "words"), [(0, "has answers of yours"), (2, "has answers of yours")])
def test_a_form_older_or_newer_than_the_sheet_is_refused(reviewer, pair, version, words):
    save(reviewer, pair, given("no"))
    with pytest.raises(StaleSheet, match=words):
        save(reviewer, pair, given("yes"), version=version)
    assert SheetRevision.objects.count() == 1


def test_a_form_that_saw_answers_where_there_are_none_is_refused(reviewer, pair):
    with pytest.raises(StaleSheet, match="has no answers of yours"):
        save(reviewer, pair, given(), version=1)


# Turns.


def test_second_pass_begins_after_the_first_and_the_first_then_stays(reviewer, review, pair):
    with pytest.raises(Problem, match="the first pass comes first"):
        answer(reviewer, pair)
    answer_all(reviewer)
    assert reviewer.sheets.count() == 3 * review.reviewed_pairs.count()
    with pytest.raises(Problem, match="each situation alone"):
        answer(reviewer, pair, "negative", {"applicability": "no"})


def test_pairs_wait_for_the_last_situation(reviewer, review, pair):
    *rest, last = review.reviewed_pairs.all()
    for each in rest:
        for side in SIDES:
            answer(reviewer, each, side)
    answer(reviewer, last, "positive")
    with pytest.raises(Problem, match="Answer every situation, then the pairs"):
        answer(reviewer, pair)
    answer(reviewer, last, "negative")
    assert answer(reviewer, pair).version == 1


def test_one_reviewers_turn_is_not_anothers(review, pair):
    answer_all(review.reviewers.get(pseudonym="A1"))
    with pytest.raises(Problem, match="the first pass comes first"):
        answer(review.reviewers.get(pseudonym="A2"), pair)


def test_nothing_is_taken_while_a_review_is_closed(reviewer, review, pair):
    answer(reviewer, pair, "positive")
    close_review(review)
    for side in SIDES:
        with pytest.raises(Problem, match="this review is closed"):
            answer(reviewer, pair, side)
    reopen_review(review)
    assert answer(reviewer, pair, "positive").version == 2


def test_nothing_is_taken_from_a_seat_that_was_ended(reviewer, pair):
    end_reviewer(reviewer)
    with pytest.raises(Problem, match="your part in this review has ended"):
        answer(reviewer, pair, "positive")
    take_up_reviewer(reviewer)
    assert answer(reviewer, pair, "positive").version == 1


# What the database itself refuses.


def refused(act, *names: str) -> None:
    """Expect a constraint to refuse an act. SQLite names the fields of a unique one, not its name."""
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        act()
    assert any(name in str(error.value) for name in names), error.value


def judge(revision: SheetRevision, question: str, side: str, value: str) -> Judgement:
    return Judgement.objects.create(revision=revision, question=question, side=side, answer=value)


def test_the_database_knows_every_answer_and_no_other(reviewer, pair):
    sheet = answer(reviewer, pair, "positive")
    for question, side in [*questions_on("negative"), *questions_on("")]:
        wrong = YES_NO[0] if question == "acceptability" else ACCEPTABLE[0]
        for value in (wrong, "", "maybe", "plain+memory"):
            refused(
                lambda q=question, s=side, v=value: judge(sheet.revisions.get(), q, s, v),
                "judgement_answer_known",
            )
    refused(lambda: judge(sheet.revisions.get(), "taste", "negative", "yes"), "judgement_answer_known")


def test_the_database_holds_a_side_against_its_question(reviewer, pair):
    revision = answer(reviewer, pair, "positive").revisions.get()
    fits = "judgement_side_fits_question"
    refused(lambda: judge(revision, "control", "positive", "yes"), fits)
    refused(lambda: judge(revision, "acceptability", "", "none"), fits)
    refused(lambda: judge(revision, "validity", "neither", "yes"), fits)


def test_the_database_takes_one_answer_to_a_question_of_a_save(reviewer, pair):
    revision = answer(reviewer, pair, "positive").revisions.get()
    refused(
        lambda: judge(revision, "validity", "positive", "no"),
        "one_answer_per_question_and_save",
        "judgement.question",
    )


def test_the_database_takes_one_sheet_of_a_page_and_one_page_at_a_place(reviewer, review, pair):
    sheet = answer(reviewer, pair, "positive")
    other = review.reviewed_pairs.last()
    refused(
        lambda: Sheet.objects.create(reviewer=reviewer, pair=pair, side="positive", place=99),
        "one_sheet_per_reviewer",
        "sheet.pair_id",
    )
    refused(
        lambda: Sheet.objects.create(reviewer=reviewer, pair=other, side="negative", place=sheet.place),
        "situation_place_once_per_reviewer",
        "sheet.place",
    )
    Sheet.objects.create(reviewer=reviewer, pair=pair, side="", place=sheet.place)
    refused(
        lambda: Sheet.objects.create(reviewer=reviewer, pair=other, side="", place=sheet.place),
        "pair_place_once_per_reviewer",
        "sheet.place",
    )
    refused(
        lambda: Sheet.objects.create(reviewer=reviewer, pair=other, side="left", place=98), "sheet_side_known"
    )


def test_the_database_numbers_the_saves_of_a_sheet(reviewer, pair):
    sheet = answer(reviewer, pair, "positive")
    refused(
        lambda: sheet.revisions.create(version=1, token=uuid4(), saved_at=timezone.now()),
        "sheet_version_once",
        "sheetrevision.version",
    )


def test_the_database_gives_a_user_one_seat(review, reviewer):
    refused(
        lambda: review.reviewers.create(user=reviewer.user, pseudonym="A9", seed=1),
        "one_seat_per_user_and_review",
        "reviewer.user_id",
    )
    refused(
        lambda: review.reviewers.create(user=make_user("eva"), pseudonym="A1", seed=1),
        "pseudonym_once_per_review",
        "reviewer.pseudonym",
    )
