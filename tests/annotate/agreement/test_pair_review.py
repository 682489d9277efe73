"""The published human validation of PairPref (tables 19 and 20) comes out of inputs with its marginals."""

from dataclasses import replace
from itertools import chain, cycle, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotate.agreement.confirmation import confirmation, confirmation_rates
from annotate.agreement.pair_review import explanation, question_agreement, set_agreement
from annotate.judgements import ACCEPTABLE, YES_NO, acceptable_answer, accepted_roles
from annotate.pairs import ROLES, SIDES

PAIRS = range(200)
SITUATIONS = [(pair, side) for pair in PAIRS for side in SIDES]


def of_situations(question, answers):
    return {(pair, side, question): answer for (pair, side), answer in zip(SITUATIONS, answers, strict=True)}


def repeated(*parts):
    """Write `("yes", 3, "no", 2)` out as a list."""
    return list(
        chain.from_iterable([answer] * times for answer, times in zip(parts[::2], parts[1::2], strict=True))
    )


def measured(question, first, second):
    one, two = of_situations(question, first), of_situations(question, second)
    return question_agreement(question, one, two, PAIRS, seed=1)


def test_published_applicability():
    # Half of the situations apply; three disagreements in three pairs: 1 - (3/400) / (1/2) = 0.985.
    first = list(islice(cycle(["yes", "no"]), 400))
    second = [*first]
    for place in (0, 101, 300):
        second[place] = "no" if first[place] == "yes" else "yes"
    found = measured("applicability", first, second)
    assert (found.judgements, round(100 * found.agreement.value, 2)) == (400, 99.25)
    assert round(found.kappa.value, 3) == 0.985
    assert round(found.kappa.interval.low, 3) == pytest.approx(0.965, abs=0.0051)
    assert found.kappa.interval.high == 1
    assert 100 * found.agreement.interval.low == pytest.approx(98.25, abs=0.25)
    assert found.agreement.interval.high == 1
    assert found.kappa.interval.method.startswith("percentile, 5,000 resamples of 200 pairs, seed 1")


def test_published_validity_has_no_kappa_and_says_why():
    found = measured("validity", ["yes"] * 400, ["yes"] * 400)
    assert (found.agreement.value, found.kappa.value) == (1, None)
    assert found.kappa.undefined_reason == "both annotators used only yes"
    assert explanation(found) == (
        "Answers other than yes: 0 and 0 of 400. Kappa is undefined, as both annotators used only yes: "
        "there is nothing to agree on by more than chance."
    )


def test_published_naturalness_agrees_less_than_by_chance():
    first, second = repeated("no", 3, "yes", 397), repeated("yes", 3, "no", 6, "yes", 391)
    found = measured("naturalness", first, second)
    assert (found.first_used["yes"], found.second_used["yes"], found.shared_exceptions) == (397, 394, 0)
    assert round(100 * found.agreement.value, 2) == 97.75
    assert round(100 * found.expected.value, 2) == 97.77
    assert round(found.kappa.value, 3) == -0.010
    assert found.negative.value == 0
    assert found.positive.value == pytest.approx(2 * 391 / (397 + 394))
    assert found.gwet_ac1.value > 0.97
    assert found.prevalence_index.value == pytest.approx(391 / 400)
    assert explanation(found) == (
        "They agree on 97.75 %; 97.77 % would be expected from how often each gives each answer, "
        "so kappa is about zero. "
        "Answers other than yes: 3 and 6 of 400, 0 of them shared."
    )


def test_published_pair_control_has_a_kappa_of_zero():
    one = {(pair, "", "control"): "yes" for pair in PAIRS}
    two = {**one, (17, "", "control"): "no"}
    found = question_agreement("control", one, two, PAIRS, seed=1)
    assert (found.judgements, found.agreement.value, found.kappa.value) == (200, 0.995, 0)


