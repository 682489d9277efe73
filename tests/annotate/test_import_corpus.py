"""Importing: everything or nothing, idempotent, and never at the cost of people's work (invariant 6)."""

import hashlib
import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings

from annotate.actions.corpus import UnacceptedChanges, import_corpus
from annotate.exporters.corpus import export_corpus
from annotate.importers.corpus import ContextRow, Fact, GoldRow, HeldPreference, content_hash
from annotate.models import CorpusVersion, Dataset, GoldRelease, MemoryStatement, Profile
from annotate.problems import Problem
from annotate.stored_corpus import stored_corpus
from tests.annotate.factories import give_label, make_campaign
from tests.annotate.importers.corpora import (
    RELEASED,
    SMALL,
    cimemories_file,
    cimemories_profile,
    corpora,
    json_lines,
    parquet_file,
    tact_file,
)

pytestmark = pytest.mark.django_db


def bring(corpus, *, slug="small", **options):
    return import_corpus(corpus, slug=slug, file_name="small.jsonl", file_hash="f" * 64, **options)


def run(*arguments):
    out = io.StringIO()
    call_command("import_corpus", *map(str, arguments), stdout=out)
    return out.getvalue()


def rows_in_database():
    with connection.cursor() as cursor:
        tables = [
            name for name in connection.introspection.table_names(cursor) if name.startswith("annotate_")
        ]
        counts = {}
        for table in tables:
            cursor.execute(f"SELECT COUNT(*) FROM {table}")
            counts[table] = cursor.fetchone()[0]
        return counts


@pytest.fixture
def written(tmp_path):
    def write(name, file):
        (tmp_path / name).write_bytes(file.getvalue())
        return tmp_path / name

    return write


def test_a_corpus_is_stored_with_its_order_origin_and_hash(django_user_model):
    user = django_user_model.objects.create_user("lead")
    done = bring(SMALL, user=user)
    assert done.outcome == "created"
    dataset = Dataset.objects.get(slug="small")
    assert (dataset.name, dataset.licence, dataset.version) == ("Small", "CC0", 1)
    assert dataset.content_hash == content_hash(SMALL)
    assert stored_corpus(dataset) == SMALL
    [version] = dataset.versions.all()
    assert (version.version, version.file_name, version.imported_by) == (1, "small.jsonl", user)
    assert version.changes == {
        "context": {"added": 2},
        "preference": {"added": 2},
        "profile": {"added": 2},
    }


def test_memory_positions_count_facts_and_preferences_together():
    bring(SMALL)
    ada = Profile.objects.get(key="p1")
    assert list(ada.statements.values_list("position", flat=True)) == [0, 2]
    assert list(ada.held_preferences.values_list("position", flat=True)) == [1]


def test_a_preference_that_two_profiles_hold_is_one_row():
    bring(SMALL)
    shared = Dataset.objects.get().preferences.get(text="Enjoys dry humour.")
    assert {holder.profile.key for holder in shared.holders.all()} == {"p1", "p2"}


def test_the_same_content_again_writes_nothing():
    bring(SMALL)
    before = rows_in_database()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert bring(SMALL).outcome == "unchanged"
    assert not [query for query in queries if not query["sql"].startswith("SELECT")]
    assert rows_in_database() == before


def test_a_changed_file_says_what_changed_and_waits():
    bring(SMALL)
    other = replace(SMALL, contexts=(*SMALL.contexts, ContextRow("Judge", "Plead", ("legal",))))
    with pytest.raises(UnacceptedChanges) as asked:
        bring(other)
    assert asked.value.changes.lines() == ["+ context Judge / Plead"]
    assert stored_corpus(Dataset.objects.get()) == SMALL
    done = bring(other, accept_changes=True)
    assert (done.outcome, done.dataset.version) == ("changed", 2)
    assert stored_corpus(Dataset.objects.get()) == other
    assert list(CorpusVersion.objects.values_list("version", "changes")) == [
        (1, {"context": {"added": 2}, "preference": {"added": 2}, "profile": {"added": 2}}),
        (2, {"context": {"added": 1}}),
    ]


def test_rows_that_stay_keep_their_numbers_and_only_changed_profiles_are_rewritten():
    bring(SMALL)
    dataset = Dataset.objects.get()
    contexts = dict(dataset.contexts.values_list("recipient", "pk"))
    kept = set(MemoryStatement.objects.filter(profile__key="p1").values_list("pk", flat=True))
    ada, ben = SMALL.profiles
    other = replace(
        SMALL,
        contexts=SMALL.contexts[::-1],
        profiles=(ada, replace(ben, memory=(Fact("Is new."), HeldPreference("Enjoys dry humour.")))),
    )
    bring(other, accept_changes=True)
    assert dict(dataset.contexts.values_list("recipient", "pk")) == contexts
    assert set(MemoryStatement.objects.filter(profile__key="p1").values_list("pk", flat=True)) == kept
    dataset.refresh_from_db()
    assert stored_corpus(dataset) == other
    assert dataset.content_hash == content_hash(other)


