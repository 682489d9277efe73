"""The page, the files, the figure and the API of a comparison: the same numbers, for leads alone."""

import json
import re
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.urls import reverse

from evaluation.actions import create_run
from tests.annotate.factories import make_user
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.compared_runs import make_other_release, make_two_runs
from tests.evaluation.factories import finish_run, make_corpus, make_endpoint, make_release, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def lead(client):
    client.force_login(make_user("lea", "lead"))
    return client


def page_of(*runs):
    return reverse("comparison", args=[run.pk for run in runs])


def file_of(runs, suffix):
    return reverse("comparison-file", args=[*(run.pk for run in runs), suffix])


def figure_of(runs, theme="light", suffix="svg"):
    return reverse("comparison-figure", args=[*(run.pk for run in runs), "plane", theme, suffix])


def api_of(*runs):
    return reverse("api-run-comparison", args=[run.pk for run in runs])


def addresses(runs):
    return [
        page_of(*runs),
        file_of(runs, "json"),
        file_of(runs, "csv"),
        file_of(runs, "tex"),
        figure_of(runs),
    ]


def test_a_lead_sees_every_address(lead):
    runs = make_two_runs()
    assert [lead.get(address).status_code for address in [*addresses(runs), api_of(*runs)]] == [200] * 6


def test_an_annotator_sees_none(client):
    client.force_login(make_user("ana", "annotator"))
    runs = make_two_runs()
    choose = reverse("choose-comparison", args=[runs[0].pk])
    wanted = [*addresses(runs), api_of(*runs), choose]
    assert {client.get(address).status_code for address in wanted} == {403}


def test_a_visitor_is_sent_to_sign_in_and_the_api_asks_who_it_is(client):
    runs = make_two_runs()
    for address in addresses(runs):
        assert client.get(address).url.startswith(reverse("login"))
    assert client.get(api_of(*runs)).status_code == 401


def test_command_page_file_and_api_have_the_same_numbers(lead):
    runs = make_two_runs()
    out = StringIO()
    call_command("compare_runs", *(str(run.pk) for run in runs), format="json", stdout=out)
    told = json.loads(out.getvalue())
    assert lead.get(api_of(*runs)).json() == told
    assert json.loads(lead.get(file_of(runs, "json")).content) == told
    page = lead.get(page_of(*runs)).text
    shown = re.search(r'<th scope="row">MR</th>(.*?)</tr>', page, re.DOTALL).group(1)
    assert re.findall(r"<strong>(.*?)</strong>", shown) == ["50.00", "25.00", "-25.00", "1.0000"]
    ends = told["comparisons"][0]["mr"]["difference"]["interval"]
    assert f"{100 * ends['low']:.2f} to {100 * ends['high']:.2f}" in shown


def test_the_files_have_names_that_say_what_they_are(lead):
    runs = make_two_runs()
    answer = lead.get(file_of(runs, "csv"))
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="runs-{runs[0].pk}-and-{runs[1].pk}.csv"'
    )
    assert lead.get(file_of(runs, "xlsx")).status_code == 404


def test_the_form_chooses_the_arms_of_page_file_figure_and_api(lead):
    run = finish_run(make_run(conditions=("default", "mitigation")))
    run.generations.filter(condition="mitigation").first().verdicts.update(value=0)
    chosen = {"first": "default", "second": "mitigation"}
    page = lead.get(page_of(run, run), chosen).text
    assert f"Run {run.pk}, default, against run {run.pk}, mitigation" in page
    assert "<option selected>mitigation</option>" in page
    linked = re.findall(r'(?:href|src)="([^"]+\?first=default&amp;second=mitigation)"', page)
    assert {lead.get(address.replace("&amp;", "&")).status_code for address in linked} == {200}
    (found,) = lead.get(api_of(run, run), chosen).json()["comparisons"]
    assert found["mr"]["difference"]["value"] == -0.25


