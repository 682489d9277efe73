"""From a plan to the rows of a run: every unit once, before anything is sent."""

from collections.abc import Callable
from itertools import batched
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction

from annotate.models import Dataset
from annotate.problems import Problem
from evaluation.code_version import code_version
from evaluation.judging.reading import VERSION
from evaluation.keys import shards
from evaluation.models import Endpoint, Generation, Run, RunJudge, Shard, Verdict
from evaluation.planning.benchpres import plan_benchpres
from evaluation.planning.construction import plan_construction
from evaluation.planning.pairpref import plan_pairpref
from evaluation.planning.plan import Plan
from evaluation.planning.validation import plan_validation
from evaluation.spending import checked_limits

PLANNERS: dict[str, Callable[..., Plan]] = {
    "benchpres": plan_benchpres,
    "pairpref": plan_pairpref,
    "construction": plan_construction,
    "validation": plan_validation,
}
BENCHMARKS = ("benchpres", "pairpref")
SHARD_SIZE = 20
BATCH = 1_000


def plan_run(
    *,
    benchmark: str = "benchpres",
    dataset: Dataset,
    endpoint: Endpoint,
    samples: int | None = None,
    seed: int = 1,
    created_by: User | None = None,
    **options: Any,
) -> Plan:
    """Plan a run without saving it; the options are those of the benchmark's planner.

    `samples` None is the paper's number. `Problem` where the plan cannot be.
    """
    if benchmark not in PLANNERS:
        raise Problem(f"Benchmark {benchmark!r} is unknown; expected one of {', '.join(PLANNERS)}.")
    run = Run(
        benchmark=benchmark,
        dataset=dataset,
        corpus_version=dataset.version,
        corpus_hash=dataset.content_hash,
        endpoint=endpoint,
        endpoint_snapshot=endpoint.snapshot(),
        samples=cast(int, samples),  # the planner knows the paper's number
        seed=seed,
        code_version=code_version(),
        reader_version=VERSION,
        created_by=created_by,
    )
    return PLANNERS[benchmark](run, **options)


@transaction.atomic
def create_run(*, cost_limit: Any = None, token_limit: int | None = None, **plan: Any) -> Run:
    """Plan a run and save it whole. Nothing is sent before `start_run`, which holds it to its limits."""
    planned = plan_run(**plan)
    run = planned.run
    run.cost_limit, run.token_limit = checked_limits(cost_limit, token_limit)
    run.save()
    RunJudge.objects.bulk_create(planned.judges)
    _save_units(planned)
    return run


def _save_units(plan: Plan) -> None:
    """Save the generations in shards, then their verdicts."""
    rows: list[Generation] = []
    for number, units in enumerate(shards(plan.units, SHARD_SIZE)):
        shard = Shard.objects.create(run=plan.run, number=number)
        for unit in units:
            unit.generation.run, unit.generation.shard = plan.run, shard
            rows.append(unit.generation)
    Generation.objects.bulk_create(rows, batch_size=BATCH)
    for batch in batched((verdict for unit in plan.units for verdict in unit.verdicts), BATCH):
        Verdict.objects.bulk_create(batch)