def published_sets():
    """Return the sets of two annotators with the published totals.

    248 of 400 situations alike, 5 more uncertain for one of them: 147 of 395 differ. 1,386 of 1,580 replies
    alike, so 194 differ: 47 of the sets by two replies, the other 100 by one. Mean Jaccard 0.771 and
    kappa 0.728 fix how large the sets are: the overlaps sum to 0.771 * 395 = 304.5 = 248 + 99/2 + 2/3 + 19/3.
    """
    alike = repeated("none", 20, "memory", 137, "acknowledged+plain", 91)
    pairs = [(answer, answer) for answer in alike]
    pairs += [("plain", "acknowledged+plain")] * 99  # overlap 1/2
    pairs += [("acknowledged+plain", "memory+acknowledged+plain")]  # overlap 2/3
    pairs += [("memory", "memory+acknowledged+plain")] * 19  # overlap 1/3
    pairs += [("memory", "plain")] * 28  # overlap 0
    return [*pairs, *[("uncertain", "memory")] * 3, *[("memory", "uncertain")] * 2]


def test_published_acceptability_excludes_the_uncertain_and_counts_empty_sets():
    pairs = published_sets()
    one, two = (of_situations("acceptability", [pair[at] for pair in pairs]) for at in (0, 1))
    found = set_agreement(one, two, PAIRS, seed=1)
    assert (found.situations, found.uncertain, found.replies.judgements) == (400, 5, 1580)
    assert round(100 * found.replies.agreement.value, 2) == 87.72
    assert found.whole_set.numerator == 248
    assert round(100 * found.whole_set.value, 1) == 62.0
    assert (found.jaccard.denominator, found.both_empty) == (395, 20)
    assert round(found.jaccard.value, 3) == 0.771
    assert round(found.replies.kappa.value, 3) == 0.728
    binary = [[(role in accepted_roles(pair[at])) for pair in pairs[:395] for role in ROLES] for at in (0, 1)]
    assert found.replies.kappa.value == pytest.approx(cohen_kappa_score(*binary))


def judged(positive, negative, on_positive="memory", on_negative="plain"):
    return {
        ("positive", "applicability"): positive,
        ("negative", "applicability"): negative,
        ("positive", "acceptability"): on_positive,
        ("negative", "acceptability"): on_negative,
    }


def test_published_confirmations():
    both = [
        *repeated((("yes", "no"), ("yes", "no")), 180),
        *repeated((("no", "yes"), ("no", "yes")), 16),
        *repeated((("yes", "yes"), ("yes", "yes")), 3),
        (("yes", "no"), ("no", "uncertain")),
    ]
    on_positive = repeated("memory", 157, "plain", 33, "none", 10)
    on_negative = repeated("plain", 155, "memory+plain", 35, "none", 10)
    pairs = [
        confirmation([judged(*sides, plus, minus) for sides in answers])
        for answers, plus, minus in zip(both, on_positive, on_negative, strict=True)
    ]
    rates = confirmation_rates(pairs)
    assert {name: (rate.numerator, rate.denominator) for name, rate in rates.items()} == {
        "positive_applicable": (183, 200),
        "negative_inapplicable": (180, 200),
        "original": (180, 200),
        "contrast": (196, 200),
        "memory_accepted": (157, 200),
        "memory_rejected": (165, 200),
        "no_reply": (20, 400),
    }
    assert sum(pair.opposite for pair in pairs) == 16
    assert round(100 * rates["contrast"].value, 1) == 98.0


def test_uncertain_confirms_nothing():
    sure, unsure = judged("yes", "no"), judged("yes", "uncertain", "uncertain", "uncertain")
    found = confirmation([sure, unsure])
    assert (found.positive_applicable, found.negative_inapplicable, found.contrast) == (True, False, False)
    assert not found.memory_accepted
    assert not found.memory_rejected


def test_one_reviewer_confirms_nothing_jointly():
    with pytest.raises(ValueError, match="two or more"):
        confirmation([judged("yes", "no")])


def test_all_reviewers_must_confirm():
    yes = judged("yes", "no")
    assert confirmation([yes, yes, yes]).original
    assert not confirmation([yes, yes, judged("no", "no")]).original


def test_nothing_judged_is_undefined_not_zero():
    found = question_agreement("applicability", {}, {}, [1], seed=1)
    assert (found.agreement.value, found.kappa.value, found.pairs_left_out) == (None, None, 1)
    assert found.kappa.undefined_reason
    assert explanation(found) == ""
    sets = set_agreement({}, {}, [1], seed=1)
    assert (sets.whole_set.value, sets.jaccard.value, sets.replies.kappa.value) == (None, None, None)
    assert sets.replies.pairs_left_out == 1
    assert confirmation_rates([])["original"].value is None


