"""The commands of run archives: what one writes, the other prints the report from, without a database."""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.evaluation.factories import make_run
from tests.evaluation.whole_runs import whole_benchpres_run, whole_pairpref_run

PROJECT = Path(__file__).parents[3]
FORMATS = ("text", "json", "csv", "latex")


def run_command(*args, **options):
    out = StringIO()
    call_command(*args, stdout=out, **options)
    return out.getvalue()


def recomputable(printed, output_format):
    """Leave out of a report how far judges are validated: that changes with time, and is in no archive."""
    if output_format == "json":
        return {name: value for name, value in json.loads(printed).items() if name != "judge_cards"}
    if output_format == "csv":
        return [line for line in printed.splitlines() if not line.startswith("judge_cards,")]
    return [block for block in printed.strip().split("\n\n") if "Judges against people" not in block]


@pytest.mark.django_db
@pytest.mark.parametrize("make", [whole_benchpres_run, whole_pairpref_run])
def test_recompute_prints_what_report_prints(make, tmp_path, django_assert_num_queries):
    run, path = make(), tmp_path / "run.zip"
    said = run_command("export_run", str(run.pk), str(path))
    assert said.startswith(
        f"Wrote run {run.pk} to {path}: {run.generations.count()} lines in generations.jsonl, "
    )
    printed = {name: run_command("report", str(run.pk), format=name) for name in FORMATS}
    with django_assert_num_queries(0):
        found = {name: run_command("recompute", str(path), format=name) for name in FORMATS}
    for name in FORMATS:
        assert recomputable(found[name], name) == recomputable(printed[name], name)
        assert "Judges against people" not in found[name]


@pytest.mark.django_db
def test_recompute_works_where_there_is_no_database(tmp_path):
    run, path = whole_benchpres_run(), tmp_path / "run.zip"
    run_command("export_run", "last", str(path))
    nowhere = {**os.environ, "DATABASE_URL": "postgres://nobody:nothing@127.0.0.1:1/none"}
    found = subprocess.run(
        [sys.executable, "manage.py", "recompute", str(path), "--format=json"],
        cwd=PROJECT,
        env=nowhere,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    printed = run_command("report", str(run.pk), format="json")
    assert recomputable(found.stdout, "json") == recomputable(printed, "json")


@pytest.mark.django_db
def test_export_says_as_json_what_it_wrote(tmp_path):
    run, path = whole_benchpres_run(), tmp_path / "run.zip"
    said = json.loads(run_command("export_run", str(run.pk), str(path), format="json"))
    assert (said["run"], said["path"]) == (run.pk, str(path))
    assert said["lines"]["calls.jsonl"] == run.calls.count()


@pytest.mark.django_db
def test_a_run_that_cannot_be_exported_is_a_clear_error(tmp_path):
    run = make_run()
    with pytest.raises(CommandError, match="is not here as run"):
        run_command("export_run", str(run.pk), str(tmp_path / "run.zip"))
    with pytest.raises(CommandError, match="There is no run '77'"):
        run_command("export_run", "77", str(tmp_path / "run.zip"))
    assert not list(tmp_path.iterdir())


@pytest.mark.django_db
def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path):
    whole_benchpres_run()
    with pytest.raises(CommandError, match=r"Cannot write .*: No such file or directory"):
        run_command("export_run", "last", str(tmp_path / "lost" / "run.zip"))


# The rest has no mark of the database: pytest-django refuses every query.


def test_recompute_refuses_what_is_no_archive(tmp_path):
    (tmp_path / "run.zip").write_text("no zip")
    with pytest.raises(CommandError, match=r"Cannot read run.zip: File is not a zip file"):
        run_command("recompute", str(tmp_path / "run.zip"))
    with pytest.raises(CommandError, match="No such file"):
        run_command("recompute", str(tmp_path / "lost.zip"))


