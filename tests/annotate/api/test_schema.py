"""The description of the API is complete, and its page works under the site's policy."""

import io

import pytest
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver


def test_the_schema_is_valid_and_nothing_had_to_be_guessed():
    written = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=written)
    assert "openapi: 3" in written.getvalue()


def addresses(resolver: URLResolver, start: str = "") -> list[str]:
    found = []
    for pattern in resolver.url_patterns:
        address = start + str(pattern.pattern)
        found += [address] if isinstance(pattern, URLPattern) else addresses(pattern, address)
    return found


@pytest.mark.django_db
def test_the_schema_names_every_address_of_the_api(client):
    """The two views that serve the schema and its page leave themselves out."""
    described = client.get("/api/v1/schema/?format=json").json()["paths"]
    served = [address for address in addresses(get_resolver()) if address.startswith("api/v1/")]
    assert len(described) == len(served) - 2


@pytest.mark.django_db
def test_its_page_holds_no_script_of_its_own(client):
    page = client.get("/api/v1/docs/")
    assert page.status_code == 200
    html = page.content.decode()
    assert "<style" not in html
    assert html.count("<script") == html.count("<script src=")
