"""Who reaches the lead's pages, and what each button does."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.actions.assigning import next_item
from annotate.actions.gold import freeze_gold_release
from annotate.models import Campaign, GoldRelease, Item
from tests.annotate.factories import give_labels, make_campaign, make_dataset, make_user, raise_flag

pytestmark = pytest.mark.django_db

PAGES = [
    ("campaign-list", []),
    ("campaign-new", []),
    ("campaign", ["round-1"]),
    ("campaign-settings", ["round-1"]),
    ("campaign-labels", ["round-1", "jsonl"]),
    ("gold-list", []),
    ("gold-release", ["small-1"]),
    ("gold-download", ["small-1", "csv"]),
    ("gold-download", ["small-1", "md"]),
]
BUTTONS = [
    ("flag-answer", ["round-1", 1]),
    ("item-set-aside", ["round-1", 2]),
    ("item-take-back", ["round-1", 2]),
    ("campaign-set-aside", ["round-1"]),
    ("held-release", ["round-1", 1]),
    ("campaign-freeze", ["round-1"]),
    ("campaign-guideline", ["round-1"]),
    ("campaign-annotators", ["round-1"]),
    ("seat-end", ["round-1"]),
    ("seat-take-up", ["round-1"]),
    ("campaign-close", ["round-1"]),
    ("campaign-reopen", ["round-1"]),
    ("gold-verify", ["small-1"]),
]


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(contexts=2, preferences=3)
    give_labels(campaign, ["111", "000", "110", "11-", "000", "111"])
    return campaign


@pytest.fixture
def lead(client: Client) -> Client:
    client.force_login(make_user("lena", "lead"))
    return client


@pytest.mark.parametrize(("view", "address"), PAGES)
def test_pages_are_for_leads_only(campaign, client, view, address):
    freeze_gold_release(campaign)
    url = reverse(view, args=address)
    assert client.get(url).headers["Location"].startswith("/accounts/login/")
    for name in ("person-1", "stranger"):
        client.force_login(make_user(name) if name == "stranger" else campaign.annotators.first().user)
        assert client.get(url).status_code == 403
    client.force_login(make_user("lena", "lead"))
    assert client.get(url).status_code == 200


@pytest.mark.parametrize(("view", "address"), BUTTONS)
def test_buttons_are_for_leads_only_and_for_post(campaign, client, view, address):
    freeze_gold_release(campaign)
    url = reverse(view, args=address)
    assert client.post(url).headers["Location"].startswith("/accounts/login/")
    client.force_login(campaign.annotators.first().user)
    assert client.post(url).status_code == 403
    client.force_login(make_user("lena", "lead"))
    assert client.get(url).status_code == 405


@pytest.mark.parametrize(
    ("view", "address"),
    [
        ("campaign", ["none"]),
        ("campaign-settings", ["none"]),
        ("campaign-labels", ["round-1", "xlsx"]),
        ("gold-release", ["small-7"]),
        ("gold-download", ["small-1", "xlsx"]),
    ],
)
def test_what_is_not_there_is_not_found(campaign, lead, view, address):
    freeze_gold_release(campaign)
    assert lead.get(reverse(view, args=address)).status_code == 404


def test_another_campaigns_item_or_flag_is_not_reached(campaign, lead):
    other = make_campaign(slug="round-2", dataset=make_dataset(slug="other"))
    flag = raise_flag(other, 0, "A1")
    answer = lead.post(reverse("flag-answer", args=["round-1", flag.pk]), {"answer": "No."})
    assert answer.status_code == 404
    flag.refresh_from_db()
    assert flag.resolved_at is None


def test_a_problem_is_shown_in_words_and_changes_nothing(campaign, lead):
    page = lead.post(reverse("item-set-aside", args=["round-1", 2]), {"reason": "  "}, follow=True)
    assert "reason: This field is required." in page.content.decode()
    assert not Item.objects.exclude(set_aside="").exists()
    page = lead.post(reverse("item-take-back", args=["round-1", 2]), follow=True)
    assert "is not set aside; there is nothing to take back." in page.content.decode()
    page = lead.post(reverse("campaign-set-aside", args=["round-1"]), {"reason": "Borderline."}, follow=True)
    assert "Choose a context or a preference, one of the two." in page.content.decode()


def test_freezing_twice_keeps_one_release(campaign, lead):
    lead.post(reverse("campaign-freeze", args=["round-1"]))
    page = lead.post(reverse("campaign-freeze", args=["round-1"]), follow=True)
    assert "Nothing changed since small-1" in page.content.decode()
    assert GoldRelease.objects.get().created_by == "lena"


def test_texts_of_people_are_escaped(campaign, lead):
    raise_flag(campaign, 3, "A3", "<script>alert(1)</script>")
    campaign.dataset.preferences.filter(text="Preference 0").update(text="<img src=x>")
    page = lead.get(reverse("campaign", args=["round-1"])).content.decode()
    assert "<script>alert(1)" not in page
    assert "<img src=x>" not in page


def test_undefined_numbers_come_with_their_reason(client):
    make_campaign()
    client.force_login(make_user("lena", "lead"))
    page = client.get(reverse("campaign", args=["round-1"])).content.decode()
    assert "Undefined: no item is complete" in page
    assert not re.search(r"\bnan\b", page, re.IGNORECASE)


def test_opening_a_campaign_asks_for_enough_annotators(lead):
    dataset, users = make_dataset(), [make_user(name, "annotator") for name in ("ana", "ben", "cem")]
    values = {"slug": "new-1", "name": "New", "dataset": dataset.pk, "overlap": 3, "guideline": "Text."}
    page = lead.post(reverse("campaign-new"), {**values, "annotators": [users[0].pk]})
    assert (page.status_code, Campaign.objects.count()) == (400, 0)
    assert "1 chosen; 3 labels an item need at least 3." in page.content.decode()
    page = lead.post(reverse("campaign-new"), {**values, "annotators": [user.pk for user in users]})
    assert page.headers["Location"] == "/campaigns/new-1/"
    campaign = Campaign.objects.get()
    assert (campaign.items.count(), campaign.annotators.count()) == (6, 3)
    assert campaign.created_by.username == "lena"


def test_a_taken_name_is_refused_in_words(campaign, lead):
    values = {
        "slug": "round-1",
        "name": "New",
        "dataset": campaign.dataset.pk,
        "overlap": 1,
        "guideline": "x",
    }
    seats = [seat.user_id for seat in campaign.annotators.all()]
    page = lead.post(reverse("campaign-new"), {**values, "annotators": seats})
    assert page.status_code == 400
    assert "There is a campaign &#x27;round-1&#x27; already" in page.content.decode()


def test_leads_are_not_offered_as_annotators(lead):
    both = make_user("lou-leads", "lead")
    make_user("ana", "annotator")
    both.groups.add(*make_user("x", "annotator").groups.all())
    page = lead.get(reverse("campaign-new")).content.decode()
    assert "ana" in page
    assert "lou-leads" not in page


def test_a_seat_is_ended_and_taken_up_again(campaign, lead):
    seat = campaign.annotators.get(pseudonym="A3")
    held = next_item(seat).item
    page = lead.post(reverse("seat-end", args=["round-1"]), {"pseudonym": "A3"}, follow=True)
    assert "A3 labels no more" in page.content.decode()
    assert next_item(seat) is None
    held.refresh_from_db()
    assert (held.open_slots, seat.labels.count()) == (1, 5)
    page = lead.post(reverse("seat-take-up", args=["round-1"]), {"pseudonym": "A3"}, follow=True)
    assert "A3 labels again" in page.content.decode()
    assert next_item(seat).item == held


def test_downloads_are_streamed(campaign, lead):
    freeze_gold_release(campaign)
    for url in ("/gold/small-1/download.jsonl", "/campaigns/round-1/all-labels.csv"):
        answer = lead.get(url)
        assert answer.streaming
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        assert len(b"".join(answer.streaming_content)) > 100


def test_a_release_that_was_tampered_with_is_told(campaign, lead):
    release = freeze_gold_release(campaign)
    campaign.dataset.preferences.filter(text="Preference 0").update(text="Another text")
    page = lead.post(reverse("gold-verify", args=[release.name]), follow=True)
    assert "which is not that of the release" in page.content.decode()
