"""The report of a judging run: every item counted once, also from an archive and from replies read again."""

import io
import json
from collections import Counter

import pytest

from annotate.problems import Problem
from evaluation.actions.rereading import store_rereading
from evaluation.actions.validation_judging import judge_sample
from evaluation.comparisons import compare_runs, runs_beside
from evaluation.exporters.archive import export_run
from evaluation.importers.archive import parse_archive
from evaluation.models import Generation, Run
from evaluation.reporting.all_tables import report_tables
from evaluation.reporting.published_tables import published_tables
from evaluation.reporting.report import report_of
from evaluation.reports import run_report
from evaluation.running.rereading import reread
from tests.evaluation.factories import make_endpoint
from tests.evaluation.fake_endpoint import FOLLOW, fake_endpoint, says
from tests.evaluation.judging_runs import (
    TARGETS,
    behaviour,
    finished_run,
    judged,
    sampled_run,
)
from tests.evaluation.runs import endpoint_named
from tests.evaluation.sample_factories import make_sample
from tests.evaluation.test_archive import files_of, lines_of, zipped

pytestmark = pytest.mark.django_db

# What the judges of these tests say of four items.
TOLD = {
    "label": {"Does not follow": 0, "Follows": 4},
    "completeness": {"Not at all": 0, "Barely": 0, "In part": 0, "Well, with small faults": 4, "Fully": 0},
    "uptake": {"Not at all": 2, "In part, or silently": 0, "Plainly or centrally": 2},
    "fit": {"Does not fit": 0, "Fits": 4},
    "hedge": {"Commits itself": 4, "Hedges": 0},
}


def choices(run):
    return list(run.generations.order_by("pk").values_list("outcome", "reason", "choice"))


def _archived(run):
    file = io.BytesIO()
    export_run(Run.objects.get(pk=run.pk), file)
    return file.getvalue()


def _as_json(report):
    return json.loads(json.dumps(report, default=str))


def test_what_cannot_be_read_is_asked_again_and_counted_with_its_reason():
    with fake_endpoint(behaviour("label")) as endpoint:
        run_sample = sampled_run(endpoint.url)
        first, second = (item.texts["message"] for item in run_sample.sample.items.order_by("number")[:2])

        def behave(asked, times):
            if first in asked.prompt:
                return says("It might, or it might not.")
            return says("") if second in asked.prompt and times == 0 else says(FOLLOW)

        endpoint.behave, endpoint.times = behave, Counter()
        before = len(endpoint.requests)
        run = judged(run_sample)
        # Three times the first, twice the second, once each of the two others.
        assert len(endpoint.requests) - before == 7
    assert choices(run) == [("not_read", "off the menu", ""), *[("done", "", "1")] * 3]
    report = run_report(run)
    table = report_tables(report)[0]
    counted = {row.name: row.cells["items"] for row in table.rows}
    assert counted == {"Does not follow (0)": 0, "Follows (1)": 3, "answered, not read: off the menu": 1}
    assert sum(counted.values()) == run_sample.units.count()


@pytest.mark.parametrize("target", TARGETS)
def test_the_report_counts_the_items_of_each_value_and_names_the_sample(target):
    with fake_endpoint(behaviour(target)) as endpoint:
        run = judged(sampled_run(endpoint.url, target))
    report = run_report(run)
    assert {row["words"]: row["items"] for row in report["values"]} == TOLD[target]
    assert report["sample"]["sample"] == "first"
    assert "in the report of the sample First (first)" in report_tables(report)[0].note
    assert report["counts"]["generations"]["done"] == report["calls"]["subject"] == 4
    assert [row.name for row in report_tables(report)[1].rows] == ["judgements"]
    assert published_tables(run.benchmark) == []
    assert not any("its own answers" in notice for notice in report["notices"])


