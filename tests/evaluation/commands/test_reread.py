"""The command that reads stored replies again."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.judging.reading import VERSION
from evaluation.models import Verdict
from tests.evaluation.factories import finish_run, make_run
from tests.evaluation.whole_runs import body

pytestmark = pytest.mark.django_db


def reread(run, *options):
    out = StringIO()
    call_command("reread", str(run.pk), *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def run():
    """A finished run in which one verdict says other than its reply, and one message too."""
    run = finish_run(make_run(), follow=[("Bank", "tone"), ("Doctor", "tone")])
    Verdict.objects.filter(judge__isnull=False).update(reply=[body('{"label": "follow"}')])
    Verdict.objects.filter(judge=None).update(raw_match=False)
    verdict = Verdict.objects.filter(judge__isnull=False).first()
    Verdict.objects.filter(pk=verdict.pk).update(value=0)
    run.generations.filter(pk=run.generations.last().pk).update(reply=[body("A\x1b[31m new\nletter")])
    return run


def test_counts_come_first_then_differences_and_nothing_changes(run):
    before = list(Verdict.objects.values_list("pk", "value"))
    lines = reread(run).splitlines()
    verdict, row = Verdict.objects.filter(judge__isnull=False).first(), run.generations.last()
    assert lines == [
        f"Run {run.pk}: read by reader 1, read again by reader {VERSION}.",
        "answers: read again 1, different 1, of these held back 1",
        "verdicts: read again 4, different 1",
        "exact matches: read again 4, different 0",
        f"verdict {verdict.pk}: {verdict.generation} / label / Likes sarcasm. / judge",
        "  value: the number 0.0 -> the number 1.0",
        f"answer {row.pk}: {row}",
        "  message: 'Dear all, ...' -> 'A\\x1b[31m new\\nletter'",
        "  held back: message differs; its verdicts were on the earlier text",
        "Nothing was changed. New readings that --apply stores: 1.",
    ]
    assert list(Verdict.objects.values_list("pk", "value")) == before
    run.refresh_from_db()
    assert run.reader_version == 1


def test_apply_stores_what_fits_and_says_so(run):
    assert reread(run, "--apply").splitlines()[-1] == "New readings stored: 1."
    assert set(Verdict.objects.filter(judge__isnull=False).values_list("value", flat=True)) == {1}
    said = json.loads(reread(run, "--format=json"))
    assert (said["stored_reader"], said["stored_now"]) == (VERSION, 0)
    assert said["counts"]["verdict"] == {"read_again": 4, "differ": 0, "held_back": 0}
    assert [unit["now"]["message"] for unit in said["differences"]] == ["A\x1b[31m new\nletter"]


def test_a_running_run_is_refused(run):
    run.state = "running"
    run.save()
    with pytest.raises(CommandError, match="is running; pause it"):
        reread(run, "--apply")
