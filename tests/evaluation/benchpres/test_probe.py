"""The classification probe against slow second versions and examples worked by hand."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchpres.metrics import Instance
from evaluation.benchpres.probe import Decision, probe_accuracy, split

QUESTIONS = list(product((1, 2, 3, 4), (1, 2, 3)))
MAYBE = st.sampled_from([0, 1, None])
SAID = st.sampled_from([True, False, None])
DECISIONS = st.lists(
    st.builds(lambda question, said: Decision(*question, said), st.sampled_from(QUESTIONS), SAID),
    unique_by=lambda row: (row.context, row.preference),
)
GOLD = st.dictionaries(st.sampled_from(QUESTIONS), st.sampled_from([0, 1]))
INSTANCES = st.lists(
    st.builds(
        lambda question, profile, sample, gold, verdict: instance(profile, question, sample, gold, verdict),
        st.sampled_from(QUESTIONS),
        st.integers(1, 2),
        st.integers(1, 2),
        MAYBE,
        MAYBE,
    ),
    max_size=40,
)


def instance(profile, question, sample, gold, verdict):
    return Instance(profile, *question, sample, "tone", ("d",), gold, verdict)


def slow_accuracy(decisions, gold, labels):
    """Return (right, read) of the decisions on the labels."""
    right = read = 0
    for row in decisions:
        label = gold.get((row.context, row.preference))
        if label in labels and row.apply is not None:
            read += 1
            right += (row.apply and label == 1) or (not row.apply and label == 0)
    return right, read


def slow_said(decisions):
    return {(row.context, row.preference): row.apply for row in decisions if row.apply is not None}


def slow_share(rows, said, gold, verdict, answer):
    """Return the mean over samples of the share with this verdict and this answer, among the gold label."""
    shares = []
    for sample in {row.sample for row in rows}:
        of_sample = [row for row in rows if row.sample == sample and row.gold == gold]
        if of_sample:
            hits = [r for r in of_sample if r.verdict == verdict and said[r.context, r.preference] in answer]
            shares.append(len(hits) / len(of_sample))
    return sum(shares) / len(shares) if shares else math.nan


def slow_split(rows, said):
    """Return each share of a `Split` by its name."""
    anything = (True, False)
    return {
        "mr": slow_share(rows, said, 0, 1, anything),
        "misapplied_knowing": slow_share(rows, said, 0, 1, (False,)),
        "misapplied_not_knowing": slow_share(rows, said, 0, 1, (True,)),
        "aar": slow_share(rows, said, 1, 1, anything),
        "omitted_knowing": slow_share(rows, said, 1, 0, (True,)),
        "omitted_not_knowing": slow_share(rows, said, 1, 0, (False,)),
    }


def entering(rows, said):
    return [
        row
        for row in rows
        if row.gold is not None and row.verdict is not None and (row.context, row.preference) in said
    ]


def ends(estimate):
    return [estimate.interval.low, estimate.interval.high]


@given(DECISIONS, GOLD)
def test_accuracy_equals_the_slow_version(decisions, gold):
    found = probe_accuracy(decisions, gold, seed=1, resamples=5)
    for estimate, labels in [
        (found.overall, (0, 1)),
        (found.within_suppress, (0,)),
        (found.within_apply, (1,)),
    ]:
        right, read = slow_accuracy(decisions, gold, labels)
        assert (estimate.numerator, estimate.denominator) == (right, read)
        assert estimate.value == (pytest.approx(right / read) if read else None)
        assert (estimate.value is None) == bool(estimate.undefined_reason)
    assert found.overall.denominator + found.without_gold + found.unread == found.decisions == len(decisions)


def test_accuracy_intervals_equal_those_of_copying_whole_contexts():
    generator = np.random.default_rng(4)
    questions = list(product(range(8), range(4)))
    gold = {question: int(generator.integers(2)) for question in questions}
    decisions = [Decision(*question, bool(generator.integers(2))) for question in questions]
    found = probe_accuracy(decisions, gold, seed=9, resamples=200)
    drawn = []
    for places in np.random.default_rng(9).integers(8, size=(200, 8)):
        copy = [row for place in places for row in decisions if row.context == place]
        drawn.append([np.divide(*slow_accuracy(copy, gold, labels)) for labels in ((0, 1), (0,), (1,))])
    for estimate, draws in zip(
        (found.overall, found.within_suppress, found.within_apply), np.array(drawn).T, strict=True
    ):
        assert ends(estimate) == pytest.approx(np.quantile(draws, [0.025, 0.975]))


def test_accuracy_of_an_example_worked_by_hand():
    # Gold 0: said no (right), yes (wrong), no (right), unread. Gold 1: yes (right). One without gold.
    # Overall 3/4, within suppress 2/3, within apply 1/1.
    gold = {("bank", 1): 0, ("bank", 2): 0, ("court", 1): 0, ("court", 2): 0, ("school", 1): 1}
    said = {**dict(zip(gold, [False, True, False, None, True], strict=True)), ("school", 2): True}
    found = probe_accuracy([Decision(*question, answer) for question, answer in said.items()], gold, seed=1)
    assert found.overall.value == 3 / 4
    assert found.within_suppress.value == 2 / 3
    assert found.within_apply.value == 1
    assert (found.decisions, found.without_gold, found.unread) == (6, 1, 1)
    assert found.within_suppress.interval is not None
    assert "one cluster" in found.within_apply.no_interval_reason


@given(INSTANCES, DECISIONS)
def test_the_split_equals_the_slow_version(rows, decisions):
    found = split(rows, decisions, seed=1, resamples=5)
    said = slow_said(decisions)
    for name, expected in slow_split(entering(rows, said), said).items():
        estimate = getattr(found, name)
        assert estimate.value == (None if math.isnan(expected) else pytest.approx(expected))
        assert (estimate.value is None) == bool(estimate.undefined_reason)


@given(INSTANCES, DECISIONS)
def test_the_two_parts_of_a_split_add_up(rows, decisions):
    found = split(rows, decisions, seed=1, resamples=5)
    for total, knowing, not_knowing in [
        (found.mr.value, found.misapplied_knowing, found.misapplied_not_knowing),
        (
            None if found.aar.value is None else 1 - found.aar.value,
            found.omitted_knowing,
            found.omitted_not_knowing,
        ),
    ]:
        assert knowing.denominator == not_knowing.denominator
        if total is not None:
            assert knowing.value + not_knowing.value == pytest.approx(total)


@given(INSTANCES, DECISIONS)
def test_every_instance_is_split_or_counted_as_left_out(rows, decisions):
    found = split(rows, decisions, seed=1, resamples=5)
    left_out = found.without_gold + found.without_verdict + found.without_decision
    assert found.mr.denominator + found.aar.denominator + left_out == found.instances == len(rows)


def test_split_intervals_equal_those_of_copying_whole_clusters():
    generator = np.random.default_rng(6)
    questions = list(product(range(4), range(3)))
    decisions = [Decision(*question, bool(generator.integers(2))) for question in questions]
    rows = [
        instance(profile, question, sample, sum(question) % 2, int(generator.integers(2)))
        for profile, question, sample in product(range(4), questions, (1, 2))
    ]
    found, said = split(rows, decisions, seed=3, resamples=200), slow_said(decisions)
    clusters = list(dict.fromkeys((row.profile, row.context) for row in rows))
    drawn = []
    for places in np.random.default_rng(3).integers(len(clusters), size=(200, len(clusters))):
        copy = [r for place in places for r in rows if (r.profile, r.context) == clusters[place]]
        drawn.append(slow_split(copy, said))
    for name in drawn[0]:
        draws = [row[name] for row in drawn]
        assert ends(getattr(found, name)) == pytest.approx(np.nanquantile(draws, [0.025, 0.975]))


def test_a_split_worked_by_hand():
    # The model said: 1 no, 2 yes, 3 unread, 4 nothing at all.
    # Gold 0 on 1 (it knew): followed, not followed. Gold 0 on 2 (it did not know): followed, followed.
    # MR 3/4 = 1/4 not doing + 2/4 not knowing. Gold 1 on 2 in another context (it knew): not followed,
    # followed: 1/2 not doing, 0 not knowing. Left out: one on 3 and one on 4 without a decision, one
    # without a verdict, one without gold.
    decisions = [
        Decision("bank", 1, False),
        Decision("bank", 2, True),
        Decision("bank", 3, None),
        Decision("friend", 2, True),
    ]
    rows = [
        instance(profile, question, 1, gold, verdict)
        for question, gold, verdicts in [
            (("bank", 1), 0, (1, 0)),
            (("bank", 2), 0, (1, 1)),
            (("friend", 2), 1, (0, 1)),
            (("bank", 3), 0, (1,)),
            (("bank", 4), 0, (1,)),
        ]
        for profile, verdict in enumerate(verdicts)
    ]
    rows += [instance(2, ("bank", 1), 1, 0, None), instance(2, ("bank", 2), 1, None, 1)]
    found = split(rows, decisions, seed=1)
    assert (found.misapplied_knowing.numerator, found.misapplied_knowing.denominator) == (1, 4)
    assert (found.misapplied_not_knowing.value, found.mr.value) == (2 / 4, 3 / 4)
    assert (found.omitted_knowing.value, found.omitted_not_knowing.value, found.aar.value) == (0.5, 0, 0.5)
    assert (found.without_gold, found.without_verdict, found.without_decision) == (1, 1, 2)


def test_without_a_decision_the_split_gives_reasons():
    found = split([instance(1, ("bank", 1), 1, 0, 1)], [], seed=1)
    assert found.without_decision == 1
    assert found.mr.value is None
    assert "a verdict and a decision that could be read" in found.misapplied_knowing.undefined_reason


def test_two_decisions_on_one_question_are_refused():
    twice = [Decision("bank", 1, True), Decision("bank", 1, False)]
    with pytest.raises(ValueError, match="given twice"):
        split([], twice, seed=1)
    with pytest.raises(ValueError, match="given twice"):
        probe_accuracy(twice, {}, seed=1)
