"""The corpora's pages and the upload in the admin: who sees them, what they show, what they ask."""

import io
import json
import os
import time
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.actions.corpus import import_corpus
from annotate.importers.corpus import ContextRow, PreferenceRow
from annotate.models import (
    Companion,
    ContrastPair,
    CorpusVersion,
    Dataset,
    GoldRelease,
    Reply,
    Situation,
)
from annotate.stored_corpus import stored_corpus
from tests.annotate.factories import make_user
from tests.annotate.importers.corpora import (
    RELEASED,
    SMALL,
    cimemories_file,
    cimemories_profile,
    json_lines,
    tact_file,
)
from tests.annotate.review_factories import make_pair_dataset

pytestmark = pytest.mark.django_db
OTHER = replace(SMALL, contexts=(*SMALL.contexts, ContextRow("Judge", "Plead", ("legal",))))
IMPORT = "/admin/annotate/dataset/add/"


@pytest.fixture
def dataset():
    return import_corpus(SMALL, slug="small", file_name="small.jsonl", file_hash="f" * 64).dataset


@pytest.fixture
def lead(client):
    user = make_user("lena", "lead")
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    client.force_login(user)
    return client


@pytest.fixture(autouse=True)
def own_var_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def upload(client, corpus_format, file, slug="small", **others):
    content = SimpleUploadedFile("upload.jsonl", file.getvalue())
    return client.post(
        IMPORT, {"corpus_format": corpus_format, "slug": slug, "file": content, **others}, follow=True
    )


def addresses(dataset):
    return [
        reverse("corpus-list"),
        reverse("corpus", args=[dataset.slug]),
        reverse("corpus-download", args=[dataset.slug]),
        reverse("corpus-pairs", args=[dataset.slug]),
        reverse("corpus-pairs-download", args=[dataset.slug]),
    ]


# Who.


def test_a_visitor_is_sent_to_sign_in(client, dataset):
    for address in [*addresses(dataset), IMPORT]:
        assert client.get(address).status_code == 302


def test_an_annotator_sees_no_corpus(client, dataset):
    client.force_login(make_user("ana", "annotator"))
    assert [client.get(address).status_code for address in addresses(dataset)] == [403] * 5
    assert client.get(IMPORT).status_code == 302


def test_staff_who_are_no_leads_cannot_import(client):
    user = make_user("sam")
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    client.force_login(user)
    assert client.get(IMPORT).status_code == 403
    assert upload(client, "tact", tact_file(SMALL)).status_code == 403
    assert not Dataset.objects.exists()


def test_pages_are_only_read(lead, dataset):
    assert [lead.post(address).status_code for address in addresses(dataset)] == [405] * 5


# The pages.


def test_the_list_counts_each_kind_of_row(lead, dataset):
    page = lead.get(reverse("corpus-list"))
    [row] = page.context["datasets"]
    assert (row.profile_count, row.preference_count, row.context_count) == (2, 2, 2)
    assert "CC0" in page.text


def test_a_corpus_shows_origin_rows_and_history(lead, dataset):
    import_corpus(OTHER, slug="small", file_name="o.jsonl", file_hash="e" * 64, accept_changes=True)
    text = lead.get(reverse("corpus", args=["small"])).text
    for shown in (
        "Written for the tests",
        "CC0",
        "2 profiles with 2 facts",
        "Captain",
        "Rents a flat.",
        "Plead",
    ):
        assert shown in text
    assert "context: 1 added" in text
    assert lead.get(reverse("corpus", args=["none"])).status_code == 404


def test_a_corpus_without_rows_is_shown(lead):
    empty = replace(SMALL, contexts=(), preferences=(), profiles=())
    import_corpus(empty, slug="empty", file_name="e.jsonl", file_hash="e" * 64)
    assert lead.get(reverse("corpus", args=["empty"])).status_code == 200
    Dataset.objects.all().delete()
    assert "no corpus yet" in lead.get(reverse("corpus-list")).text


def test_text_of_a_corpus_is_escaped(lead):
    hostile = "<script>alert(1)</script>"
    corpus = replace(
        SMALL, name=hostile, source=hostile, preferences=(*SMALL.preferences, PreferenceRow(hostile, hostile))
    )
    import_corpus(corpus, slug="hostile", file_name=f"{hostile}.jsonl", file_hash="e" * 64)
    for address in (reverse("corpus-list"), reverse("corpus", args=["hostile"])):
        assert hostile not in lead.get(address).text


