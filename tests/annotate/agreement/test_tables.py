"""From rows to tables."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import strategies as st

from annotate.agreement import tables
from tests.annotate.agreement.examples import for_examples

ROWS = [
    ("i1", "ana", "yes"),
    ("i2", "ana", "no"),
    ("i1", "ben", "no"),
    ("i3", "ben", "no"),
    ("i2", "ben", None),
    ("i2", "cem", "no"),
    ("i1", "cem", "yes"),
    ("i4", "cem", None),
]


def labels(rows, categories=("yes", "no")):
    return tables.read_labels(*zip(*rows, strict=True), categories)


def test_units_stay_even_where_no_label_is_left():
    read = labels(ROWS)
    assert read.units.tolist() == ["i1", "i2", "i3", "i4"]
    assert tables.unit_by_category(read).tolist() == [[2, 1], [0, 2], [0, 1], [0, 0]]
    assert tables.unit_by_rater(read).tolist() == [[0, 1, 0], [1, -1, 1], [-1, 1, -1], [-1, -1, -1]]


def test_two_raters_are_crossed_over_the_units_both_rated():
    found = {(pair.first, pair.second): pair for pair in tables.rater_tables(labels(ROWS))}
    assert found["ana", "ben"].table.tolist() == [[0, 1], [0, 0]]
    assert found["ana", "cem"].table.tolist() == [[1, 0], [0, 1]]
    assert [found[pair].left_out for pair in (("ana", "ben"), ("ana", "cem"), ("ben", "cem"))] == [3, 2, 3]


def test_declared_order_decides_the_columns():
    assert tables.unit_by_category(labels(ROWS, ("no", "maybe", "yes"))).tolist()[0] == [1, 0, 2]


def test_the_text_none_is_text_and_a_missing_label_is_not_a_category():
    assert tables.table_of(["None", None], ["None", "None"], ["None"]).tolist() == [[1]]


@pytest.mark.parametrize(
    ("rows", "categories", "message"),
    [
        ([("i", "ana", "maybe")], ("yes", "no"), "'maybe' is not among the declared"),
        ([("i", "ana", "None")], ("yes", "no"), "'None' is not among the declared"),
        ([("i", "ana", float("nan"))], ("yes", "no"), "nan is not among the declared"),
        ([("i", "ana", "yes"), ("i", "ana", "no")], ("yes", "no"), "'ana' labelled unit 'i' twice"),
        ([(None, "ana", "yes")], ("yes", "no"), "row 1 has no unit"),
        ([("i", None, "yes")], ("yes", "no"), "row 1 has no rater"),
        ([("i", "ana", "yes")], ("yes", "yes"), "must be distinct"),
        ([("i", "ana", "yes")], ("yes", None), "must be distinct and not None"),
    ],
)
def test_what_cannot_be_a_label_is_refused(rows, categories, message):
    with pytest.raises(ValueError, match=message):
        labels(rows, categories)


def test_columns_must_be_of_one_length():
    with pytest.raises(ValueError, match="2 units, 1 raters, 1 values"):
        tables.read_labels(["i", "j"], ["ana"], ["yes"], ["yes"])
    with pytest.raises(ValueError, match="2 and 1 labels"):
        tables.table_of(["yes", "yes"], ["yes"], ["yes"])


@pytest.mark.parametrize("bad", [[[1, -1]], [[0.5, 0]], [[float("nan"), 0]], [[1, 2, 3]], [1, 2]])
def test_only_whole_counts_in_one_column_a_category_pass(bad):
    with pytest.raises(ValueError, match="counts"):
        tables.checked_counts(bad, "ab")


@pytest.mark.parametrize("bad", [[[1, 2]], [[1]], [[1, -1], [0, 0]], np.zeros((2, 2, 2))])
def test_only_a_square_table_of_the_declared_categories_passes(bad):
    with pytest.raises(ValueError, match="table"):
        tables.checked_table(bad, "ab")


@pytest.mark.parametrize("kind", [list, np.array])
def test_lists_and_arrays_of_numbers_read_alike(kind):
    read = tables.read_labels(kind([7, 7, 9]), kind([1, 2, 1]), kind([0, 1, 1]), (0, 1))
    assert read.units.tolist() == [7, 9]
    assert [type(rater) for rater in read.raters] == [int, int]
    assert tables.unit_by_category(read).tolist() == [[1, 1], [0, 1]]


SOME_ROWS = st.dictionaries(
    st.tuples(st.integers(0, 6), st.sampled_from("abcde")), st.sampled_from("xyz"), min_size=1
)


@for_examples(given_labels=SOME_ROWS, data=st.data())
def test_every_pair_of_raters_is_crossed_as_by_hand(given_labels, data):
    rows = data.draw(st.permutations([(unit, rater, value) for (unit, rater), value in given_labels.items()]))
    read = labels(rows, "xyz")
    expected = Counter()
    for first, second in combinations(read.raters, 2):
        for unit in read.units:
            if (unit, first) in given_labels and (unit, second) in given_labels:
                expected[first, second, given_labels[unit, first], given_labels[unit, second]] += 1
    found = Counter()
    for pair in tables.rater_tables(read):
        for i, j in zip(*np.nonzero(pair.table), strict=True):
            found[pair.first, pair.second, "xyz"[i], "xyz"[j]] = int(pair.table[i, j])
        assert pair.table.sum() + pair.left_out == len(read.units)
    assert found == expected


@for_examples(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3))))
def test_distinct_rows_are_counted(rows):
    found, times = tables.distinct_rows(np.reshape(rows, (-1, 2)))
    counted = {tuple(row): number for row, number in zip(found.tolist(), times.tolist(), strict=True)}
    assert counted == Counter(rows)


@for_examples(cells=st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_a_table_and_its_counts_hold_the_same_labels(cells):
    table = np.reshape(cells, (2, 2))
    counts = tables.counts_of_table(table)
    assert counts.shape == (table.sum(), 2)
    assert counts.sum(axis=0).tolist() == (table.sum(axis=0) + table.sum(axis=1)).tolist()
