"""Samples drawn from small finished runs, labels on their items, and judges that judge them alone."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from annotate.actions.validating import save_validation_label
from annotate.models import ValidationLabel
from evaluation.models import Generation, Run, RunSample, Shard
from evaluation.models.generation import Task
from tests.evaluation.factories import finish_run, make_endpoint, make_run
from tests.evaluation.fake_endpoint import fake_endpoint
from tests.evaluation.pair_runs import perfect, planned_pair_run
from tests.evaluation.runs import work


def letters_run(**plan: Any) -> Run:
    """A finished run of 4 messages a sample and condition, each with a text of its own.

    Of a profile's three judgements with gold two are to suppress, one by match and one by judge, and one is
    to apply. Judges say that tone is followed at the bank and at the doctor's; no message names Joker.
    """
    run = finish_run(make_run(**plan))
    for row in run.generations.all():
        Generation.objects.filter(pk=row.pk).update(message=f"Dear all, this is message {row.pk}.")
    return run


def pairs_run(**plan: Any) -> Run:
    """A finished run of 6 pairs in both tracks, whose answers a judge finds right on both sides."""
    with fake_endpoint(perfect) as server:
        run = planned_pair_run(server.url, **plan)
        work(run)
    return run


def say(
    drawn: RunSample, pseudonym: str, number: int, value: float | None, comment: str = ""
) -> ValidationLabel:
    """Let a rater answer an item for the first time."""
    rater = drawn.sample.raters.get(pseudonym=pseudonym)
    item = drawn.sample.items.get(number=number)
    return save_validation_label(rater, item, value, comment=comment, version=0, token=uuid4())


def judged_alone(drawn: RunSample, choices: Mapping[int, str | None], name: str = "further") -> Run:
    """A judging run with these choices by item number; one that is None was not read, others are planned."""
    endpoint, source = make_endpoint(name), drawn.run
    run = Run.objects.create(
        benchmark="validation",
        validation=drawn,
        dataset=source.dataset,
        corpus_version=source.corpus_version,
        corpus_hash=source.corpus_hash,
        endpoint=endpoint,
        endpoint_snapshot=endpoint.snapshot(),
        arms=[{"name": drawn.target}],
        samples=1,
        seed=drawn.seed,
        prompt_hashes={"benchpres-judge-1": "b" * 64, "pairpref-uptake-1": "c" * 64},
        code_version="test",
    )
    shard = Shard.objects.create(run=run, number=0)
    for unit in drawn.units.select_related("generation", "item"):
        row = Generation(run=run, shard=shard, key=f"{unit.pk}", task=Task.JUDGEMENT, sampled=unit, sample=1)
        row.context, row.pair = unit.generation.context, unit.generation.pair
        if unit.item.number in choices:
            choice = choices[unit.item.number]
            row.outcome, row.choice = ("not_read", "") if choice is None else ("done", choice)
        row.save()
    return run
