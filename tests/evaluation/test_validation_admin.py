"""In the admin, how a validation sample was drawn can be read by leads, and touched by nobody."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation.actions import draw_validation
from evaluation.models import RunSample, SampledUnit
from tests.annotate.factories import make_user
from tests.evaluation.validation.drawn import letters_run

pytestmark = pytest.mark.django_db
EVIDENCE = {"runsample": RunSample, "sampledunit": SampledUnit}


@pytest.fixture
def drawn():
    return draw_validation(letters_run(), size=4, slug="round-1")


def sign_in(client, group, **more):
    user = make_user("sam", group)
    user.is_staff = True
    user.save()
    client.force_login(user)
    return client


def address(model, view, *args):
    return reverse(f"admin:evaluation_{model}_{view}", args=args)


@pytest.mark.parametrize("model", EVIDENCE)
def test_a_lead_reads_rows_and_finds_them_by_the_name_of_the_sample(drawn, client, model):
    lead, row = sign_in(client, "lead"), EVIDENCE[model].objects.first()
    assert lead.get(address(model, "change", row.pk)).status_code == 200
    found = lead.get(address(model, "changelist"), {"q": "round-1"})
    assert found.context["cl"].result_count == EVIDENCE[model].objects.count()
    assert lead.get(address(model, "changelist"), {"q": "round-2"}).context["cl"].result_count == 0


@pytest.mark.parametrize("model", EVIDENCE)
def test_an_annotator_reads_none(drawn, client, model):
    annotator, row = sign_in(client, "annotator"), EVIDENCE[model].objects.first()
    for url in (address(model, "changelist"), address(model, "change", row.pk)):
        assert annotator.get(url).status_code == 403


@pytest.mark.parametrize("model", EVIDENCE)
def test_rows_cannot_be_added_changed_or_removed(drawn, client, model):
    lead, row = sign_in(client, "lead"), EVIDENCE[model].objects.first()
    before = list(EVIDENCE[model].objects.values())
    assert lead.post(address(model, "add"), {}).status_code == 403
    for view in ("change", "delete"):
        assert lead.post(address(model, view, row.pk), {"post": "yes", "seed": 9}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk]}
    lead.post(address(model, "changelist"), chosen)
    assert list(EVIDENCE[model].objects.values()) == before


def test_the_row_of_a_sample_leads_to_its_page(drawn, client):
    page = sign_in(client, "lead").get(address("runsample", "change", drawn.pk)).text
    assert reverse("validation-sample", args=["round-1"]) in page


@pytest.mark.parametrize("model", EVIDENCE)
def test_many_rows_take_as_many_queries_as_few(drawn, client, model):
    lead = sign_in(client, "lead")

    def queries():
        with CaptureQueriesContext(connection) as asked:
            lead.get(address(model, "changelist"))
        return len(asked)

    few = queries()
    draw_validation(drawn.run, size=6, slug="round-2")
    assert queries() == few
