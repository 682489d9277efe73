"""Runs of both benchmarks whose answers are a sample, and judging runs over it."""

from typing import Any

from evaluation.actions import create_run
from evaluation.actions.validation_judging import judge_sample
from evaluation.models import Run, RunSample
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.factories import make_corpus, make_endpoint, make_release
from tests.evaluation.fake_endpoint import Answer, Asked, Behave, behaves_well, says
from tests.evaluation.pair_runs import kind_of, perfect
from tests.evaluation.runs import endpoint_named, work
from tests.evaluation.sample_factories import make_sample

OF_BENCHPRES, OF_PAIRPREF = ("label", "completeness"), ("uptake", "fit", "hedge")
TARGETS = (*OF_BENCHPRES, *OF_PAIRPREF)
# A temperature that the endpoint of a judge names wins over that of the question.
PARAMETERS = {"max_tokens": 60, "temperature": 0.25}


def scores(asked: Asked, times: int) -> Answer:
    """Write a message, find that it follows every preference, and give it 4 of 5."""
    return says('{"score": 4}') if is_about("completeness", asked) else behaves_well(asked, times)


def behaviour(target: str) -> Behave:
    """Return how to answer a run in which judges are asked for a target."""
    return scores if target in OF_BENCHPRES else perfect


def is_about(target: str, asked: Asked) -> bool:
    """Tell whether a judge is asked for a target."""
    if target == "label":
        return asked.is_judging
    if target == "completeness":
        return "how well a message does its job" in asked.prompt
    return kind_of(asked) == target


def finished_run(url: str, target: str, **plan: Any) -> Run:
    """Run a benchmark in which `judge` is asked for a target about four answers of `subject`."""
    subject = make_endpoint("subject", url, concurrency=4, deadline=20)
    judge = make_endpoint("judge", url, concurrency=4, deadline=20, parameters=PARAMETERS)
    run = create_run(endpoint=subject, judges=[(judge, "")], **_asked(target, judge), **plan)
    work(run)
    assert run.state == Run.State.DONE
    return run


def sampled_run(url: str, target: str = "label", **plan: Any) -> RunSample:
    """Return a sample of every answer of a finished run."""
    return make_sample(finished_run(url, target, **plan), target)


def judged(run_sample: RunSample, name: str = "judge") -> Run:
    """Have an endpoint judge a sample, until it is done or something halts it."""
    run = judge_sample(run_sample, endpoint_named(name))
    work(run)
    return run


def _asked(target: str, judge: Any) -> dict[str, Any]:
    if target in OF_PAIRPREF:
        dataset = make_pair_dataset(preferences=2, pairs=1)
        return {"benchmark": "pairpref", "dataset": dataset, "tracks": ["generation"]}
    release = make_release(make_corpus())
    return {"dataset": release.dataset, "release": release, "samples": 1, "completeness_judges": [judge]}
