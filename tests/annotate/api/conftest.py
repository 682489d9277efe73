"""The cast of the API's tests: a lead, annotators with and without a seat, a stranger, a visitor."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from annotate.models import Campaign
from tests.annotate.factories import make_campaign, make_user

CAST = ("visitor", "stranger", "elsewhere", "seated", "lead")


@pytest.fixture(autouse=True)
def nobody_has_tried_yet():
    """Forget who tried to sign in during earlier tests."""
    cache.clear()


@pytest.fixture
def campaign(db) -> Campaign:
    """A campaign of six items for three annotators, A1 being the one who asks."""
    return make_campaign(contexts=2, preferences=3)


@pytest.fixture
def ask_as(campaign) -> Callable[[str], APIClient]:
    """Return a client of one of the cast."""

    def client_of(who: str) -> APIClient:
        client = APIClient()
        if who == "seated":
            client.force_authenticate(campaign.annotators.get(pseudonym="A1").user)
        elif who != "visitor":
            client.force_authenticate(make_user(who, {"elsewhere": "annotator", "lead": "lead"}.get(who, "")))
        return client

    return client_of


@pytest.fixture
def lead(ask_as) -> APIClient:
    return ask_as("lead")


@pytest.fixture
def annotator(ask_as) -> APIClient:
    return ask_as("seated")
