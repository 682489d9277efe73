"""The project's own form reads back what was written, and refuses everything else by line and field."""

import io
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.importers.corpus import content_hash
from annotate.importers.reading import BadInput
from annotate.importers.tact import parse_tact
from tests.annotate.importers.corpora import SMALL, corpora, json_lines, tact_file

HEAD = {"kind": "dataset", "format": "tact-corpus/1", "name": "Small", "source": "", "licence": ""}
CONTEXT = {"kind": "context", "recipient": "Landlord", "task": "Ask", "domains": ["housing"]}
PREFERENCE = {"kind": "preference", "category": "tone", "text": "Enjoys dry humour."}
KEYED = {"kind": "preference", "category": "", "text": "User wants room.", "key": "M07"}
PAIR = {
    "kind": "pair",
    "id": "M07-C6-c26634",
    "preference": "M07",
    "category": "resource_constraint",
    "tier": "clean",
    "distance": 3,
    "request": "Which tent?",
    "situations": {"positive": "The van is empty.", "negative": "The van is full."},
    "replies": {
        "memory": "The big one.",
        "acknowledged": "Not big.",
        "plain": "Small.",
        "off_task": "A torch.",
    },
}
NOT_NFC = "e\u0308"
PROFILE = {"kind": "profile", "key": "p1", "name": "Ada", "memory": [{"preference": "Enjoys dry humour."}]}


def refusal(*rows):
    with pytest.raises(BadInput) as caught:
        parse_tact(json_lines(*rows), "small.jsonl")
    return caught.value


@given(corpora())
def test_what_is_written_is_read_back_unchanged(corpus):
    assert parse_tact(tact_file(corpus), "any.jsonl") == corpus


@given(corpora(), corpora())
def test_equal_hashes_mean_equal_corpora(one, other):
    assert (content_hash(one) == content_hash(other)) == (one == other)


@given(st.binary())
def test_no_bytes_raise_anything_but_bad_input(content):
    with pytest.raises(BadInput):
        parse_tact(io.BytesIO(content), "any.jsonl")


