"""Corrected rates on the page of a validation sample: the numbers of the report, warnings, the planner."""

import csv
import html
import io
import re
from math import inf

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import Rater
from evaluation.actions import draw_validation
from evaluation.benchpres.published import PUBLISHED
from evaluation.models import RunSample
from evaluation.reports import corrected_report
from tests.annotate.factories import make_user
from tests.evaluation.validation.drawn import letters_run, pairs_run, say
from tests.evaluation.whole_runs import whole_benchpres_run

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def lead(client):
    client.force_login(make_user("lea", "lead"))
    return client


def labelled(run, target="label", size=12, slug="round-1", **plan):
    """A sample on whose items one person gives each answer in turn."""
    drawn = draw_validation(run, target=target, size=size, slug=slug, label_sets=["people"], **plan)
    values = drawn.sample.asked.values
    for number in range(1, size + 1):
        say(drawn, "people", number, values[number % len(values)])
    return drawn


@pytest.fixture
def letters():
    return labelled(letters_run(samples=4))


@pytest.fixture
def pairs():
    """The same pairs for two questions, uptake the newest."""
    run = pairs_run()
    return {target: labelled(run, target, 6, f"of-{target}") for target in ("fit", "uptake")}


def page_of(client, slug="round-1", **given):
    """The page with the part on it, as a browser without JavaScript gets it."""
    return client.get(reverse("validation-sample", args=[slug]), given or {"show": "corrected"})


def file_of(client, suffix="json", slug="round-1", **given):
    return client.get(reverse("validation-corrected", args=[slug, suffix]), given)


def section(response):
    found = re.search(r'<section id="corrected".*?</section>', response.text, re.DOTALL)
    return found.group(0)


