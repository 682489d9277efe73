"""Endpoints and runs from the terminal, against a real server on this machine."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from evaluation.models import Endpoint, Run
from tests.evaluation.factories import make_corpus, make_endpoint, make_release
from tests.evaluation.fake_endpoint import behaves_well, fails, fake_endpoint

pytestmark = pytest.mark.django_db(transaction=True)


def run(*arguments):
    """Run a command; return what it wrote to standard output."""
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def benchmark(*options):
    return run("run_benchmark", "benchpres", "--dataset", "letters", "--gold", "letters-1", *options)


@pytest.fixture
def release():
    return make_release(make_corpus())


def test_an_endpoint_is_added_with_the_name_of_its_keys_variable():
    report = json.loads(
        run(
            *("add_endpoint", "model-a", "--base-url", "https://models.example.org/v1", "--model", "a"),
            *("--key-env", "MODEL_KEY", "--parameters", '{"max_tokens": 9}', "--format", "json"),
        )
    )
    assert report["key_env"] == "MODEL_KEY"
    assert Endpoint.objects.get(name="model-a").parameters == {"max_tokens": 9}


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--key-env", "sk-abcdef0123456789", "key_env"),
        ("--base-url", "models.example.org", "base_url"),
        ("--parameters", "{max_tokens: 9}", "no JSON"),
        ("--parameters", "[]", "JSON object"),
        ("--parameters", '{"stop": "\\u0000"}', "NUL"),
    ],
)
def test_a_bad_endpoint_is_refused_and_a_key_is_not_repeated(option, value, words):
    options = {"--base-url": "https://models.example.org/v1", "--model": "a", option: value}
    with pytest.raises(CommandError) as refused:
        run("add_endpoint", "model-a", *(part for pair in options.items() for part in pair))
    assert words in str(refused.value)
    assert "sk-abc" not in str(refused.value)
    assert not Endpoint.objects.exists()


def test_waiting_works_on_the_run_and_prints_the_report(release):
    with fake_endpoint(behaves_well) as endpoint:
        make_endpoint("subject", endpoint.url)
        report = json.loads(
            benchmark(
                "--endpoint", "subject", "--judge", "subject", "--samples", 2, "--wait", "--format", "json"
            )
        )
    found = report["conditions"]["default"]
    assert report["state"] == "done"
    # The server signs every message Joker and finds every preference followed.
    assert (found["mr"]["numerator"], found["mr"]["denominator"]) == (8, 8)
    assert (found["aar"]["numerator"], found["aar"]["denominator"]) == (4, 4)
    assert found["counts"]["done"] == found["counts"]["units"] == 8 + 16
    assert set(found["mr"]) >= {"value", "numerator", "denominator", "interval", "undefined_reason"}


def test_without_waiting_the_run_is_queued(release):
    make_endpoint("subject", "http://127.0.0.1:9/v1")
    text = benchmark("--endpoint", "subject", "--judge", "tone=subject", "--profiles", "p2", "--contexts", 1)
    planned = Run.objects.get()
    assert f"Run {planned.pk} is queued" in text
    assert planned.generations.count() == 3
    assert set(planned.generations.values_list("profile__key", flat=True)) == {"p2"}
    assert planned.judges.get().category == "tone"
    assert planned.judges.get().is_subject


def test_a_run_that_the_endpoint_stops_fails_with_its_words_and_goes_on_later(release):
    with fake_endpoint(lambda asked, times: fails(401, "Key is wrong")) as endpoint:
        make_endpoint("subject", endpoint.url)
        with pytest.raises(CommandError, match="Key is wrong"):
            benchmark("--endpoint", "subject", "--judge", "subject", "--samples", 1, "--wait")
        endpoint.behave = behaves_well
        assert "done" in run("resume_run", "last", "--wait")
    assert Run.objects.get().state == Run.State.DONE


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--endpoint", "nobody", "--judge", "subject"], "no endpoint 'nobody'; expected one of: subject"),
        (["--endpoint", "subject"], "No judge is named for tone"),
        (["--endpoint", "subject", "--judge", "style=subject"], "no preferences to judge in category style"),
        (["--endpoint", "subject", "--judge", "subject", "--samples", "0"], "number of samples is 0"),
        (["--endpoint", "subject", "--judge", "subject", "--profiles", "p9"], "has no profile p9"),
        (["--endpoint", "subject", "--judge", "subject", "--judge", "subject"], "named twice"),
    ],
)
def test_a_plan_that_cannot_be_met_is_refused_before_anything_is_written(release, options, words):
    make_endpoint("subject", "http://127.0.0.1:9/v1")
    with pytest.raises(CommandError) as refused:
        benchmark(*options)
    assert words in str(refused.value)
    assert not Run.objects.exists()
