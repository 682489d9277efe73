"""The rater's pages: who reaches them, what they show and take, and what they refuse."""

from html import unescape

import pytest
from django.test import Client

from annotate.actions.validation import close_sample, end_rater
from annotate.models import Rater, ValidationLabel, ValidationLabelRevision, ValidationSample
from annotate.validation import QUESTIONS, TEXTS, Question
from tests.annotate.factories import make_user
from tests.annotate.validation_forms import ADDRESS, HTMX, OWN, send, shown_on
from tests.annotate.validation_samples import make_sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample() -> ValidationSample:
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    return make_sample(messages=[f"Message {n}." for n in range(1, 5)], users=users)


@pytest.fixture
def rater(sample: ValidationSample) -> Rater:
    return sample.raters.get(user__username="ana")


@pytest.fixture
def ana(client: Client, rater: Rater) -> Client:
    client.force_login(rater.user)
    return client


def values() -> list[float | None]:
    return list(ValidationLabelRevision.objects.order_by("pk").values_list("value", flat=True))


# Who reaches the pages.


@pytest.mark.parametrize("address", [ADDRESS, OWN])
def test_pages_are_for_seats_only(sample, client, address):
    assert client.get(address).url == f"/accounts/login/?next={address}"
    other = make_user("cem", "annotator")
    make_sample(slug="sample-2", users=[other])
    for user in (make_user("dan", "annotator"), make_user("lena", "lead"), make_user("sam"), other):
        client.force_login(user)
        assert client.get(address).status_code == 404
        assert client.post(address).status_code in {404, 405}


def test_a_rater_who_becomes_a_lead_labels_no_longer(ana, rater):
    page = ana.get(ADDRESS)
    rater.user.is_superuser = True
    rater.user.save()
    assert ana.get(ADDRESS).status_code == 404
    assert send(ana, "1", page).status_code == 404


def test_pages_are_never_cached(ana):
    send(ana, "1")
    for address in (ADDRESS, OWN, f"{ADDRESS}?place=1", "/"):
        assert "no-store" in ana.get(address)["Cache-Control"]


def test_an_ended_session_is_told_that_nothing_was_saved(sample, client):
    page = client.post(ADDRESS, {"answer": "1"}, headers=HTMX)
    assert page["HX-Redirect"] == f"/accounts/login/?next={ADDRESS}"
    assert "Not saved: your session had ended." in client.get("/accounts/login/").content.decode()


# Places.


def test_a_place_leads_to_own_items_only(ana):
    send(ana, "1")
    assert "Your answer" in ana.get(f"{ADDRESS}?place=1").content.decode()
    assert "Your answer" not in ana.get(f"{ADDRESS}?place=2").content.decode()
    page = ana.get(ADDRESS)
    for place in ("3", "4", "5", "0", "-1", "x", "١", "1.0", "9" * 30):
        assert ana.get(ADDRESS, {"place": place}).status_code == 404, place
        assert send(ana, "1", page, {"place": place}).status_code == 404, place


def test_the_next_item_is_the_first_without_an_answer(ana):
    places, messages = [], []
    for _ in range(4):
        shown = shown_on(ana.get(ADDRESS))
        places.append(shown.hidden["place"])
        messages.append(shown.message)
        send(ana, "1")
    assert places == ["1", "2", "3", "4"]
    assert sorted(messages) == [f"Message {n}." for n in range(1, 5)]
    assert "You have answered everything here." in ana.get(ADDRESS).content.decode()


# What is shown.


@pytest.mark.parametrize("question", list(Question))
def test_a_page_asks_the_question_with_its_texts_and_answers_in_their_order(client, question):
    user = make_user("ana", "annotator")
    make_sample(question, messages=["Dear Sir,\n\nyours."], users=[user])
    client.force_login(user)
    page = client.get(ADDRESS)
    asked, shown = QUESTIONS[question], shown_on(page)
    names = [name for name in asked.texts if name != "message"]
    assert list(shown.beside.items()) == [(TEXTS[name], f"{name} 1") for name in names]
    assert shown.message == "Dear Sir,\n\nyours."
    assert list(shown.answers.items()) == [
        *((option.key, option.words) for option in asked.options),
        ("u", "Cannot tell"),
    ]
    assert f"<legend>{asked.words}</legend>" in unescape(page.content.decode())


