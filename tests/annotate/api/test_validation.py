"""An annotator's work in a validation sample through the API: next item, answers, own progress, no more."""

import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotate.actions.validating import save_validation_label
from annotate.actions.validation import close_sample, end_rater
from annotate.models import Rater, ValidationLabel, ValidationLabelRevision, ValidationSample
from annotate.validation import QUESTIONS, Question
from tests.annotate.api.conftest import CAST
from tests.annotate.factories import make_user
from tests.annotate.test_validation_blindness import (
    MESSAGES,
    nothing,
    others_cannot_tell_and_leave,
    others_join_and_the_sample_was_closed,
    others_say_yes,
)
from tests.annotate.validation_samples import make_sample

ALL = "/api/v1/own-validation/"
MINE = f"{ALL}sample-1/"


@pytest.fixture
def sample(campaign) -> ValidationSample:
    """Three items; the annotator of the cast has a seat, and so has another one."""
    users = [campaign.annotators.get(pseudonym=name).user for name in ("A1", "A2")]
    return make_sample(users=users)


@pytest.fixture
def rater(campaign, sample) -> Rater:
    """The seat of the annotator of the cast."""
    return sample.raters.get(user=campaign.annotators.get(pseudonym="A1").user)


def give(client, shown: dict, value=1, **more):
    """Answer what was shown, an item or an own answer."""
    form = {"place": shown["place"], "version": shown["version"], "value": value, "token": str(uuid4())}
    return client.post(f"{MINE}answers/", form | more, format="json")


def next_item(client) -> dict:
    return client.get(f"{MINE}next/").json()


# Who gets what answer.

WITHOUT_A_SEAT = (401, 404, 404)
ANSWERS = {
    ("get", ""): (401, 200, 200, 200, 200),
    ("get", "sample-1/"): (*WITHOUT_A_SEAT, 200, 404),
    ("get", "sample-2/"): (*WITHOUT_A_SEAT, 404, 404),
    ("get", "sample-1/next/"): (*WITHOUT_A_SEAT, 200, 404),
    ("get", "sample-1/answers/"): (*WITHOUT_A_SEAT, 200, 404),
    ("post", "sample-1/answers/"): (*WITHOUT_A_SEAT, 400, 404),
    ("get", "sample-1/answers/1/"): (*WITHOUT_A_SEAT, 200, 404),
    ("get", "sample-1/answers/3/"): (*WITHOUT_A_SEAT, 404, 404),
    ("delete", "sample-1/answers/1/"): (401, 405, 405, 405, 405),
}


@pytest.mark.parametrize(("method", "address"), ANSWERS)
@pytest.mark.parametrize("who", CAST)
def test_each_address_answers_each_person_as_its_page_would(rater, ask_as, who, method, address):
    give(ask_as("seated"), {"place": 1, "version": 0})
    answer = getattr(ask_as(who), method)(f"{ALL}{address}")
    assert answer.status_code == ANSWERS[method, address][CAST.index(who)]


@pytest.mark.parametrize("who", ["stranger", "elsewhere", "lead"])
def test_a_sample_without_a_seat_looks_like_one_that_does_not_exist(sample, ask_as, who):
    client = ask_as(who)
    assert client.get(ALL).json()["results"] == []
    for address in ("", "next/", "answers/", "answers/1/"):
        there = client.get(f"{MINE}{address}")
        assert there.content == client.get(f"{ALL}sample-2/{address}").content


def test_a_rater_who_becomes_a_lead_labels_no_longer(rater, annotator):
    rater.user.groups.add(Group.objects.get_or_create(name="lead")[0])
    assert annotator.get(ALL).json()["results"] == []
    assert annotator.get(f"{MINE}next/").status_code == 404


@pytest.mark.parametrize("address", [ALL, MINE, f"{MINE}next/", f"{MINE}answers/", f"{MINE}answers/1/"])
def test_what_an_annotator_sees_is_never_cached(sample, annotator, address):
    for answer in (annotator.get(address), annotator.post(address)):
        assert "no-store" in answer["Cache-Control"]


# What is shown.


