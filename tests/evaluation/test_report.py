"""The report of a run: rates from rows, counts that add up, and each of its forms."""

import csv
import io
import json
import re

import pytest
from django.core.management import CommandError, call_command

from evaluation.benchpres.published import PUBLISHED
from evaluation.models import Verdict
from evaluation.reports import run_report
from tests.evaluation.factories import (
    add_call,
    add_judge,
    end_generation,
    finish_run,
    give_verdict,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)

pytestmark = pytest.mark.django_db


def report_of(run, form):
    out = io.StringIO()
    call_command("report", str(run.pk), format=form, stdout=out)
    return out.getvalue()


def test_rates_come_with_numerator_denominator_and_interval():
    # Bank: tone followed, nickname not, both gold suppress, for two profiles -> MR 2/4. Doctor: tone 2/2.
    found = run_report(finish_run(make_run()))["conditions"]["default"]
    assert (found["mr"]["value"], found["mr"]["numerator"], found["mr"]["denominator"]) == (0.5, 2, 4)
    assert (found["aar"]["value"], found["aar"]["numerator"], found["aar"]["denominator"]) == (1, 2, 2)
    assert found["gap"]["value"] == 0.5
    assert found["mr"]["interval"]["low"] <= 0.5 <= found["mr"]["interval"]["high"]
    assert found["gap"]["undefined_reason"] is None
    assert found["without_gold"] == 2


def test_parts_are_told_by_domain_and_by_category():
    found = run_report(finish_run(make_run()))["conditions"]["default"]
    assert {name: part["mr"]["denominator"] for name, part in found["by_domain"].items()} == {
        "finance": 4,
        "legal": 4,
        "health": 0,
    }
    assert found["by_domain"]["health"]["mr"]["undefined_reason"] == "no instance has the gold label suppress"
    assert found["by_category"]["tone"]["mr"]["value"] == 1
    assert found["by_category"]["nickname"]["mr"]["value"] == 0


def test_each_condition_has_its_own_rates_and_counts():
    run = finish_run(make_run(conditions=("default", "mitigation")))
    verdicts = Verdict.objects.filter(generation__run=run, generation__condition="mitigation")
    verdicts.update(value=0)
    found = run_report(run)["conditions"]
    assert found["default"]["mr"]["value"] == 0.5
    assert found["mitigation"]["mr"]["value"] == 0
    assert found["mitigation"]["counts"]["generations"]["done"] == 4


def test_every_unit_is_counted_under_the_way_it_ended_and_its_reason():
    run = make_run()
    done, unread, failed, skipped = run.generations.all()
    end_generation(done)
    end_generation(unread, "not_read", "empty")
    end_generation(failed, "failed", "context too long")
    end_generation(skipped, "skipped", "cancelled")
    judge = run.judges.get()
    give_verdict(done, "tone", None, judge=judge, reason="off the menu")
    give_verdict(done, "nickname", 0)
    counts = run_report(run)["counts"]
    assert counts["generations"] == {
        "units": 4,
        "planned": 0,
        "done": 1,
        "not_read": {"empty": 1},
        "failed": {"context too long": 1},
        "skipped": {"cancelled": 1},
    }
    assert counts["verdicts"]["not_read"] == {"off the menu": 1}
    assert counts["not_read"] == {"empty": 1, "off the menu": 1}
    assert counts["done"] == 2
    for kind in (counts, counts["generations"], counts["verdicts"]):
        ended = sum(sum(kind[outcome].values()) for outcome in ("not_read", "failed", "skipped"))
        assert kind["units"] == kind["planned"] + kind["done"] + ended


def test_an_unread_verdict_is_in_no_denominator():
    run = finish_run(make_run())
    verdict = Verdict.objects.filter(
        generation__context__recipient="Bank", preference__category="tone"
    ).first()
    verdict.outcome, verdict.value, verdict.reason = "not_read", None, "truncated"
    verdict.save()
    found = run_report(run)["conditions"]["default"]
    assert (found["mr"]["numerator"], found["mr"]["denominator"]) == (1, 3)
    assert found["without_verdict"] == 1


def test_a_run_that_has_not_begun_has_reasons_in_place_of_numbers():
    report = run_report(make_run())
    found = report["conditions"]["default"]
    assert found["mr"]["value"] is None
    assert "of 4 with the gold label suppress, none has a verdict" in found["mr"]["undefined_reason"]
    assert report["duration_seconds"] is None
    assert report["tokens"]["subject"]["input"] is None


def test_tokens_of_subject_and_judges_stand_apart_and_unknown_is_not_zero():
    run = finish_run(make_run())
    report = run_report(run)
    assert report["tokens"]["subject"] == {
        "input": 400,
        "cached": 320,
        "output": 80,
        "reasoning": None,
        "calls_without_count": 0,
    }
    assert report["tokens"]["judges"]["input"] == 200
    assert report["calls"] == {
        "subject": 4,
        "judges": 4,
        "repeated": 0,
        "may_be_billed_twice": 0,
        "perhaps_lost": 0,
    }
    assert report["duration_seconds"] == 90
    add_call(run.generations.first(), attempt=2, input_tokens=None, output_tokens=None)
    assert run_report(run)["tokens"]["subject"]["calls_without_count"] == 1
    assert run_report(run)["calls"]["repeated"] == 1


def test_with_two_judges_the_first_counts_and_each_is_told_by_itself():
    run = finish_run(make_run())
    second = add_judge(run, make_endpoint("second"))
    for generation in run.generations.all():
        give_verdict(generation, "tone", 0, judge=second)
    found = run_report(run)["conditions"]["default"]
    assert found["mr"]["value"] == 0.5
    assert [row["mr"]["value"] for row in found["by_judge"]] == [1, 0]
    assert [row["judge"]["name"] for row in found["by_judge"]] == ["judge", "second"]