def test_a_planned_run_counts_every_item_as_not_asked_yet():
    with fake_endpoint(behaviour("label")) as endpoint:
        run = judge_sample(sampled_run(endpoint.url), endpoint_named("judge"))
    counted = {row.name: row.cells["items"] for row in report_tables(run_report(run))[0].rows}
    assert counted == {"Does not follow (0)": 0, "Follows (1)": 0, "not asked yet": 4}


def test_a_model_that_judges_its_own_answers_is_marked():
    with fake_endpoint(behaviour("label")) as endpoint:
        run_sample = sampled_run(endpoint.url)
        run = judged(run_sample, "subject")
    report = run_report(run)
    assert report["sample"]["judges_itself"]
    words = f"The judge is the model under test of run {run_sample.run_id}: it judges its own answers."
    assert words in report["notices"]


def test_an_embedded_judge_is_called_one_and_not_a_model_under_test():
    with fake_endpoint(behaviour("label")) as endpoint:
        run_sample = sampled_run(endpoint.url)
        make_endpoint("small", endpoint.url, is_embedded=True)
        notices = " ".join(run_report(judged(run_sample, "small"))["notices"])
    assert "A judge is the small model that comes with Tact. It cannot judge reliably" in notices
    assert "Its answers only show" not in notices


def test_stored_replies_are_read_again():
    with fake_endpoint(behaviour("completeness")) as endpoint:
        run = judged(sampled_run(endpoint.url, "completeness"))
    assert (reread(run).differences, reread(run).read["answer"]) == ([], 4)
    row = run.generations.order_by("pk").first()
    Generation.objects.filter(pk=row.pk).update(choice="", outcome="not_read", reason="malformed")
    (found,) = reread(run).differences
    assert (found.now["choice"], found.held_back) == ("4", "")
    assert found.name.startswith("completeness / item 1 / ")
    store_rereading(run)
    assert choices(run) == [("done", "", "4")] * 4


@pytest.mark.parametrize("target", TARGETS)
def test_the_archive_gives_the_same_report_and_names_the_items(target):
    with fake_endpoint(behaviour(target)) as endpoint:
        run = judged(sampled_run(endpoint.url, target))
    content = _archived(run)
    read = report_of(parse_archive(io.BytesIO(content), "run.zip"))
    assert _as_json(read) == _as_json(run_report(Run.objects.get(pk=run.pk)))
    assert sorted(line["item"] for line in lines_of(content, "generations.jsonl")) == [1, 2, 3, 4]


def test_an_archive_with_a_value_off_the_menu_or_of_an_unknown_question_is_refused():
    with fake_endpoint(behaviour("label")) as endpoint:
        files = files_of(_archived(judged(sampled_run(endpoint.url))))
    for name, old, new, words in [
        ("generations.jsonl", b'"choice": "1"', b'"choice": "2"', "field choice"),
        ("run.json", b'"question": "label"', b'"question": "love"', "field plan.validation.question"),
        ("run.json", b'"validation": {', b'"without": {', "field plan.validation"),
    ]:
        assert old in files[name]
        with pytest.raises(Problem, match=words):
            parse_archive(io.BytesIO(zipped(files | {name: files[name].replace(old, new)})), "run.zip")


def test_a_run_that_has_a_sample_and_judges_is_exported_as_before():
    with fake_endpoint(behaviour("label")) as endpoint:
        source = finished_run(endpoint.url, "label")
        before = _archived(source)
        judged(make_sample(source))
    assert _archived(source) == before


def test_judging_runs_are_compared_in_the_report_of_their_sample_alone():
    with fake_endpoint(behaviour("label")) as endpoint:
        run_sample = sampled_run(endpoint.url)
        run, other = judged(run_sample), judged(run_sample, "subject")
    for pair in [(run, other), (run, run_sample.run), (run_sample.run, run)]:
        with pytest.raises(Problem, match=r"judges the sample first; .* report of the sample"):
            compare_runs(*pair)
    assert not runs_beside(run).exists()
    assert not runs_beside(run_sample.run).exists()