@pytest.mark.parametrize("question", Question)
def test_an_item_comes_with_what_its_page_shows_and_with_nothing_else(campaign, annotator, question):
    user = campaign.annotators.get(pseudonym="A1").user
    make_sample(question, messages=["Dear Sir,"], users=[user])
    asked = QUESTIONS[question]
    options = [{"value": option.value, "words": option.words} for option in asked.options]
    assert next_item(annotator) == {
        "place": 1,
        "version": 0,
        "question": asked.words,
        "options": [*options, {"value": "cannot_tell", "words": "Cannot tell"}],
        "texts": {name: f"{name} 1" for name in asked.texts} | {"message": "Dear Sir,"},
    }


def test_a_sample_tells_the_guideline_the_answers_and_how_far_one_is(sample, annotator):
    give(annotator, next_item(annotator))
    found = annotator.get(MINE).json()
    assert [option["value"] for option in found.pop("options")] == [1, 0, "cannot_tell"]
    assert found.pop("guideline") == sample.guideline
    assert [found] == annotator.get(ALL).json()["results"]
    assert found == {
        "slug": "sample-1",
        "name": "sample-1",
        "question": "Does the message follow the preference?",
        "answered": 1,
        "items": 3,
        "minutes_left": None,
        "is_over": False,
    }


def test_the_next_item_stays_until_it_is_answered(sample, annotator):
    shown = next_item(annotator)
    assert next_item(annotator) == shown
    give(annotator, shown)
    assert next_item(annotator)["place"] == 2


def test_all_items_come_once_and_then_none(rater, annotator):
    messages = []
    while (answer := annotator.get(f"{MINE}next/")).status_code == 200:
        messages.append(answer.json()["texts"]["message"])
        assert give(annotator, answer.json(), [1, 0, "cannot_tell"][len(messages) - 1]).status_code == 201
    assert answer.status_code == 204
    assert sorted(messages) == ["Ahoy!", "Dear Sir,", "Hello."]
    labels = rater.labels.order_by("pk").values_list("item__texts__message", "value")
    assert list(labels) == list(zip(messages, [1, 0, None], strict=True))


def test_own_answers_are_listed_by_place_and_those_of_others_are_not(sample, rater, annotator):
    other = sample.raters.exclude(pk=rater.pk).exclude(user=None).get()
    for item in sample.items.all():
        save_validation_label(other, item, 0, comment="Other.", version=0, token=uuid4())
    assert annotator.get(f"{MINE}answers/").json()["results"] == []
    shown = [next_item(annotator)]
    given = [give(annotator, shown[0], 1, comment="Mine.").json()]
    shown.append(next_item(annotator))
    given.append(give(annotator, shown[1], "cannot_tell").json())
    given[0] = give(annotator, given[0], 1, comment="Mine, again.").json()
    assert annotator.get(f"{MINE}answers/").json() == {
        "count": 2,
        "next": None,
        "previous": None,
        "results": given,
    }
    for item, answer in zip(shown, given, strict=True):
        assert answer.pop("saved_at")
        assert answer["texts"] == item["texts"]
        whole = annotator.get(f"{MINE}answers/{answer['place']}/").json()
        assert whole.items() >= answer.items()
        assert {name: whole[name] for name in ("question", "options")}.items() <= item.items()
        assert set(whole) == {*item, *answer, "saved_at"}
    told = [[answer[name] for name in ("place", "version", "value", "words", "comment")] for answer in given]
    assert told == [[1, 2, 1, "Follows", "Mine, again."], [2, 1, "cannot_tell", "Cannot tell", ""]]


def test_a_long_list_comes_in_pages(campaign, annotator):
    user = campaign.annotators.get(pseudonym="A1").user
    make_sample(messages=MESSAGES, users=[user])
    for _ in MESSAGES:
        give(annotator, next_item(annotator))
    page = annotator.get(f"{MINE}answers/?limit=4").json()
    rest = annotator.get(page["next"]).json()
    assert [page["count"], rest["next"]] == [6, None]
    assert [row["place"] for row in page["results"] + rest["results"]] == [1, 2, 3, 4, 5, 6]


# What is saved.


def test_an_answer_is_kept_with_who_gave_it(rater, annotator):
    answer = give(annotator, next_item(annotator), 0, comment="  No joke in it. ")
    assert (answer.status_code, answer.json()["version"]) == (201, 1)
    label = rater.labels.get()
    assert (label.value, label.comment) == (0, "No joke in it.")
    assert ValidationLabelRevision.objects.get().saved_by == rater.user