def test_rows_that_nothing_rests_on_can_be_removed():
    bring(SMALL)
    other = replace(SMALL, contexts=SMALL.contexts[:1], profiles=SMALL.profiles[:1])
    bring(other, accept_changes=True)
    assert stored_corpus(Dataset.objects.get()) == other


def test_a_row_that_labels_rest_on_is_not_removed_even_if_accepted():
    bring(SMALL)
    campaign = make_campaign(dataset=Dataset.objects.get())
    give_label(campaign, 0, "A1", 1)
    before = rows_in_database()
    for other in (replace(SMALL, contexts=SMALL.contexts[:1]), replace(SMALL, preferences=(), profiles=())):
        for accept in (False, True):
            with pytest.raises(Problem, match=r"cannot lose rows that work rests on: .* \(2 items\)"):
                bring(other, accept_changes=accept)
    assert rows_in_database() == before
    assert stored_corpus(Dataset.objects.get()) == SMALL


def test_an_import_that_another_one_overtook_is_refused(monkeypatch):
    bring(SMALL)
    other = replace(SMALL, licence="CC BY 4.0")
    from annotate.actions import corpus as action

    compare = action.changes_between

    def overtaken(*corpora):
        Dataset.objects.update(version=2)
        return compare(*corpora)

    monkeypatch.setattr(action, "changes_between", overtaken)
    with pytest.raises(Problem, match="changed by another import meanwhile"):
        bring(other, accept_changes=True)
    assert Dataset.objects.get().licence == "CC0"


@pytest.mark.parametrize("slug", ["", "two words", "a/b", "x" * 51])
def test_a_dataset_name_that_is_no_address_is_refused(slug):
    with pytest.raises(Problem, match="Dataset name"):
        bring(SMALL, slug=slug)
    assert not Dataset.objects.exists()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpora(), corpora())
def test_any_corpus_can_follow_any_other(one, other):
    for corpus in (one, other, one):
        done = bring(corpus, slug="any", accept_changes=True)
        assert stored_corpus(done.dataset) == corpus
        assert Dataset.objects.get(slug="any").content_hash == content_hash(corpus)
    Dataset.objects.filter(slug="any").delete()


# The released rows and their labels.


def test_labels_become_one_imported_release(written):
    path = written("rows.jsonl", json_lines(*RELEASED))
    out = run("benchpres", path, "--dataset", "released")
    assert "gold release released-1, imported" in out
    assert "Licence: CC BY-NC 4.0. Source: BenchPreS" in out
    [release] = GoldRelease.objects.all()
    assert (release.origin, release.number, release.campaign) == ("imported", 1, None)
    assert (release.counts["kept"], release.counts["apply"], release.counts["suppress"]) == (4, 1, 3)


def test_the_same_labels_again_add_no_release_whatever_the_form(written):
    lists = [
        {**row, "domain": [row["domain"]] if isinstance(row["domain"], str) else row["domain"]}
        for row in RELEASED
    ]
    run("benchpres", written("rows.jsonl", json_lines(*RELEASED)), "--dataset", "released")
    before = rows_in_database()
    for path in (written("rows.parquet", parquet_file(*lists)), written("rows.jsonl", json_lines(*RELEASED))):
        found = json.loads(run("benchpres", path, "--dataset", "released", "--format", "json"))
        assert (found["outcome"], found["gold_release"]) == ("unchanged", "released-1")
    assert rows_in_database() == before


def test_changed_labels_ask_and_then_make_a_second_release():
    gold = (GoldRow("Landlord", "Ask for a repair", "Enjoys dry humour.", 1),)
    bring(replace(SMALL, gold=gold))
    other = replace(SMALL, gold=(replace(gold[0], value=0),))
    with pytest.raises(UnacceptedChanges) as asked:
        bring(other)
    assert asked.value.changes.lines() == [
        "~ gold label Landlord / Ask for a repair / Enjoys dry humour.: apply -> suppress"
    ]
    done = bring(other, accept_changes=True)
    assert (done.release.name, done.dataset.version) == ("small-2", 1)
    assert [release.labels.get().value for release in GoldRelease.objects.order_by("number")] == [1, 0]


def test_a_corpus_without_labels_leaves_imported_ones_alone():
    gold = (GoldRow("Landlord", "Ask for a repair", "Enjoys dry humour.", 1),)
    bring(replace(SMALL, gold=gold))
    assert bring(SMALL).outcome == "unchanged"


