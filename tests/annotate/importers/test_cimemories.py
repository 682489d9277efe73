"""CIMemories profiles come with all their facts; preferences come from a file of the lead's."""

import io
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.importers.cimemories import parse_cimemories
from annotate.importers.corpus import ContextRow, Fact, HeldPreference, PreferenceRow
from annotate.importers.reading import BadInput
from tests.annotate.importers.corpora import cimemories_file, cimemories_profile, json_lines

PUBLIC_DATA = Path(__file__).parents[4] / "shared" / "data" / "cimemories"
DRY = {"profile": "Ada", "category": "tone", "text": "Enjoys dry humour."}
CAPTAIN = {"profile": "Ben", "category": "nickname", "text": "Is called Captain.", "nickname": "Captain"}


def parse(*profiles, preferences=None):
    added = json_lines(*preferences) if preferences is not None else None
    return parse_cimemories(cimemories_file(*profiles), "data.json", added, "preferences.jsonl")


def refusal(*profiles, preferences=None):
    with pytest.raises(BadInput) as caught:
        parse(*profiles, preferences=preferences)
    return caught.value


def without(profile, *path):
    profile = json.loads(json.dumps(profile))
    inner = profile
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    return profile


def test_facts_keep_their_order_and_domain_and_contexts_of_all_profiles_are_joined():
    ada = cimemories_profile(contexts=[("Landlord", "Ask"), ("Tax Office", "Ask")])
    ben = cimemories_profile("Ben", facts=["Is 50."], contexts=[("Judge", "Plead"), ("Landlord", "Ask")])
    corpus = parse(ada, ben)
    assert corpus.profiles[0].memory == (Fact("Rents a flat.", "housing"), Fact("Is 40.", "housing"))
    assert [row.name for row in corpus.profiles] == ["Ada", "Ben"]
    assert corpus.contexts == tuple(
        ContextRow(*pair) for pair in [("Landlord", "Ask"), ("Tax Office", "Ask"), ("Judge", "Plead")]
    )
    assert corpus.licence == "CC BY-NC 4.0"
    assert "CIMemories" in corpus.source


def test_preferences_are_shared_by_text_and_come_after_the_facts():
    both = [cimemories_profile(), cimemories_profile("Ben")]
    corpus = parse(*both, preferences=[DRY, CAPTAIN, {**DRY, "profile": "Ben"}])
    assert corpus.preferences == (
        PreferenceRow("tone", "Enjoys dry humour."),
        PreferenceRow("nickname", "Is called Captain.", "Captain"),
    )
    assert corpus.profiles[0].memory[2:] == (HeldPreference("Enjoys dry humour."),)
    assert corpus.profiles[1].memory[2:] == (
        HeldPreference("Is called Captain."),
        HeldPreference("Enjoys dry humour."),
    )


@pytest.mark.parametrize(
    ("profile", "field", "found"),
    [
        (without(cimemories_profile(), "bio"), "field [0].bio", "no such field"),
        (without(cimemories_profile(), "bio", "name"), "field [0].bio.name", "no such field"),
        (cimemories_profile(name=7), "field [0].bio.name", "the number 7"),
        (
            without(cimemories_profile(), "information_attributes"),
            "field [0].information_attributes",
            "no such field",
        ),
        (
            cimemories_profile(facts=["Rents a flat.", None]),
            "field [0].information_attributes.fact_1.memory_statement",
            "null",
        ),
        ({**cimemories_profile(), "contexts": {}}, "field [0].contexts", "an object"),
        (
            cimemories_profile(contexts=[("A", "B"), ("A", "B")]),
            "field [0].contexts[1].task",
            "the context 'A: B' again",
        ),
    ],
)
def test_a_fault_is_named_by_line_and_path(profile, field, found):
    refused = refusal(profile)
    assert (refused.file, refused.line, refused.field, refused.found) == ("data.json", 2, field, found)


def test_a_profile_given_twice_is_refused_naming_both_lines():
    refused = refusal(cimemories_profile(), cimemories_profile())
    assert refused.line > 2
    assert "already given in data.json, entry from line 2" in refused.found


def test_a_file_without_profiles_is_refused():
    assert refusal().found == "an empty list"


@pytest.mark.parametrize(
    ("second", "field", "found"),
    [
        ({**DRY, "profile": "Nobody"}, "field profile", "'Nobody'"),
        ({**DRY, "profile": "Ben", "category": "style"}, "field category", "'style'"),
        ({**DRY, "profile": "Ben", "nickname": "Cap"}, "field nickname", "'Cap'"),
        ({"category": "tone", "text": "Other."}, "field profile", "no such field"),
        ({**DRY, "txet": ""}, "field 'txet'", "an unknown field"),
    ],
)
def test_a_fault_in_the_preferences_file_is_named_there(second, field, found):
    refused = refusal(cimemories_profile(), cimemories_profile("Ben"), preferences=[DRY, second])
    assert (refused.file, refused.line, refused.field) == ("preferences.jsonl", 2, field)
    assert refused.found == found


def test_one_text_with_two_categories_names_both_lines():
    other = {**DRY, "profile": "Ben", "category": "style"}
    refused = refusal(cimemories_profile(), cimemories_profile("Ben"), preferences=[DRY, other])
    assert "'tone' as in preferences.jsonl, line 1" in refused.expected


def test_a_preference_given_twice_to_a_profile_and_an_empty_file_are_refused():
    assert "already given in" in refusal(cimemories_profile(), preferences=[DRY, DRY]).found
    assert refusal(cimemories_profile(), preferences=[]).found == "no preference"


@given(st.binary())
def test_no_bytes_raise_anything_but_bad_input(content):
    with suppress(BadInput):
        parse_cimemories(io.BytesIO(content), "any.json")
    with pytest.raises(BadInput):
        parse_cimemories(cimemories_file(cimemories_profile()), "d", io.BytesIO(content), "p")


@given(st.data())
def test_damaged_files_raise_bad_input_or_are_whole_corpora(data):
    content = bytearray(cimemories_file(cimemories_profile(), cimemories_profile("Ben")).getvalue())
    start = data.draw(st.integers(0, len(content)))
    content[start : start + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    with suppress(BadInput):
        assert parse_cimemories(io.BytesIO(bytes(content)), "damaged.json").profiles


def test_a_key_that_cannot_be_printed_is_shown_safely():
    profile = json.loads('{"bio": {"name": "Ada"}, "contexts": [], "information_attributes": {"\\ud800": 1}}')
    str(refusal(profile)).encode()


@pytest.mark.skipif(not PUBLIC_DATA.exists(), reason="the public CIMemories file is not on this machine")
def test_the_public_file_is_read_whole():
    [path] = PUBLIC_DATA.glob("*.json")
    with path.open("rb") as file:
        corpus = parse_cimemories(file, path.name)
    source = json.loads(path.read_text())
    assert [len(row.memory) for row in corpus.profiles] == [len(p["information_attributes"]) for p in source]
    assert len(corpus.profiles) == 10
    assert len(corpus.contexts) == 49
