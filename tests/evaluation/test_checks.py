"""Endpoints whose key this process does not have."""

import pytest
from django.core.management import call_command

from evaluation.checks import check_keys_are_set
from evaluation.models import Endpoint


@pytest.fixture
def endpoint(db):
    return Endpoint.objects.create(
        name="far", base_url="https://models.example.org/v1", model="m", key_env="TACT_TEST_KEY"
    )


def test_a_key_that_is_not_set_is_named_with_its_endpoint(endpoint, monkeypatch):
    monkeypatch.delenv("TACT_TEST_KEY", raising=False)
    (warning,) = check_keys_are_set(None, databases=["default"])
    assert warning.id == "evaluation.W001"
    assert "Endpoint far takes its key from TACT_TEST_KEY" in warning.msg
    assert "Set TACT_TEST_KEY" in warning.hint


def test_a_key_that_is_set_is_not_told(endpoint, monkeypatch, capsys):
    monkeypatch.setenv("TACT_TEST_KEY", "secret-of-the-test")
    assert check_keys_are_set(None, databases=["default"]) == []
    call_command("check", databases=["default"])
    assert "secret-of-the-test" not in "".join(capsys.readouterr())


def test_an_endpoint_without_a_key_needs_none(db):
    Endpoint.objects.create(name="near", base_url="http://127.0.0.1:1/v1", model="m")
    assert check_keys_are_set(None, databases=["default"]) == []


def test_no_database_is_asked_unless_the_check_is_for_one(endpoint, monkeypatch):
    monkeypatch.delenv("TACT_TEST_KEY", raising=False)
    assert check_keys_are_set(None, databases=None) == []
