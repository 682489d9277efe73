"""The reviewer's pages: who reaches them, what they take, and what they refuse."""

from html import unescape
from uuid import uuid4

import pytest
from django.test import Client

from annotate.actions.reviews import close_review, end_reviewer
from annotate.models import Judgement, Review, Reviewer, Sheet, SheetRevision
from annotate.pairs import SIDES
from tests.annotate.factories import make_user
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review
from tests.annotate.review_forms import (
    ALL_YES,
    BEGIN,
    FIRST_REPLIES,
    PAIRS,
    SITUATIONS,
    begin_pairs,
    send,
    send_first_pass,
    shown_on,
)

pytestmark = pytest.mark.django_db

OWN = "/reviews/review-1/own-answers/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def review() -> Review:
    return make_review(make_pair_dataset(preferences=2, pairs=1))


@pytest.fixture
def reviewer(review: Review) -> Reviewer:
    return review.reviewers.get(pseudonym="A1")


@pytest.fixture
def ana(client: Client, reviewer: Reviewer) -> Client:
    client.force_login(reviewer.user)
    return client


def answers() -> list[str]:
    return list(Judgement.objects.order_by("pk").values_list("answer", flat=True))


# Who reaches the pages.


@pytest.mark.parametrize("address", [SITUATIONS, PAIRS, OWN])
def test_pages_are_for_seats_only(review, client, address):
    assert client.get(address).url == f"/accounts/login/?next={address}"
    other = make_review(make_pair_dataset(slug="others"), slug="review-2").reviewers.first().user
    for user in (make_user("ben", "annotator"), make_user("lena", "lead"), make_user("sam"), other):
        client.force_login(user)
        assert client.get(address).status_code == 404
        assert client.post(address).status_code in {404, 405}


def test_a_reviewer_who_becomes_a_lead_reviews_no_longer(ana, reviewer):
    assert ana.get(SITUATIONS).status_code == 200
    reviewer.user.is_superuser = True
    reviewer.user.save()
    assert ana.get(SITUATIONS).status_code == 404
    assert ana.post(SITUATIONS, ALL_YES).status_code == 404


def test_pages_are_never_cached(ana, reviewer):
    answer_all(reviewer)
    for address in (SITUATIONS, PAIRS, OWN, f"{PAIRS}?place=1", "/"):
        assert "no-store" in ana.get(address)["Cache-Control"]


def test_an_ended_session_is_told_that_nothing_was_saved(review, client):
    page = client.post(SITUATIONS, ALL_YES, headers=HTMX)
    assert page["HX-Redirect"] == f"/accounts/login/?next={SITUATIONS}"
    assert "Not saved: your session had ended." in client.get("/accounts/login/").content.decode()


# Places.


def test_a_place_leads_back_to_own_pages_only(ana):
    send(ana, SITUATIONS, ALL_YES)
    first, second = (ana.get(f"{SITUATIONS}?place={place}") for place in (1, 2))
    assert shown_on(first).chosen == {"q1": ["yes"], "q2": ["yes"], "q3": ["yes"]}
    assert shown_on(second).chosen == {"q1": [], "q2": [], "q3": []}
    for place in ("3", "5", "0", "-1", "x", "١", "1.0", "9" * 30):
        assert ana.get(SITUATIONS, {"place": place}).status_code == 404, place
        assert send(ana, SITUATIONS, ALL_YES | {"place": place}).status_code == 404, place


def test_the_second_pass_opens_after_the_first(ana):
    send(ana, SITUATIONS, ALL_YES)
    assert ana.get(PAIRS).url == SITUATIONS
    assert ana.post(PAIRS, FIRST_REPLIES | {"place": "1", "version": "0", "token": uuid4()}).url == SITUATIONS
    assert "The first pass comes first" in ana.post(BEGIN, follow=True).content.decode()
    send_first_pass(ana, 3)
    assert "The first pass is done" in ana.get(SITUATIONS).content.decode()
    assert ana.get(PAIRS).url == SITUATIONS
    begin_pairs(ana)
    assert "Situation 2" in ana.get(PAIRS).content.decode()


