"""A reviewer's pages tell nothing of others' answers, of sides and roles, or of what a pair is called.

Whatever a reviewer can open is walked through twice. Worlds that differ only in what others did have to
give the same bytes, tokens and times aside. Worlds in which every pair has its sides and roles exchanged, and
other names, categories and tiers, have to give the same bytes once the texts themselves are taken out.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from scipy.stats import chisquare

from annotate.actions.reviews import create_review, end_reviewer
from annotate.models import ContrastPair, Preference, Review, Reviewer
from annotate.pairs import CATEGORIES, DOMAINS, ROLES, SIDES, TIERS
from tests.annotate.factories import make_user
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset
from tests.annotate.review_forms import ALL_YES, BEGIN, FIRST_REPLIES, PAIRS, SITUATIONS, begin_pairs, send
from tests.annotate.test_blindness import CHANGING

pytestmark = pytest.mark.django_db

OWN = "/reviews/review-1/own-answers/"
TEXTS = re.compile(
    r"I am in situation \d+[xy]\.|Advice \d+[pqrs]\.|Request \d+\?|User holds preference \d+\."
)
HTMX = {"HX-Request": "true"}
SITUATION_COUNT, PAIR_COUNT = 8, 4

Act = Callable[[Review], None]


def nothing(review: Review) -> None:
    """Leave the others idle, and the pairs as they are."""


def others_say_yes(review: Review) -> None:
    for seat in others(review):
        answer_all(seat)


def others_say_no(review: Review) -> None:
    """Let the others reject everything, with a comment, and change their answers."""
    for seat in others(review):
        answer_all(seat)
        for pair in review.reviewed_pairs.all():
            answer(seat, pair, "", {"control": "no", "acceptability": "none"}, "Ben finds this odd.")


def others_are_uncertain_and_leave(review: Review) -> None:
    for seat in others(review):
        for pair in review.reviewed_pairs.all():
            answer(seat, pair, "negative", {"applicability": "uncertain"}, "Ben is uncertain.")
        end_reviewer(seat)


def others(review: Review) -> QuerySet[Reviewer]:
    return review.reviewers.exclude(user__username="ana")


def exchange_labels(review: Review) -> None:
    """Exchange the sides and the roles of every pair, and rename whatever names it."""
    for number, pair in enumerate(ContrastPair.objects.order_by("pk")):
        pair.identifier = f"M9{number}-C8-other"
        pair.category, pair.tier, pair.distance = CATEGORIES[-number - 1], TIERS[(number + 1) % 2], 9
        pair.save()
        exchange(pair.situations, "side", SIDES)
        exchange(pair.replies, "role", ROLES)
    for number, preference in enumerate(Preference.objects.order_by("pk")):
        preference.key, preference.domain = f"M9{number}", DOMAINS[-number - 1]
        preference.save()


def exchange(rows, field: str, names: tuple[str, ...]) -> None:
    """Give each text the name of the next."""
    texts = [rows.get(**{field: name}).text for name in names]
    for name, text in zip(names, texts[1:] + texts[:1], strict=True):
        rows.filter(**{field: name}).update(text=text)


def walk(act: Act) -> Iterator[str]:
    """Take a reviewer's whole path, mistakes included; yield every answer of the site, headers included."""
    dataset = make_pair_dataset(preferences=2, pairs=2)
    users = [make_user(name, "annotator") for name in ("ana", "ben", "cem")]
    act(create_review(slug="review-1", dataset=dataset, users=users, seed=7))
    client = Client()
    client.force_login(User.objects.get(username="ana"))
    for page in visit(client):
        headers = {name: value for name, value in page.headers.items() if name != "Content-Length"}
        yield CHANGING.sub("...", f"{page.status_code} {headers} {page.content.decode()}")


def visit(client: Client) -> Iterator:
    for address, right, wrong, count in (
        (SITUATIONS, ALL_YES, {"q1": "yes"}, SITUATION_COUNT),
        (PAIRS, FIRST_REPLIES, FIRST_REPLIES | {"q2": ["1", "none"]}, PAIR_COUNT),
    ):
        yield client.get("/")
        if address == PAIRS:
            yield client.post(BEGIN)
        for place in range(1, count + 1):
            yield (page := client.get(address))
            yield send(client, address, wrong, page)
            yield send(client, address, right | {"q1": "perhaps"}, page)
            yield send(client, address, right | {"comment1": "x" * 5_001}, page)
            yield send(client, address, right, page, headers=HTMX if place % 2 else {})
            yield send(client, address, right | {"q1": "no"}, page, headers=HTMX)
            yield client.get(f"{address}?place={place}")
            yield client.get(f"{address}?place={place + 2}")
        yield client.get(address)
        yield client.get(OWN)
    yield client.get(SITUATIONS + "?place=1")
    yield client.get(SITUATIONS)
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
    "act", [others_say_yes, others_say_no, others_are_uncertain_and_leave], ids=lambda act: act.__name__
)
def test_pages_do_not_depend_on_what_others_did(take_walk, act):
    alone, among_others = take_walk(nothing), take_walk(act)
    assert len(alone) > 8 * (SITUATION_COUNT + PAIR_COUNT)
    assert alone == among_others