def test_nothing_is_chosen_or_written_beforehand(ana):
    page = ana.get(ADDRESS).content.decode()
    assert "Your answer" not in page
    assert "></textarea>" in page
    assert not any(word in page for word in ("checked", "selected", "aria-pressed"))


def test_texts_are_shown_and_never_interpreted(client):
    user = make_user("ana", "annotator")
    hostile = "<script>alert(1)</script> {{ own.rater }} &amp; </div>"
    make_sample(messages=[hostile], users=[user], guideline="Look *twice*. <b>Bold</b>")
    client.force_login(user)
    page = client.get(ADDRESS)
    assert shown_on(page).message == hostile
    content = page.content.decode()
    assert "<script>alert" not in content
    assert "Look <em>twice</em>. &lt;b&gt;" in content


# What is taken.


@pytest.mark.parametrize(("key", "value"), [("1", 0), ("2", 0.5), ("3", 1), ("u", None)])
def test_the_answer_of_the_button_is_saved_for_the_item_shown(client, key, value):
    user = make_user("ana", "annotator")
    make_sample("uptake", messages=["One.", "Two."], users=[user])
    client.force_login(user)
    shown = shown_on(client.get(ADDRESS))
    assert send(client, key, change={"comment": " Hm.\r\n "}).url == ADDRESS
    label = ValidationLabel.objects.get()
    assert label.item.texts["message"] == shown.message
    assert (label.value, label.comment, label.rater.user) == (value, "Hm.", user)
    assert label.revisions.get().saved_by == user


def test_an_earlier_answer_can_be_seen_and_changed(ana):
    send(ana, "1", change={"comment": "It says Captain."})
    page = ana.get(f"{ADDRESS}?place=1")
    content = page.content.decode()
    assert "Your answer: <strong>Follows</strong>" in content
    assert ">It says Captain.</textarea>" in content
    send(ana, "u", page)
    assert values() == [1, None]
    again = ana.get(f"{ADDRESS}?place=1").content.decode()
    assert "Your answer: <strong>Cannot tell</strong>" in again


def test_back_leads_to_the_answer_before(ana):
    assert "Back<" not in ana.get(ADDRESS).content.decode()
    for _ in range(4):
        send(ana, "2")
    for address, before in ((ADDRESS, 4), (f"{ADDRESS}?place=4", 3), (f"{ADDRESS}?place=2", 1)):
        assert f'<a href="?place={before}" data-key="b"' in ana.get(address).content.decode()
    assert 'data-key="b"' not in ana.get(f"{ADDRESS}?place=1").content.decode()


def test_htmx_gets_the_next_item_without_the_frame(ana):
    page = send(ana, "1", headers=HTMX)
    assert page.status_code == 200
    assert "<html" not in page.content.decode()
    assert "csrfmiddlewaretoken" not in page.content.decode()
    assert shown_on(page).hidden["place"] == "2"


# What is refused.


@pytest.mark.parametrize(
    "change",
    [
        {"answer": "3"},
        {"answer": "0"},
        {"answer": ""},
        {"answer": "label"},
        {"answer": "١"},
        {"version": "new"},
        {"token": "1"},
    ],
)
def test_a_form_that_the_page_does_not_make_is_a_bad_request(ana, change):
    assert send(ana, "1", change=change).status_code == 400
    assert not ValidationLabel.objects.exists()


def test_a_form_sent_twice_is_saved_once(ana):
    page = ana.get(ADDRESS)
    for _ in range(2):
        assert send(ana, "1", page).status_code == 302
    assert values() == [1]
    refused = send(ana, "2", page)
    assert refused.status_code == 409
    assert "has been sent before with another answer" in refused.content.decode()


