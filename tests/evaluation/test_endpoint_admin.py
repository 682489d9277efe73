"""Adding an endpoint in the admin: keys are refused in every field, and never shown again."""

import pytest
from django.urls import reverse

from evaluation.models import Endpoint
from tests.annotate.factories import make_user

pytestmark = pytest.mark.django_db
ADD = "admin:evaluation_endpoint_add"
FIELDS = {
    "name": "small",
    "base_url": "http://127.0.0.1:8080/v1",
    "model": "small-1",
    "key_env": "MODEL_API_KEY",
    "parameters": '{"max_tokens": 400}',
    "concurrency": 4,
    "deadline": 60,
}


@pytest.fixture
def lead(client):
    user = make_user("lea", "lead")
    user.is_staff = True
    user.save()
    client.force_login(user)
    return client


def test_a_lead_adds_an_endpoint(lead):
    assert lead.post(reverse(ADD), FIELDS).status_code == 302
    endpoint = Endpoint.objects.get()
    assert (endpoint.key_env, endpoint.parameters) == ("MODEL_API_KEY", {"max_tokens": 400})


@pytest.mark.parametrize(
    "address",
    ["https://models.example.org/v1", "http://vllm:8000/v1", "http://[::1]:8080/v1", "http://localhost"],
)
def test_any_server_may_be_named(lead, address):
    assert lead.post(reverse(ADD), FIELDS | {"base_url": address}).status_code == 302


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("key_env", "sk-abcdef0123456789"),
        ("key_env", "AKIAIOSFODNN7EXAMPLE"),
        ("key_env", "SK_LIVE_4EC39HQLYJWDAR"),
        ("key_env", "model_api_key"),
        ("key_env", "MODEL KEY"),
        ("base_url", "https://user:hunter22@models.example.org/v1"),
        ("base_url", "https://models.example.org/v1?api_key=hunter22"),
        ("base_url", "models.example.org"),
        ("base_url", "ftp://models.example.org"),
        ("base_url", "http://[half"),
        ("parameters", '{"api_key": "hunter22"}'),
        ("parameters", '{"extra_headers": {"Authorization": "hunter22"}}'),
        ("parameters", '{"stop": ["sk-hunter22"]}'),
        ("parameters", '{"extra_headers": {"X-Auth": "hunter22"}}'),
        ("parameters", '{"extra_query": {"key": "hunter22"}}'),
        ("parameters", '{"extra_headers": {"Cookie": "session=hunter22"}}'),
        ("parameters", '{"user": "hf_hunter22"}'),
        ("reasoning_switch", '{"on": {"api_key": "hunter22"}, "off": {}}'),
        ("base_url", "https://models.example.org/v1/sk-hunter22"),
        ("parameters", "[1]"),
    ],
)
def test_what_looks_like_a_key_or_leads_nowhere_is_refused_and_not_shown_again(lead, field, value):
    page = lead.post(reverse(ADD), FIELDS | {field: value})
    assert page.status_code == 200
    assert not Endpoint.objects.exists()
    assert field in page.context["adminform"].form.errors
    shown = page.context["adminform"].form[field].value()
    assert value not in (shown or "")
    assert "hunter22" not in page.text


def test_other_values_stay_in_the_form_when_one_is_refused(lead):
    page = lead.post(reverse(ADD), FIELDS | {"key_env": "sk-1"})
    assert 'value="small-1"' in page.text


def test_an_annotator_has_no_business_in_the_admin(client):
    user = make_user("ana", "annotator")
    user.is_staff = True
    user.save()
    client.force_login(user)
    assert client.get(reverse(ADD)).status_code == 403


@pytest.mark.parametrize("model", ["generation", "verdict", "call"])
def test_what_a_run_left_behind_can_be_read_but_not_changed(lead, model):
    assert lead.get(reverse(f"admin:evaluation_{model}_changelist")).status_code == 200
    assert lead.get(reverse(f"admin:evaluation_{model}_add")).status_code == 403