def test_the_next_page_is_the_first_without_answers(ana, reviewer):
    places = []
    for _ in range(4):
        places.append(shown_on(ana.get(SITUATIONS)).hidden["place"])
        send(ana, SITUATIONS, ALL_YES)
    assert places == ["1", "2", "3", "4"]
    assert list(reviewer.sheets.order_by("pk").values_list("place", flat=True)) == [0, 1, 2, 3]


# What is taken.


def test_first_pass_saves_what_was_chosen_about_the_situation_shown(ana):
    page = shown_on(ana.get(SITUATIONS))
    send(ana, SITUATIONS, {"q1": "no", "q2": "uncertain", "q3": "yes", "comment2": " Moved?\r\n "})
    sheet = Sheet.objects.get()
    situation = sheet.pair.pair.situations.get(side=sheet.side)
    assert page.case[:3] == [sheet.pair.pair.preference.text, situation.text, sheet.pair.pair.request]
    assert set(sheet.revisions.get().judgements.values_list("question", "side", "answer", "comment")) == {
        ("applicability", sheet.side, "no", ""),
        ("validity", sheet.side, "uncertain", "Moved?"),
        ("naturalness", sheet.side, "yes", ""),
    }


def test_second_pass_saves_the_replies_at_the_positions_chosen(ana, reviewer):
    """The texts on the page are the oracle: whatever stood at a position has to be what was accepted."""
    send_first_pass(ana, 4)
    begin_pairs(ana)
    for _ in range(2):
        page = shown_on(ana.get(PAIRS))
        content = ana.get(PAIRS).content.decode()
        send(ana, PAIRS, {"q1": "yes", "q2": ["2", "4"], "q3": "3"})
        sheet = reviewer.sheets.filter(side="").latest("pk")
        pair = sheet.pair.pair
        for question, positions in (("q2", ("2", "4")), ("q3", ("3",))):
            first, second = sorted(pair.situations.all(), key=lambda each: content.index(each.text))
            side = first.side if question == "q2" else second.side
            saved = sheet.revisions.get().judgements.get(question="acceptability", side=side).answer
            accepted = {pair.replies.get(role=role).text for role in saved.split("+")}
            assert accepted == {page.texts[question][position] for position in positions}
        assert sheet.shown["sides"] == [first.side, second.side]


@pytest.mark.parametrize("choice", ["none", "uncertain"])
def test_none_and_uncertain_are_answers_of_their_own(ana, choice):
    send_first_pass(ana, 4)
    begin_pairs(ana)
    send(ana, PAIRS, {"q1": "uncertain", "q2": choice, "q3": "1"})
    side = Sheet.objects.get(side="").shown["sides"][0]
    assert Judgement.objects.get(question="acceptability", side=side).answer == choice
    assert shown_on(ana.get(f"{PAIRS}?place=1")).chosen["q2"] == [choice]


def test_answers_are_shown_again_as_they_were_chosen(ana):
    send_first_pass(ana, 4)
    begin_pairs(ana)
    choices = {"q1": ["no"], "q2": ["1", "3", "4"], "q3": ["2"]}
    send(ana, PAIRS, choices)
    assert shown_on(ana.get(f"{PAIRS}?place=1")).chosen == choices


def test_changing_answers_keeps_the_earlier_ones(ana):
    send(ana, SITUATIONS, ALL_YES)
    send(ana, SITUATIONS, ALL_YES | {"q1": "no"}, page=ana.get(f"{SITUATIONS}?place=1"))
    assert answers() == ["yes", "yes", "yes", "no", "yes", "yes"]
    assert list(SheetRevision.objects.values_list("version", flat=True)) == [1, 2]


def test_htmx_gets_the_next_page_without_the_frame(ana):
    page = send(ana, SITUATIONS, ALL_YES, headers=HTMX)
    assert page.status_code == 200
    assert "<html" not in page.content.decode()
    assert shown_on(page).hidden["place"] == "2"
    assert "csrfmiddlewaretoken" not in page.content.decode()


