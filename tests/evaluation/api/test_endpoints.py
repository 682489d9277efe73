"""Endpoints through the API: made, changed, listed, and never with a key."""

import pytest

from evaluation.models import Endpoint
from tests.evaluation.factories import make_endpoint

FIELDS = {
    "name": "small",
    "base_url": "http://127.0.0.1:8080/v1",
    "model": "small-1",
    "key_env": "MODEL_API_KEY",
    "parameters": {"max_tokens": 400},
}
ADDRESS = "/api/v1/endpoints/"


def test_a_lead_makes_an_endpoint(lead):
    answer = lead.post(ADDRESS, FIELDS, format="json")
    assert answer.status_code == 201
    assert answer.json().items() >= FIELDS.items()
    assert lead.get(f"{ADDRESS}small/").json() == answer.json()
    endpoint = Endpoint.objects.get()
    assert (endpoint.key_env, endpoint.parameters, endpoint.concurrency) == (
        "MODEL_API_KEY",
        {"max_tokens": 400},
        8,
    )


def test_a_lead_changes_one_field_and_leaves_the_rest(lead):
    make_endpoint("small", key_env="MODEL_API_KEY")
    answer = lead.patch(f"{ADDRESS}small/", {"concurrency": 3}, format="json")
    assert answer.status_code == 200
    endpoint = Endpoint.objects.get()
    assert (endpoint.concurrency, endpoint.key_env) == (3, "MODEL_API_KEY")


def test_what_was_found_out_about_an_endpoint_is_read_only(lead):
    make_endpoint("small", capabilities={"json_schema": True})
    lead.patch(f"{ADDRESS}small/", {"capabilities": {}}, format="json")
    assert Endpoint.objects.get().capabilities == {"json_schema": True}


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"model": "another"}, {}),
        ({"base_url": "https://other.example.org/v1"}, {}),
        ({"concurrency": 3}, {"temperature": False}),
    ],
)
def test_what_was_found_out_is_forgotten_with_another_address_or_model(lead, changes, kept):
    endpoint = make_endpoint("subject", capabilities={"temperature": False})
    assert lead.patch(f"{ADDRESS}subject/", changes, format="json").json()["capabilities"] == kept
    endpoint.refresh_from_db()
    assert endpoint.capabilities == kept


def test_the_value_of_the_key_is_not_shown(lead, monkeypatch):
    monkeypatch.setenv("MODEL_API_KEY", "sk-hunter22hunter22")
    make_endpoint("small", key_env="MODEL_API_KEY")
    for address in ("", "small/"):
        shown = lead.get(f"{ADDRESS}{address}").content.decode()
        assert "MODEL_API_KEY" in shown
        assert "hunter22" not in shown


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("key_env", "sk-hunter22hunter22"),
        ("key_env", "HUNTER22HUNTER22"),
        ("key_env", "hunter22"),
        ("base_url", "https://user:hunter22@models.example.org/v1"),
        ("base_url", "https://models.example.org/v1?api_key=hunter22"),
        ("parameters", {"api_key": "hunter22"}),
        ("parameters", {"extra_headers": {"Authorization": "hunter22"}}),
        ("parameters", {"stop": ["sk-hunter22"]}),
        ("parameters", "sk-hunter22"),
    ],
)
@pytest.mark.parametrize("method", ["post", "patch"])
def test_what_looks_like_a_key_is_refused_and_not_repeated(lead, method, field, value):
    if method == "patch":
        make_endpoint("small")
    address = ADDRESS if method == "post" else f"{ADDRESS}small/"
    answer = getattr(lead, method)(address, FIELDS | {field: value}, format="json")
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]
    assert "xpected" in answer.json()["detail"] or "nstead" in answer.json()["detail"]
    assert "hunter22" not in answer.content.decode().lower()
    assert not Endpoint.objects.filter(model="small-1").exists()


def test_a_name_is_given_once(lead):
    make_endpoint("small")
    answer = lead.post(ADDRESS, FIELDS, format="json")
    assert answer.status_code == 400
    assert "name: " in answer.json()["detail"]