def test_without_a_choice_every_arm_of_equal_name_is_compared(lead):
    run = finish_run(make_run(conditions=("default", "mitigation")))
    found = lead.get(api_of(run, run), {"first": "", "second": ""}).json()["comparisons"]
    assert [(row["first"], row["second"]) for row in found] == [
        ("default", "default"),
        ("mitigation", "mitigation"),
    ]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"first": "x"}, "has no arm &#x27;x&#x27; to compare; expected one of default"),
        (
            {"second": "default"},
            "The second run has 1 named, the first 0; name a condition of the first run for",
        ),
    ],
)
def test_arms_that_cannot_be_are_said_on_the_page(lead, chosen, words):
    runs = make_two_runs()
    answer = lead.get(page_of(*runs), chosen)
    assert answer.status_code == 400
    assert words in answer.text
    assert "<select" in answer.text
    assert lead.get(file_of(runs, "json"), chosen).status_code == 404
    assert lead.get(api_of(*runs), chosen).status_code == 400


def test_other_gold_is_refused_in_words(lead):
    first, _ = make_two_runs()
    other = make_run(make_other_release(first.release), endpoint=make_endpoint("third"), judges=[])
    words = "a comparison needs the same gold"
    assert words in lead.get(page_of(first, other)).text
    assert words in lead.get(api_of(first, other)).json()["detail"]


def test_a_run_offers_the_others_of_its_corpus_and_benchmark(lead):
    first, second = make_two_runs()
    elsewhere = make_run(make_release(make_corpus("more")), endpoint=make_endpoint("third"), judges=[])
    page = lead.get(reverse("run", args=[first.pk])).text
    assert f'<option value="{second.pk}">Run {second.pk}: model-of-other, letters-1</option>' in page
    assert f"Run {elsewhere.pk}:" not in page
    chosen = lead.get(reverse("choose-comparison", args=[first.pk]), {"run": second.pk})
    assert chosen.url == page_of(first, second)
    alone = lead.get(reverse("run", args=[elsewhere.pk])).text
    assert "Compare with" not in alone


@pytest.mark.parametrize("name", ["", "x", "77"])
def test_a_run_that_there_is_not_cannot_be_chosen(lead, name):
    first, _ = make_two_runs()
    assert lead.get(reverse("choose-comparison", args=[first.pk]), {"run": name}).status_code == 404


def test_runs_and_figures_that_there_are_not_are_not_found(lead):
    first, second = make_two_runs()
    missing = reverse("comparison", args=[first.pk, second.pk + 1])
    for address in [missing, figure_of((first, second), theme="pink"), f"/api/v1{missing}"]:
        assert lead.get(address).status_code == 404


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_figure_names_the_arms_of_both_runs(lead, theme):
    runs = make_two_runs()
    answer = lead.get(figure_of(runs, theme))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    texts = set(ElementTree.fromstring(answer.content).itertext())
    assert {f"run {run.pk}, default" for run in runs} <= texts


def test_the_figure_comes_as_png_too_and_is_on_the_page(lead):
    runs = make_two_runs()
    assert lead.get(figure_of(runs, suffix="png")).content.startswith(b"\x89PNG")
    assert figure_of(runs, suffix="png") in lead.get(page_of(*runs)).text


def test_runs_of_contrast_pairs_are_compared_by_track_without_the_plane(lead):
    dataset = make_pair_dataset()
    one, two = (
        create_run(benchmark="pairpref", dataset=dataset, endpoint=make_endpoint(name), tracks=["selection"])
        for name in ("a", "b")
    )
    one.generations.filter(side="positive").update(outcome="done", choice="memory")
    one.generations.filter(side="negative").update(outcome="done", choice="plain")
    two.generations.update(outcome="done", choice="memory")
    # 3 preferences of 2 pairs: success of 6 of 6 against none.
    page = lead.get(page_of(one, two)).text
    shown = re.search(r'<th scope="row">pair success</th>(.*?)</tr>', page, re.DOTALL).group(1)
    assert re.findall(r"<strong>(.*?)</strong>", shown)[:3] == ["100.00", "0.00", "-100.00"]
    assert "<figure" not in page
    assert lead.get(figure_of((one, two))).status_code == 404


def test_text_of_models_and_people_is_escaped(lead):
    release = make_release(make_corpus())
    release.dataset.contexts.filter(recipient="Bank").update(domains=["<b>finance</b>"])
    run = finish_run(make_run(release, endpoint=make_endpoint(model="<script>1</script>")))
    page = lead.get(page_of(run, run)).text
    assert "&lt;b&gt;finance&lt;/b&gt;" in page
    assert [raw for raw in ("<b>finance", "<script>1") if raw in page] == []
