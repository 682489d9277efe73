"""A run's report through the API, with its rates corrected by what people labelled."""

import io
import json

import pytest
from django.core.management import call_command

from evaluation.actions import draw_validation
from evaluation.models import Run, RunSample
from evaluation.reports import corrected_report
from tests.evaluation.validation.drawn import letters_run, pairs_run, say


@pytest.fixture
def labelled(db) -> RunSample:
    """All judgements of a run; the person finds that every third message does not follow."""
    drawn = draw_validation(letters_run(samples=4), size=24, slug="sample-1", label_sets=["C"])
    for number in range(1, 25):
        say(drawn, "C", number, number % 3 > 0)
    return drawn


def ask(client, run: Run, suffix: str = "/", **query):
    return client.get(f"/api/v1/runs/{run.pk}/report{suffix}", query)


def test_named_samples_correct_the_rates_beside_the_report(lead, labelled):
    plain = ask(lead, labelled.run).json()
    report = ask(lead, labelled.run, corrected="sample-1").json()
    corrected = report.pop("corrected")
    assert report == plain
    assert corrected == json.loads(json.dumps(corrected_report(labelled.run, [labelled])))
    mr = corrected["arms"][0]["rates"]["mr"]
    # All is labelled, so the corrected rate is what people say of the sixteen judgements to suppress.
    said = [row.item.labels.get().value for row in labelled.units.filter(part="suppress")]
    assert len(said) == 16
    assert mr["prediction_powered"]["value"] == pytest.approx(sum(said) / 16)


@pytest.mark.parametrize("suffix", ["csv", "tex"])
def test_files_hold_what_the_command_prints(lead, labelled, suffix):
    out = io.StringIO()
    options = ["--corrected=sample-1", "--width=0.2", "--resample=profile"]
    form = {"csv": "csv", "tex": "latex"}[suffix]
    call_command("report", str(labelled.run_id), *options, f"--format={form}", stdout=out)
    query = {"corrected": "sample-1", "width": 0.2, "resample": "profile"}
    sent = ask(lead, labelled.run, f".{suffix}", **query).content.decode()
    assert sent.splitlines() == out.getvalue().splitlines()
    assert "Raw and corrected" in sent


def test_several_samples_may_be_named_each_for_a_question_of_its_own(lead, db):
    run = pairs_run()
    for target in ("uptake", "fit"):
        drawn = draw_validation(run, target=target, size=12, over=(), slug=target, label_sets=["C"])
        for number in range(1, 13):
            say(drawn, "C", number, 1)
    found = ask(lead, run, corrected=["uptake", "fit"]).json()["corrected"]
    assert [sample["sample"] for sample in found["samples"]] == ["uptake", "fit"]
    assert {"use_positive", "fit_positive", "pair_success"} <= set(found["arms"][0]["rates"])


def test_the_planner_tells_how_many_labels_a_width_takes(lead, db):
    drawn = draw_validation(letters_run(samples=20), size=60, slug="sample-1", label_sets=["C"])
    for number in range(1, 61):
        say(drawn, "C", number, number % 3 > 0)

    def needed(width: float) -> dict:
        found = ask(lead, drawn.run, corrected="sample-1", width=width).json()["corrected"]
        assert found["width"] == width
        return found["arms"][0]["rates"]["mr"]["needed"]["prediction_powered"]

    narrow, wide = needed(0.01), needed(2)
    assert wide == {"labels": 0, "reason": None}
    assert narrow["labels"] is None or narrow["labels"] > 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"corrected": "sample-9"}, "There is no validation sample 'sample-9'; expected one of: sample-1."),
        ({"corrected": "sample-1", "width": 0}, "An interval 0 wide was wished for; expected a width"),
        ({"corrected": "sample-1", "score_width": -1}, "expected a width above 0"),
        ({"width": "inf"}, "width: A valid number is required."),
        ({"width": "narrow"}, "width: A valid number is required."),
        ({"resample": "items"}, "resample: Expected one of context, profile."),
    ],
)
@pytest.mark.parametrize("suffix", ["/", ".csv"])
def test_what_cannot_be_corrected_is_refused_in_words(lead, labelled, suffix, wrong, words):
    answer = ask(lead, labelled.run, suffix, **wrong)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]


def test_a_sample_without_labels_or_of_another_run_corrects_nothing(lead, labelled):
    draw_validation(labelled.run, size=4, slug="sample-2")
    other = Run.objects.get(pk=labelled.run_id)
    other.pk = None
    other.save()
    answers = [ask(lead, labelled.run, corrected="sample-2"), ask(lead, other, corrected="sample-1")]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert "Nobody has labelled" in answers[0].json()["detail"]
    assert f"Sample sample-1 is of answers of run {labelled.run_id}" in answers[1].json()["detail"]


@pytest.mark.parametrize("who", ["visitor", "stranger", "annotator"])
def test_corrected_rates_are_for_leads(ask_as, labelled, who):
    client = ask_as(who)
    for suffix in ("/", ".csv"):
        answer = ask(client, labelled.run, suffix, corrected="sample-1")
        assert answer.status_code == (401 if who == "visitor" else 403)
