"""Several items in one reply, and choices in shuffled order."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.answers import NotRead
from evaluation.judging.choices import ShownChoices
from evaluation.judging.items import read_items
from evaluation.judging.labels import label_value
from evaluation.llm.reply import Reply

NAMES = st.lists(st.text("abcxyz", min_size=1), min_size=2, max_size=6, unique=True)


def read(reply, *identifiers, finish_reason="stop"):
    return read_items(Reply(reply, finish_reason), identifiers, "label", label_value)


@given(NAMES, st.randoms())
def test_items_are_joined_by_identifier_in_whatever_order_they_come(names, chance):
    labels = {name: chance.choice(["follow", "do_not_follow"]) for name in names}
    items = [{"id": name, "label": label} for name, label in labels.items()]
    chance.shuffle(items)
    assert read(f"Here:\n{json.dumps({'items': items})}", *names).value == labels
    assert read(json.dumps(items), *names).value == labels
    assert read("\n".join(map(json.dumps, items)), *names).value == labels


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('[{"id": "a", "label": "follow"}]', NotRead.MALFORMED),
        ('[{"id": "a", "label": "follow"}, {"id": "c", "label": "follow"}]', NotRead.MALFORMED),
        (
            '[{"id": "a", "label": "follow"}, {"id": "b", "label": "follow"}, {"id": "c", "label": "x"}]',
            NotRead.MALFORMED,
        ),
        ('[{"id": "a", "label": "follow"}, {"id": "a", "label": "follow"}]', NotRead.MALFORMED),
        ('[{"id": "a", "label": "follow"}, {"id": "b", "label": "maybe"}]', NotRead.OFF_THE_MENU),
        ("follow, follow", NotRead.OFF_THE_MENU),
        ("", NotRead.EMPTY),
    ],
)
def test_reply_that_does_not_answer_each_item_once_is_not_read_at_all(reply, reason):
    assert read(reply, "a", "b").reason is reason


def test_reply_that_the_limit_cut_between_items_is_truncated():
    assert read(
        '[{"id": "a", "label": "follow"}, {"id": "b", "la', "a", "b", finish_reason="length"
    ).reason is (NotRead.TRUNCATED)


@given(NAMES, st.text())
def test_shuffled_choices_are_all_there_and_the_same_each_time(names, key):
    shown = ShownChoices.shuffled(names, key)
    assert shown == ShownChoices.shuffled(list(reversed(names)), key)
    assert sorted(shown.order) == sorted(names)
    assert [shown.chosen(letter) for letter in shown.letters] == list(shown.order)


def test_orders_differ_between_units_and_unknown_letters_are_refused():
    orders = {ShownChoices.shuffled("wxyz", f"unit {number}").order for number in range(40)}
    assert len(orders) > 10
    with pytest.raises(ValueError, match="substring not found"):
        ShownChoices(("w", "x")).chosen("C")
    with pytest.raises(ValueError, match="different identifiers"):
        ShownChoices.shuffled("ww", "k")
