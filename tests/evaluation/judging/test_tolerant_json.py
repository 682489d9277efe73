"""JSON is found wherever it stands, and its values survive character for character."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.tolerant_json import CONFLICT, find_objects, values_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4)


def only_object(text):
    found = find_objects(text)
    assert len(found) == 1
    return found[0].value


@given(OBJECTS, st.booleans(), st.sampled_from([None, 2]))
def test_json_survives_whole_in_prose(value, is_ascii, indent):
    text = f"Sure!\n```json\n{json.dumps(value, ensure_ascii=is_ascii, indent=indent)}\n```\nGood luck."
    assert only_object(text) == value


# Neither quotes nor what Python's repr would escape.
SAFE_TEXTS = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="\"'“”‘’\\", include_characters=" "),
    max_size=20,
)


@given(st.dictionaries(SAFE_TEXTS, SAFE_TEXTS | st.booleans() | st.none(), min_size=1, max_size=4))
def test_python_literals_survive_whole(value):
    assert only_object(f"It is {value!r} .") == value


@given(st.dictionaries(st.text("abcxyz", min_size=1), SAFE_TEXTS, min_size=1, max_size=4))
def test_comments_raw_newlines_and_trailing_commas_change_no_value(value):
    members = "".join(f'{json.dumps(key)}: "{inner}\n\t{inner}", // so\n' for key, inner in value.items())
    assert only_object(f"{{ /* here */ {members} }}") == {k: f"{v}\n\t{v}" for k, v in value.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'a': 'it's', b: \"x\"}", {"a": "it's", "b": "x"}),
        ('{"path": "C:\\dir", "x": 1}', {"path": "C:\\dir", "x": 1}),
        ('{"url": "http://a.b/#c", }', {"url": "http://a.b/#c"}),
        ("{\"a\": '\\ud83d\\ude00'}", {"a": "😀"}),
        ('{"a": 1, "a": 1}', {"a": 1}),
        ('{"a": 1, "a": true}', {"a": CONFLICT}),
        ('{"a": -.5, b: +2}', {"a": -0.5, "b": 2}),
    ],
)
def test_loose_forms_are_read(text, expected):
    assert only_object(text) == expected


def test_object_that_the_end_cut_holds_its_finished_members():
    found = find_objects('so: {"a": "x", "b": {"c": 1, "d": "unfin')[0]
    assert (found.value, found.is_cut) == ({"a": "x", "b": {"c": 1}}, True)


def test_braces_in_prose_are_no_objects():
    assert find_objects("a {b} {{c}} {1} {") == []


def test_nearest_key_counts_whatever_its_case():
    assert values_of({"Label": 1, "inner": {"label": 2}}, ("label",)) == [1]
    assert values_of({"x": [{"label": 1}, {"y": {"label": 2}}]}, ("label",)) == [1, 2]
