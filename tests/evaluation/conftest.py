"""What tests of `evaluation` share: the cast of the API's tests, and runs that wait for no worker."""

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
def quick(monkeypatch):
    """Let nobody wait for a worker that there is not."""
    monkeypatch.setattr("evaluation.management.watching.SECONDS_FOR_A_WORKER", 0)
    monkeypatch.setattr("evaluation.management.watching.SECONDS_BETWEEN_LOOKS", 0.02)
