"""The cast of the API's tests."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from tests.annotate.factories import make_user

CAST = ("visitor", "stranger", "annotator", "lead")


@pytest.fixture
def ask_as(db) -> Callable[[str], APIClient]:
    """Return a client of one of the cast."""

    def client_of(who: str) -> APIClient:
        client = APIClient()
        if who != "visitor":
            client.force_authenticate(make_user(who, "" if who == "stranger" else who))
        return client

    return client_of


@pytest.fixture
def lead(ask_as) -> APIClient:
    return ask_as("lead")
