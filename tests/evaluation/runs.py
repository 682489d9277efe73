"""Runs against a fake endpoint, in this process and without long waits."""

from typing import Any

from evaluation.actions import create_run, start_run
from evaluation.llm.retry import Patience
from evaluation.models import Endpoint, Run
from evaluation.running.execution import Halt, run_shard
from tests.evaluation.factories import make_corpus, make_endpoint, make_release

IMPATIENT = Patience(attempts=4, timeouts=2, first_wait=0.001, longest_back_off=0.002)


def planned_run(url: str, *, subject: dict[str, Any] | None = None, **plan: Any) -> Run:
    """Plan a run of the small corpus: 4 messages, a verdict by a judge and one by match on each."""
    release = make_release(make_corpus())
    endpoint = make_endpoint("subject", url, **{"concurrency": 4, "deadline": 20, **(subject or {})})
    judge = make_endpoint("judge", url, concurrency=4, deadline=20)
    plan = {"samples": 1, "judges": [(judge, "")], **plan}
    return create_run(dataset=release.dataset, release=release, endpoint=endpoint, **plan)


def work(run: Run, patience: Patience = IMPATIENT) -> Halt | None:
    """Start the run where it is not, and work on it here until nothing waits or something halts it."""
    if run.state == Run.State.PLANNED:
        start_run(run)
    halt = None
    for shard in run.shards.all():
        halt = halt or run_shard(shard.pk, patience=patience)
    run.refresh_from_db()
    return halt


def outcomes(run: Run) -> dict[str, list[tuple[str, str]]]:
    """Return (outcome, reason) of every unit, sorted."""
    return {
        "messages": sorted(run.generations.values_list("outcome", "reason")),
        "verdicts": sorted(
            (verdict.outcome, verdict.reason)
            for generation in run.generations.all()
            for verdict in generation.verdicts.all()
        ),
    }


def endpoint_named(name: str) -> Endpoint:
    return Endpoint.objects.get(name=name)
