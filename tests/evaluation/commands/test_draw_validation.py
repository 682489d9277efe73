"""The command that draws a validation sample."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import RunSample, Verdict
from tests.annotate.factories import make_user
from tests.evaluation.validation.drawn import letters_run, pairs_run

pytestmark = pytest.mark.django_db


def draw(run, *options) -> str:
    out = StringIO()
    call_command("draw_validation", str(run.pk), *map(str, options), stdout=out)
    return out.getvalue()


def test_it_tells_a_line_a_stratum_and_what_comes_next():
    run = letters_run(samples=5)
    unread = Verdict.objects.filter(judge__isnull=False, generation__context__recipient="Bank").first()
    Verdict.objects.filter(pk=unread.pk).update(outcome="not_read", value=None)
    for name in ("ana", "ben"):
        make_user(name, "annotator")
    options = ["--size=12", "--seed=4", "--over=part,category", "--name=Round 1", "--slug=round-1"]
    people = ["--annotator=ana", "--annotator=ben", "--label-set=C"]
    assert draw(run, *options, *people, "--condition=default").splitlines() == [
        f"Sample round-1: 12 items of run {run.pk} for label, evenly over part, category, seed 4.",
        "  stratum               there are   drawn",
        "  apply / tone                 10       4",
        "  suppress / nickname          10       4",
        "  suppress / tone               9       4",
        "1 more could not be drawn: a verdict on them could not be read.",
        "Seats: A1, A2, C. People find the items under *My work*.",
        "Further judges: manage.py judge_sample round-1 --judge NAME",
        "How well judges agree with people: manage.py judge_report round-1",
    ]
    drawn = RunSample.objects.get()
    assert (drawn.sample.name, drawn.over, drawn.sample.is_example) == (
        "Round 1",
        ["part", "category"],
        False,
    )
    assert drawn.sample.guideline.startswith("#")


def test_pairs_are_counted_as_pairs():
    run = pairs_run()
    assert draw(run, "--target=fit", "--size=4", "--over=").splitlines() == [
        f"Sample run-{run.pk}-fit: 4 items of run {run.pk} for fit, over nothing, seed 1.",
        "  stratum   there are   drawn",
        "  all               6       2",
        "  A stratum counts pairs; both answers of each were drawn.",
        "Nobody has a seat yet: give seats on the sample's page, or bring labels from a file:",
        f"  manage.py import_validation_labels run-{run.pk}-fit FILE --new-label-sets",
        f"Further judges: manage.py judge_sample run-{run.pk}-fit --judge NAME",
        f"How well judges agree with people: manage.py judge_report run-{run.pk}-fit",
    ]


def test_json_tells_the_same(tmp_path):
    run, guideline = letters_run(), tmp_path / "guideline.md"
    guideline.write_text("Label *it*.", encoding="utf-8")
    options = ["--size=2", "--label-set=C", "--example", f"--guideline={guideline}", "--format=json"]
    assert json.loads(draw(run, *options)) == {
        "sample": f"run-{run.pk}-label",
        "run": run.pk,
        "question": "label",
        "items": 2,
        "seed": 1,
        "conditions": ["default"],
        "over": ["part"],
        "strata": [
            {"name": "apply", "size": 2, "drawn": 1},
            {"name": "suppress", "size": 4, "drawn": 1},
        ],
        "not_read": 0,
        "raters": ["C"],
    }
    sample = RunSample.objects.get().sample
    assert (sample.guideline, sample.is_example) == ("Label *it*.", True)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--size=100", "The sample is 100; expected 1 to 6"),
        ("--target=uptake", "is not judged on uptake"),
        ("--target=sense", "'sense' is unknown"),
        ("--over=colour", "'colour' is unknown"),
        ("--condition=probe", "has no condition 'probe'"),
        ("--annotator=nobody", "There is no user 'nobody'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(option, words):
    with pytest.raises(CommandError, match=words):
        draw(letters_run(), "--size=2", option)
    assert not RunSample.objects.exists()