def test_pages_do_not_depend_on_sides_roles_or_names(take_walk):
    as_is, exchanged = take_walk(nothing), take_walk(exchange_labels)
    assert as_is != exchanged
    assert [TEXTS.sub("TEXT", page) for page in as_is] == [TEXTS.sub("TEXT", page) for page in exchanged]


def test_no_page_names_a_side_a_role_or_what_a_pair_is_called(take_walk):
    pages = "\n".join(take_walk(nothing))
    assert "Advice 0p." in pages
    names = [
        *SIDES,
        *ROLES,
        *CATEGORIES,
        *DOMAINS,
        *TIERS,
        "distance",
        "tier",
        "category",
        "domain",
        "role",
        "side",
    ]
    names += [name.replace("_", " ") for name in names]
    found = {name for name in names if re.search(rf"\b{re.escape(name)}\b", pages, re.IGNORECASE)}
    assert found == {"role"}  # the attribute of accessible pages
    assert not re.search(r'\brole="(?!status|alert|region|button)', pages)
    assert not re.search(r"\bM\d\d\b|\bC\d\b|-s\d\b", pages)
    assert not re.search(r"\bA[123]\b|\bben\b|\bcem\b", pages, re.IGNORECASE)


def test_no_page_shows_an_id_of_the_database(take_walk):
    """Pages of a review that was made after another one, so that its rows have other ids, are the same."""
    first = take_walk(nothing)
    users = [make_user(name, "annotator") for name in ("eva", "dan")]
    other = create_review(slug="before", dataset=make_pair_dataset(slug="before"), users=users)
    answer_all(other.reviewers.first())
    assert take_walk(nothing) == first


def test_sides_and_roles_stand_anywhere_on_the_pages_of_pairs():
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    review = create_review(
        slug="review-1", dataset=make_pair_dataset(preferences=12, pairs=3), users=users, seed=7
    )
    answer_all(review.reviewers.get(user=users[0]))
    client = Client()
    client.force_login(users[0])
    sides, roles = [], []
    for place in range(1, 37):
        page = client.get(f"{PAIRS}?place={place}").content.decode()
        sides.append(re.search(r"situation \d+([xy])\.", page)[1])
        roles += re.findall(r"Advice \d+([pqrs])\.", page)[::4]
    for found, names in ((sides, "xy"), (roles, "pqrs")):
        assert chisquare([found.count(name) for name in names]).pvalue > 1e-6, found


def test_every_page_of_a_pass_takes_the_same_queries():
    """Nothing that takes time is done for one side and not for the other."""
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    create_review(slug="review-1", dataset=make_pair_dataset(preferences=2, pairs=2), users=users, seed=7)
    client = Client()
    client.force_login(users[0])
    for address, choices, count in (
        (SITUATIONS, ALL_YES, SITUATION_COUNT),
        (PAIRS, FIRST_REPLIES, PAIR_COUNT),
    ):
        if address == PAIRS:
            begin_pairs(client)
        seen = set()
        for _ in range(count):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                client.get(address)
            seen.add(tuple(re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries))
            send(client, address, choices)
        assert len(seen) == 1


def test_a_reviewer_reaches_no_page_of_leads(client):
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    review = create_review(slug="review-1", dataset=make_pair_dataset(), users=users, seed=7)
    answer_all(review.reviewers.get(user=users[1]))
    identifier = review.reviewed_pairs.first().pair.identifier
    client.force_login(users[0])
    for address in [
        "/reviews/",
        "/new-review/",
        "/reviews/review-1/",
        "/reviews/review-1/report/",
        "/reviews/review-1/report.json",
        "/reviews/review-1/disagreements/",
        f"/reviews/review-1/pair/{identifier}/",
        "/reviews/review-1/all-answers.jsonl",
        "/reviews/review-1/reviewed-pairs.jsonl",
        "/corpora/pairs/",
        "/api/v1/reviews/",
        "/api/v1/reviews/review-1/",
        "/api/v1/reviews/review-1/report/",
    ]:
        page = client.get(address)
        assert page.status_code in {403, 404}, address
        assert "Advice" not in page.content.decode()


def test_places_follow_the_seat_and_not_the_corpus():
    """Two reviewers meet the same situations in different orders, and neither in that of the corpus."""
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    create_review(slug="review-1", dataset=make_pair_dataset(preferences=2, pairs=2), users=users, seed=7)
    orders = []
    for user in users:
        client = Client()
        client.force_login(user)
        pages = []
        for _ in range(SITUATION_COUNT):
            pages.append(re.search(r"situation (\d[xy])\.", client.get(SITUATIONS).content.decode())[1])
            send(client, SITUATIONS, ALL_YES)
        assert sorted(pages) != pages
        orders.append(pages)
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
