"""The run archive: what it holds, that its report is that of the database, and what is refused."""

import hashlib
import io
import json
import zipfile
from contextlib import suppress

import pytest
from django.db import connection
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.problems import Problem
from evaluation.exporters.archive import export_run
from evaluation.importers.archive import parse_archive, read_archive
from evaluation.models import Call, Generation, Run
from evaluation.reporting.report import report_of
from evaluation.reports import run_report
from evaluation.running.rereading import reread
from evaluation.stored_run import record_of
from tests.annotate.factories import make_user
from tests.evaluation.conftest import CAST
from tests.evaluation.factories import end_generation, make_run
from tests.evaluation.fake_endpoint import behaves_well, fails, fake_endpoint
from tests.evaluation.pair_runs import planned_construction
from tests.evaluation.runs import planned_run, work
from tests.evaluation.test_construction_run import constructs
from tests.evaluation.whole_runs import HOSTILE, body, end_whole, whole_benchpres_run, whole_pairpref_run

pytestmark = pytest.mark.django_db


def archived(run):
    """The archive of a run as the database has it: PostgreSQL puts keys into an order of its own."""
    file = io.BytesIO()
    export_run(Run.objects.get(pk=run.pk), file)
    return file.getvalue()


def parsed(content):
    return parse_archive(io.BytesIO(content), "run.zip")


def files_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def lines_of(content, name):
    return [json.loads(line) for line in files_of(content)[name].split(b"\n") if line]


def small_run():
    """A planned run whose prompts are those that it names."""
    return planned_run("http://127.0.0.1:9/v1")


@pytest.mark.parametrize("make", [whole_benchpres_run, whole_pairpref_run, small_run])
def test_the_report_of_an_archive_is_that_of_the_database(make, tmp_path):
    run = make()
    export_run(run, tmp_path / "run.zip")
    found, stored = read_archive(tmp_path / "run.zip"), record_of(run)
    assert found == stored
    assert json.dumps(report_of(found), default=str) == json.dumps(run_report(run), default=str)


@pytest.mark.parametrize(
    "behave", [constructs(), constructs(fails_check="tier"), constructs(chooses="memory")]
)
def test_a_construction_run_is_archived_and_read_again_alike(behave):
    with fake_endpoint(behave) as server:
        run = planned_construction(server.url)
        work(run)
    found = parsed(archived(run))
    assert found == record_of(run)
    assert json.dumps(report_of(found), default=str) == json.dumps(run_report(run), default=str)
    assert reread(run).differences == []
    assert sum(reread(run).read.values()) == run.calls.count() > 1


@pytest.mark.parametrize("make", [whole_benchpres_run, whole_pairpref_run])
def test_the_runs_compared_have_every_kind_of_unit(make):
    """Or the comparison above would show little."""
    record = record_of(make())
    verdicts = [verdict for row in record.generations for verdict in row.verdicts]
    assert {row.outcome for row in record.generations} == {"done", "not_read", "failed"}
    assert {row.outcome for row in verdicts} == {"done", "not_read", "failed", "skipped"}
    assert len(record.arms) >= 4
    assert len(record.judges) >= 2
    assert {row.message for row in record.generations} >= set(HOSTILE)


def test_the_same_run_gives_the_same_bytes(tmp_path):
    run = Run.objects.get(pk=whole_benchpres_run().pk)
    export_run(run, tmp_path / "first.zip")
    export_run(run, tmp_path / "second.zip")
    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes() == archived(run)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["first.zip", "second.zip"]


def test_every_file_is_there_and_the_prompts_have_the_hashes_of_the_plan():
    run = whole_benchpres_run()
    files = files_of(archived(run))
    prompts = {f"prompts/{name}.txt": sha256 for name, sha256 in run.prompt_hashes.items()}
    assert {name: hashlib.sha256(files[name]).hexdigest() for name in prompts} == prompts
    assert set(files) - set(prompts) == {
        "README.txt",
        "run.json",
        "corpus.json",
        "generations.jsonl",
        "verdicts.jsonl",
        "calls.jsonl",
    }
    head = json.loads(files["run.json"])
    assert head["format"] == "tact-run/1"
    assert head["plan"]["gold_hash"] == run.release.content_hash
    assert set(head["versions"]) == {"code_version", "reader_version", "python"}