def words(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def test_raw_and_corrected_rates_stand_beside_each_other_as_the_report_has_them(lead, letters):
    report = corrected_report(letters.run, [letters])
    shown = words(section(page_of(lead)))
    (arm,) = report["arms"]
    for name in ("mr", "aar"):
        row = [arm["rates"][name][column]["value"] for column in ("raw", "prediction_powered")]
        assert all(f"{100 * value:.2f}" in shown for value in row)
    raw, corrected = (arm["rates"]["mr"][column]["value"] for column in ("raw", "prediction_powered"))
    assert raw != corrected
    assert re.search(rf"MR {100 * raw:.2f}.*?{100 * corrected:.2f}", shown)


def test_every_warning_of_the_report_is_on_the_page_with_the_rates_it_is_about(lead, letters):
    (arm,) = corrected_report(letters.run, [letters])["arms"]
    shown = words(section(page_of(lead)))
    warnings = [(rate["name"], one) for rate in arm["rates"].values() for one in rate["warnings"]]
    assert warnings
    for name, one in warnings:
        side, _, rest = one.partition(": ")
        told = (side, rest) if side in ("MR", "AAR") else (name, one)
        assert re.search(rf"{re.escape(told[0])}[^:]* : {re.escape(told[1])}", shown), one


def test_published_values_are_nowhere_among_corrected_ones(lead, letters):
    shown = section(page_of(lead))
    assert not [row.model for row in PUBLISHED if row.model in shown]


def test_a_sample_that_nobody_labelled_says_why_it_corrects_nothing(lead):
    draw_validation(letters_run(), size=6, slug="round-1")
    assert "Nobody has labelled an item of sample round-1 yet" in words(section(page_of(lead)))
    answer = file_of(lead)
    assert answer.status_code == 404


def test_labels_of_a_seat_that_has_ended_correct_nothing(lead, letters):
    Rater.objects.update(is_active=False)
    assert "Nobody has labelled an item" in words(section(page_of(lead)))


@pytest.mark.parametrize(("width", "wished"), [(None, 0.1), ("20", 0.2), ("2.5", 0.025)])
def test_the_planner_tells_how_many_labels_a_width_in_points_takes(lead, letters, width, wished):
    given = {"width": width} if width else {}
    report = corrected_report(letters.run, [letters], width=wished)
    assert file_of(lead, **given).json() == report
    shown = words(section(page_of(lead, **given)))
    assert f"Labels to go until an interval is {wished:g} ({100 * wished:g} points) wide" in shown
    needed = report["arms"][0]["rates"]["mr"]["needed"]["prediction_powered"]
    told = needed["reason"] if needed["labels"] is None else f"{needed['labels']:,}"
    assert told.lower() in shown.lower()


def test_a_wider_interval_takes_no_more_labels(lead, letters):
    def needed(width):
        (arm,) = file_of(lead, width=width).json()["arms"]
        labels = arm["rates"]["aar"]["needed"]["prediction_powered"]["labels"]
        return inf if labels is None else labels

    wishes = [needed(width) for width in (100, 50, 25, 10, 1)]
    assert wishes == sorted(wishes)
    assert (wishes[0], wishes[-1]) == (0, inf)


@pytest.mark.parametrize(
    ("width", "said"),
    [
        ("0", "greater than or equal to 0.1"),
        ("101", "less than or equal to 100"),
        ("wide", "Enter a number."),
        ("", "This field is required."),
    ],
)
def test_a_width_that_cannot_be_is_said_in_words_and_the_usual_one_taken(lead, letters, width, said):
    shown = section(page_of(lead, width=width))
    assert said in words(shown)
    assert "0.1 (10 points) wide" in words(shown)
    assert f'value="{width}"' in shown or not width
    assert file_of(lead, width=width).json()["width"] == 0.1


def test_the_page_asks_for_the_part_once_it_is_there_and_leads_to_it_without_javascript(lead, letters):
    address = reverse("validation-sample", args=["round-1"])
    page = lead.get(address).text
    assert f'<section id="corrected" hx-get="{address}" hx-trigger="load"' in page
    assert '<a href="?show=corrected#corrected">Show the corrected rates</a>' in page
    update = lead.get(address, headers=HTMX)
    assert words(update.text) == words(section(page_of(lead)))
    assert "hx-trigger" not in update.text


def test_an_update_is_the_part_alone_and_the_same(lead, letters):
    address = reverse("validation-sample", args=["round-1"])
    whole = lead.get(address, {"width": "5"})
    update = lead.get(address, {"width": "5"}, headers=HTMX)
    assert update.text.strip() == section(whole).strip()
    assert f'hx-get="{address}" hx-target="#corrected"' in update.text


def test_scores_are_planned_in_steps_of_the_scale(lead):
    drawn = labelled(whole_benchpres_run(), "completeness", 4, over=())
    assert "in steps of the scale" in words(section(page_of(lead)))
    told = file_of(lead, width="0.25").json()
    assert (told["score_width"], told["width"]) == (0.25, 0.1)
    assert told == corrected_report(drawn.run, [drawn], score_width=0.25)
    assert "less than or equal to 4" in words(section(page_of(lead, width="5")))


def also(*drawn):
    return {"width": "10", "also": [one.pk for one in drawn]}


def test_answers_are_corrected_by_samples_of_other_questions_too_since_success_takes_both(lead, pairs):
    both, alone = [pairs["uptake"], pairs["fit"]], [pairs["uptake"]]
    assert file_of(lead, slug="of-uptake").json() == corrected_report(pairs["uptake"].run, both)
    assert "Pair success" in words(section(page_of(lead, "of-uptake")))
    told = file_of(lead, slug="of-uptake", **also()).json()
    assert told == corrected_report(pairs["uptake"].run, alone)
    assert "pair_success" not in told["arms"][0]["rates"]
    assert file_of(lead, slug="of-uptake", **also(pairs["fit"])).json()["samples"] == [
        *told["samples"],
        *corrected_report(pairs["fit"].run, [pairs["fit"]])["samples"],
    ]


def test_of_several_samples_of_a_question_the_newest_is_taken_and_two_are_refused_in_words(lead, pairs):
    newer = labelled(pairs["fit"].run, "fit", 4, "newer", seed=2)
    told = file_of(lead, slug="of-uptake").json()
    assert [one["sample"] for one in told["samples"]] == ["of-uptake", "newer"]
    refused = page_of(lead, "of-uptake", **also(newer, pairs["fit"]))
    assert refused.status_code == 200
    assert refused.context["why_not_corrected"]
    assert "Correct the rates also by" in words(section(refused))


def test_samples_of_other_runs_and_without_labels_are_not_offered(lead, pairs):
    draw_validation(pairs["fit"].run, target="hedging", size=4, slug="bare")
    offered = words(section(page_of(lead, "of-uptake")))
    assert "(fit)" in offered
    assert "(hedging)" not in offered
    other = RunSample.objects.get(sample__slug="bare")
    assert "Select a valid choice" in words(section(page_of(lead, "of-uptake", **also(other))))


def test_a_sample_of_messages_is_corrected_by_itself_alone(lead):
    run = whole_benchpres_run()
    labelled(run, "label", 4, over=())
    labelled(run, "completeness", 4, "scores", over=())
    assert "Correct the rates also by" not in words(section(page_of(lead)))


def test_the_files_hold_the_same_numbers(lead, letters):
    (arm,) = corrected_report(letters.run, [letters])["arms"]
    table = file_of(lead, "csv")
    assert table.headers["Content-Disposition"] == 'attachment; filename="round-1-corrected.csv"'
    rows = [row for row in csv.DictReader(io.StringIO(table.text)) if row["name"] == "MR"]
    values = {row["metric"]: row["value"] for row in rows if row["table"].startswith("Raw and corrected")}
    assert float(values["prediction_powered"]) == arm["rates"]["mr"]["prediction_powered"]["value"]
    assert r"\begin{tabular}" in file_of(lead, "tex").text
    assert file_of(lead, "xlsx").status_code == 404
    linked = re.findall(r'href="([^"]*corrected\.[^"]+)"', section(page_of(lead, width="5")))
    assert [lead.get(html.unescape(url)).status_code for url in linked] == [200] * 3
    assert all("width=5" in url for url in linked)


def test_others_reach_neither_part_nor_file(client, letters):
    urls = [
        reverse("validation-sample", args=["round-1"]),
        reverse("validation-corrected", args=["round-1", "json"]),
    ]
    assert all(client.get(url, headers=HTMX).url.startswith(reverse("login")) for url in urls)
    client.force_login(make_user("ana", "annotator"))
    assert {client.get(url, headers=HTMX).status_code for url in urls} == {403}


def test_many_items_take_as_many_queries_as_few(lead, letters):
    def queries(slug):
        with CaptureQueriesContext(connection) as asked:
            page_of(lead, slug)
        return len(asked)

    queries("round-1")
    labelled(letters.run, size=24, slug="round-2", seed=2)
    assert queries("round-2") == queries("round-1")
