"""The alternative annotator test, beside a second version that follows the paper line by line."""

from itertools import product
from math import sqrt
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from scipy.stats import t

from annotate.agreement.alternative_annotator import (
    EPSILONS,
    alternative_annotator_test,
    fewest_items,
)
from tests.annotate.agreement.examples import for_examples

NAN = float("nan")


def slow_test(judge, people, epsilon, is_ordered):
    """Return winning rate, p-values and judge's advantages (Calderon et al. 2025, section 3), in loops."""
    p_values, advantages = [], []
    for left_out in people:
        judge_wins, person_wins = [], []
        for item, verdict in enumerate(judge):
            others = [
                people[name][item] for name in people if name != left_out and people[name][item] is not None
            ]
            if verdict is None or people[left_out][item] is None or not others:
                continue
            judge_score = slow_score(verdict, others, is_ordered)
            person_score = slow_score(people[left_out][item], others, is_ordered)
            judge_wins.append(judge_score >= person_score)
            person_wins.append(person_score >= judge_score)
        differences = [int(person) - int(own) for person, own in zip(person_wins, judge_wins, strict=True)]
        p_values.append(slow_p(differences, epsilon))
        advantages.append(mean(judge_wins))
    wins = slow_rejections(p_values)
    return wins / len(people), p_values, advantages


def slow_score(answer, others, is_ordered):
    if is_ordered:
        return -round(sqrt(mean((answer - other) ** 2 for other in others)), 9)
    return mean(int(answer == other) for other in others)


def slow_p(differences, epsilon):
    count = len(differences)
    if count >= 30:
        spread = stdev(differences)
        if spread == 0:
            return 0.0 if mean(differences) < epsilon else 1.0
        return t.cdf((mean(differences) - epsilon) / (spread / sqrt(count)), count - 1)
    apart = [round(difference - epsilon, 9) for difference in differences]
    apart = [value for value in apart if value]
    sizes = sorted(abs(value) for value in apart)
    rank = {size: mean(place + 1 for place, other in enumerate(sizes) if other == size) for size in sizes}
    seen = sum(rank[abs(value)] for value in apart if value > 0)
    below = sum(
        sum(rank[abs(value)] for value, sign in zip(apart, signs, strict=True) if sign) <= seen
        for signs in product([0, 1], repeat=len(apart))
    )
    return below / 2 ** len(apart)


def slow_rejections(p_values):
    """Benjamini & Yekutieli 2001: the last rank whose p is at most rank / m * q / (1 + 1/2 + ... + 1/m)."""
    count = len(p_values)
    limit = 0.05 / sum(1 / rank for rank in range(1, count + 1)) / count
    return max((rank for rank, p in enumerate(sorted(p_values), start=1) if p <= rank * limit), default=0)


def with_nan(column):
    return [NAN if value is None else value for value in column]


def drawn_answers(seed, raters, items, noise, values):
    """Answers of raters who see one truth through noise; now and then one is missing."""
    draw = np.random.default_rng(seed)
    truth = draw.choice(values, items)
    for _ in range(raters):
        wrong, missing = draw.random(items) < noise, draw.random(items) < 0.05
        seen = np.where(wrong, draw.choice(values, items), truth)
        yield [None if gone else float(value) for value, gone in zip(seen, missing, strict=True)]


@pytest.mark.parametrize("is_ordered", [False, True])
@pytest.mark.parametrize(("items", "values"), [(9, (0, 0.5, 1)), (60, (1, 2, 3, 4, 5))])
@for_examples(
    seed=st.integers(0, 10**6),
    people=st.integers(3, 5),
    epsilon=st.sampled_from([0, 0.1, 0.15, 0.2, 0.5, 1]),
    noise=st.floats(0, 0.6),
)
def test_all_of_it_matches_the_slow_version(is_ordered, items, values, seed, people, epsilon, noise):
    judge, *columns = drawn_answers(seed, people + 1, items, noise, values)
    check_against_the_slow_version(judge, columns, epsilon, is_ordered)


def check_against_the_slow_version(judge, columns, epsilon, is_ordered):
    people = dict(enumerate(columns))
    found = alternative_annotator_test(
        with_nan(judge),
        {name: with_nan(column) for name, column in people.items()},
        epsilon=epsilon,
        is_ordered=is_ordered,
    )
    assume(len(found.people) == len(people))
    rate, p_values, advantages = slow_test(judge, people, epsilon, is_ordered)
    assert [one.p for one in found.people] == pytest.approx(p_values, abs=1e-9)
    assert [one.judge_advantage for one in found.people] == pytest.approx(advantages)
    assert found.winning_rate.value == pytest.approx(rate)
    assert found.passes is (rate >= 0.5)
    assert found.average_advantage.value == pytest.approx(mean(advantages))


def people_of(noises, items=100, seed=1, values=2):
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, values, items).astype(float)
    seen = [np.where(draw.random(items) < noise, draw.integers(0, values, items), truth) for noise in noises]
    return truth, {f"person {place}": column for place, column in enumerate(seen)}


def test_one_person_by_hand():
    """On 40 items the judge beats the person on 10, loses on 6 and ties on 24: d has mean -0.1."""
    others = np.zeros(40)
    person = np.r_[np.ones(10), np.zeros(30)]
    judge = np.r_[np.zeros(10), np.ones(6), np.zeros(24)]
    people = {"left out": person, "second": others, "third": others}
    found = alternative_annotator_test(judge, people, epsilon=0.15).people[0]
    assert (found.judge_advantage, found.person_advantage) == (34 / 40, 30 / 40)
    variance = (16 - 40 * 0.1**2) / 39
    assert found.p == pytest.approx(t.cdf((-0.1 - 0.15) / sqrt(variance / 40), 39))
    assert found.test == "t-test"