PROMPT = "Write to $recipient about $task.\n$memory"
SHA256 = hashlib.sha256(f"{PROMPT}\n".encode()).hexdigest()
ENDPOINT = {"name": "mine", "model": "some-model", "base_url": "https://models.example.org/v1"}
BANK = {"recipient": "Bank", "task": "Ask"}
HEAD = {
    "format": "tact-run/1",
    "versions": {},
    "plan": {
        "run": 7,
        "benchmark": "benchpres",
        "state": "done",
        "state_reason": "",
        "dataset": "letters",
        "corpus_version": 1,
        "corpus_hash": "c" * 64,
        "newest_corpus_version": 1,
        "gold_release": "letters-1",
        "gold_hash": "d" * 64,
        "review": None,
        "example_labels": "",
        "endpoint": ENDPOINT,
        "arms": [
            {
                "name": "default",
                "condition": "default",
                "prompt": {"name": "mine-1", "text": PROMPT, "sha256": SHA256},
                "temperature": 1.0,
                "reasoning": None,
                "density": None,
                "ratio": None,
                "order": "corpus",
            }
        ],
        "samples": 1,
        "seed": 7,
        "prompt_hashes": {"mine-1": SHA256},
        "code_version": "e" * 64,
        "created_at": "2026-03-01T12:00:00+00:00",
        "started_at": "2026-03-01T12:00:00+00:00",
        "finished_at": "2026-03-01T12:01:30+00:00",
        "duration_seconds": 90.0,
    },
    "judges": [{"number": 1, "endpoint": ENDPOINT, "duty": "labels", "category": "", "is_subject": False}],
    "spending": [],
    "calls": {"subject": 0, "judges": 0, "repeated": 0, "may_be_billed_twice": 0, "perhaps_lost": 0},
    "lines": {"generations.jsonl": 3, "verdicts.jsonl": 3, "calls.jsonl": 0},
}
CORPUS = {
    "contexts": [{**BANK, "domains": ["finance"]}],
    "preferences": [{"text": "Likes sarcasm.", "category": "tone", "key": "", "domain": ""}],
    "pairs": [],
    "gold": [{**BANK, "preference": "Likes sarcasm.", "value": 0}],
}


def generation(number):
    about = {
        "profile": f"p{number}",
        "context": BANK,
        "preference": "",
        "pair": "",
        "side": "",
        "shown": None,
    }
    read = {"outcome": "done", "reason": "", "message": "Dear Bank.", "choice": ""}
    return {"id": number, "key": "k", "task": "message", "arm": "default", "sample": 1, **about, **read}


def verdict(number, value):
    read = {"outcome": "not_read" if value is None else "done", "reason": "", "value": value}
    asked = {"target": "label", "preference": "Likes sarcasm.", "judge": 1, "number": 1}
    nothing = {"details": None, "raw_match": None}
    return {"id": number, "generation": number, "key": "k", **asked, **read, **nothing}


def test_an_archive_written_by_hand_gives_rates_worked_by_hand(tmp_path):
    # Gold suppresses sarcasm at the bank. Of three messages one follows it, one does not, and of one the
    # verdict could not be read: MR is 1 of 2; nothing is to be applied.
    with zipfile.ZipFile(tmp_path / "run.zip", "w") as archive:
        archive.writestr("run.json", json.dumps(HEAD))
        archive.writestr("corpus.json", json.dumps(CORPUS))
        archive.writestr("prompts/mine-1.txt", f"{PROMPT}\n")
        archive.writestr("calls.jsonl", "")
        for name, rows in {
            "generations.jsonl": map(generation, (1, 2, 3)),
            "verdicts.jsonl": (verdict(1, 1.0), verdict(2, 0.0), verdict(3, None)),
        }.items():
            archive.writestr(name, "\n".join(map(json.dumps, rows)))
    report = json.loads(run_command("recompute", str(tmp_path / "run.zip"), format="json"))
    found = report["conditions"]["default"]
    assert (found["mr"]["value"], found["mr"]["numerator"], found["mr"]["denominator"]) == (0.5, 1, 2)
    assert found["aar"]["undefined_reason"] == "no instance has the gold label apply"
    assert found["without_verdict"] == 1
    assert (report["run"], report["duration_seconds"], report["plan"]["profiles"]) == (7, 90, 3)