def test_every_row_is_a_line_with_key_replies_and_order_shown():
    run = whole_pairpref_run()
    content = archived(run)
    rows = lines_of(content, "generations.jsonl")
    assert [row["id"] for row in rows] == list(run.generations.order_by("pk").values_list("pk", flat=True))
    for line in rows:
        row = Generation.objects.get(pk=line["id"])
        stored = (row.key, row.shown, row.reply, row.message, row.condition)
        assert (line["key"], line["shown"], line["reply"], line["message"], line["arm"]) == stored
    verdicts = {verdict.pk: verdict for row in run.generations.all() for verdict in row.verdicts.all()}
    for line in lines_of(content, "verdicts.jsonl"):
        verdict = verdicts.pop(line["id"])
        stored = (verdict.key, verdict.reply, verdict.details, verdict.generation_id)
        assert (line["key"], line["reply"], line["details"], line["generation"]) == stored
    assert not verdicts
    calls = lines_of(content, "calls.jsonl")
    assert len(calls) == Call.objects.filter(run=run).count()
    assert calls[0]["parameters"] == {"temperature": 1.0}
    assert {row["verdict"] for row in calls} > {None}


@pytest.mark.skipif(connection.vendor == "postgresql", reason="PostgreSQL stores no half characters")
def test_half_a_character_in_a_reply_is_written_as_its_escape():
    run = small_run()
    reply = [body("half \ud83d of one")]
    Generation.objects.filter(pk=run.generations.first().pk).update(reply=reply)
    assert lines_of(archived(run), "generations.jsonl")[0]["reply"] == reply


def test_no_key_is_in_an_archive(monkeypatch):
    key = "key-of-nobody-4711"
    monkeypatch.setenv("MODEL_KEY", key)

    def tells_the_key(asked, times):
        refusal = fails(400, f"not with {asked.headers['authorization']}")
        return behaves_well(asked, times) if asked.is_judging else refusal

    with fake_endpoint(tells_the_key) as server:
        run = planned_run(server.url, subject={"key_env": "MODEL_KEY"})
        work(run)
    content = archived(run)
    assert "not with Bearer [key]" in lines_of(content, "calls.jsonl")[0]["error"]
    assert [name for name, text in files_of(content).items() if key.encode() in text] == []


def test_a_prompt_that_a_lead_wrote_and_one_that_changed(tmp_path):
    run = small_run()
    (tmp_path / "run.zip").write_text("what was there")
    run.prompt_hashes |= {"benchpres-judge-1": "a" * 64}
    with pytest.raises(Problem, match=r"Prompt benchpres-judge-1 is not here as run .* used it: found"):
        export_run(run, tmp_path / "run.zip")
    run.prompt_hashes = {"lost-1": "a" * 64}
    with pytest.raises(Problem, match="found no such prompt"):
        export_run(run, tmp_path / "run.zip")
    assert (tmp_path / "run.zip").read_text() == "what was there"
    assert [file.name for file in tmp_path.iterdir()] == ["run.zip"]
    text = "Write.\r\n$memory \u2028 $recipient $task\n"
    sha256 = hashlib.sha256(f"{text}\n".encode()).hexdigest()
    run.arms[0]["prompt"] = {"name": "formal-1", "text": text, "sha256": sha256}
    run.prompt_hashes = {"formal-1": sha256}
    run.save()
    assert files_of(archived(run))["prompts/formal-1.txt"] == f"{text}\n".encode()
    assert parsed(archived(run)).arms["default"]["prompt"]["text"] == text