@given(corpora(), st.data())
def test_damaged_files_raise_bad_input_or_are_whole_corpora(corpus, data):
    content = bytearray(tact_file(corpus).getvalue())
    start = data.draw(st.integers(0, len(content)))
    content[start : start + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    with suppress(BadInput):
        found = parse_tact(io.BytesIO(bytes(content)), "damaged.jsonl")
        assert parse_tact(tact_file(found), "again.jsonl") == found


def test_rows_may_stand_in_any_order_after_the_first_line():
    rows = tact_file(SMALL).getvalue().splitlines(keepends=True)
    mixed = io.BytesIO(b"".join([rows[0], *reversed(rows[1:])]))
    assert {row.text for row in parse_tact(mixed, "x").preferences} == {row.text for row in SMALL.preferences}


def test_an_empty_file_is_refused():
    assert refusal().found == "an empty file"


@pytest.mark.parametrize(
    ("rows", "line", "field", "found"),
    [
        ([CONTEXT], 1, "field kind", "'context'"),
        ([HEAD, HEAD], 2, "field kind", "'dataset'"),
        ([{**HEAD, "format": "tact-corpus/9"}], 1, "field format", "'tact-corpus/9'"),
        ([HEAD, {"kind": "fact"}], 2, "field kind", "'fact'"),
        ([HEAD, ["context"]], 2, "", "a list of 1"),
        ([HEAD, {**CONTEXT, "domain": "x"}], 2, "field 'domain'", "an unknown field"),
        ([HEAD, {"kind": "context", "task": "Ask", "domains": []}], 2, "field recipient", "no such field"),
        ([HEAD, {**CONTEXT, "recipient": 7}], 2, "field recipient", "the number 7"),
        ([HEAD, {**CONTEXT, "recipient": " \n"}], 2, "field recipient", "white space only"),
        ([HEAD, {**CONTEXT, "recipient": "x" * 201}], 2, "field recipient", "a text of 201 characters"),
        ([HEAD, {**CONTEXT, "task": "nul \0"}], 2, "field task", "a NUL character"),
        ([HEAD, {**CONTEXT, "task": "half \ud800"}], 2, "field task", "half a surrogate pair at 5"),
        ([HEAD, {**CONTEXT, "domains": "housing"}], 2, "field domains", "'housing'"),
        ([HEAD, {**CONTEXT, "domains": ["a", "a"]}], 2, "field domains[1]", "'a' again"),
        ([HEAD, {**CONTEXT, "domains": ["a", None]}], 2, "field domains[1]", "null"),
        ([HEAD, {**PREFERENCE, "nickname": ""}], 2, "field nickname", "an empty text"),
        ([HEAD, {**PREFERENCE, "nickname": " Cap"}], 2, "field nickname", "' Cap'"),
        ([HEAD, {**PREFERENCE, "nickname": NOT_NFC}], 2, "field nickname", r"'e\u0308', which is not in NFC"),
        ([HEAD, PROFILE], 2, "field memory[0].preference", "'Enjoys dry humour.'"),
        ([HEAD, {**PROFILE, "memory": [{"fact": "x"}]}], 2, "field 'fact'", "an unknown field"),
        ([HEAD, {**PROFILE, "memory": ["x"]}], 2, "field memory[0]", "'x'"),
        (
            [HEAD, PREFERENCE, {**PROFILE, "memory": PROFILE["memory"] * 2}],
            3,
            "field memory[1].preference",
            "'Enjoys dry humour.' again",
        ),
        (
            [HEAD, {**PROFILE, "memory": [], "prompts": [{"recipient": "A", "task": "B", "text": "C"}]}],
            2,
            "field prompts[0]",
            "'A: B'",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_named_by_line_field_and_what_was_found(rows, line, field, found):
    refused = refusal(*rows)
    assert (refused.file, refused.line, refused.field, refused.found) == ("small.jsonl", line, field, found)
    assert refused.expected
    assert str(refused).startswith(f"small.jsonl, line {line}")
    assert str(refused).endswith("Nothing was imported.")


@pytest.mark.parametrize(
    ("changes", "field", "found"),
    [
        ({"preference": "M08"}, "field preference", "'M08'"),
        ({"category": "weather"}, "field category", "'weather'"),
        ({"tier": "dirty"}, "field tier", "'dirty'"),
        ({"distance": 0}, "field distance", "the number 0"),
        ({"distance": 1.5}, "field distance", "the number 1.5"),
        ({"id": "M07/C6"}, "field id", "'M07/C6'"),
        ({"label": 1}, "field 'label'", "an unknown field"),
        ({"situations": {"positive": "One."}}, "field situations.negative", "no such field"),
        ({"situations": {**PAIR["situations"], "other": "x"}}, "field 'other'", "an unknown field"),
        (
            {"situations": {"positive": "One.", "negative": "One."}},
            "field situations.negative",
            "'One.' as in positive",
        ),
        (
            {"replies": {**PAIR["replies"], "off_task": "Small."}},
            "field replies.off_task",
            "'Small.' as in plain",
        ),
    ],
)
def test_a_fault_of_a_pair_is_named(changes, field, found):
    refused = refusal(HEAD, KEYED, {**PAIR, **changes})
    assert (refused.line, refused.field, refused.found) == (3, field, found)
    assert refused.expected


@pytest.mark.parametrize(
    ("changes", "field", "found"),
    [
        ({"key": ""}, "field key", "an empty text"),
        ({"companions": ["x"]}, "field companions", "a list of 1"),
        ({"companions": {"close": []}}, "field 'close'", "an unknown field"),
        ({"companions": {"near": ["x"], "far": ["x"]}}, "field companions.far", "'x', also near"),
    ],
)
def test_a_fault_of_a_preference_of_pairs_is_named(changes, field, found):
    refused = refusal(HEAD, {**KEYED, **changes})
    assert (refused.line, refused.field, refused.found) == (2, field, found)


def test_one_key_for_two_preferences_is_refused():
    assert "already given in small.jsonl, line 2" in refusal(HEAD, KEYED, {**KEYED, "text": "Other."}).found


def test_a_corpus_without_pairs_keeps_the_hash_that_it_had_before_there_were_pairs():
    assert content_hash(SMALL) == "2f42c3dff9442feaf25f8a6188b2499c4a6b738473a53ab51cf058d6d89dfac1"


@pytest.mark.parametrize("row", [CONTEXT, PREFERENCE, {**PROFILE, "memory": []}])
def test_a_row_given_twice_is_refused_naming_both_lines(row):
    refused = refusal(HEAD, row, row)
    assert refused.line == 3
    assert "already given in small.jsonl, line 2" in refused.found


def test_a_truncated_file_is_refused_at_its_last_line():
    content = tact_file(SMALL).getvalue()[:-30]
    with pytest.raises(BadInput) as caught:
        parse_tact(io.BytesIO(content), "cut.jsonl")
    assert caught.value.line == len(content.splitlines())
    assert "broken JSON" in caught.value.found


def test_a_line_holds_one_row_as_documented():
    first, *others = map(json.loads, tact_file(SMALL).getvalue().splitlines())
    assert first == {**HEAD, "source": "Written for the tests", "licence": "CC0"}
    assert others[0] == {**CONTEXT, "task": "Ask for a repair"}
    assert others[3] == {
        "kind": "preference",
        "category": "nickname",
        "text": "Wants to be called Captain.",
        "nickname": "Captain",
    }
