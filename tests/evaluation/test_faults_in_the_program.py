"""An error that is ours surfaces, with the run and the unit, and nothing goes on as if it were not."""

import pytest

from evaluation.models import Run
from evaluation.running.answering import Answering
from tests.evaluation.fake_endpoint import behaves_well, fake_endpoint
from tests.evaluation.runs import planned_run, work


@pytest.mark.django_db(transaction=True)
def test_an_error_in_the_program_stops_the_run_and_is_logged_with_run_and_unit(monkeypatch, caplog):
    async def break_down(self, unit):
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(Answering, "answer", break_down)
    with fake_endpoint(behaves_well) as endpoint:
        run = planned_run(endpoint.url)
        with pytest.raises(ZeroDivisionError):
            work(run)
    run.refresh_from_db()
    assert run.state == Run.State.STOPPED
    assert "ZeroDivisionError: a fault of ours" in run.state_reason
    units = {f"Run {run.pk} broke at generation {pk}" for pk in run.generations.values_list("pk", flat=True)}
    assert units & {record.getMessage() for record in caplog.records if record.exc_info}