def edit(name, place, **changes):
    """Return a change of one line (from 0) of a file of lines, or of the object that a file is."""

    def change(files):
        lines = files[name].rstrip(b"\n").split(b"\n") if name.endswith("l") else [files[name]]
        lines[place] = json.dumps(json.loads(lines[place]) | changes).encode()
        return files | {name: b"\n".join(lines) + b"\n"}

    return change


def replaced(name, before, after):
    return lambda files: files | {name: files[name].replace(before, after, 1)}


def without(name):
    return lambda files: {other: text for other, text in files.items() if other != name}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without("run.json"), "run.zip holds no run.json; expected an archive that export_run wrote"),
        (without("verdicts.jsonl"), "run.zip holds no verdicts.jsonl"),
        (without("prompts/benchpres-judge-1.txt"), "holds no prompts/benchpres-judge-1.txt"),
        (edit("run.json", 0, format="tact-run/2"), "run.json, field format: found 'tact-run/2'; expected"),
        (edit("run.json", 0, plan=[]), "run.json, field plan: found a list of 0; expected an object"),
        (replaced("run.json", b'"benchpres"', b'"other"'), "field plan.benchmark: found 'other'"),
        (replaced("run.json", b'"condition"', b'"kondition"'), "field plan.arms[0].name: found an arm"),
        (replaced("run.json", b'"ratio"', b'"rate"'), "field plan.arms[0].name: found an arm with other"),
        (replaced("run.json", b'"subject": 0', b'"subject": null'), "field calls.subject: found null"),
        (replaced("run.json", b'"created_at": "2', b'"created_at": "x'), "field plan.created_at: found"),
        (
            replaced("prompts/benchpres-judge-1.txt", b"message", b"massage"),
            "run.zip: prompts/benchpres-judge-1.txt, prompt: found a text with the SHA-256",
        ),
        (replaced("run.json", b"$recipient", b"$recepient"), "run.json, arm default, prompt: found a text"),
        (
            replaced("generations.jsonl", b'\n{"arm"', b'\n{"arm'),
            "generations.jsonl, line 2: found broken JSON",
        ),
        (
            lambda files: files | {"generations.jsonl": b"\xff\n"},
            "generations.jsonl, line 1: found byte 0xff",
        ),
        (
            edit("generations.jsonl", 2, outcome="won"),
            "generations.jsonl, line 3, field outcome: found 'won'",
        ),
        (
            edit("generations.jsonl", 2, arm="loud"),
            "line 3, field arm: found 'loud'; expected one of default",
        ),
        (edit("generations.jsonl", 2, sample=True), "line 3, field sample: found true; expected a whole num"),
        (edit("generations.jsonl", 2, message=None), "line 3, field message: found null; expected a text"),
        (edit("generations.jsonl", 2, pair="M01"), "line 3, field pair: found 'M01'; expected none"),
        (edit("generations.jsonl", 2, preference="?"), "line 3, field preference: found '?'"),
        (
            edit("generations.jsonl", 2, context={"task": "x"}),
            "line 3, field context.recipient: found no such",
        ),
        (edit("verdicts.jsonl", 1, generation=0), "verdicts.jsonl, line 2, field generation: found the num"),
        (edit("verdicts.jsonl", 1, judge=9), "verdicts.jsonl, line 2, field judge: found the number 9"),
        (edit("verdicts.jsonl", 1, target="charm"), "verdicts.jsonl, line 2, field target: found 'charm'"),
        (edit("verdicts.jsonl", 1, value=1), "line 2, field value: found the number 1; expected one of null"),
        (edit("verdicts.jsonl", 1, outcome="done", value=0.5), "field value: found the number 0.5"),
        (edit("calls.jsonl", 0, seconds="long"), "calls.jsonl, line 1, field seconds: found 'long'"),
        (
            lambda files: files | {"calls.jsonl": b""},
            "calls.jsonl: found 0 lines; expected 1, as run.json says",
        ),
        (
            lambda files: (
                files
                | {
                    "generations.jsonl": files["generations.jsonl"]
                    + files["generations.jsonl"].split(b"\n")[0]
                }
            ),
            "generations.jsonl, line 5, generation: found the generation '",
        ),
    ],
)
def test_what_is_wrong_with_an_archive_is_said_with_file_and_line(change, words):
    run = small_run()
    Call.objects.create(
        run=run, attempt=1, parameters={}, outcome="answered", started_at=run.created_at, seconds=1
    )
    Call.objects.update(verdict=run.generations.first().verdicts.first())
    files = files_of(archived(run))
    assert parsed(zipped(files)) == record_of(run)
    with pytest.raises(Problem) as caught:
        parsed(zipped(change(files)))
    assert words in str(caught.value)


