"""The background tasks, safe to deliver twice."""

from django.tasks import task


@task
def work_on_shard(shard_id: int) -> None:
    """Do what a shard still has to do; nothing where another worker has it or it is done."""
    from evaluation.execution import run_shard

    run_shard(shard_id)