# What is refused.


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"q1": "yes", "q2": "1"}, "the third question has no answer yet"),
        ({}, "the first, second and third questions have no answer yet"),
        (
            {"q1": "yes", "q2": ["1", "none"], "q3": "1"},
            "in situation 1, 'None is acceptable' is chosen",
        ),
        (
            {"q1": "yes", "q2": "1", "q3": ["uncertain", "2"]},
            "in situation 2, 'Uncertain' is chosen",
        ),
        ({"q1": "yes", "q2": ["none", "uncertain"], "q3": "1"}, "together with another answer"),
        ({"q1": ["yes", "no"], "q2": "1", "q3": "1"}, "the first question has two answers"),
        ({**FIRST_REPLIES, "comment1": "x" * 5_001}, "The comment has 5,001 characters"),
    ],
)
def test_answers_that_cannot_be_saved_are_refused_in_words_and_stay_chosen(ana, choices, words):
    send_first_pass(ana, 4)
    begin_pairs(ana)
    page = send(ana, PAIRS, choices)
    assert page.status_code == 409
    assert words in unescape(page.content.decode())
    given = {name: [value] if isinstance(value, str) else value for name, value in choices.items()}
    chosen = {name: values for name, values in shown_on(page).chosen.items() if values}
    assert {name: sorted(values) for name, values in chosen.items()} == {
        name: sorted(values) for name, values in given.items() if name.startswith("q")
    }
    assert not Sheet.objects.filter(side="").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"q2": "0"},
        {"q2": "-1"},
        {"q2": "5"},
        {"q2": "memory"},
        {"q2": ["1", "١"]},
        {"q1": "maybe"},
        {"q1": "none"},
        {"version": "new"},
        {"token": "1"},
        {"token": ""},
    ],
)
def test_a_form_that_the_page_does_not_make_is_a_bad_request(ana, change):
    send_first_pass(ana, 4)
    begin_pairs(ana)
    assert send(ana, PAIRS, {**FIRST_REPLIES, **change}).status_code == 400
    assert not Sheet.objects.filter(side="").exists()


def test_a_form_sent_twice_is_saved_once(ana):
    page = ana.get(SITUATIONS)
    for _ in range(2):
        assert send(ana, SITUATIONS, ALL_YES, page).status_code == 302
    assert SheetRevision.objects.count() == 1


def test_a_form_sent_twice_with_other_answers_is_refused(ana):
    page = ana.get(SITUATIONS)
    send(ana, SITUATIONS, ALL_YES, page)
    refused = send(ana, SITUATIONS, ALL_YES | {"q1": "no"}, page)
    assert refused.status_code == 409
    assert "has been sent before with other answers" in refused.content.decode()
    assert answers() == ["yes"] * 3


def test_a_stale_form_is_refused_and_the_saved_answers_shown(ana):
    window, other = ana.get(SITUATIONS), ana.get(SITUATIONS)
    send(ana, SITUATIONS, ALL_YES, window)
    refused = send(ana, SITUATIONS, ALL_YES | {"q1": "no"}, other)
    assert refused.status_code == 409
    assert "this form was out of date" in refused.content.decode()
    assert shown_on(refused).chosen["q1"] == ["yes"]
    assert send(ana, SITUATIONS, ALL_YES | {"q1": "no"}, refused).status_code == 302


def test_answers_about_situations_stay_once_the_pairs_have_begun(ana):
    send_first_pass(ana, 4)
    open_page = ana.get(f"{SITUATIONS}?place=1")
    begin_pairs(ana)
    refused = send(ana, SITUATIONS, ALL_YES | {"q1": "no"}, open_page)
    assert refused.status_code == 409
    assert "you have begun the second pass" in refused.content.decode()
    assert shown_on(refused).chosen["q1"] == ["yes"]
    page = ana.get(f"{SITUATIONS}?place=1").content.decode()
    assert "Save and next" not in page
    assert page.count("<fieldset") == page.count(" disabled") == 3
    again = ana.get(SITUATIONS).content.decode()
    assert "Go on with the pairs" in again