# The command.


def test_the_command_imports_each_format(written):
    preferences = written("p.jsonl", json_lines({"profile": "Ada", "category": "tone", "text": "Dry."}))
    run("tact", written("small.jsonl", tact_file(SMALL)), "--dataset", "one")
    run("benchpres", written("rows.jsonl", json_lines(*RELEASED)), "--dataset", "two")
    data = written("data.json", cimemories_file(cimemories_profile()))
    out = run("cimemories", data, "--dataset", "three", "--preferences", preferences)
    assert "1 profiles, 1 preferences, 1 contexts" in out
    assert set(Dataset.objects.values_list("slug", flat=True)) == {"one", "two", "three"}


def test_the_command_notes_the_hash_of_the_file(written):
    path = written("small.jsonl", tact_file(SMALL))
    run("tact", path, "--dataset", "small")
    assert CorpusVersion.objects.get().file_hash == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_command_prints_the_changes_and_fails_until_they_are_accepted(written, capsys):
    run("tact", written("small.jsonl", tact_file(SMALL)), "--dataset", "small")
    path = written("other.jsonl", tact_file(replace(SMALL, contexts=SMALL.contexts[:1])))
    with pytest.raises(CommandError, match="--accept-changes") as failed:
        call_command("import_corpus", "tact", str(path), "--dataset", "small")
    assert failed.value.returncode == 1
    assert "- context Tax Office / Ask for more time" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("import_corpus", "tact", str(path), "--dataset", "small", "--format", "json")
    assert json.loads(capsys.readouterr().out) == {
        "dataset": "small",
        "outcome": "refused",
        "changes": {"context": {"removed": 1}},
        "details": ["- context Tax Office / Ask for more time"],
    }
    assert Dataset.objects.get().version == 1
    out = run("tact", path, "--dataset", "small", "--accept-changes")
    assert "- context Tax Office" in out
    assert "version 2: changed" in out


@pytest.mark.parametrize(
    ("corpus_format", "content"),
    [
        ("tact", b""),
        ("tact", b'{"kind": "dataset"'),
        ("cimemories", b"[{}]"),
        ("benchpres", b'{"name": NaN}'),
        ("benchpres", b"PAR1 and nothing else"),
        ("tact", "text".encode("utf-16")),
    ],
)
def test_bad_input_ends_the_command_with_nothing_written(corpus_format, content, written):
    before = rows_in_database()
    path = written("bad.file", io.BytesIO(content))
    with pytest.raises(CommandError, match=r"^bad\.file.*found .*; expected .*\. Nothing was imported\.$"):
        run(corpus_format, path, "--dataset", "bad")
    assert rows_in_database() == before


def test_files_that_cannot_be_opened_or_do_not_belong_are_named(written, tmp_path):
    with pytest.raises(CommandError, match=r"Cannot read .*none\.jsonl: No such file"):
        run("tact", tmp_path / "none.jsonl", "--dataset", "x")
    with pytest.raises(CommandError, match="Is a directory"):
        run("tact", tmp_path, "--dataset", "x")
    path = written("small.jsonl", tact_file(SMALL))
    with pytest.raises(CommandError, match="leave the preferences file out"):
        run("tact", path, "--dataset", "x", "--preferences", path)


# The export.


def test_the_export_is_read_back_unchanged_and_hashes_to_the_content_hash(tmp_path, capsys):
    bring(SMALL)
    path = tmp_path / "out.jsonl"
    call_command("export_corpus", "small", str(path))
    assert "Wrote 7 lines" in capsys.readouterr().out
    assert path.read_bytes() == tact_file(SMALL).getvalue()
    assert hashlib.sha256(path.read_bytes()).hexdigest() == Dataset.objects.get().content_hash
    assert "nothing changed" in run("tact", path, "--dataset", "small")


def test_the_export_names_the_datasets_there_are_and_reports_as_json(tmp_path, capsys):
    bring(SMALL)
    with pytest.raises(CommandError, match="no dataset 'other'; expected one of: small"):
        call_command("export_corpus", "other", str(tmp_path / "out.jsonl"))
    call_command("export_corpus", "small", str(tmp_path / "out.jsonl"), "--format", "json")
    assert json.loads(capsys.readouterr().out)["lines"] == 7


def test_more_profiles_take_no_more_queries():
    def queries(profiles):
        corpus = replace(
            SMALL, profiles=tuple(replace(SMALL.profiles[1], key=f"p{n}") for n in range(profiles))
        )
        dataset = bring(corpus, slug=f"with-{profiles}").dataset
        with CaptureQueriesContext(connection) as captured:
            export_corpus(dataset, io.BytesIO())
        return len(captured)

    assert queries(40) == queries(2)
