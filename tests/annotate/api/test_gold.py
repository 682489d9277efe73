"""Gold releases and corpora through the API, for leads."""

import csv
import hashlib
import io
import json

import pyarrow.parquet as pq
import pytest

from annotate.actions.corpus import import_corpus
from annotate.actions.gold import freeze_gold_release
from tests.annotate.factories import give_labels
from tests.annotate.importers.corpora import SMALL


@pytest.fixture
def release(campaign):
    give_labels(campaign, ["111", "110", "000"])
    return freeze_gold_release(campaign, "lea")


def content(answer) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_the_list_says_what_each_release_holds(lead, release):
    (row,) = lead.get("/api/v1/gold/").json()["results"]
    assert row["name"] == "small-1"
    assert (row["dataset"], row["campaign"], row["labels"]) == ("small", "round-1", 2)
    assert row["content_hash"] == release.content_hash
    assert row["notice"] == ""
    assert "agreement" not in row


def test_one_release_comes_with_its_counts_and_agreement(lead, release):
    found = lead.get("/api/v1/gold/small-1/").json()
    assert found["counts"] == release.counts
    assert found["agreement"] == release.agreement
    assert found["guideline_version"] == 1


def test_a_release_that_is_not_there_is_named(lead, release):
    answer = lead.get("/api/v1/gold/small-7/")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "There is no gold release 'small-7'; expected one of: small-1."


def test_every_form_of_the_file_holds_the_same_labels(lead, release):
    answers = {
        suffix: lead.get(f"/api/v1/gold/small-1/download.{suffix}") for suffix in ("jsonl", "csv", "parquet")
    }
    assert all(answer.streaming for answer in answers.values())
    files = {suffix: content(answer) for suffix, answer in answers.items()}
    lines = [json.loads(line) for line in files["jsonl"].splitlines()]
    assert [(line["recipient"], line["label"]) for line in lines] == [
        ("Recipient 0", "apply"),
        ("Recipient 0", "suppress"),
    ]
    table = list(csv.DictReader(io.StringIO(files["csv"].decode())))
    assert [row["preference"] for row in table] == [line["preference"] for line in lines]
    assert pq.read_table(io.BytesIO(files["parquet"])).to_pylist() == lines


def test_the_file_is_that_of_the_page(lead, release, client):
    client.force_login(lead.handler._force_user)
    for suffix in ("jsonl", "csv", "md"):
        page, api = (
            asked.get(f"{start}gold/small-1/download.{suffix}")
            for asked, start in [(client, "/"), (lead, "/api/v1/")]
        )
        assert content(page) == content(api)
        assert page["Content-Disposition"] == api["Content-Disposition"]


def test_a_corpus_comes_with_counts(lead, campaign):
    (row,) = lead.get("/api/v1/corpora/").json()["results"]
    assert row == lead.get("/api/v1/corpora/small/").json()
    assert (row["slug"], row["version"]) == ("small", 1)
    assert (row["profiles"], row["preferences"], row["contexts"]) == (0, 3, 2)


def test_a_corpus_is_downloaded_in_the_form_that_its_hash_is_of(lead):
    import_corpus(SMALL, slug="whole", file_name="small.jsonl", file_hash="f" * 64)
    answer = lead.get("/api/v1/corpora/whole/download.jsonl")
    assert answer.streaming
    assert answer["Content-Disposition"] == 'attachment; filename="whole-v1.jsonl"'
    found = lead.get("/api/v1/corpora/whole/").json()
    assert hashlib.sha256(content(answer)).hexdigest() == found["content_hash"]
