"""Runs through the API: planned, started, paused, resumed, cancelled, watched, reported."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from annotate.models import GoldRelease
from evaluation.models import Run
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.factories import (
    add_call,
    end_generation,
    finish_run,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)

ADDRESS = "/api/v1/runs/"


@pytest.fixture
def release(db) -> GoldRelease:
    """Gold of the corpus `letters`, and two endpoints to name."""
    make_endpoint("subject")
    make_endpoint("judge")
    return make_release(make_corpus())


def plan(lead, **changes):
    wanted = {
        "dataset": "letters",
        "gold": "letters-1",
        "endpoint": "subject",
        "judges": [{"endpoint": "judge"}],
    } | changes
    return lead.post(ADDRESS, wanted, format="json")


def act(lead, run: int, verb: str):
    return lead.post(f"{ADDRESS}{run}/{verb}/")


def test_a_lead_plans_a_run_and_nothing_is_sent(lead, release):
    answer = plan(lead, samples=2, seed=4, temperatures=[0.5], conditions=["default", "mitigation"])
    assert answer.status_code == 201
    planned = answer.json()
    assert planned == lead.get(f"{ADDRESS}{planned['id']}/").json()
    assert planned["judges"] == [{"endpoint": "judge", "duty": "labels", "category": "", "is_subject": False}]
    assert (planned["dataset"], planned["gold"], planned["endpoint"]) == ("letters", "letters-1", "subject")
    run = Run.objects.get()
    assert (run.state, run.samples, run.seed, run.arms[0]["temperature"]) == ("planned", 2, 4, 0.5)
    assert run.conditions == ["default, temperature 0.5", "mitigation, temperature 0.5"]
    assert run.created_by.username == "lead"
    assert run.generations.count() == 2 * 2 * 2 * 2
    assert not DBTaskResult.objects.exists()


def test_a_run_can_be_a_part_of_the_corpus(lead, release):
    plan(lead, samples=1, profiles=1, contexts=1)
    plan(lead, samples=1, profiles=["p2"])
    part, person = Run.objects.order_by("pk")
    assert part.generations.count() == 1
    assert set(person.generations.values_list("profile__key", flat=True)) == {"p2"}


def test_a_category_can_have_its_own_judge_and_the_subject_is_marked(lead, release):
    judges = [{"endpoint": "judge"}, {"endpoint": "subject", "duty": "labels", "category": "tone"}]
    assert plan(lead, judges=judges).json()["judges"] == [
        {"endpoint": "judge", "duty": "labels", "category": "", "is_subject": False},
        {"endpoint": "subject", "duty": "labels", "category": "tone", "is_subject": True},
    ]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"dataset": "lost"}, "lost"),
        ({"gold": "letters-9"}, "There is no gold release 'letters-9'; expected one of: letters-1."),
        ({"endpoint": "lost"}, "endpoint: There is no endpoint of that name; make it first. Found 'lost'."),
        ({"judges": [{"endpoint": "lost"}]}, "judges.0.endpoint: There is no endpoint of that name"),
        ({"judges": []}, "No judge is named for tone"),
        (
            {"judges": [{"endpoint": "judge", "duty": "labels", "category": "style"}]},
            "no preferences to judge in category style",
        ),
        ({"conditions": ["loud"]}, "loud"),
        ({"conditions": []}, "at least one condition"),
        ({"benchmark": "other"}, "expected one of benchpres, pairpref"),
        ({"samples": 0}, "samples: Ensure this value is greater than or equal to 1. Found 0."),
        (
            {"profiles": 0},
            "profiles: Expected a number of at least 1, or a list of keys of profiles. Found 0.",
        ),
        ({"profiles": True}, "Found True."),
        ({"profiles": ["p9"]}, "has no profile p9; expected some of p1, p2."),
        ({"contexts": "all"}, "contexts: A valid integer is required. Found 'all'."),
        ({"temperatures": [5]}, "temperatures.0: "),
        ({"seed": 2**63}, "seed: "),
        ({"samples": 1_001}, "samples: "),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_words(lead, release, wrong, words):
    answer = plan(lead, **wrong)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert not Run.objects.exists()


def test_the_largest_seed_is_taken(lead, release):
    assert plan(lead, seed=2**63 - 1).json()["seed"] == 2**63 - 1


def test_gold_of_another_dataset_is_refused(lead, release):
    make_release(make_corpus("others"))
    answer = plan(lead, gold="others-1")
    assert answer.status_code == 400
    assert "Gold release others-1 is of dataset others; expected one of letters." in answer.json()["detail"]


def test_a_started_run_is_in_the_queue(lead, release):
    run = plan(lead).json()["id"]
    answer = act(lead, run, "start")
    assert (answer.status_code, answer.json()["state"]) == (200, "running")
    assert answer.json()["started_at"]
    assert DBTaskResult.objects.count() == Run.objects.get().shards.count() > 0


def test_a_run_is_paused_resumed_and_cancelled(lead, release):
    run = plan(lead).json()["id"]
    states = [act(lead, run, verb).json()["state"] for verb in ("start", "pause", "resume", "cancel")]
    assert states == ["running", "paused", "running", "cancelled"]
    counts = lead.get(f"{ADDRESS}{run}/report/").json()["counts"]
    assert counts["planned"] == 0
    assert sum(counts["skipped"].values()) == counts["units"] > 0


def test_what_a_run_cannot_do_in_its_state_is_refused_in_words(lead, release):
    run = plan(lead).json()["id"]
    answer = act(lead, run, "pause")
    assert answer.status_code == 400
    assert answer.json()["detail"] == f"Run {run} is planned; expected one that is running."


def test_the_status_tells_progress_rate_and_time_left(lead, db):
    run = make_run(state="running", started_at=timezone.now() - timedelta(seconds=30))
    for generation in run.generations.all()[:2]:
        end_generation(generation)
        add_call(generation, started_at=timezone.now() - timedelta(seconds=10))
    status = lead.get(f"{ADDRESS}{run.pk}/status/").json()
    assert status["generations"] == {"ended": 2, "planned": 4}
    assert status["verdicts"] == {"ended": 0, "planned": 8}
    assert status["share"] == pytest.approx(2 / 12)
    assert status["calls_per_second"] == pytest.approx(2 / 30, rel=0.1)
    assert status["seconds_left"] == pytest.approx(6 / status["calls_per_second"])


def test_a_run_that_has_not_started_has_neither_rate_nor_time_left(lead, db):
    status = lead.get(f"{ADDRESS}{make_run().pk}/status/").json()
    assert (status["state"], status["share"]) == ("planned", 0)
    assert status["calls_per_second"] is status["seconds_left"] is None


def test_the_report_is_that_of_the_page(lead, db):
    run = finish_run(make_run(samples=2))
    browser = Client()
    browser.force_login(lead.handler._force_user)
    page = browser.get(f"/runs/{run.pk}/report.json").json()
    report = lead.get(f"{ADDRESS}{run.pk}/report/").json()
    for times in (page["plan"], report["plan"]):
        times.pop("created_at")
    assert report == page
    mr = report["conditions"]["default"]["mr"]
    assert set(mr) >= {"value", "numerator", "denominator", "interval", "undefined_reason"}


def test_the_table_is_that_of_the_page(lead, db):
    run = finish_run(make_run())
    browser = Client()
    browser.force_login(lead.handler._force_user)
    table = lead.get(f"{ADDRESS}{run.pk}/report.csv")
    assert table.content == browser.get(f"/runs/{run.pk}/report.csv").content
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert rows[0]["metric"] == "mr"


def test_runs_are_listed_newest_first(lead, release):
    numbers = [plan(lead).json()["id"] for _ in range(3)]
    listed = lead.get(f"{ADDRESS}?limit=2").json()
    assert (listed["count"], [run["id"] for run in listed["results"]]) == (3, numbers[:0:-1])


def test_a_list_asks_the_database_the_same_few_questions_however_long(
    lead, release, django_assert_max_num_queries
):
    for _ in range(5):
        plan(lead)
    with django_assert_max_num_queries(6):
        lead.get(ADDRESS)


def test_a_pairpref_run_is_planned_by_its_own_options(lead):
    make_pair_dataset()
    make_endpoint("subject")
    make_endpoint("judge")
    wanted = {
        "benchmark": "pairpref",
        "dataset": "pairs",
        "endpoint": "subject",
        "judges": [{"endpoint": "judge"}],
        "tracks": ["selection", "generation"],
        "controls": ["full", "no_memory"],
        "pairs": 2,
        "token_limit": 1_000_000,
    }
    planned = lead.post(ADDRESS, wanted, format="json").json()
    assert planned["conditions"] == [
        "selection",
        "selection, no_memory",
        "generation",
        "generation, no_memory",
    ]
    assert (planned["gold"], planned["judges"][0]["duty"], planned["token_limit"]) == (
        None,
        "answers",
        1_000_000,
    )
    assert Run.objects.get().generations.count() == 2 * 2 * 4
    refused = lead.post(ADDRESS, wanted | {"tracks": []}, format="json")
    assert (refused.status_code, Run.objects.count()) == (400, 1)


def test_a_construction_run_is_planned_and_collects_nothing_before_something_passed(lead):
    make_pair_dataset()
    for name in ("writer", "verifier", "screener"):
        make_endpoint(name)
    wanted = {
        "benchmark": "construction",
        "dataset": "pairs",
        "endpoint": "writer",
        "verifier": "verifier",
        "screener": "screener",
        "categories": ["occasion"],
        "preferences": ["M01"],
    }
    planned = lead.post(ADDRESS, wanted, format="json").json()
    assert planned["conditions"] == ["occasion, clean", "occasion, distractor"]
    answer = lead.post(f"{ADDRESS}{planned['id']}/collect/", {"dataset": "new"}, format="json")
    assert answer.status_code == 400
    assert "passed every stage" in str(answer.json())


def test_limits_and_the_estimate_are_told_and_set(lead, release):
    number = plan(lead, samples=1).json()["id"]
    estimate = lead.get(f"{ADDRESS}{number}/estimate/").json()
    assert [(share["who"], share["calls"]) for share in estimate["shares"]] == [
        ("subject", 4),
        ("judge 1", 4),
        ("in all", 8),
    ]
    assert estimate["shares"][-1]["cost"] is None
    answer = lead.put(f"{ADDRESS}{number}/limits/", {"cost_limit": None, "token_limit": 5}, format="json")
    assert answer.json()["token_limit"] == 5
    refused = act(lead, number, "start")
    assert refused.status_code == 400
    assert "5" in str(refused.json())


def test_a_prompt_is_added_once_and_named_as_a_condition(lead, release):
    text = "# User Knowledge Memories\n$memory\n\nTo $recipient: $task"
    added = lead.post("/api/v1/prompts/", {"name": "short", "text": text}, format="json").json()
    again = lead.post("/api/v1/prompts/", {"name": "short", "text": text}, format="json").json()
    assert (added["condition"], again["condition"]) == ("short-1", "short-1")
    assert plan(lead, conditions=["default", "short-1"]).json()["conditions"] == ["default", "short-1"]
    refused = lead.post("/api/v1/prompts/", {"name": "bad", "text": "$memory"}, format="json")
    assert (refused.status_code, "expected just $memory, $recipient and $task" in str(refused.json())) == (
        400,
        True,
    )


def test_figures_and_latex_are_files_of_the_api_too(lead):
    run = finish_run(make_run())
    assert lead.get(f"{ADDRESS}{run.pk}/figures/plane-dark.png").content.startswith(b"\x89PNG")
    assert lead.get(f"{ADDRESS}{run.pk}/report.tex").content.startswith(b"\\begin{table}")


def test_the_exact_messages_of_a_unit_are_told_before_anything_is_sent(lead, release):
    number = plan(lead, samples=1).json()["id"]
    row = Run.objects.get(pk=number).generations.first()
    told = lead.get(f"{ADDRESS}{number}/generations/{row.pk}/").json()
    model, judge = told["asked"]
    assert told["key"] == row.key
    assert (model["who"], judge["who"]) == ("subject", "judge")
    assert model["messages"][0]["content"].startswith("# User Knowledge Memories\n- Has 1 cats.")
    assert "Likes sarcasm." in judge["messages"][0]["content"]
    assert lead.get(f"{ADDRESS}{number + 1}/generations/{row.pk}/").status_code == 404