def test_a_stale_form_is_refused_and_the_saved_answer_shown(ana):
    window, other = ana.get(ADDRESS), ana.get(ADDRESS)
    send(ana, "1", window)
    refused = send(ana, "2", other)
    assert refused.status_code == 409
    assert "As saved, your answer is 'Follows'" in unescape(refused.content.decode())
    assert values() == [1]
    assert send(ana, "2", refused).status_code == 302
    assert values() == [1, 0]


def test_a_comment_that_is_too_long_is_refused_and_stays_written(ana):
    refused = send(ana, "1", change={"comment": "x" * 5_001})
    assert refused.status_code == 409
    assert "The comment has 5,001 characters" in refused.content.decode()
    assert f"{'x' * 5_001}</textarea>" in refused.content.decode()
    assert not ValidationLabel.objects.exists()


def close(rater: Rater) -> None:
    close_sample(rater.sample)


@pytest.mark.parametrize(
    ("end", "words"), [(close, "Labelling has ended here"), (end_rater, "Your part in this has ended")]
)
def test_what_is_over_can_be_read_but_not_answered(ana, rater, end, words):
    send(ana, "1")
    open_page = ana.get(ADDRESS)
    end(rater)
    assert send(ana, "2", open_page).status_code == 409
    assert send(ana, "2", ana.get(f"{ADDRESS}?place=1")).status_code == 409
    for address in (ADDRESS, f"{ADDRESS}?place=1"):
        page = ana.get(address).content.decode()
        assert words in page
        assert "<button name" not in page
    assert "See the answer to item 1" in ana.get(OWN).content.decode()
    assert values() == [1]


# What else is shown.


def test_my_work_shows_own_progress_and_the_way_in(ana, rater):
    page = ana.get("/").content.decode()
    assert "0 of 4" in page
    assert "Start checking answers" in page
    send(ana, "1")
    page = ana.get("/").content.decode()
    assert "1 of 4" in page
    assert f'href="{ADDRESS}"' in page
    assert f'href="{OWN}"' in page
    close_sample(rater.sample)
    assert "Closed." in ana.get("/").content.decode()
    end_rater(rater)
    assert "sample-1" not in ana.get("/").content.decode()


def test_own_answers_are_listed_in_the_own_order_with_the_way_back(ana):
    assert "You have answered nothing here yet." in ana.get(OWN).content.decode()
    messages = []
    for key in "12u":
        messages.append(shown_on(ana.get(ADDRESS)).message)
        send(ana, key, change={"comment": "A <b>remark</b>."} if key == "2" else {})
    page = ana.get(OWN).content.decode()
    assert [page.index(text) for text in messages] == sorted(page.index(text) for text in messages)
    assert [page.index(words) for words in ("Follows", "Does not follow", "Cannot tell")] == sorted(
        page.index(words) for words in ("Follows", "Does not follow", "Cannot tell")
    )
    assert "A &lt;b&gt;remark&lt;/b&gt;." in page
    for place in (1, 2, 3):
        assert f'href="{ADDRESS}?place={place}" aria-label="Change the answer to item {place}"' in page


def test_many_own_answers_are_shown_page_by_page(client):
    user = make_user("ana", "annotator")
    make_sample(messages=[f"Message {n}." for n in range(60)], users=[user])
    client.force_login(user)
    for _ in range(53):
        send(client, "1")
    first, second = (client.get(OWN, {"page": page}).content.decode() for page in (1, 2))
    assert (first.count("place="), second.count("place=")) == (50, 3)


def test_a_step_takes_as_few_queries_in_a_long_sample_as_in_a_short_one(
    client, django_assert_max_num_queries
):
    user = make_user("ana", "annotator")
    for slug, size in (("short", 8), ("long", 80)):
        make_sample(messages=[f"Message {n}." for n in range(size)], users=[user], slug=slug)
        client.force_login(user)
        address = f"/validation/{slug}/label/"
        for _ in range(size // 2):
            client.post(address, {**shown_on(client.get(address)).hidden, "answer": "1"})
        with django_assert_max_num_queries(9):
            page = client.get(address)
        with django_assert_max_num_queries(22):
            client.post(address, {**shown_on(page).hidden, "answer": "1"}, headers=HTMX)
        with django_assert_max_num_queries(9):
            client.get(f"/validation/{slug}/own/")