def close(reviewer: Reviewer) -> None:
    close_review(reviewer.review)


@pytest.mark.parametrize(
    ("end", "words"), [(close, "This review is closed"), (end_reviewer, "Your part in this review has ended")]
)
def test_what_is_over_can_be_read_but_not_answered(ana, reviewer, end, words):
    send(ana, SITUATIONS, ALL_YES)
    open_page = ana.get(SITUATIONS)
    end(reviewer)
    assert send(ana, SITUATIONS, ALL_YES, open_page).status_code == 409
    for address in (SITUATIONS, f"{SITUATIONS}?place=1"):
        page = ana.get(address).content.decode()
        assert words in page
        assert "Save and next" not in page
    assert "Situation 1" in ana.get(OWN).content.decode()
    assert Sheet.objects.count() == 1


# What else is shown.


def test_my_work_shows_own_progress_and_the_pass(ana, reviewer):
    assert "0 of 4 situations" in ana.get("/").content.decode()
    send(ana, SITUATIONS, ALL_YES)
    page = ana.get("/").content.decode()
    assert "1 of 4 situations" in page
    assert SITUATIONS in page
    send_first_pass(ana, 3)
    page = ana.get("/").content.decode()
    assert "0 of 2 pairs" in page
    assert PAIRS in page
    begin_pairs(ana)
    send(ana, PAIRS, FIRST_REPLIES)
    send(ana, PAIRS, FIRST_REPLIES)
    assert "2 of 2 pairs" in ana.get("/").content.decode()
    close_review(reviewer.review)
    assert "Closed." in ana.get("/").content.decode()
    end_reviewer(reviewer)
    assert OWN not in ana.get("/").content.decode()


def test_own_answers_are_listed_with_the_way_back(ana, reviewer):
    send(ana, SITUATIONS, {"q1": "no", "q2": "yes", "q3": "uncertain"})
    send_first_pass(ana, 3)
    alone = ana.get(OWN).content.decode()
    assert "no · yes · uncertain" in alone
    assert "I am in situation" not in alone
    begin_pairs(ana)
    assert "I am in situation" in ana.get(OWN).content.decode()
    send(ana, PAIRS, {"q1": "yes", "q2": ["1", "3"], "q3": "none"})
    page = ana.get(OWN).content.decode()
    assert "no · yes · uncertain" in page
    assert "yes · 1, 3 · none" in page
    for address in (f"{SITUATIONS}?place=4", f"{PAIRS}?place=1"):
        assert f'href="{address}"' in page
        assert ana.get(address).status_code == 200


def test_texts_are_shown_and_never_interpreted(ana, review):
    for row in review.reviewed_pairs.select_related("pair"):
        row.pair.situations.filter(side=SIDES[0]).update(text="<script>alert(1)</script>")
        row.pair.situations.filter(side=SIDES[1]).update(text="<script>alert(2)</script>")
    Review.objects.update(guideline="Look *twice*. <b>Bold</b>")
    page = ana.get(SITUATIONS).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "Look <em>twice</em>. &lt;b&gt;" in page


def test_a_step_takes_as_few_queries_in_a_long_review_as_in_a_short_one(
    client, django_assert_max_num_queries
):
    for slug, preferences in (("short", 2), ("long", 12)):
        review = make_review(make_pair_dataset(preferences=preferences, pairs=3, slug=slug), slug=slug)
        reviewer = review.reviewers.get(pseudonym="A1")
        for row in review.reviewed_pairs.all()[: preferences * 2]:
            for side in SIDES:
                answer(reviewer, row, side)
        client.force_login(reviewer.user)
        address = f"/reviews/{slug}/situations/"
        with django_assert_max_num_queries(12):
            page = client.get(address)
        with django_assert_max_num_queries(33):
            assert send(client, address, ALL_YES, page, headers=HTMX).status_code == 200
        with django_assert_max_num_queries(12):
            client.get(f"/reviews/{slug}/own-answers/")