@pytest.mark.parametrize(
    ("make", "notice"),
    [
        (lambda: make_run(endpoint=make_endpoint(is_embedded=True)), "only show that the path works"),
        (lambda: make_run(judges=[make_endpoint("j", is_embedded=True)]), "cannot judge reliably"),
        (lambda: make_run(make_release(make_corpus(), is_example=True)), "no recruited person gave"),
        (lambda: make_run(endpoint=(one := make_endpoint()), judges=[one]), "judges its own messages"),
        (make_run, "The run has not been started: no model was asked anything yet."),
        (
            lambda: make_run(state="paused"),
            "The run is paused. The numbers are those of what has ended so far.",
        ),
        (
            lambda: make_run(state="stopped", state_reason="unknown model"),
            "run is stopped: unknown model.",
        ),
    ],
)
def test_what_a_reader_must_know_stands_above_the_numbers(make, notice):
    run = make()
    assert any(notice in line for line in run_report(run)["notices"])
    assert notice in report_of(run, "text")


def test_a_clean_finished_run_needs_no_notice():
    assert run_report(finish_run(make_run()))["notices"] == []


def test_messages_that_were_cut_are_counted():
    run = finish_run(make_run())
    run.generations.filter(pk=run.generations.first().pk).update(reason="cut by the length limit")
    number = run.generations.count()
    assert f"1 of {number} messages were cut by the length limit" in run_report(run)["notices"][0]


def test_a_corpus_that_changed_since_is_told():
    run = finish_run(make_run())
    run.dataset.versions.create(version=2, content_hash="e" * 64, file_name="f", file_hash="g" * 64)
    assert "the run used version 1, the newest is 2" in run_report(run)["notices"][0]


def test_the_plan_names_everything_that_explains_the_numbers():
    plan = run_report(make_run())["plan"]
    assert plan["dataset"] == "letters"
    assert plan["gold_release"] == "letters-1"
    assert plan["endpoint"]["model"] == "model-of-subject"
    assert plan["judges"][0]["judge"]["model"] == "model-of-judge"
    assert (plan["profiles"], plan["contexts"], plan["samples"], plan["seed"]) == (2, 2, 1, 7)
    assert plan["prompt_hashes"]


def test_the_json_form_is_the_report_itself():
    run = finish_run(make_run())
    told, report = json.loads(report_of(run, "json")), run_report(run)
    assert told["conditions"] == report["conditions"]
    assert told["counts"] == report["counts"]


def test_the_text_form_says_rates_counts_and_intervals_and_sets_published_values_apart():
    text = report_of(finish_run(make_run()), "text")
    assert re.search(r"MR % +50\.00 +2 of 4 +\[50\.00 to 50\.00", text)
    assert re.search(r"Gap, points +50\.00 +\[", text)
    ours, published = text.split("For comparison only, not measured here")
    assert "arXiv 2603.16557" in published
    assert all(row.model in published and row.model not in ours for row in PUBLISHED)


def test_the_csv_form_has_a_row_a_metric_and_runs_no_formula():
    release = make_release(make_corpus())
    release.dataset.contexts.filter(recipient="Bank").update(domains=["=1+1"])
    rows = list(csv.DictReader(io.StringIO(report_of(finish_run(make_run(release)), "csv"))))
    whole = {row["metric"]: row for row in rows if row["part"] == "all"}
    assert (whole["mr"]["value"], whole["mr"]["numerator"], whole["mr"]["denominator"]) == ("0.5", "2", "4")
    assert {row["name"] for row in rows if row["part"] == "domain"} == {"'=1+1", "health"}
    assert [row["undefined_reason"] for row in rows if row["name"] == "health" and row["metric"] == "mr"] == [
        "no instance has the gold label suppress"
    ]


@pytest.mark.parametrize("name", ["77", "-1", "x"])
def test_a_run_that_is_not_there_is_a_clear_error(name):
    run = make_run()
    with pytest.raises(CommandError, match=f"expected the number of a run \\(the newest is {run.pk}\\)"):
        call_command("report", "--format=text", "--", name)


def test_last_is_the_newest_run():
    make_run()
    newest = make_run(make_release(make_corpus("more")), endpoint=make_endpoint("b"), judges=[])
    out = io.StringIO()
    call_command("report", "last", format="json", stdout=out)
    assert json.loads(out.getvalue())["run"] == newest.pk


def test_few_clusters_are_told_to_make_intervals_too_narrow():
    run = finish_run(make_run())
    assert "too narrow" in run_report(run)["conditions"]["default"]["resampling"]["note"]
    assert "too narrow" in report_of(run, "text")


def test_intervals_resample_whole_profiles_on_request():
    run = finish_run(make_run())
    by_profile = run_report(run, "profile")["conditions"]["default"]
    assert by_profile["resampling"]["clusters"] == 2
    assert by_profile["resampling"]["method"].endswith("whole profiles")
    assert by_profile["mr"]["value"] == run_report(run)["conditions"]["default"]["mr"]["value"]
    out = io.StringIO()
    call_command("report", str(run.pk), resample="profile", stdout=out)
    assert "whole profiles: 1,000 resamples of 2" in out.getvalue()


def test_the_latex_form_is_tables_and_runs_no_command():
    release = make_release(make_corpus())
    release.dataset.contexts.filter(recipient="Bank").update(domains=["a_b & \\input{x}"])
    text = report_of(finish_run(make_run(release)), "latex")
    assert text.count("\\begin{table}") == text.count("\\end{table}") > 3
    assert r"a\_b \& \textbackslash{}input\{x\}" in text
