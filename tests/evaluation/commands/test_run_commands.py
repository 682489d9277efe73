"""The commands of endpoints and runs."""

import json
from contextlib import nullcontext
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.local_model import LocalModel
from evaluation.management.watching import work_and_watch
from evaluation.models import Endpoint, Run
from tests.evaluation.factories import make_corpus, make_endpoint, make_release
from tests.evaluation.fake_endpoint import fails, fake_endpoint


def run_command(*args, **options):
    out, err = StringIO(), StringIO()
    call_command(*args, stdout=out, stderr=err, **options)
    return out.getvalue()


PLAN = ["--dataset", "letters", "--gold", "letters-1", "--endpoint", "subject", "--judge", "judge"]


def make_parts(url="http://127.0.0.1:9/v1"):
    make_release(make_corpus())
    make_endpoint("subject", url)
    make_endpoint("judge", url)


@pytest.mark.django_db
def test_endpoint_is_added_with_the_name_of_its_key():
    run_command(
        "add_endpoint",
        "big",
        "--base-url=https://models.example.org/v1",
        "--model=big-1",
        "--key-env=BIG_KEY",
        '--parameters={"max_tokens": 400}',
        "--concurrency=16",
    )
    endpoint = Endpoint.objects.get()
    assert (endpoint.name, endpoint.key_env, endpoint.parameters) == ("big", "BIG_KEY", {"max_tokens": 400})
    assert (endpoint.concurrency, endpoint.is_embedded) == (16, False)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--base-url=nowhere", "base_url"),
        ("--key-env=sk-123", "key_env"),
        ("--parameters={", "--parameters is no JSON"),
        ("--parameters=[1]", "parameters"),
        ("--parameters=[]", "parameters"),
        ('--parameters={"stop": "\\u0000"}', "NUL"),
        ("--concurrency=0", "concurrency"),
    ],
)
def test_endpoint_that_cannot_be_is_refused_by_field(option, words):
    with pytest.raises(CommandError, match=words):
        run_command("add_endpoint", "big", "--base-url=https://a.example/v1", "--model=m", option)
    assert not Endpoint.objects.exists()


@pytest.mark.django_db
def test_benchmark_is_planned_and_queued():
    make_parts()
    said = json.loads(run_command("run_benchmark", "benchpres", *PLAN, "--samples=1", "--format=json"))
    run = Run.objects.get()
    assert said == {"run": run.pk, "state": "running"}
    assert run.generations.count() == 4


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("place", "name", "words"),
    [
        (1, "nothing", "nothing"),
        (3, "letters-9", "letters-9"),
        (5, "nobody", "nobody"),
        (7, "tone=nobody", "nobody"),
    ],
)
def test_name_that_there_is_not_is_said_with_those_that_are(place, name, words):
    make_parts()
    with pytest.raises(CommandError, match=words):
        run_command("run_benchmark", "benchpres", *PLAN[:place], name, *PLAN[place + 1 :])


@pytest.mark.django_db(transaction=True)
def test_waiting_for_a_benchmark_ends_with_its_report(quick):
    with fake_endpoint() as endpoint:
        make_parts(endpoint.url)
        said = run_command("run_benchmark", "benchpres", *PLAN, "--samples=1", "--wait", "--format=json")
    report = json.loads(said)
    assert report["state"] == "done"
    assert report["conditions"]["default"]["mr"]["value"] == 1.0
    assert report["calls"]["subject"] == report["calls"]["judges"] == 4


@pytest.mark.django_db(transaction=True)
def test_run_that_the_endpoint_stopped_ends_in_its_words_and_status_1(quick):
    with fake_endpoint(lambda asked, times: fails(401, "who are you")) as endpoint:
        make_parts(endpoint.url)
        with pytest.raises(CommandError, match=r"who are you.*\n?.*resume_run \d+ --wait"):
            run_command("run_benchmark", "benchpres", *PLAN, "--samples=1", "--wait")
    assert Run.objects.get().state == Run.State.STOPPED


@pytest.mark.django_db(transaction=True)
def test_demo_whose_run_stopped_ends_with_status_1(quick, monkeypatch):
    demo = "evaluation.management.commands.demo."
    with fake_endpoint(lambda asked, times: fails(401, "who are you")) as endpoint:
        model = LocalModel(endpoint.url, "tiny")
        monkeypatch.setattr(f"{demo}start_local_model", lambda port: nullcontext(model))
        monkeypatch.setattr(f"{demo}background_worker", nullcontext)
        monkeypatch.setattr(f"{demo}watch", work_and_watch)
        with pytest.raises(CommandError, match="is stopped: Endpoint embedded: HTTP 401: who are you"):
            run_command("demo", "--no-serve")
