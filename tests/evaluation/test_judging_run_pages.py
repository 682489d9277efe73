"""Judging runs on pages and in the API: for leads, with what was judged, what was asked and what came."""

import html

import pytest
from django.urls import reverse

from annotate.models import Dataset, ValidationItem
from evaluation.actions.validation_judging import judge_sample
from evaluation.generations.queries import SHOWS
from evaluation.models import Run
from tests.annotate.factories import make_user
from tests.evaluation.conftest import CAST
from tests.evaluation.factories import make_endpoint
from tests.evaluation.fake_endpoint import fake_endpoint, says
from tests.evaluation.judging_runs import TARGETS, behaviour, judged, sampled_run
from tests.evaluation.runs import endpoint_named
from tests.evaluation.sample_factories import make_sample

pytestmark = pytest.mark.django_db

FIRST = {
    "label": "Follows (1)",
    "completeness": "Well, with small faults (4)",
    "uptake": "Plainly or centrally (1)",
    "fit": "Fits (1)",
    "hedge": "Commits itself (0)",
}
PATHS = ("", "report/", "report.csv", "report.tex", "estimate/", "status/", "generations/", "archive.zip")


@pytest.fixture
def lead(client):
    client.force_login(make_user("lea", "lead"))
    return client


def finished(target="label"):
    with fake_endpoint(behaviour(target)) as endpoint:
        return judged(sampled_run(endpoint.url, target))


def first_of(run):
    """The judgement of the first item."""
    return run.generations.get(sampled__item__number=1)


