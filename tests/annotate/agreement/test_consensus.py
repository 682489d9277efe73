"""Unanimous, split or incomplete."""

import numpy as np
import pytest
from hypothesis import strategies as st

from annotate.agreement.consensus import Consensus, consensus, consensus_of_units
from tests.annotate.agreement.examples import for_examples


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["apply"] * 3, "unanimous"),
        (["apply", "apply", "suppress"], "split"),
        (["apply", "apply"], "incomplete"),
        (["apply", "suppress"], "incomplete"),
        (["apply", "apply", None], "incomplete"),
        ([None, "apply", "apply", "apply"], "unanimous"),
        (["None", "None", "None"], "unanimous"),
        ([], "incomplete"),
        ([False, False, False], "unanimous"),
    ],
)
def test_three_labels_settle_an_item(values, expected):
    assert consensus(values, 3) == expected


def test_one_label_settles_an_item_that_needs_one():
    assert consensus(["apply"], 1) is Consensus.UNANIMOUS


@pytest.mark.parametrize("overlap", [0, -1])
def test_an_item_needs_a_label(overlap):
    with pytest.raises(ValueError, match="at least 1"):
        consensus([], overlap)
    with pytest.raises(ValueError, match="at least 1"):
        consensus_of_units(np.zeros((1, 2), dtype=int), overlap)


@for_examples(counts=st.lists(st.tuples(*[st.integers(0, 3)] * 3)), overlap=st.integers(1, 4))
def test_many_units_at_once_are_settled_like_one_at_a_time(counts, overlap):
    columns = consensus_of_units(np.reshape(counts, (-1, 3)).astype(int), overlap)
    for place, row in enumerate(counts):
        values = [category for category, times in enumerate(row) for _ in range(times)]
        kind = consensus(values, overlap)
        assert getattr(columns, kind)[place]
        assert columns.category[place] == (values[0] if kind == "unanimous" else -1)
    assert sum(columns.totals().values()) == len(counts)


@for_examples(values=st.lists(st.sampled_from(["apply", "suppress", None])), data=st.data())
def test_who_labelled_first_does_not_matter(values, data):
    assert consensus(values, 3) == consensus(data.draw(st.permutations(values)), 3)
