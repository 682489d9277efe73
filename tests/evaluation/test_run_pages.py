"""The pages of runs: who may see them, what they say in each state, and how they refresh."""

import json
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from django.utils import timezone

from evaluation.benchpres.published import PUBLISHED
from evaluation.running.progress import run_progress
from tests.annotate.factories import make_user
from tests.evaluation.factories import (
    STARTED,
    add_call,
    end_generation,
    finish_run,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def lead(client):
    client.force_login(make_user("lea", "lead"))
    return client


def addresses(run):
    return [
        reverse("run-list"),
        reverse("run", args=[run.pk]),
        reverse("run-report", args=[run.pk, "json"]),
        reverse("run-report", args=[run.pk, "csv"]),
        reverse("run-figure", args=[run.pk, "rates", "light", "svg"]),
    ]


def test_a_lead_sees_every_page(lead):
    run = finish_run(make_run())
    assert [lead.get(address).status_code for address in addresses(run)] == [200] * 5


def test_an_annotator_sees_none(client):
    client.force_login(make_user("ana", "annotator"))
    assert {client.get(address).status_code for address in addresses(make_run())} == {403}


def test_a_visitor_is_sent_to_sign_in(client):
    for address in addresses(make_run()):
        assert client.get(address).url.startswith(reverse("login"))


def test_the_list_says_so_where_there_is_no_run(lead):
    assert "There is no run yet" in lead.get(reverse("run-list")).text


def test_the_list_costs_the_same_number_of_queries_however_many_runs_there_are(
    lead, django_assert_max_num_queries
):
    release = make_release(make_corpus())
    for number in range(5):
        make_run(release, endpoint=make_endpoint(f"m{number}"), judges=[])
    with django_assert_max_num_queries(8):
        assert "model-of-m4" in lead.get(reverse("run-list")).text


def test_a_planned_run_shows_its_calls_before_it_is_started(lead):
    # 2 profiles x 2 contexts x 3 samples = 12 messages; on each one judged and one matched preference.
    page = lead.get(reverse("run", args=[make_run(samples=3).pk])).text
    assert "makes 24 calls: 12 to the model and\n          12 for verdicts. 12 more verdicts" in page


def test_a_running_run_asks_again_for_its_progress_alone(lead):
    run = make_run(state="running")
    end_generation(run.generations.first())
    address = reverse("run", args=[run.pk])
    page, update = lead.get(address).text, lead.get(address, headers=HTMX).text
    assert f'hx-get="{address}" hx-trigger="every 2s"' in page
    assert update.strip().startswith('<section id="progress"')
    assert "1 of 4 answers" in update
    assert "<html" not in update


def test_an_update_of_a_run_that_has_ended_loads_the_whole_page_once(lead):
    run = finish_run(make_run())
    response = lead.get(reverse("run", args=[run.pk]), headers=HTMX)
    assert response.headers["HX-Refresh"] == "true"
    assert "hx-trigger" not in lead.get(reverse("run", args=[run.pk])).text


def test_the_rate_and_the_time_left_come_from_the_calls_of_the_last_minutes():
    run = make_run(samples=5, state="running", started_at=STARTED)
    for generation in run.generations.all()[:4]:
        end_generation(generation)
        add_call(generation, started_at=STARTED + timedelta(seconds=50))
    progress = run_progress(run, STARTED + timedelta(seconds=60))
    assert (progress.size.units, progress.ended) == (60, 4)
    assert progress.per_second == pytest.approx(4 / 60)
    assert progress.seconds_left == pytest.approx((16 + 20) * 15)


def test_a_run_that_no_worker_is_at_says_how_to_start_one(lead):
    run = make_run(state="running")
    address = reverse("run", args=[run.pk])
    assert "manage.py work" in lead.get(address, headers=HTMX).text
    run.shards.update(state="running", heartbeat_at=timezone.now())
    assert "manage.py work" not in lead.get(address, headers=HTMX).text


def test_the_report_shows_each_rate_with_its_counts_and_says_why_one_is_undefined(lead):
    page = lead.get(reverse("run", args=[finish_run(make_run()).pk])).text
    assert "<strong>50.00</strong>" in page
    assert "2 of 4" in page
    assert "Undefined: no instance has the gold label suppress" in page


def test_published_values_are_named_as_not_measured_here(lead):
    page = lead.get(reverse("run", args=[finish_run(make_run()).pk])).text
    ours, published = page.split("Values that the paper reports, for comparison only")
    assert "None of these was measured here" in published
    assert all(row.model in published and row.model not in ours for row in PUBLISHED)


def test_the_report_files_are_those_of_the_command(lead):
    run = finish_run(make_run())
    as_json = lead.get(reverse("run-report", args=[run.pk, "json"]))
    assert json.loads(as_json.content)["conditions"]["default"]["mr"]["value"] == 0.5
    as_csv = lead.get(reverse("run-report", args=[run.pk, "csv"]))
    assert as_csv.headers["Content-Disposition"] == f'attachment; filename="run-{run.pk}.csv"'
    assert as_csv.text.splitlines()[1].startswith(
        'rates,"Rates, default",default,all,all instances,mr,0.5,2,4,'
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_figure_is_well_formed_svg_that_names_every_part(lead, theme):
    run = finish_run(make_run())
    response = lead.get(reverse("run-figure", args=[run.pk, "rates", theme, "svg"]))
    assert response.headers["Content-Type"] == "image/svg+xml"
    texts = set(ElementTree.fromstring(response.content).itertext())
    assert {"MR", "AAR", "all", "domain health", "category tone"} <= texts


@pytest.mark.parametrize("name", ["rates", "plane"])
def test_every_figure_comes_as_png_too_and_is_on_the_page(lead, name):
    run = finish_run(make_run())
    address = reverse("run-figure", args=[run.pk, name, "light", "png"])
    assert lead.get(address).content.startswith(b"\x89PNG")
    assert address in lead.get(reverse("run", args=[run.pk])).text


def test_a_run_without_verdicts_has_no_figure(lead):
    run = make_run()
    assert lead.get(reverse("run-figure", args=[run.pk, "rates", "light", "svg"])).status_code == 404
    assert "<figure" not in lead.get(reverse("run", args=[run.pk])).text


def test_unknown_runs_formats_and_themes_are_not_found(lead):
    run = make_run()
    for address in [
        reverse("run", args=[run.pk + 1]),
        reverse("run-report", args=[run.pk, "xlsx"]),
        reverse("run-figure", args=[run.pk, "rates", "pink", "svg"]),
    ]:
        assert lead.get(address).status_code == 404


def test_text_of_models_and_people_is_escaped(lead):
    release = make_release(make_corpus())
    release.dataset.contexts.filter(recipient="Bank").update(domains=["<b>finance</b>"])
    run = finish_run(make_run(release, endpoint=make_endpoint(model="<script>1</script>")))
    end_generation(run.generations.first(), "failed", "<img src=x>")
    page = lead.get(reverse("run", args=[run.pk])).text
    assert "&lt;b&gt;finance&lt;/b&gt;" in page
    assert [raw for raw in ("<b>finance", "<script>1", "<img src=x>") if raw in page] == []