def addresses(run):
    row = first_of(run)
    return [
        reverse("run-list"),
        reverse("run", args=[run.pk]),
        *(reverse("run-report", args=[run.pk, suffix]) for suffix in ("json", "csv", "tex")),
        reverse("run-archive", args=[run.pk]),
        *(f"{reverse('run-generations', args=[run.pk])}?show={show}" for show in SHOWS),
        reverse("run-generation", args=[run.pk, row.pk]),
        reverse("unit-comparison", args=[run.pk, row.pk, run.pk]),
        reverse("admin:evaluation_run_changelist"),
        reverse("admin:evaluation_run_change", args=[run.pk]),
        reverse("admin:evaluation_generation_changelist"),
        reverse("admin:evaluation_generation_change", args=[row.pk]),
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_a_lead_sees_every_page(lead, target):
    run = finished(target)
    user = make_user("ada", "lead")
    user.is_staff = user.is_superuser = True
    user.save()
    lead.force_login(user)
    assert {address: lead.get(address).status_code for address in addresses(run)} == dict.fromkeys(
        addresses(run), 200
    )
    page = html.unescape(lead.get(reverse("run-generation", args=[run.pk, first_of(run).pk])).text)
    assert f"<strong>{FIRST[target]}</strong>" in page
    assert all(text in page for text in first_of(run).sampled.item.texts.values())


def test_others_see_none(client):
    run = finished()
    pages = [address for address in addresses(run) if not address.startswith("/admin/")]
    assert {client.get(address).status_code for address in pages} == {302}
    client.force_login(make_user("ana", "annotator"))
    assert {client.get(address).status_code for address in pages} == {403}


def test_a_planned_run_shows_its_calls_and_what_will_be_asked(lead):
    with fake_endpoint(behaviour("label")) as endpoint:
        run = judge_sample(sampled_run(endpoint.url), endpoint_named("judge"))
    page = lead.get(reverse("run", args=[run.pk])).text
    assert "Starting makes 4 calls, one for each item." in page
    assert "0 of 4 judgements." in page
    assert "Read what will be asked" in page
    unit = lead.get(reverse("run-generation", args=[run.pk, first_of(run).pk])).text
    assert "What the judge is asked" in unit
    assert "Nothing was sent for this yet." in unit


def test_the_page_of_a_run_names_sample_source_and_judge(lead):
    run = finished()
    page = lead.get(reverse("run", args=[run.pk])).text
    source = reverse("run", args=[run.validation.run_id])
    assert "Does the message follow the preference?" in page
    assert f'answers of model-of-subject in <a href="{source}">run {run.validation.run_id}</a>' in page
    assert "<dt>Judge</dt><dd>model-of-judge at endpoint judge" in page
    assert "<dt>Judges</dt>" not in page
    assert "4 items" in page
    assert "Compare with" not in page
    assert "Values that the paper reports" not in page
    assert "<td>first</td>" in lead.get(reverse("run-list")).text


def test_a_judgement_leads_to_the_answer_and_shows_the_texts_that_were_drawn(lead):
    run = finished()
    row = first_of(run)
    hostile = "Dear <script>alert(1)</script>\ntwo lines"
    ValidationItem.objects.filter(pk=row.sampled.item_id).update(
        texts={"preference": "Likes & sarcasm.", "message": hostile}
    )
    Dataset.objects.update(version=2, content_hash="e" * 64)
    page = lead.get(reverse("run-generation", args=[run.pk, row.pk])).text
    answer = reverse("run-generation", args=[run.validation.run_id, row.sampled.generation_id])
    assert f'href="{answer}"' in page
    assert "<dd>Dear &lt;script&gt;alert(1)&lt;/script&gt;<br>two lines</dd>" in page
    assert "<script>alert" not in page
    assert "Likes &amp; sarcasm." in page
    assert "The messages below are made from the corpus" not in page


def test_judgements_are_found_by_category_and_where_they_were_not_read(lead):
    with fake_endpoint(behaviour("fit")) as endpoint:
        run_sample = sampled_run(endpoint.url, "fit")
        endpoint.behave = lambda asked, times: says("no idea")
        run = judged(run_sample)
    wanted = run_sample.units.values_list("category", flat=True).distinct()
    address = reverse("run-generations", args=[run.pk])
    assert lead.get(address).context["categories"] == sorted(set(wanted), key=list(wanted).index)
    shown = [len(lead.get(address, {"category": name}).context["shown"]) for name in wanted]
    assert shown == [run_sample.units.filter(category=name).count() for name in wanted]
    assert len(lead.get(address, {"show": "unread"}).context["shown"]) == 4


def test_two_judges_are_laid_beside_each_other_on_the_same_item_of_the_same_sample_alone(lead):
    with fake_endpoint(behaviour("label")) as endpoint:
        run_sample = sampled_run(endpoint.url)
        one, two = judged(run_sample), judged(run_sample, "subject")
        elsewhere = judged(make_sample(run_sample.run, slug="second"))
    row = first_of(one)
    page = lead.get(reverse("run-generation", args=[one.pk, row.pk]))
    assert list(page.context["runs"]) == [two]
    beside = lead.get(reverse("unit-comparison", args=[one.pk, row.pk, two.pk]))
    assert beside.context["found"].row == first_of(two)
    other = lead.get(reverse("unit-comparison", args=[one.pk, row.pk, elsewhere.pk]))
    assert other.context["found"] is None


@pytest.mark.parametrize("other", ["itself", "source"])
def test_a_comparison_of_runs_says_where_judges_are_compared(lead, other):
    run = finished()
    second = {"itself": run, "source": run.validation.run}[other]
    page = lead.get(reverse("comparison", args=[run.pk, second.pk]))
    assert page.status_code == 400
    assert "The report of the sample lays its judges side by side." in page.text


def test_the_list_costs_the_same_number_of_queries_however_many_judging_runs_there_are(
    lead, django_assert_max_num_queries
):
    with fake_endpoint(behaviour("label")) as endpoint:
        run_sample = sampled_run(endpoint.url)
    for number in range(4):
        judge_sample(run_sample, make_endpoint(f"m{number}"))
    with django_assert_max_num_queries(8):
        assert "model-of-m3" in lead.get(reverse("run-list")).text
    run = Run.objects.first()
    with django_assert_max_num_queries(16):
        lead.get(reverse("run-generations", args=[run.pk]))


@pytest.mark.parametrize("who", CAST)
def test_the_api_answers_leads_alone(ask_as, who):
    run = finished()
    client = ask_as(who)
    paths = [*PATHS, f"generations/{first_of(run).pk}/"]
    answers = {path: client.get(f"/api/v1/runs/{run.pk}/{path}").status_code for path in paths}
    expected = {"visitor": 401, "stranger": 403, "annotator": 403, "lead": 200}[who]
    assert answers == dict.fromkeys(paths, expected)


def test_the_api_tells_the_sample_the_items_and_the_exact_messages(ask_as):
    run, client = finished(), ask_as("lead")
    base = f"/api/v1/runs/{run.pk}/"
    told = client.get(base).json()
    assert (told["benchmark"], told["sample"], told["gold"], told["judges"]) == (
        "validation",
        "first",
        None,
        [],
    )
    rows = client.get(f"{base}generations/").json()["results"]
    assert [(row["about"]["item"], row["task"], row["choice"]) for row in rows] == [
        (number, "judgement", "1") for number in (1, 2, 3, 4)
    ]
    asked = client.get(f"{base}generations/{first_of(run).pk}/").json()["asked"]
    assert [one["who"] for one in asked] == ["judge"]
    assert first_of(run).sampled.item.texts["message"] in asked[0]["messages"][0]["content"]
    refused = client.get(f"{base}against/{run.pk}/")
    assert (refused.status_code, "report of the sample" in refused.text) == (400, True)