def test_the_same_token_again_saves_nothing_twice(sample, annotator):
    shown, token = next_item(annotator), str(uuid4())
    first, again = (give(annotator, shown, token=token) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert ValidationLabelRevision.objects.count() == 1


def test_the_same_token_with_another_answer_is_refused(sample, annotator):
    shown, token = next_item(annotator), str(uuid4())
    give(annotator, shown, 1, token=token)
    answer = give(annotator, shown, 0, token=token)
    assert answer.status_code == 400
    assert "sent before with another answer" in answer.json()["detail"]
    assert ValidationLabel.objects.get().value == 1


def test_a_change_keeps_the_earlier_answer(sample, annotator):
    given = give(annotator, next_item(annotator), 1, comment="Sure?").json()
    answer = give(annotator, given, "cannot_tell")
    assert (answer.status_code, answer.json()["version"]) == (201, 2)
    revisions = ValidationLabelRevision.objects.order_by("version").values_list("value", "comment")
    assert list(revisions) == [(1, "Sure?"), (None, "")]


@pytest.mark.parametrize("version", [0, 1, 3])
def test_an_answer_to_what_has_changed_meanwhile_is_a_conflict(sample, annotator, version):
    given = give(annotator, next_item(annotator), 1).json()
    give(annotator, given, 0)
    answer = give(annotator, given | {"version": version}, 1)
    assert answer.status_code == 409
    assert "your answer is 'Does not follow'" in answer.json()["detail"]
    assert ValidationLabel.objects.get().value == 0


def close(rater: Rater) -> None:
    close_sample(rater.sample)


@pytest.mark.parametrize(
    ("end", "words"), [(close, "labelling has ended here"), (end_rater, "your part in this has ended")]
)
def test_what_is_over_can_be_read_but_not_answered(rater, annotator, end, words):
    given = give(annotator, next_item(annotator), 1).json()
    end(rater)
    assert annotator.get(MINE).json()["is_over"]
    assert annotator.get(f"{MINE}next/").status_code == 204
    assert annotator.get(f"{MINE}answers/1/").json()["value"] == 1
    for shown in (given, {"place": 2, "version": 0}):
        answer = give(annotator, shown, 0)
        assert answer.status_code == 400
        assert words in answer.json()["detail"]
    assert [label.value for label in rater.labels.all()] == [1]


@pytest.mark.parametrize("place", [2, 3, 4, 10**30])
def test_an_item_that_was_not_met_can_be_neither_seen_nor_answered(sample, annotator, place):
    seen = annotator.get(f"{MINE}answers/{place}/")
    answered = give(annotator, {"place": place, "version": 0})
    assert seen.status_code == answered.status_code == 404
    assert seen.json() == answered.json()
    assert seen.json()["detail"].startswith(f"You have not met place {place}; expected")
    assert not ValidationLabel.objects.exists()


EXPECTED = "value: Expected the value of an option: a number, or cannot_tell."


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            {"value": "maybe"},
            "value: Expected the value of an option: a number, or cannot_tell. Found 'maybe'.",
        ),
        ({"value": True}, "value: Expected the value of an option: a number, or cannot_tell. Found True."),
        ({"value": 10**400}, "value: Expected the value of an option"),
        ({"value": [1]}, "value: Expected the value of an option"),
        ({"value": None}, "value: This field may not be null. Found None."),
        ({"value": 0.5}, "The answer is 0.5; expected one of 0, 1, or none: *cannot tell*."),
        ({"value": "nan"}, "The answer is nan; expected one of 0, 1"),
        ({"place": "first"}, "place: A valid integer is required. Found 'first'."),
        ({"place": 0}, "place: Ensure this value is greater than or equal to 1. Found 0."),
        ({"version": -1}, "version: Ensure this value is greater than or equal to 0. Found -1."),
        ({"token": "abc"}, "token: Must be a valid UUID. Found 'abc'."),
        ({"comment": "x" * 5_001}, "comment: Ensure this field has no more than 5000 characters."),
    ],
)
def test_a_bad_request_says_what_was_found_and_expected(sample, annotator, wrong, words):
    answer = give(annotator, next_item(annotator), **wrong)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(words)
    assert not ValidationLabel.objects.exists()


