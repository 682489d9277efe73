"""Labelling in a real browser: by keyboard, without JavaScript, and with what goes wrong on the way."""

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Campaign, Label
from tests.annotate.factories import make_campaign

pytestmark = pytest.mark.browser


@pytest.fixture
def campaign(transactional_db) -> Campaign:
    campaign = make_campaign(contexts=2, preferences=3)
    campaign.name = "Formal letters, round 1"
    campaign.save()
    return campaign


@pytest.fixture
def labeller(page: Page, campaign: Campaign, sign_in) -> Page:
    sign_in(campaign.annotators.get(pseudonym="A1").user)
    page.goto("/campaigns/round-1/label/")
    return page


def test_looks(labeller, take_screenshots, check_accessibility):
    check_accessibility()
    take_screenshots("label")
    labeller.keyboard.press("1")
    expect(labeller.get_by_text("1 of 6")).to_be_visible()
    labeller.wait_for_timeout(400)
    labeller.keyboard.press("2")
    expect(labeller.get_by_text("2 of 6")).to_be_visible()
    labeller.keyboard.press("b")
    labeller.keyboard.press("u")
    labeller.keyboard.press("?")
    labeller.keyboard.press("g")
    take_screenshots("label-change")
    labeller.goto("/campaigns/round-1/labels/")
    take_screenshots("own-labels")
    labeller.goto("/")
    take_screenshots("my-work")
