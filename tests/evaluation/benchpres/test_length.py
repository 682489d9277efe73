"""Message length against pandas, a slow second version and an example worked by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchpres.length import Message, length_table, words
from evaluation.benchpres.metrics import Instance, measure

MAYBE = st.sampled_from([0, 1, None])
MESSAGES = st.lists(
    st.builds(Message, st.integers(1, 2), st.integers(1, 4), st.integers(1, 2), st.integers(0, 12)),
    unique_by=lambda row: (row.profile, row.context, row.sample),
)
INSTANCES = st.lists(
    st.builds(
        lambda profile, context, sample, gold, verdict: instance((profile, context, sample), gold, verdict),
        st.integers(1, 2),
        st.integers(1, 4),
        st.integers(1, 2),
        MAYBE,
        MAYBE,
    ),
    max_size=40,
)


def instance(message, gold, verdict):
    profile, context, sample = message
    return Instance(profile, context, "preference", sample, "tone", ("d",), gold, verdict)


def key(row):
    return row.profile, row.context, row.sample


def slow_kinds(messages, instances):
    """Return the word counts of messages that misapply something, of those that do not, of the rest."""
    kinds = {True: [], False: [], None: []}
    for message in messages:
        verdicts = [
            row.verdict
            for row in instances
            if key(row) == key(message) and row.gold == 0 and row.verdict is not None
        ]
        kinds[1 in verdicts if verdicts else None].append(message.words)
    return kinds[True], kinds[False], kinds[None]


def slow_mean(values):
    return sum(values) / len(values) if values else None


def near(expected):
    return None if expected is None else pytest.approx(expected)


@pytest.mark.parametrize(
    ("message", "expected"),
    [("", 0), ("  \n", 0), ("Dear Sir,\n\nplease  help.\t", 4), ("well-known", 1), ("a\u00a0b", 2)],
)
def test_words_are_what_white_space_separates(message, expected):
    assert words(message) == expected


@given(MESSAGES, st.integers(1, 6))
def test_groups_are_those_of_pandas_cut_at_the_quantiles(messages, parts):
    groups = length_table(messages, [], seed=1, parts=parts, resamples=5).groups
    counts = pd.Series([row.words for row in messages], dtype=float)
    inner = [counts.quantile(part / parts) for part in range(1, parts)] if messages else []
    cut = pd.cut(counts, [-np.inf, *inner, np.inf], duplicates="drop")
    assert [(group.lowest, group.highest, group.messages) for group in groups] == [
        (found.min(), found.max(), len(found)) for _, found in counts.groupby(cut, observed=True)
    ]


def test_equally_long_messages_stay_together():
    table = length_table([Message(1, n, 1, 7 if n else 9) for n in range(8)], [], seed=1)
    assert [(group.lowest, group.highest, group.messages) for group in table.groups] == [(7, 7, 7), (9, 9, 1)]


@given(MESSAGES, INSTANCES)
def test_a_group_has_the_metrics_of_the_instances_of_its_messages(messages, instances):
    table = length_table(messages, instances, seed=1, resamples=5)
    length = {key(row): row.words for row in messages}
    for group in table.groups:
        inside = [
            row
            for row in instances
            if key(row) in length and group.lowest <= length[key(row)] <= group.highest
        ]
        alone = measure(inside, seed=1, resamples=5).overall
        for found, expected in [(group.rates.mr, alone.mr), (group.rates.aar, alone.aar)]:
            assert found.value == near(expected.value)
            assert (found.numerator, found.denominator) == (expected.numerator, expected.denominator)
        assert group.rates.instances == len(inside)
    assert sum(group.messages for group in table.groups) == len(messages)
    in_groups = sum(group.rates.instances for group in table.groups)
    assert in_groups + table.without_message == len(instances)


@given(MESSAGES, INSTANCES)
def test_words_by_misapplication_equal_the_slow_version(messages, instances):
    table = length_table(messages, instances, seed=1, resamples=5)
    misapplying, not_misapplying, unjudged = slow_kinds(messages, instances)
    assert table.misapplying.value == near(slow_mean(misapplying))
    assert table.not_misapplying.value == near(slow_mean(not_misapplying))
    assert (table.misapplying.denominator, table.not_misapplying.denominator, table.unjudged) == (
        len(misapplying),
        len(not_misapplying),
        len(unjudged),
    )
    if misapplying and not_misapplying:
        assert table.difference.value == pytest.approx(slow_mean(misapplying) - slow_mean(not_misapplying))
        assert table.difference.denominator == len(messages) - table.unjudged
    else:
        assert table.difference.undefined_reason


@given(MESSAGES)
def test_the_quartiles_are_those_of_pandas(messages):
    table = length_table(messages, [], seed=1, resamples=5)
    counts = pd.Series([row.words for row in messages], dtype=float)
    for estimate, expected in [
        (table.lower_quartile, counts.quantile(0.25)),
        (table.median, counts.median()),
        (table.upper_quartile, counts.quantile(0.75)),
        (table.mean, counts.mean()),
    ]:
        assert estimate.value == (pytest.approx(expected) if messages else None)
        assert estimate.denominator == table.messages == len(messages)


def test_the_interval_of_the_difference_equals_that_of_copying_whole_clusters():
    generator = np.random.default_rng(3)
    keys = list(product(range(3), range(4), (1, 2)))
    messages = [Message(*place, int(generator.integers(50, 90))) for place in keys]
    instances = [instance(place, 0, int(generator.integers(2))) for place in keys]
    table = length_table(messages, instances, seed=5, resamples=200)
    clusters = list(product(range(3), range(4)))
    draws = []
    for places in np.random.default_rng(5).integers(12, size=(200, 12)):
        copy = [row for place in places for row in messages if (row.profile, row.context) == clusters[place]]
        kinds = slow_kinds(copy, instances)
        draws.append(slow_mean(kinds[0]) - slow_mean(kinds[1]))
    expected = np.quantile(draws, [0.025, 0.975])
    assert [table.difference.interval.low, table.difference.interval.high] == pytest.approx(expected)


def test_a_table_worked_by_hand():
    # Words 10, 20, 20, 20, 30, 40, 50, 60: quartiles at places 1.75, 3.5, 5.25 from 0: 20, 25, 42.5.
    # Groups: up to 20 four messages, up to 25 none, up to 42.5 two, the rest two.
    # Misapplying: 50, 60 and 10, mean 40. Not: 20, 20, 30, mean 70/3. 20 is unread, 40 without gold.
    messages = [Message("p", place, 1, n) for place, n in enumerate([10, 20, 20, 20, 30, 40, 50, 60])]
    labels = [(0, 1), (0, 0), (0, 0), (0, None), (0, 0), (None, 1), (0, 1), (0, 1)]
    instances = [instance(("p", place, 1), *label) for place, label in enumerate(labels)]
    instances += [instance(("p", 7, 1), 1, 1), instance(("p", 99, 1), 0, 1)]
    table = length_table(messages, instances, seed=1)
    assert (table.lower_quartile.value, table.median.value, table.upper_quartile.value) == (20, 25, 42.5)
    assert table.mean.value == 250 / 8
    assert [(group.lowest, group.highest, group.messages) for group in table.groups] == [
        (10, 20, 4),
        (30, 40, 2),
        (50, 60, 2),
    ]
    assert [group.rates.mr.value for group in table.groups] == [1 / 3, 0, 1]
    assert [group.rates.aar.value for group in table.groups] == [None, None, 1]
    assert (table.misapplying.value, table.not_misapplying.value) == (40, pytest.approx(70 / 3))
    assert table.difference.value == pytest.approx(50 / 3)
    assert (table.unjudged, table.without_message) == (2, 1)


def test_one_misapplied_preference_is_enough_for_a_message():
    rows = [instance((1, 1, 1), 0, verdict) for verdict in (0, 1, None, 0)]
    table = length_table([Message(1, 1, 1, 7)], rows, seed=1)
    assert (table.misapplying.value, table.not_misapplying.value) == (7, None)


def test_no_messages_at_all_are_a_reason():
    table = length_table([], [instance((1, 1, 1), 0, 1)], seed=1)
    assert (table.median.value, table.median.undefined_reason) == (None, "there is no message")
    assert table.mean.undefined_reason == "there is no message"
    assert (table.groups, table.without_message) == ((), 1)


def test_a_message_given_twice_and_no_parts_are_refused():
    with pytest.raises(ValueError, match="given twice"):
        length_table([Message(1, 1, 1, 5)] * 2, [], seed=1)
    with pytest.raises(ValueError, match="0 parts asked for"):
        length_table([], [], seed=1, parts=0)