def test_a_judge_who_is_the_majority_passes_and_a_guessing_one_does_not():
    truth, people = people_of([0.2, 0.2, 0.2])
    passed = alternative_annotator_test(truth, people, epsilon=EPSILONS["crowd workers"])
    assert passed.passes
    assert passed.winning_rate.value == 1
    guess = np.random.default_rng(5).integers(0, 2, 100)
    failed = alternative_annotator_test(guess, people, epsilon=EPSILONS["crowd workers"])
    assert failed.passes is False
    assert failed.winning_rate.numerator == 0


def test_people_of_one_mind_and_a_judge_of_theirs_need_no_price():
    same = np.tile([0.0, 1.0], 20)
    found = alternative_annotator_test(same, dict.fromkeys("abc", same), epsilon=0)
    # Nobody is ahead: the differences are all 0, which is not below an epsilon of 0.
    assert found.passes is False
    assert found.smallest_epsilon.value == 0.01
    assert found.average_advantage.value == 1


def test_the_smallest_epsilon_is_where_the_judge_begins_to_pass():
    judge = people_of([0.3], seed=2)[1]["person 0"]
    people = people_of([0.15, 0.2, 0.25], seed=2)[1]
    smallest = alternative_annotator_test(judge, people, epsilon=0.1).smallest_epsilon.value
    assert 0 < smallest < 1
    assert alternative_annotator_test(judge, people, epsilon=smallest).passes
    assert alternative_annotator_test(judge, people, epsilon=smallest - 0.01).passes is False


def test_a_judge_who_always_loses_passes_nowhere():
    zeros = np.zeros(40)
    found = alternative_annotator_test(np.ones(40), dict.fromkeys("abc", zeros), epsilon=0.2)
    assert found.smallest_epsilon.undefined_reason == "the judge passes at no epsilon up to 1"


def test_ordered_answers_are_scored_by_distance():
    """A judge one step above the others is worse than who agrees, and better than who is two steps below."""
    others, judge = np.full(40, 3.0), np.full(40, 4.0)
    near, far = np.full(40, 3.0), np.full(40, 1.0)
    people = {"near": near, "far": far, "third": others, "fourth": others, "fifth": others}
    by_name = {
        one.person: one
        for one in alternative_annotator_test(judge, people, epsilon=0.2, is_ordered=True).people
    }
    assert by_name["near"].judge_advantage == 0
    assert by_name["far"].judge_advantage == 1
    assert by_name["far"].person_advantage == 0


def test_two_people_are_too_few():
    column = np.zeros(50)
    nobody = np.full(50, NAN)
    found = alternative_annotator_test(column, {"a": column, "b": column, "c": nobody}, epsilon=0.2)
    words = "2 people answered items of this sample; the test takes 3 or more"
    assert found.passes is None
    for estimate in (found.winning_rate, found.average_advantage, found.smallest_epsilon):
        assert (estimate.value, estimate.undefined_reason) == (None, words)


def test_with_too_few_items_no_judge_could_win_and_it_is_said():
    column = np.zeros(5)
    found = alternative_annotator_test(column, dict.fromkeys("abc", column), epsilon=0.2)
    assert found.passes is None
    assert found.winning_rate.undefined_reason == (
        "0 of 3 people answered 6 items or more together with the judge and another person; it takes 3 such"
        " people, and on fewer items no judge could win"
    )
    assert found.skipped == ("a", "b", "c")


@pytest.mark.parametrize("people", [3, 4, 5, 8])
def test_the_fewest_items_are_where_the_best_judge_begins_to_pass(people):
    needed = fewest_items(people)
    for items in (needed, needed + 3):
        columns = {name: np.zeros(items) for name in range(people)}
        # With one price for all, a judge like everybody is below it on every item.
        assert alternative_annotator_test(np.zeros(items), columns, epsilon=0.2).passes
    half = sum(1 / rank for rank in range(1, people + 1))
    assert 2.0 ** -(needed - 1) > -(-people // 2) / people * 0.05 / half


def test_a_person_with_too_few_items_stays_among_the_others():
    truth, people = people_of([0.1, 0.1, 0.1, 0.1])
    rare = np.where(np.arange(100) < 3, truth, NAN)
    found = alternative_annotator_test(truth, people | {"rare": rare}, epsilon=0.2)
    assert found.skipped == ("rare",)
    assert found.winning_rate.denominator == 4


def test_missing_answers_leave_items_out():
    truth, people = people_of([0.1, 0.1, 0.1])
    truth[:5] = NAN
    for column in list(people.values())[:2]:
        column[5:9] = NAN
    found = alternative_annotator_test(truth, people, epsilon=0.2)
    assert found.items == 91
    assert [one.items for one in found.people] == [91, 91, 91]


@for_examples(seed=st.integers(0, 10**6), order=st.permutations(range(60)))
def test_the_order_of_items_does_not_matter(seed, order):
    truth, people = people_of([0.1, 0.3, 0.2], items=60, seed=seed)
    one = alternative_annotator_test(truth, people, epsilon=0.1)
    moved = {name: column[order] for name, column in people.items()}
    two = alternative_annotator_test(truth[order], moved, epsilon=0.1)
    assert [person.p for person in one.people] == pytest.approx([person.p for person in two.people])
    assert one.smallest_epsilon == two.smallest_epsilon


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="expected 0 to 1"):
        alternative_annotator_test([1], {"a": [1]}, epsilon=1.2)
    with pytest.raises(ValueError, match="have shape"):
        alternative_annotator_test([1, 0], {"a": [1]}, epsilon=0.2)
    assert alternative_annotator_test([1.0], {}, epsilon=0.2).passes is None
