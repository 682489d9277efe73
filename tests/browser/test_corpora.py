"""A lead's way from a file to a corpus, in a real browser."""

from dataclasses import replace
from pathlib import Path

import pytest
from django.urls import reverse

from annotate.importers.corpus import ContextRow
from annotate.models import Dataset
from annotate.stored_corpus import stored_corpus
from tests.annotate.importers.corpora import SMALL, tact_file
from tests.annotate.review_factories import make_pair_dataset

pytestmark = pytest.mark.browser
OTHER = replace(SMALL, contexts=(*SMALL.contexts, ContextRow("Judge", "Plead", ("legal",))))


@pytest.fixture
def lead(make_user, sign_in):
    user = make_user("lea", "lead")
    user.is_staff = True
    user.save()
    sign_in(user)
    return user


def choose(page, corpus, name):
    page.get_by_label("Dataset").fill("small")
    content = {"name": name, "mimeType": "application/jsonl", "buffer": tact_file(corpus).getvalue()}
    page.locator("#id_file").set_input_files(content)
    page.get_by_role("button", name="Import", exact=True).click()


def test_a_lead_imports_changes_and_downloads_a_corpus(
    lead, page, check_accessibility, take_screenshots, settings, tmp_path
):
    settings.VAR_DIR = tmp_path
    page.goto(reverse("corpus-list"))
    assert page.get_by_text("There is no corpus yet").is_visible()
    page.get_by_role("button", name="Import a corpus").click()
    check_accessibility()
    take_screenshots("corpus-import")
    choose(page, SMALL, "small.jsonl")
    page.get_by_text("version 1: created").wait_for()

    page.goto(reverse("admin:annotate_dataset_add"))
    choose(page, OTHER, "other.jsonl")
    page.get_by_text("+ context Judge / Plead").wait_for()
    check_accessibility()
    take_screenshots("corpus-changes")
    page.get_by_role("button", name="Import these changes").click()
    page.get_by_text("version 2: changed").wait_for()
    assert stored_corpus(Dataset.objects.get()) == OTHER

    page.goto(reverse("corpus-list"))
    check_accessibility()
    take_screenshots("corpus-list")
    page.get_by_role("link", name="small", exact=True).click()
    check_accessibility()
    take_screenshots("corpus")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download (JSON lines)").click()
    assert download.value.suggested_filename == "small-v2.jsonl"
    assert Path(download.value.path()).read_bytes() == tact_file(OTHER).getvalue()


def test_a_lead_reads_the_pairs_of_a_corpus(lead, page, check_accessibility, take_screenshots):
    make_pair_dataset(preferences=13, pairs=1)
    page.goto(reverse("corpus", args=["pairs"]))
    check_accessibility()
    take_screenshots("corpus-of-pairs")
    page.get_by_role("link", name="Read the 13 pairs").click()
    page.get_by_text("Companion memories of M01-C1-s0").click()
    page.get_by_text("User has control memory 14.").locator("visible=true").wait_for()
    check_accessibility()
    take_screenshots("corpus-pairs")
    page.get_by_role("link", name="Next").click()
    page.get_by_text("11 to 13 of 13").wait_for()


def test_a_bad_file_is_explained_on_the_page(lead, page, check_accessibility):
    page.goto(reverse("admin:annotate_dataset_add"))
    choose(page, replace(SMALL, contexts=SMALL.contexts * 2), "twice.jsonl")
    page.get_by_text("already given in twice.jsonl, line 2").wait_for()
    check_accessibility()
    assert not Dataset.objects.exists()
