"""Released rows of PairPref are read whole, under the names of a field map, or refused by line and field."""

import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.importers.corpus import CompanionRow, PairRow, PreferenceRow
from annotate.importers.pairpref import parse_pairpref
from annotate.importers.reading import BadInput
from annotate.problems import Problem
from tests.annotate.importers.corpora import json_lines

PAIR = PairRow(
    id="M07-C6-c26634",
    preference="M07",
    category="resource_constraint",
    tier="clean",
    distance=3,
    request="Which tent?",
    positive="The whole van is empty.",
    negative="The whole van is full.",
    memory="Take the big one.",
    acknowledged="Leave the big one at home.",
    plain="Take the small one.",
    off_task="Pack a torch.",
)
PREFERENCE = PreferenceRow(
    "",
    "User wants room to stand up in a tent.",
    key="M07",
    domain="goods",
    companions=(CompanionRow("near", "User has a stove."), CompanionRow("control", "User sings.")),
)
ROW = {
    "id": "M07-C6-c26634",
    "preference": "User wants room to stand up in a tent.",
    "domain": "goods",
    "category": "Resource constraint",
    "tier": "clean",
    "distance": 3,
    "request": "Which tent?",
    "positive": "The whole van is empty.",
    "negative": "The whole van is full.",
    "memory": "Take the big one.",
    "acknowledged": "Leave the big one at home.",
    "plain": "Take the small one.",
    "off_task": "Pack a torch.",
    "companions": {"near": ["User has a stove."], "control": ["User sings."]},
}
OTHER = {**ROW, "id": "M07-C1-c5", "category": "companions"}


def parsed(*rows, field_map="", preferences=None):
    added = json_lines(*preferences) if preferences else None
    return parse_pairpref(json_lines(*rows), "rows.jsonl", added, "companions.jsonl", field_map)


def refusal(*rows, **options):
    with pytest.raises(BadInput) as caught:
        parsed(*rows, **options)
    return str(caught.value)


def test_row_is_a_pair_and_its_preference():
    corpus = parsed(ROW)
    assert corpus.pairs == (PAIR,)
    assert corpus.preferences == (PREFERENCE,)


def test_rows_of_one_preference_share_it():
    corpus = parsed(ROW, OTHER)
    assert [pair.id for pair in corpus.pairs] == ["M07-C6-c26634", "M07-C1-c5"]
    assert corpus.preferences == (PREFERENCE,)


def test_field_map_reads_other_names_at_any_depth_and_passes_over_the_rest():
    theirs = {
        "sample": {"uid": ROW["id"], "M": ROW["preference"]},
        "domain": "goods",
        "category": "resource-constraint",
        "tier": "clean",
        "distance": 3,
        "query": ROW["request"],
        "contexts": [ROW["positive"], ROW["negative"]],
        "options": [{"text": ROW[role]} for role in ("memory", "acknowledged", "plain", "off_task")],
        "verdicts": {"flip": "PASS"},
    }
    field_map = {
        "id": "sample.uid",
        "preference": "sample.M",
        "request": "query",
        "positive": "contexts[0]",
        "negative": "contexts[1]",
        "memory": "options[0].text",
        "acknowledged": "options[1].text",
        "plain": "options[2].text",
        "off_task": "options[3].text",
        "ignored": ["verdicts"],
    }
    corpus = parsed(theirs, field_map=json.dumps(field_map))
    assert corpus.pairs == (PAIR,)
    assert corpus.preferences == (replace(PREFERENCE, companions=()),)


@pytest.mark.parametrize(
    ("field_map", "words"),
    [
        ("{", "is no JSON"),
        ("[]", "is a list of 0; expected an object"),
        ('{"situation": "x"}', "names 'situation'; expected some of id, preference"),
        ('{"positive": "a..b"}', "has 'a..b' for 'positive'; expected a path"),
        ('{"positive": 3}', "has the number 3 for 'positive'"),
        ('{"ignored": "all"}', "expected a list of field names"),
    ],
)
def test_bad_field_map_is_named(field_map, words):
    with pytest.raises(Problem) as caught:
        parsed(ROW, field_map=field_map)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"verdict": "PASS"},
            "line 2, field 'verdict': found an unknown field; expected one of id, preference",
        ),
        ({"tier": "dirty"}, "line 2, field tier: found 'dirty'; expected one of clean, distractor"),
        ({"category": "weather"}, "line 2, field category: found 'weather'; expected one of companions"),
        ({"distance": 0}, "line 2, field distance: found the number 0; expected a whole number from 1"),
        ({"distance": True}, "line 2, field distance: found true"),
        ({"request": " "}, "line 2, field request: found white space only"),
        (
            {"negative": ROW["positive"]},
            "line 2, field negative: found 'The whole van is empty.' as in positive",
        ),
        ({"plain": ROW["memory"]}, "line 2, field plain: found 'Take the big one.' as in memory"),
        ({"id": ROW["id"]}, "already given in rows.jsonl, line 1"),
        ({"id": "c26634"}, "expected an identifier such as M07-C6-c26634, or a field preference_key"),
        (
            {"preference": "User sleeps outside."},
            "as in rows.jsonl, line 1, for the preference is M07 there too",
        ),
        ({"domain": "food"}, "line 2, field domain: found 'food'; expected 'goods' as in rows.jsonl, line 1"),
        ({"companions": {}}, "line 2, field companions: found 0 companions; expected 2 companions"),
        ({"companions": {"close": []}}, "field 'close': found an unknown field; expected near, middle, far"),
        ({"id": "M08-C1-c5"}, "for M08; expected another text than that of M07"),
    ],
)
def test_bad_row_is_refused_by_line_and_field(changes, words):
    assert words in refusal(ROW, {**OTHER, **changes})


def test_missing_field_says_where_it_was_looked_for():
    row = {name: value for name, value in ROW.items() if name != "memory"}
    assert "line 1, field memory: found nothing at memory; expected a value there" in refusal(row)
    words = refusal(ROW, field_map='{"memory": "options[0].text", "ignored": ["memory"]}')
    assert "field memory: found nothing at options[0].text" in words


def test_preferences_file_adds_domain_and_companions():
    bare = {name: value for name, value in ROW.items() if name not in ("domain", "companions")}
    added = {"preference_key": "M07", "domain": "goods", "companions": ROW["companions"]}
    assert parsed(bare, preferences=[added]).preferences == (PREFERENCE,)
    assert "expected the key of a preference" in refusal(
        bare, preferences=[{**added, "preference_key": "M1"}]
    )
    assert "field domain: found 'food'" in refusal(ROW, preferences=[{**added, "domain": "food"}])


def test_empty_file_is_refused():
    assert "found an empty file; expected at least one row" in refusal()


@given(st.binary())
def test_no_bytes_raise_anything_but_bad_input(content):
    with pytest.raises(BadInput):
        parse_pairpref(io.BytesIO(content), "any.jsonl")