def test_pair_that_one_reviewer_has_not_finished_is_left_out_whole():
    one = {(pair, side, "applicability"): "yes" for pair in (1, 2) for side in SIDES}
    two = {key: "yes" for key in one if key != (2, "negative", "applicability")}
    found = question_agreement("applicability", one, two, [1, 2], seed=1)
    assert (found.judgements, found.pairs_left_out) == (2, 1)


def test_intervals_are_those_of_a_slow_loop_over_whole_pairs():
    chance = np.random.default_rng(5)
    first = chance.choice(["yes", "no"], (30, 2))
    second = np.where(chance.random((30, 2)) < 0.2, "no", first)
    kappas = []
    for _ in range(4000):
        drawn = chance.integers(0, 30, 30)
        kappas.append(cohen_kappa_score(first[drawn].ravel(), second[drawn].ravel(), labels=["yes", "no"]))
    answers = [
        {
            (pair, side, "applicability"): str(rows[pair, at])
            for pair in range(30)
            for at, side in enumerate(SIDES)
        }
        for rows in (first, second)
    ]
    interval = question_agreement("applicability", *answers, range(30), seed=1).kappa.interval
    assert (interval.low, interval.high) == pytest.approx(np.quantile(kappas, [0.025, 0.975]), abs=0.03)


answers_of = st.lists(st.tuples(*[st.sampled_from(YES_NO)] * 4), min_size=1, max_size=9)


@given(answers_of)
def test_exchanging_the_reviewers_changes_no_coefficient(rows):
    one = {
        (pair, side, "validity"): row[at] for pair, row in enumerate(rows) for at, side in enumerate(SIDES)
    }
    two = {
        (pair, side, "validity"): row[at + 2]
        for pair, row in enumerate(rows)
        for at, side in enumerate(SIDES)
    }
    here, there = (
        question_agreement("validity", *both, range(len(rows)), seed=3) for both in ((one, two), (two, one))
    )
    for name in ("agreement", "kappa", "gwet_ac1", "positive", "negative", "prevalence_index", "expected"):
        assert getattr(here, name).value == pytest.approx(getattr(there, name).value)
    assert here.first_used == there.second_used


@given(st.sets(st.sampled_from(ROLES)))
def test_a_set_of_replies_is_one_answer_and_back(roles):
    answer = acceptable_answer(roles)
    assert answer in ACCEPTABLE
    assert accepted_roles(answer) == roles


pairs_of_sets = st.lists(st.tuples(*[st.sampled_from(ACCEPTABLE)] * 4), min_size=1, max_size=9)


def sets_of(rows):
    """Return both reviewers' answers on the replies of pairs, a row a pair: two sides of each reviewer."""
    return [
        {
            (pair, side, "acceptability"): row[at + shift]
            for pair, row in enumerate(rows)
            for at, side in enumerate(SIDES)
        }
        for shift in (0, 2)
    ]


@given(pairs_of_sets, st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_nothing_not_even_intervals(rows, chance):
    pairs = list(range(len(rows)))
    chance.shuffle(shuffled := [*pairs])
    one, two = sets_of(rows)
    here, there = (set_agreement(one, two, order, seed=3) for order in (pairs, shuffled))
    assert here.jaccard.value == pytest.approx(there.jaccard.value)
    assert replace(here, jaccard=there.jaccard) == there


@given(pairs_of_sets)
def test_exchanging_the_reviewers_changes_no_agreement_on_sets(rows):
    one, two = sets_of(rows)
    pairs = range(len(rows))
    here, there = set_agreement(one, two, pairs, seed=3), set_agreement(two, one, pairs, seed=3)
    assert (here.whole_set, here.jaccard, here.uncertain, here.both_empty) == (
        there.whole_set,
        there.jaccard,
        there.uncertain,
        there.both_empty,
    )
    assert here.replies.first_used == there.replies.second_used
    assert here.uncertain == sum(
        "uncertain" in (row[at], row[at + 2]) for row in rows for at in range(len(SIDES))
    )