def test_what_is_missing_is_named(sample, annotator):
    answer = annotator.post(f"{MINE}answers/", {"place": 1}, format="json")
    missing = [f"{name}: This field is required." for name in ("value", "version", "token")]
    assert answer.json()["detail"] == " ".join(missing)


# Blindness: what others did changes no answer, and no answer leads to an item.

SAVED = re.compile(r'"saved_at":"[^"]+"')


def walk(act: Callable[[ValidationSample], None]) -> Iterator[str]:
    """Take the annotator's whole path, mistakes included; yield every answer, headers included."""
    act(make_sample(messages=MESSAGES, users=[make_user(name, "annotator") for name in ("ana", "ben")]))
    client = APIClient()
    client.force_authenticate(User.objects.get(username="ana"))
    for answer in visit(client):
        yield SAVED.sub("...", f"{answer.status_code} {dict(answer.headers)} {answer.content.decode()}")


def visit(client: APIClient) -> Iterator:
    for place in range(1, len(MESSAGES) + 1):
        yield client.get(ALL)
        yield client.get(MINE)
        yield (page := client.get(f"{MINE}next/"))
        yield give(client, page.json(), 7)
        yield give(client, page.json(), [1, 0, "cannot_tell"][place % 3], comment="Mine.")
        yield give(client, page.json(), 0)
        yield client.get(f"{MINE}answers/{place}/")
        yield client.get(f"{MINE}answers/{place + 1}/")
        yield give(client, {"place": place + 2, "version": 0})
        yield client.get(f"{MINE}answers/")
    yield client.get(f"{MINE}next/")
    yield client.get(ALL)


@pytest.fixture
def take_walk(db) -> Callable[[Callable[[ValidationSample], None]], list[str]]:
    """Walk in a world of its own, and take the world back afterwards."""

    def take(act: Callable[[ValidationSample], None]) -> list[str]:
        with transaction.atomic():
            answers = list(walk(act))
            transaction.set_rollback(True)
        return answers

    return take


@pytest.mark.parametrize(
    "act",
    [others_say_yes, others_cannot_tell_and_leave, others_join_and_the_sample_was_closed],
    ids=lambda act: act.__name__,
)
def test_answers_do_not_depend_on_what_others_did(take_walk, act):
    alone, among_others = take_walk(nothing), take_walk(act)
    assert len(alone) == 10 * len(MESSAGES) + 2
    assert alone == among_others


def test_no_answer_shows_an_id_of_the_database(take_walk):
    """Answers of a sample that was made after another one, so that its rows have other ids, are the same."""
    first = take_walk(nothing)
    others_say_yes(make_sample(slug="before", users=[make_user("eva", "annotator")]))
    assert take_walk(nothing) == first


def test_no_answer_names_a_seat_or_the_number_of_an_item(take_walk):
    answers = "\n".join(take_walk(nothing))
    assert '"Message 3."' in answers
    assert not re.search(r"\bA[12]\b|\bben\b", answers, re.IGNORECASE)
    assert set(re.findall(r'"(\w+)":', answers)) == {
        *("count", "next", "previous", "results", "detail"),
        *("slug", "name", "question", "answered", "items", "minutes_left", "is_over", "guideline"),
        *("place", "version", "options", "value", "words", "texts", "preference", "message", "comment"),
    }


def test_items_come_in_an_order_of_the_raters_own(db):
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    make_sample(messages=MESSAGES, users=users)
    orders = []
    for user in users:
        client = APIClient()
        client.force_authenticate(user)
        for _ in MESSAGES:
            give(client, next_item(client))
        rows = client.get(f"{MINE}answers/").json()["results"]
        orders.append([row["texts"]["message"] for row in rows])
    assert all(sorted(order) == MESSAGES for order in orders)
    assert orders[0] != orders[1] != MESSAGES != orders[0]


def test_every_item_takes_the_same_queries(campaign, annotator):
    """Nothing that takes time is done for one item and not for another."""
    make_sample(messages=MESSAGES, users=[campaign.annotators.get(pseudonym="A1").user])
    seen = set()
    for _ in MESSAGES:
        with CaptureQueriesContext(connection) as queries:
            shown = next_item(annotator)
        seen.add(tuple(re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries))
        give(annotator, shown)
    assert len(seen) == 1
