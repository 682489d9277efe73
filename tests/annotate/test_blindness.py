"""Two worlds that differ only in what others did: an annotator's pages must be the same in both.

In one world the others have done nothing. In the other they have labelled, flagged, skipped, and been
answered; the lead has frozen a gold release. Whatever an annotator can open is compared byte by byte,
tokens and times aside.
"""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from annotate.actions.assigning import next_item
from annotate.actions.campaigns import add_annotator, create_campaign
from annotate.actions.labelling import flag_item, skip_item, submit_label
from annotate.actions.settling import resolve_flag
from annotate.models import Campaign, Dataset, GoldLabel, GoldRelease
from annotate.problems import Problem
from tests.annotate.factories import make_dataset, make_user

pytestmark = pytest.mark.django_db

CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"|name="token" value="[\w-]+"'
    r'|\d\d:\d\d(:\d\d)?|datetime="[^"]+"'
)


def nothing(campaign: Campaign) -> None:
    """Leave the others idle."""


def others_label_apply(campaign: Campaign) -> None:
    others_label(campaign, 1)


def others_label_suppress(campaign: Campaign) -> None:
    others_label(campaign, 0)


def others_label(campaign: Campaign, value: int) -> None:
    """Let the others label all they can while a slot stays open for the annotator who looks."""
    for seat in campaign.annotators.exclude(user__username="ana"):
        while assignment := next_item(seat):
            submit_label(seat, assignment.item, value, version=0, token=uuid4())


def others_flag_and_skip(campaign: Campaign) -> None:
    """Let one flag everything, with an answer of the lead, and another skip and hold."""
    ben, cem = campaign.annotators.exclude(user__username="ana")
    while assignment := next_item(ben):
        flag = flag_item(ben, assignment.item, "Ben cannot decide this.", uuid4())
        if flag.item.number % 2:
            resolve_flag(flag, "The lead tells Ben.")
            submit_label(ben, assignment.item, 1, version=0, token=uuid4())
    skip_item(cem, next_item(cem).item)
    next_item(cem)


def gold_is_known(campaign: Campaign) -> None:
    """Let the dataset bring labels of its authors."""
    release = GoldRelease.objects.create(
        dataset=campaign.dataset,
        number=1,
        origin="imported",
        corpus_version=1,
        corpus_hash="c" * 64,
        content_hash="g" * 64,
        counts={},
    )
    for item in campaign.items.all():
        GoldLabel.objects.create(
            release=release, context=item.context, preference=item.preference, value=item.number % 2
        )


def everything(campaign: Campaign) -> None:
    others_label_apply(campaign)
    gold_is_known(campaign)


def world(act: Callable[[Campaign], None], dataset: Dataset) -> Campaign:
    users = [make_user(name, "annotator") for name in ("ana", "ben", "cem")]
    campaign = create_campaign(slug="round-1", dataset=dataset, users=users, overlap=3, seed=20260301)
    act(campaign)
    return campaign


def walk(act: Callable[[Campaign], None], dataset: Dataset) -> list[str]:
    """Take the annotator's whole path in one world; return every answer of the site, headers included."""
    world(act, dataset)
    client = Client()
    client.login(username="ana", password="a long enough password")
    pages = [client.get("/")]
    for turn, answer in enumerate(["apply", "suppress", "skip", "flag", "apply", "apply", "suppress"]):
        page = client.get("/campaigns/round-1/label/")
        pages.append(page)
        form = {
            "item": page.context["item"].number,
            "version": page.context["version"],
            "token": page.context["token"],
            "guideline": page.context["seat"].guideline_version,
            "answer": answer,
            "comment": "Ana cannot decide this.",
        }
        headers = {"HX-Request": "true"} if turn % 2 else {}
        pages.append(client.post("/campaigns/round-1/label/", form, headers=headers))
        pages.append(client.get(f"/campaigns/round-1/label/?item={form['item']}"))
    pages += [client.get("/campaigns/round-1/label/"), client.get("/campaigns/round-1/labels/")]
    pages += [client.get("/"), client.get(f"/campaigns/round-1/label/?item={absent(pages)}")]
    return [as_text(page) for page in pages]


def absent(pages) -> int:
    """Return the number of an item that the annotator has not met."""
    met = {page.context["item"].number for page in pages if page.context and page.context.get("item")}
    return min(set(range(20)) - met)


def as_text(page) -> str:
    headers = {name: value for name, value in page.headers.items() if name != "Content-Length"}
    return CHANGING.sub("...", f"{page.status_code} {headers} {page.content.decode()}")


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset(contexts=4, preferences=5)


@pytest.fixture
def take_walk(dataset) -> Callable[[Callable[[Campaign], None]], list[str]]:
    """Walk in a world of its own, and take the world back afterwards."""
    from django.db import transaction

    def take(act: Callable[[Campaign], None]) -> list[str]:
        with transaction.atomic():
            pages = walk(act, dataset)
            transaction.set_rollback(True)
        return pages

    return take


@pytest.mark.parametrize(
    "act",
    [others_label_apply, others_label_suppress, others_flag_and_skip, gold_is_known, everything],
    ids=lambda act: act.__name__,
)
def test_pages_do_not_depend_on_what_others_did(take_walk, act):
    idle, busy = take_walk(nothing), take_walk(act)
    assert len(idle) == len(busy)
    for alone, among_others in zip(idle, busy, strict=True):
        assert alone == among_others


def test_item_numbers_say_nothing_about_the_corpus(dataset):
    """Numbers, which stand in addresses, follow the campaign's seed and not the order of the corpus."""
    campaign = world(nothing, dataset)
    places = [
        item.context.position * 5 + item.preference.position
        for item in campaign.items.select_related("context", "preference").order_by("number")
    ]
    assert sorted(places) == list(range(20))
    assert places != sorted(places)


def test_an_annotator_reaches_no_page_of_leads(dataset):
    world(nothing, dataset)
    client = Client()
    client.login(username="ana", password="a long enough password")
    for address in ("/campaigns/round-1/", "/gold/", "/corpora/", "/runs/", "/admin/"):
        assert client.get(address).status_code in {302, 403, 404}, address


def make_lead(user: User) -> None:
    user.groups.add(Group.objects.get(name="lead"))


def make_superuser(user: User) -> None:
    user.is_superuser = True
    user.save()


@pytest.mark.parametrize("promote", [make_lead, make_superuser])
def test_a_lead_gets_no_seat(promote):
    eva = make_user("eva", "annotator")
    promote(eva)
    with pytest.raises(Problem, match="eva is a lead and sees the answers of others"):
        create_campaign(slug="round-2", dataset=make_dataset(), users=[eva])
    campaign = create_campaign(slug="round-3", dataset=Dataset.objects.get())
    with pytest.raises(Problem, match="eva is a lead"):
        add_annotator(campaign, eva)
    assert not eva.annotator_seats.exists()


@pytest.mark.parametrize("promote", [make_lead, make_superuser])
def test_who_becomes_a_lead_no_longer_labels(promote, client):
    eva = make_user("eva", "annotator")
    create_campaign(slug="round-2", dataset=make_dataset(), users=[eva])
    client.force_login(eva)
    pages = ["/campaigns/round-2/label/", "/campaigns/round-2/labels/", "/api/v1/campaigns/round-2/next/"]
    assert [client.get(page).status_code for page in pages] == [200, 200, 200]
    promote(eva)
    assert [client.get(page).status_code for page in pages] == [404, 404, 404]
