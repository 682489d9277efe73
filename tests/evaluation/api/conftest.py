"""Who asks in most of the API's tests."""

import pytest
from rest_framework.test import APIClient


@pytest.fixture
def lead(ask_as) -> APIClient:
    return ask_as("lead")