def test_a_chosen_reply_has_a_role(tmp_path):
    run = whole_pairpref_run()
    files = files_of(archived(run))
    rows = lines_of(archived(run), "generations.jsonl")
    place = next(at for at, row in enumerate(rows) if (row["task"], row["outcome"]) == ("selection", "done"))
    with pytest.raises(Problem, match="field choice: found 'A'; expected one of memory"):
        parsed(zipped(edit("generations.jsonl", place, choice="A")(files)))


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all" * 100])
def test_what_is_no_zip_is_refused(content, tmp_path):
    (tmp_path / "run.zip").write_bytes(content)
    with pytest.raises(Problem, match=r"Cannot read run.zip: .* Expected a zip file that export_run wrote"):
        read_archive(tmp_path / "run.zip")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Problem, match=r"Cannot read .*lost.zip: No such file"):
        read_archive(tmp_path / "lost.zip")


def test_an_archive_with_a_wrong_byte_is_refused_or_reads_the_same():
    run = small_run()
    whole, record = archived(run), record_of(run)

    @settings(max_examples=150, database=None)
    @given(st.integers(0, len(whole) - 1), st.integers(1, 255))
    def hold(place, change):
        damaged = bytearray(whole)
        damaged[place] ^= change
        with suppress(Problem):
            assert parsed(bytes(damaged)) == record

    hold()


def test_the_page_of_a_run_links_to_its_archive(client):
    run = end_whole(small_run())
    client.force_login(make_user("lea", "lead"))
    address = reverse("run-archive", args=[run.pk])
    assert address in client.get(reverse("run", args=[run.pk])).text
    response = client.get(address)
    assert response.headers["Content-Disposition"] == f'attachment; filename="run-{run.pk}.zip"'
    assert response.headers["Content-Type"] == "application/zip"
    assert b"".join(response.streaming_content) == archived(run)


def test_a_run_that_cannot_be_archived_says_so_on_its_page(client):
    run = make_run()
    end_generation(run.generations.first())
    client.force_login(make_user("lea", "lead"))
    response = client.get(reverse("run-archive", args=[run.pk]), follow=True)
    assert response.redirect_chain == [(reverse("run", args=[run.pk]), 302)]
    assert "Prompt benchpres-default-1 is not here as run" in response.text


@pytest.mark.parametrize(("who", "status"), list(zip(CAST, (302, 403, 403, 200), strict=True)))
def test_only_leads_download_an_archive(client, who, status):
    if who != "visitor":
        client.force_login(make_user(who, "" if who == "stranger" else who))
    assert client.get(reverse("run-archive", args=[small_run().pk])).status_code == status


@pytest.mark.parametrize(("who", "status"), list(zip(CAST, (401, 403, 403, 200), strict=True)))
def test_only_leads_get_an_archive_from_the_api(ask_as, who, status):
    run = small_run()
    response = ask_as(who).get(f"/api/v1/runs/{run.pk}/archive.zip")
    assert response.status_code == status
    if status == 200:
        assert b"".join(response.streaming_content) == archived(run)


def test_a_run_that_cannot_be_archived_is_an_error_of_the_api(ask_as):
    answer = ask_as("lead").get(f"/api/v1/runs/{make_run().pk}/archive.zip")
    assert answer.status_code == 400
    assert "is not here as run" in answer.json()["detail"]