def test_the_download_is_the_file_that_imports_unchanged(lead, dataset):
    answer = lead.get(reverse("corpus-download", args=["small"]))
    assert answer["Content-Disposition"] == 'attachment; filename="small-v1.jsonl"'
    assert b"".join(answer.streaming_content) == tact_file(SMALL).getvalue()


# Contrast pairs.


@pytest.fixture
def pairs():
    return make_pair_dataset(preferences=13, pairs=2)


def test_a_corpus_of_pairs_counts_them_and_leads_to_them(lead, pairs):
    page = lead.get(reverse("corpus", args=["pairs"]))
    assert "26 contrast pairs" in page.text
    # Pair n has category n mod 8, tier n mod 2, distance n mod 3; preference p has domain p mod 6.
    assert [(title, dict(counts)) for title, counts in page.context["pair_counts"]] == [
        (
            "Situation category",
            {
                "companions": 4,
                "occasion": 4,
                "time constraint": 3,
                "beneficiary shift": 3,
                "role shift": 3,
                "resource constraint": 3,
                "physical state": 3,
                "emotional state": 3,
            },
        ),
        (
            "Domain",
            {"food": 6, "film": 4, "activities": 4, "goods": 4, "routines": 4, "social interaction": 4},
        ),
        ("Tier of the positive situation", {"clean": 13, "distractor": 13}),
        ("Distance in rounds", {"1": 9, "3": 9, "6": 8}),
    ]
    assert reverse("corpus-pairs", args=["pairs"]) in page.text
    assert reverse("corpus-pairs-download", args=["pairs"]) in page.text


def test_pairs_are_read_whole_ten_a_page(lead, pairs):
    address = reverse("corpus-pairs", args=["pairs"])
    text = lead.get(address).text
    for shown in ("M01-C1-s0", "I am in situation 9x.", "I am in situation 9y.", "Request 9?", "Advice 9s."):
        assert shown in text
    assert "User has control memory 14." in text
    assert "1 to 10 of 26" in text
    assert "situation 10x" not in text
    assert "21 to 26 of 26" in lead.get(address, {"page": 3}).text


def test_the_download_of_pairs_imports_again(lead, pairs):
    answer = lead.get(reverse("corpus-pairs-download", args=["pairs"]))
    assert answer["Content-Disposition"] == 'attachment; filename="pairs-v1-pairs.jsonl"'
    upload(lead, "pairpref", io.BytesIO(answer.getvalue()), slug="again")
    again = stored_corpus(Dataset.objects.get(slug="again"))
    assert (again.preferences, again.pairs) == (stored_corpus(pairs).preferences, stored_corpus(pairs).pairs)


def test_a_corpus_without_pairs_says_nothing_of_them(lead, dataset):
    assert "airs" not in lead.get(reverse("corpus", args=["small"])).text.split("<main")[1]
    assert "There is none" in lead.get(reverse("corpus-pairs", args=["small"])).text


def test_text_of_pairs_is_escaped(lead, pairs):
    hostile = "<script>alert(1)</script>"
    for model in (ContrastPair, Situation, Reply, Companion):
        field = "request" if model is ContrastPair else "text"
        row = model.objects.order_by("pk").first()
        model.objects.filter(pk=row.pk).update(**{field: hostile})
    ContrastPair.objects.filter(position=1).update(identifier=hostile)
    text = lead.get(reverse("corpus-pairs", args=["pairs"])).text
    assert text.count("&lt;script&gt;") >= 5
    assert hostile not in text


def test_an_upload_takes_a_field_map_also_through_the_question_what_changes(lead, pairs):
    first, *others = (
        json.loads(line)
        for line in lead.get(reverse("corpus-pairs-download", args=["pairs"])).getvalue().splitlines()
    )
    rows = [{**row, "situation": {"plus": row["positive"]}} for row in (first, *others)]
    for row in rows:
        del row["positive"]
    field_map = '{"positive": "situation.plus"}'
    page = upload(lead, "pairpref", json_lines(*rows), slug="again")
    assert "field &#x27;situation&#x27;: found an unknown field" in page.text
    upload(lead, "pairpref", json_lines(*rows), slug="again", field_map=field_map)
    assert Dataset.objects.get(slug="again").pairs.count() == 26
    page = upload(lead, "pairpref", json_lines(*rows[1:]), slug="again", field_map=field_map)
    assert "- pair M01-C1-s0" in page.text
    lead.post(IMPORT, {"asked": page.context["token"]})
    assert Dataset.objects.get(slug="again").pairs.count() == 25


# The upload.


