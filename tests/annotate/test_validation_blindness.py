"""A rater's pages tell nothing of others' answers, nor does an order lead back to how items were drawn.

Whatever a rater can open is walked through in worlds that differ only in what others did: the pages have to
be the same bytes, tokens and times aside. What a sample's items are is kept apart from them altogether: see
`tests/evaluation/test_validation_blindness.py`.
"""

import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from scipy.stats import chisquare

from annotate.actions.validating import save_validation_label
from annotate.actions.validation import add_label_set, add_rater, close_sample, end_rater, reopen_sample
from annotate.models import ValidationSample
from annotate.own_validation import item_at, own_sample
from tests.annotate.factories import make_user
from tests.annotate.test_blindness import CHANGING
from tests.annotate.validation_forms import ADDRESS, HTMX, OWN, send, shown_on
from tests.annotate.validation_samples import make_sample

pytestmark = pytest.mark.django_db

MESSAGES = [f"Message {number}." for number in range(1, 7)]

Act = Callable[[ValidationSample], None]


def nothing(sample: ValidationSample) -> None:
    """Leave the others idle."""


def others_say(sample: ValidationSample, value: float | None) -> None:
    for rater in sample.raters.exclude(user__username="ana"):
        for item in sample.items.all():
            save_validation_label(rater, item, value, comment="Ben finds.", version=0, token=uuid4())


def others_say_yes(sample: ValidationSample) -> None:
    others_say(sample, 1)


def others_cannot_tell_and_leave(sample: ValidationSample) -> None:
    others_say(sample, None)
    for rater in sample.raters.exclude(user__username="ana"):
        end_rater(rater)


def others_join_and_the_sample_was_closed(sample: ValidationSample) -> None:
    add_rater(sample, make_user("dan", "annotator"))
    add_label_set(sample, "Elsewhere")
    others_say(sample, 0)
    close_sample(sample)
    reopen_sample(sample)


def walk(act: Act) -> Iterator[str]:
    """Take a rater's whole path, mistakes included; yield every answer of the site, headers included."""
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    act(make_sample(messages=MESSAGES, users=users))
    client = Client()
    client.force_login(User.objects.get(username="ana"))
    for page in visit(client):
        headers = {name: value for name, value in page.headers.items() if name != "Content-Length"}
        yield CHANGING.sub("...", f"{page.status_code} {headers} {page.content.decode()}")


def visit(client: Client) -> Iterator:
    for place in range(1, len(MESSAGES) + 1):
        yield client.get("/")
        yield (page := client.get(ADDRESS))
        yield send(client, "1", page, {"comment": "x" * 5_001})
        yield send(client, "9", page)
        yield send(client, "12u"[place % 3], page, {"comment": "Mine."}, headers=HTMX if place % 2 else {})
        yield send(client, "2", page, headers=HTMX)
        yield client.get(f"{ADDRESS}?place={place}")
        yield client.get(f"{ADDRESS}?place={place + 2}")
        yield client.get(OWN)
    yield client.get(ADDRESS)
    yield client.get("/")


@pytest.fixture
def take_walk() -> Callable[[Act], list[str]]:
    """Walk in a world of its own, and take the world back afterwards."""

    def take(act: Act) -> list[str]:
        with transaction.atomic():
            pages = list(walk(act))
            transaction.set_rollback(True)
        return pages

    return take


@pytest.mark.parametrize(
    "act",
    [others_say_yes, others_cannot_tell_and_leave, others_join_and_the_sample_was_closed],
    ids=lambda act: act.__name__,
)
def test_pages_do_not_depend_on_what_others_did(take_walk, act):
    alone, among_others = take_walk(nothing), take_walk(act)
    assert len(alone) == 9 * len(MESSAGES) + 2
    assert alone == among_others


def test_no_page_shows_an_id_of_the_database(take_walk):
    """Pages of a sample that was made after another one, so that its rows have other ids, are the same."""
    first = take_walk(nothing)
    others_say_yes(make_sample(slug="before", users=[make_user("eva", "annotator")]))
    assert take_walk(nothing) == first


def test_no_page_names_a_seat_or_the_number_of_an_item(take_walk):
    pages = "\n".join(take_walk(nothing))
    assert "Message 3." in pages
    assert not re.search(r"\bA[12]\b|\bben\b", pages, re.IGNORECASE)
    named = set(re.findall(r'\b(?:name|id)="([^"]+)"', pages))
    assert named <= {
        *("place", "version", "token", "answer", "comment", "csrfmiddlewaretoken"),
        *("main", "state", "work", "item", "find", "found", "message", "guideline", "keys", "done"),
        *("viewport", "htmx-config"),
    }


def order_of(user: User) -> list[int]:
    """Return the numbers of the items in the order in which a rater meets them; answer each on the way."""
    client = Client()
    client.force_login(user)
    numbers = []
    for place in range(1, 7):
        page = client.get(ADDRESS)
        assert shown_on(page).hidden["place"] == str(place)
        numbers.append(int(shown_on(page).message[8:-1]))
        send(client, "1", page)
    for _ in range(2):
        again = [shown_on(client.get(f"{ADDRESS}?place={place}")).message for place in range(1, 7)]
        assert again == [f"Message {number}." for number in numbers]
    return numbers


def test_each_rater_has_an_order_of_their_own_in_which_places_stay():
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    sample = make_sample(messages=MESSAGES, users=users)
    orders = [order_of(user) for user in (*users, add_rater(sample, make_user("cem", "annotator")).user)]
    assert all(sorted(order) == [1, 2, 3, 4, 5, 6] for order in orders)
    assert len({tuple(order) for order in orders} | {(1, 2, 3, 4, 5, 6)}) == 4


def test_an_item_comes_at_any_place_as_often_as_at_another():
    """Over many raters: neither the number of an item nor its stratum tells when it comes."""
    sample = make_sample(messages=MESSAGES, label_sets=[f"set {number}" for number in range(300)])
    for place in (0, 3, 5):
        found = [item_at(own_sample(rater), place).number for rater in sample.raters.all()]
        assert chisquare([found.count(number) for number in range(1, 7)]).pvalue > 1e-6, found


def test_every_item_takes_the_same_queries():
    """Nothing that takes time is done for one item and not for another."""
    user = make_user("ana", "annotator")
    make_sample(messages=MESSAGES, users=[user])
    client = Client()
    client.force_login(user)
    seen = set()
    for _ in MESSAGES:
        with CaptureQueriesContext(connection) as queries:
            client.get(ADDRESS)
        seen.add(tuple(re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries))
        send(client, "1")
    assert len(seen) == 1
