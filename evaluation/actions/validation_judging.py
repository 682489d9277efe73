"""Having a further judge say what it finds of a validation sample, without any answer made again."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotate.problems import Problem
from evaluation.actions.planning import create_run, plan_run
from evaluation.models import Endpoint, Run, RunSample
from evaluation.planning.plan import Plan

ENDED = (Run.State.DONE, Run.State.CANCELLED)


def plan_judging(run_sample: RunSample, endpoint: Endpoint) -> Plan:
    """Plan the judging of a sample without saving it."""
    return plan_run(**_wanted(run_sample, endpoint))


@transaction.atomic
def judge_sample(
    run_sample: RunSample,
    endpoint: Endpoint,
    *,
    cost_limit: Any = None,
    token_limit: int | None = None,
    created_by: User | None = None,
) -> Run:
    """Plan the judging of every item by a judge, and save it as a run; `start_run` has it asked.

    `Problem` where the same judge is still at this sample. Once it has ended it may judge again.
    """
    locked = RunSample.objects.select_for_update().get(pk=run_sample.pk)
    _refuse_unfinished(locked, endpoint)
    return create_run(
        **_wanted(locked, endpoint), cost_limit=cost_limit, token_limit=token_limit, created_by=created_by
    )


def _wanted(run_sample: RunSample, endpoint: Endpoint) -> dict[str, Any]:
    return {
        "benchmark": "validation",
        "dataset": run_sample.run.dataset,
        "endpoint": endpoint,
        "run_sample": run_sample,
    }


def _refuse_unfinished(run_sample: RunSample, endpoint: Endpoint) -> None:
    unfinished = run_sample.judging_runs.filter(endpoint=endpoint).exclude(state__in=ENDED).first()
    if unfinished is not None:
        raise Problem(
            f"Endpoint {endpoint.name} already judges sample {run_sample} in run {unfinished.pk}, which is "
            f"{unfinished.get_state_display()}. Wait for its end, go on with it, or cancel it."
        )
