"""A key differs exactly where what is asked differs, and a plan is cut where memories change."""

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.keys import Asked, choose, shards, unit_key, verdict_key

SUBJECT = Asked("http://127.0.0.1:9/v1", "small", {"max_tokens": 400, "temperature": 1.0})
UNIT = {
    "subject": SUBJECT,
    "messages": [{"role": "user", "content": "Write."}],
    "corpus_hash": "c" * 64,
    "about": {"profile": "p1", "recipient": "Bank", "task": "Ask for a loan"},
    "arm": "default",
    "sample": 1,
}
VERDICT = {
    "unit_key": "u",
    "target": "label",
    "about": "Likes sarcasm.",
    "judge": SUBJECT,
    "prompt_hash": "h",
    "number": 1,
}


@dataclass(frozen=True)
class Unit:
    """A unit with a name, in a group."""

    name: int
    group: tuple[int, ...]


def test_the_same_question_has_the_same_key_of_64_hexadecimal_digits():
    assert unit_key(**UNIT) == unit_key(**UNIT)
    assert len(unit_key(**UNIT)) == len(bytes.fromhex(unit_key(**UNIT))) * 2 == 64


def test_neither_the_order_of_parameters_nor_that_of_a_messages_fields_changes_a_key():
    subject = Asked(SUBJECT.base_url, SUBJECT.model, dict(reversed(SUBJECT.parameters.items())))
    messages = [{"content": "Write.", "role": "user"}]
    about = dict(reversed(UNIT["about"].items()))
    assert unit_key(**UNIT | {"subject": subject, "messages": messages, "about": about}) == unit_key(**UNIT)


@pytest.mark.parametrize(
    "change",
    [
        {"subject": Asked("http://127.0.0.1:8/v1", "small", SUBJECT.parameters)},
        {"subject": Asked(SUBJECT.base_url, "large", SUBJECT.parameters)},
        {"subject": Asked(SUBJECT.base_url, "small", {"max_tokens": 401, "temperature": 1.0})},
        {"subject": Asked(SUBJECT.base_url, "small", {"max_tokens": 400})},
        {"messages": [{"role": "user", "content": "Write!"}]},
        {"messages": [{"role": "system", "content": "Write."}]},
        {"messages": UNIT["messages"] * 2},
        {"corpus_hash": "d" * 64},
        {"about": UNIT["about"] | {"profile": "p2"}},
        {"about": UNIT["about"] | {"task": "Close the account"}},
        {"about": {"pair": "M07-C6-c26634", "side": "positive"}},
        {"about": {"pair": "M07-C6-c26634", "side": "negative"}},
        {"arm": "mitigation"},
        {"sample": 2},
    ],
)
def test_a_unit_has_another_key_where_anything_that_is_asked_differs(change):
    assert unit_key(**UNIT | change) != unit_key(**UNIT)


def test_the_two_sides_of_a_pair_have_keys_of_their_own_though_they_are_asked_the_same():
    sides = [UNIT | {"about": {"pair": "M1", "side": side}} for side in ("positive", "negative")]
    assert unit_key(**sides[0]) != unit_key(**sides[1])


@pytest.mark.parametrize(
    "change",
    [
        {"unit_key": "v"},
        {"target": "completeness"},
        {"about": "Likes emojis."},
        {"judge": Asked(SUBJECT.base_url, "large", SUBJECT.parameters)},
        {"judge": Asked("http://127.0.0.1:8/v1", "small", SUBJECT.parameters)},
        {"judge": Asked(SUBJECT.base_url, "small", {})},
        {"judge": None},
        {"prompt_hash": "i"},
        {"number": 2},
    ],
)
def test_a_verdict_has_another_key_where_anything_that_is_asked_differs(change):
    assert verdict_key(**VERDICT | change) != verdict_key(**VERDICT)


PARTS = st.sampled_from(["", "a", "b", "ab", '"', '","', "[", "\n", "ä", "a\u0308", "\ud800"])
KINDS = ("unit_key", "target", "about", "prompt_hash")


@given(st.tuples(*[PARTS] * 4), st.tuples(*[PARTS] * 4))
def test_two_verdicts_have_one_key_only_where_all_their_parts_are_the_same(one, other):
    keys = [verdict_key(**dict(zip(KINDS, parts, strict=True))) for parts in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


def test_a_unit_and_a_verdict_never_share_a_key():
    assert unit_key(**UNIT) != verdict_key(unit_key=unit_key(**UNIT), target="label")


@given(st.lists(st.integers(0, 2), max_size=30), st.integers(1, 5))
def test_shards_keep_the_order_and_the_size_and_are_cut_only_where_they_must_be(groups, size):
    units = [Unit(name, (group,)) for name, group in enumerate(groups)]
    parts = list(shards(units, size))
    assert [unit for part in parts for unit in part] == units
    assert all(0 < len(part) <= size and len({unit.group for unit in part}) == 1 for part in parts)
    for one, following in pairwise(parts):
        assert len(one) == size or one[-1].group != following[0].group


@given(st.lists(st.integers(), max_size=30), st.none() | st.integers(0, 40), st.integers(0, 2**31))
def test_a_choice_keeps_the_order_and_has_as_many_as_were_asked_for(rows, count, seed):
    named = list(enumerate(rows))
    chosen = choose(named, count, seed)
    assert chosen == [row for row in named if row in chosen]
    assert len(chosen) == len(rows if count is None else rows[:count])
    assert chosen == choose(named, count, seed)


def test_another_seed_chooses_others_and_every_row_is_chosen_by_some():
    choices = [tuple(choose(range(40), 5, seed)) for seed in range(100)]
    assert len(set(choices)) > 90
    assert {row for chosen in choices for row in chosen} == set(range(40))
