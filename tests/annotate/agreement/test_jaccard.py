"""The mean overlap of sets."""

import pytest
from hypothesis import strategies as st

from annotate.agreement.jaccard import mean_jaccard
from tests.annotate.agreement.examples import for_examples

SETS = st.sets(st.sampled_from("abcd"))


def test_the_overlap_is_what_is_shared_of_what_is_in_either():
    found = mean_jaccard([({"a", "b"}, {"b", "c"}), ({"a"}, {"a"})])
    assert found.mean.value == pytest.approx((1 / 3 + 1) / 2)
    assert found.mean.denominator == 2


def test_two_empty_sets_count_as_the_convention_says_and_are_counted():
    pairs = [(set(), set()), (set(), {"a"})]
    found = [mean_jaccard(pairs), mean_jaccard(pairs, 0.0), mean_jaccard(pairs, None)]
    assert [one.mean.value for one in found] == [0.5, 0.0, 0.0]
    assert [one.mean.denominator for one in found] == [2, 2, 1]
    assert {one.both_empty for one in found} == {1}


def test_without_a_pair_to_average_there_is_no_mean():
    assert mean_jaccard([]).mean.undefined_reason == "there is no pair of sets"
    assert mean_jaccard([(set(), set())], None).mean.undefined_reason == "every pair is two empty sets"


@for_examples(pairs=st.lists(st.tuples(SETS, SETS), min_size=1))
def test_sides_may_be_swapped_and_the_mean_is_a_share(pairs):
    found = mean_jaccard(pairs)
    assert found.mean.value == pytest.approx(mean_jaccard([(b, a) for a, b in pairs]).mean.value)
    assert 0 <= found.mean.value <= 1
    assert (found.mean.value == pytest.approx(1)) == all(a == b for a, b in pairs)
