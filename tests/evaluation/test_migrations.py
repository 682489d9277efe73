"""Runs that were made before runs had arms keep their conditions, as arms."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from evaluation.reports import run_report
from tests.evaluation.factories import finish_run, make_corpus, make_endpoint, make_release

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def migrate():
    """Move the tables to a migration, and to the newest at the end."""

    def to(name):
        executor = MigrationExecutor(connection)
        executor.migrate([("evaluation", name)])
        return executor.loader.project_state([("evaluation", name)]).apps

    yield to
    to_the_newest()


def to_the_newest() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_conditions_and_temperature_of_an_earlier_run_become_arms(migrate):
    release, endpoint = make_release(make_corpus()), make_endpoint()
    apps = migrate("0001_initial")
    run = apps.get_model("evaluation", "Run").objects.create(
        dataset_id=release.dataset_id,
        corpus_version=1,
        corpus_hash="c" * 64,
        release_id=release.pk,
        endpoint_id=endpoint.pk,
        endpoint_snapshot=endpoint.snapshot(),
        conditions=["default", "mitigation"],
        samples=1,
        seed=1,
        temperature=0.5,
        prompt_hashes={},
        code_version="earlier",
    )
    to_the_newest()
    from evaluation.models import Run

    moved = finish_run(Run.objects.get(pk=run.pk))
    assert moved.conditions == ["default", "mitigation"]
    assert moved.arms[1]["prompt"]["name"] == "benchpres-mitigation-1"
    assert set(run_report(moved)["conditions"]) == {"default", "mitigation"}
