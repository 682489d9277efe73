"""Endpoints and runs are for leads: nobody else learns even whether one is there."""

import pytest

from evaluation.models import Endpoint, Run
from tests.evaluation.conftest import CAST
from tests.evaluation.factories import make_run

ANSWERS = {
    ("get", "endpoints/"): 200,
    ("post", "endpoints/"): 400,
    ("get", "endpoints/subject/"): 200,
    ("get", "endpoints/other/"): 404,
    ("patch", "endpoints/subject/"): 200,
    ("put", "endpoints/subject/"): 400,
    ("delete", "endpoints/subject/"): 405,
    ("get", "runs/"): 200,
    ("post", "runs/"): 400,
    ("get", "runs/{run}/"): 200,
    ("get", "runs/0/"): 404,
    ("get", "runs/last/"): 404,
    ("post", "runs/{run}/start/"): 200,
    ("post", "runs/{run}/pause/"): 400,
    ("post", "runs/{run}/resume/"): 400,
    ("post", "runs/{run}/cancel/"): 200,
    ("get", "runs/{run}/status/"): 200,
    ("get", "runs/{run}/report/"): 200,
    ("get", "runs/{run}/report.csv"): 200,
    ("get", "runs/{run}/report.tex"): 200,
    ("get", "runs/{run}/report.xlsx"): 404,
    ("get", "runs/{run}/figures/rates-light.svg"): 404,
    ("get", "runs/{run}/estimate/"): 200,
    ("put", "runs/{run}/limits/"): 400,
    ("post", "runs/{run}/collect/"): 400,
    ("get", "runs/{run}/generations/"): 200,
    ("get", "runs/{run}/generations/0/"): 404,
    ("get", "runs/{run}/against/{run}/"): 200,
    ("get", "prompts/"): 200,
    ("post", "prompts/"): 400,
    ("get", "prompts/0/"): 404,
    ("get", "runs/{run}/start/"): 405,
    ("delete", "runs/{run}/"): 405,
}


@pytest.mark.parametrize(("method", "address"), ANSWERS)
@pytest.mark.parametrize("who", CAST)
def test_only_leads_get_an_answer(ask_as, who, method, address):
    run = make_run()
    client = ask_as(who)
    answer = getattr(client, method)(f"/api/v1/{address.format(run=run.pk)}", {})
    expected = {"visitor": 401, "stranger": 403, "annotator": 403, "lead": ANSWERS[method, address]}[who]
    assert answer.status_code == expected
    if who != "lead":
        run.refresh_from_db()
        assert (run.state, Run.objects.count(), Endpoint.objects.count()) == ("planned", 1, 2)