def test_an_upload_makes_a_dataset_and_notes_who_brought_it(lead):
    page = upload(lead, "tact", tact_file(SMALL))
    assert "version 1: created" in page.text
    assert stored_corpus(Dataset.objects.get()) == SMALL
    version = CorpusVersion.objects.get()
    assert (version.file_name, version.imported_by.username) == ("upload.jsonl", "lena")
    assert "already" in upload(lead, "tact", tact_file(SMALL)).text


def test_an_upload_takes_a_preferences_file(lead):
    row = {"profile": "Ada", "category": "tone", "text": "Dry."}
    preferences = SimpleUploadedFile("p.jsonl", json_lines(row).getvalue())
    upload(lead, "cimemories", cimemories_file(cimemories_profile()), preferences=preferences)
    assert Dataset.objects.get().preferences.get().text == "Dry."


def test_uploaded_labels_become_an_imported_release(lead):
    page = upload(lead, "benchpres", json_lines(*RELEASED))
    assert "marked as imported" in page.text
    assert GoldRelease.objects.get().created_by == "lena"
    text = lead.get(reverse("corpus", args=["small"])).text
    assert "4 labels, imported with its corpus" in text
    assert reverse("gold-release", args=["small-1"]) in text


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe{\x00", b"[1]"])
def test_bad_input_is_shown_on_the_form_and_nothing_written(lead, content):
    page = upload(lead, "tact", io.BytesIO(content))
    assert page.status_code == 200
    assert "upload.jsonl" in page.text
    assert "expected" in page.text
    assert not Dataset.objects.exists()


def test_a_changed_file_shows_its_changes_and_is_imported_when_accepted(lead, dataset, tmp_path):
    page = upload(lead, "tact", tact_file(OTHER))
    assert "+ context Judge / Plead" in page.text
    assert stored_corpus(Dataset.objects.get()) == SMALL
    page = lead.post(IMPORT, {"asked": page.context["token"]}, follow=True)
    assert "version 2: changed" in page.text
    assert stored_corpus(Dataset.objects.get()) == OTHER
    assert not list((tmp_path / "uploads").iterdir())


def test_accepting_twice_imports_once(lead, dataset):
    token = upload(lead, "tact", tact_file(OTHER)).context["token"]
    lead.post(IMPORT, {"asked": token})
    page = lead.post(IMPORT, {"asked": token}, follow=True)
    assert "changed meanwhile" in page.text
    assert Dataset.objects.get().version == 2


def test_changes_that_were_not_shown_are_not_imported(lead, dataset):
    token = upload(lead, "tact", tact_file(OTHER)).context["token"]
    third = replace(SMALL, licence="CC BY 4.0")
    import_corpus(third, slug="small", file_name="t.jsonl", file_hash="d" * 64, accept_changes=True)
    assert "changed meanwhile" in lead.post(IMPORT, {"asked": token}, follow=True).text
    assert stored_corpus(Dataset.objects.get()) == third


def test_an_answer_that_this_page_did_not_sign_is_refused(lead, dataset):
    page = lead.post(IMPORT, {"asked": "made:up"}, follow=True)
    assert "upload the file again" in page.text
    assert Dataset.objects.get().version == 1


def test_an_upload_that_nobody_comes_back_for_is_removed_after_a_day(lead, dataset, tmp_path):
    upload(lead, "tact", tact_file(OTHER))
    [old] = (tmp_path / "uploads").iterdir()
    two_days_ago = time.time() - 2 * 86_400
    os.utime(old, (two_days_ago, two_days_ago))
    token = upload(lead, "tact", tact_file(OTHER)).context["token"]
    [new] = (tmp_path / "uploads").iterdir()
    assert new != old
    new.unlink()
    assert "no longer kept" in lead.post(IMPORT, {"asked": token}, follow=True).text


# The other pages of the admin.


@pytest.mark.parametrize("kind", ["dataset", "profile", "preference", "context"])
def test_the_admin_shows_corpora_and_lets_nobody_edit_them(lead, dataset, kind):
    row = getattr(dataset, f"{kind}s").first() if kind != "dataset" else dataset
    assert lead.get(reverse(f"admin:annotate_{kind}_changelist")).status_code == 200
    change = reverse(f"admin:annotate_{kind}_change", args=[row.pk])
    assert lead.get(change).status_code == 200
    assert lead.post(change, {}).status_code == 403
    assert (
        lead.post(reverse(f"admin:annotate_{kind}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    )


def test_the_list_of_datasets_leads_to_the_import(lead, dataset):
    assert f'href="{IMPORT}"' in lead.get(reverse("admin:annotate_dataset_changelist")).text
    assert lead.get(IMPORT).status_code == 200
