"""Construction runs: four stages, every drop with its reason, what passes handed to review."""

import json
import re

import pytest

from annotate.models import Dataset
from annotate.pairs import ROLES
from annotate.problems import Problem
from evaluation.actions import collect_pairs
from evaluation.models import Generation
from evaluation.pairpref.construction import CHECKS
from evaluation.reports import run_report
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.fake_endpoint import fake_endpoint, says
from tests.evaluation.pair_runs import planned_construction
from tests.evaluation.runs import work

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = {
    "request": "Which kettle shall I take home from here?",
    "positive": (
        "We stand in the hardware shop on the square, the van is empty and the shelf at "
        "home has room to spare."
    ),
    "negative": (
        "We stand in the hardware shop on the square, the van is full and the shelf at "
        "home has no room to spare."
    ),
    "memory": (
        "Take the tall copper one with the curved spout, it pours slowly and keeps the "
        "water hot on a low flame."
    ),
    "acknowledged": (
        "Choose the flat steel model that folds away, though it lacks the look and the "
        "weight of the copper ones here."
    ),
    "plain": (
        "The small white enamel pot near the till is light, boils within minutes and "
        "fits under any seat or drawer."
    ),
    "off_task": (
        "Ask at the counter whether the locksmith upstairs still cuts spare keys before "
        "noon on the last Saturday of June."
    ),
}


def constructs(texts=TEXTS, fails_check="", chooses="plain"):
    """Write one candidate, fail one check, choose one role without context."""

    def behave(asked, times):
        if "You write one candidate of a test" in asked.prompt:
            return says(json.dumps(texts))
        if '{"checks"' in asked.prompt:
            checks = [{"id": name, "pass": name != fails_check} for name in CHECKS]
            return says(json.dumps({"checks": checks}))
        return says(re.search(rf"<([A-D])-\w+>\n{re.escape(texts[chooses])}", asked.prompt)[1])

    return behave


def finished(behave):
    with fake_endpoint(behave) as endpoint:
        run = planned_construction(endpoint.url)
        work(run)
    assert run.state == "done"
    return run, run_report(run)


def test_a_candidate_that_passes_every_stage_is_asked_once_verified_once_and_screened_three_times():
    run, report = finished(constructs())
    assert report["drops"] == {}
    assert report["stages"] == {"asked": 1, "written": 1, "rule checks": 1, "verification": 1, "screening": 1}
    assert (run.calls.filter(verdict=None).count(), run.calls.filter(verdict__isnull=False).count()) == (1, 4)
    (candidate,) = report["candidates"]
    assert candidate["texts"] == TEXTS
    assert re.fullmatch(r"M01-C2-c[0-9a-f]{5}", candidate["identifier"])


def test_a_candidate_that_breaks_a_rule_is_dropped_before_anything_else_is_asked():
    run, report = finished(constructs({**TEXTS, "positive": "Too short."}))
    (reason,) = report["drops"]
    assert reason.startswith("rule checks: ")
    assert "2 words; expected 14 to 40" in reason
    assert run.calls.filter(verdict__isnull=False).count() == 0
    assert report["counts"]["verdicts"]["skipped"] == {"dropped by the rule checks": 4}


def test_a_candidate_that_fails_a_check_is_dropped_before_screening():
    _, report = finished(constructs(fails_check="tier"))
    assert report["drops"] == {"verification: tier": 1}
    assert report["checks"]["tier"] == {"passed": 0, "failed": 1}
    assert report["counts"]["verdicts"]["skipped"] == {"dropped by verification": 3}


def test_a_candidate_whose_memory_reply_is_chosen_twice_is_dropped_without_a_third_call():
    run, report = finished(constructs(chooses="memory"))
    assert report["drops"] == {"screening: memory chosen 2 of 3 times": 1}
    assert run.calls.filter(verdict__target="screening").count() == 2


def test_screenings_show_request_and_replies_alone_at_temperature_1_each_in_an_order_of_its_own():
    with fake_endpoint(constructs()) as endpoint:
        run = planned_construction(endpoint.url)
        work(run)
    screenings = [asked for asked in endpoint.requests if "four replies to it" in asked.prompt]
    assert len(screenings) == 3
    for asked in screenings:
        assert asked.body["temperature"] == 1.0
        assert TEXTS["positive"] not in asked.prompt
        assert "holds preference" not in asked.prompt
    verdicts = run.generations.get().verdicts.filter(target="screening")
    assert [sorted(verdict.details["shown"]) for verdict in verdicts] == [sorted(ROLES)] * 3


def test_what_passed_becomes_a_dataset_once_and_collecting_again_changes_nothing():
    run, _ = finished(constructs())
    found = collect_pairs(run, slug="new-pairs")
    pair = found.dataset.pairs.get()
    assert (pair.category, pair.tier, pair.preference.key) == ("occasion", "clean", "M01")
    assert {reply.role: reply.text for reply in pair.replies.all()} == {role: TEXTS[role] for role in ROLES}
    assert pair.preference.companions.count() == 30
    again = collect_pairs(run, slug="new-pairs")
    assert (again.outcome, again.dataset.version) == ("unchanged", 1)


def test_pairs_are_not_put_under_another_preference_of_the_same_key():
    run, _ = finished(constructs())
    other = make_pair_dataset(preferences=1, pairs=1, slug="others")
    other.preferences.update(text="User holds something else.")
    with pytest.raises(Problem, match="Preference M01 is another one there"):
        collect_pairs(run, slug="others")
    assert other.pairs.count() == 1


def test_nothing_is_collected_where_nothing_passed():
    run, _ = finished(constructs(fails_check="flip"))
    with pytest.raises(Problem, match="No candidate of run"):
        collect_pairs(run, slug="new-pairs")
    assert not Dataset.objects.filter(slug="new-pairs").exists()


def test_a_candidate_that_cannot_be_read_is_dropped_as_not_read():
    _, report = finished(lambda asked, times: says("I cannot write this."))
    assert report["stages"]["written"] == 0
    (reason,) = report["drops"]
    assert reason.startswith("answered, not read: ")
    assert Generation.objects.get().outcome == "not_read"
