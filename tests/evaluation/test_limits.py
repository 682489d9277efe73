"""What a run may cost: told before it starts, held while it runs, unknown never taken for nothing."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.problems import Problem
from evaluation.actions import resume_run, set_limits, start_run
from evaluation.models import Run
from evaluation.spending import beyond_limits, run_estimate, run_spending
from tests.annotate.factories import make_user
from tests.evaluation.factories import add_call, make_endpoint, make_run
from tests.evaluation.fake_endpoint import fake_endpoint
from tests.evaluation.runs import endpoint_named, planned_run, work

pytestmark = pytest.mark.django_db(transaction=True)
PRICES = {"input": 1, "cached": 0.1, "output": 10}


def test_the_estimate_counts_every_call_and_prices_what_has_a_price():
    run = planned_run("http://127.0.0.1:9/v1", subject={"prices": PRICES, "parameters": {"max_tokens": 100}})
    estimated = run_estimate(run)
    subject, judge = estimated.shares
    assert (subject.calls, judge.calls, estimated.total.calls) == (4, 4, 8)
    assert subject.output_tokens == 400
    assert subject.cost == (subject.input_tokens + 400 * 10) / Decimal(1_000_000)
    assert (judge.cost, estimated.unknown) == (None, ("judge 1",))


def test_a_run_above_its_limit_does_not_start():
    run = planned_run("http://127.0.0.1:9/v1", token_limit=10)
    with pytest.raises(Problem, match="10"):
        start_run(run)
    run.refresh_from_db()
    assert (run.state, run.calls.count()) == ("planned", 0)


def test_a_limit_of_money_needs_a_price_or_a_limit_of_tokens():
    run = planned_run("http://127.0.0.1:9/v1", cost_limit="5")
    with pytest.raises(Problem, match="no price is known for subject and judge 1"):
        start_run(run)
    set_limits(run, cost_limit="5", token_limit=1_000_000)
    start_run(run)
    assert run.state == "running"


def test_a_run_that_has_spent_its_limit_stops_says_so_and_goes_on_once_it_may(monkeypatch):
    monkeypatch.setattr("evaluation.running.execution.SECONDS_BETWEEN_LOOKS", 0.0)
    with fake_endpoint() as endpoint:
        # Each answer takes 107 tokens, and 80 of them follow: the plan looks cheaper than it is.
        run = planned_run(endpoint.url, samples=10, subject={"parameters": {"max_tokens": 1}})
        set_limits(run, cost_limit=None, token_limit=run_estimate(run).total.tokens)
        Run.objects.filter(pk=run.pk).update(token_limit=200)
        run.state = "running"
        run.save(update_fields=["state"])
        work(run)
        assert run.state == "stopped"
        assert "more than its limit of 200" in run.state_reason
        assert 0 < run.calls.count() < 80
        set_limits(run, cost_limit=None, token_limit=None)
        resume_run(run)
        work(run)
    assert (run.state, run.calls.count()) == ("done", 80)


def test_spending_tells_model_and_judges_apart_and_unknown_is_not_zero():
    run = make_run(endpoint=make_endpoint(prices=PRICES), judges=[make_endpoint("judge")])
    generation = run.generations.first()
    add_call(generation)
    add_call(generation, generation.verdicts.exclude(judge=None).get())
    subject, judge = run_spending(run)
    # 20 fresh and 80 cached input tokens, 20 of output.
    assert subject.cost == Decimal("0.000228")
    assert (judge.calls, judge.cost, judge.price) == (1, None, "")
    add_call(generation, input_tokens=None, output_tokens=None, attempt=2)
    assert run_spending(run)[0].cost is None


def test_a_run_whose_spending_is_unknown_cannot_hold_its_limit():
    run = make_run(cost_limit=1)
    add_call(run.generations.first(), input_tokens=None, output_tokens=None)
    assert "unknown, so its limit cannot be held" in beyond_limits(run)


def test_a_run_that_has_spent_its_limit_asks_nothing_more_however_often_it_is_taken_up():
    with fake_endpoint() as endpoint:
        run = planned_run(endpoint.url)
        add_call(run.generations.first())
        Run.objects.filter(pk=run.pk).update(token_limit=100, state="running")
        run.refresh_from_db()
        work(run)
        assert (run.state, "more than its limit of 100" in run.state_reason) == ("stopped", True)
        with pytest.raises(Problem, match="Raise its limits to go on"):
            resume_run(run)
    assert endpoint.requests == []


def test_tokens_that_one_answer_did_not_tell_are_not_taken_for_none():
    run = make_run(token_limit=1_000)
    generation = run.generations.first()
    add_call(generation)
    assert beyond_limits(run) == ""
    add_call(generation, input_tokens=None, output_tokens=None, attempt=2)
    assert "unknown, so its limit cannot be held" in beyond_limits(run)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"cost_limit": "1e20"}, "limit of cost is '1e20'"),
        ({"cost_limit": "-1"}, "limit of cost is '-1'"),
        ({"cost_limit": "nan"}, "limit of cost is 'nan'"),
        ({"token_limit": 10**30}, r"limit of tokens is 1e\+30"),
        ({"token_limit": 0}, "limit of tokens is 0"),
    ],
)
def test_a_limit_out_of_range_is_refused_and_nothing_is_saved(limits, words):
    with pytest.raises(Problem, match=words):
        planned_run("http://127.0.0.1:9/v1", **limits)
    assert not Run.objects.exists()


def test_plan_run_tells_calls_tokens_and_cost_and_saves_nothing():
    run = planned_run("http://127.0.0.1:9/v1")
    endpoint_named("subject")
    plan = ["benchpres", "--dataset", "letters", "--gold", "letters-1", "--endpoint", "subject"]
    out = StringIO()
    call_command("plan_run", *plan, "--judge", "judge", "--samples", "1", stdout=out)
    assert "unknown" in out.getvalue()
    assert Run.objects.count() == 1
    with pytest.raises(CommandError, match=r"limit of cost is 'much'; expected US dollars such as 2\.50"):
        call_command("plan_run", *plan, "--judge", "judge", "--cost-limit", "much", stdout=StringIO())
    assert run.generations.count() == 4


def test_a_lead_sees_the_estimate_and_sets_the_limits_on_the_page(client):
    client.force_login(make_user("lea", "lead"))
    run = planned_run("http://127.0.0.1:9/v1", subject={"prices": PRICES})
    page = client.get(reverse("run", args=[run.pk])).text
    assert "What the run is expected to take" in page
    assert "unknown" in page
    client.post(reverse("run-limits", args=[run.pk]), {"cost_limit": "2.5", "token_limit": ""})
    run.refresh_from_db()
    assert (run.cost_limit, run.token_limit) == (Decimal("2.5"), None)
    answer = client.post(reverse("run-limits", args=[run.pk]), {"cost_limit": "-1"}, follow=True)
    assert "The limits were not set" in answer.text
