"""Which pairs a review judges: the published design, and what holds for every sample."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.problems import Problem
from annotate.sampling import Candidate, draw_sample, largest_remainder

# Pairs by situation category, as published (PairPref, the numbers of its release).
PUBLISHED = {
    "companions": 205,
    "occasion": 163,
    "time_constraint": 136,
    "beneficiary_shift": 296,
    "role_shift": 54,
    "resource_constraint": 110,
    "physical_state": 191,
    "emotional_state": 72,
}


def published_candidates() -> list[Candidate]:
    """1,227 pairs of 45 preferences in the published categories, mixed by a fixed seed."""
    categories = [name for name, count in PUBLISHED.items() for _ in range(count)]
    random.Random(3).shuffle(categories)
    return [Candidate(n, f"M{n % 45:02}", category) for n, category in enumerate(categories)]


def slowly_divided(sizes: dict[str, int], total: int) -> dict[str, int]:
    """Divide by largest remainder in the plainest way: hand out one after the other."""
    whole = sum(sizes.values())
    exact = {name: Fraction(total * size, whole) if whole else Fraction(0) for name, size in sizes.items()}
    quotas = {name: exact[name].numerator // exact[name].denominator for name in sizes}
    waiting = set(sizes)
    while sum(quotas.values()) < total:
        most = max(exact[name] - quotas[name] for name in waiting)
        chosen = min(name for name in waiting if exact[name] - quotas[name] == most)
        waiting.remove(chosen)
        quotas[chosen] += 1
    return quotas


@st.composite
def candidate_lists(draw) -> list[Candidate]:
    preferences = draw(st.integers(1, 6))
    rows = draw(
        st.lists(st.tuples(st.integers(0, preferences - 1), st.sampled_from("abcd")), min_size=1, max_size=40)
    )
    return [Candidate(n, f"M{preference}", stratum) for n, (preference, stratum) in enumerate(rows)]


@st.composite
def draws(draw) -> tuple[list[Candidate], int, int]:
    candidates = draw(candidate_lists())
    least = len({candidate.preference for candidate in candidates})
    return candidates, draw(st.integers(least, len(candidates))), draw(st.integers(0, 2**62 - 1))


def test_the_published_design_draws_200_of_1227_pairs():
    candidates = published_candidates()
    sample = draw_sample(candidates, 200, seed=20_260)
    by_id = {candidate.id: candidate for candidate in candidates}
    drawn = [by_id[one] for one in sample.ids]
    assert (len(candidates), len(sample.ids), len(set(sample.ids)), sample.preferences) == (
        1227,
        200,
        200,
        45,
    )
    assert {candidate.preference for candidate in drawn} == {f"M{n:02}" for n in range(45)}
    assert {share.stratum: share.pairs for share in sample.strata} == PUBLISHED
    assert sum(share.first for share in sample.strata) == 45
    assert sum(share.rest for share in sample.strata) == 155
    assert Counter(candidate.stratum for candidate in drawn) == {
        share.stratum: share.drawn for share in sample.strata
    }
    left = {share.stratum: share.pairs - share.first for share in sample.strata}
    assert {share.stratum: share.rest for share in sample.strata} == slowly_divided(left, 155)


def test_remainders_worked_by_hand():
    """Of 10 over 5, 3, 2 and total 7: shares 3.5, 2.1, 1.4; the one left goes to the first."""
    assert largest_remainder({"a": 5, "b": 3, "c": 2}, 7) == {"a": 4, "b": 2, "c": 1}


def test_of_equal_remainders_the_name_that_sorts_first_goes_first():
    assert largest_remainder({"b": 1, "a": 1, "c": 1}, 2) == {"b": 1, "a": 1, "c": 0}


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.integers(0, 300), min_size=1), st.data())
def test_quotas_add_up_and_stay_within_one_of_the_exact_share(sizes, data):
    total = data.draw(st.integers(0, sum(sizes.values())))
    quotas = largest_remainder(sizes, total)
    assert quotas == slowly_divided(sizes, total)
    assert sum(quotas.values()) == total
    for name, size in sizes.items():
        assert quotas[name] <= size
        assert sum(sizes.values()) == 0 or abs(quotas[name] - Fraction(total * size, sum(sizes.values()))) < 1


@given(draws())
def test_a_sample_has_the_size_asked_for_one_pair_of_each_preference_and_no_repeats(case):
    candidates, size, seed = case
    sample = draw_sample(candidates, size, seed)
    assert len(sample.ids) == len(set(sample.ids)) == size
    preferences = {candidate.id: candidate.preference for candidate in candidates}
    assert {preferences[one] for one in sample.ids} == set(preferences.values())
    assert sum(share.drawn for share in sample.strata) == size
    assert all(share.drawn <= share.pairs for share in sample.strata)


@given(draws(), st.randoms())
def test_the_same_seed_gives_the_same_sample_whatever_the_order_of_the_input(case, chance):
    candidates, size, seed = case
    mixed = chance.sample(candidates, len(candidates))
    assert draw_sample(mixed, size, seed) == draw_sample(candidates, size, seed)


def test_seeds_matter():
    candidates = published_candidates()
    assert len({draw_sample(candidates, 200, seed).ids for seed in range(5)}) == 5


def test_every_pair_of_a_preference_can_be_the_one_drawn_first():
    candidates = [Candidate(n, "M01", "a") for n in range(3)]
    assert {draw_sample(candidates, 1, seed).ids for seed in range(40)} == {(0,), (1,), (2,)}


def test_a_sample_of_all_pairs_is_all_of_them():
    candidates = published_candidates()
    assert sorted(draw_sample(candidates, 1227, 1).ids) == list(range(1227))


@pytest.mark.parametrize("size", [-1, 0, 44, 1228])
def test_a_size_that_cannot_be_drawn_is_refused_with_the_sizes_that_can(size):
    with pytest.raises(Problem, match=f"The sample is {size}; expected at least 45, .* at most the 1227"):
        draw_sample(published_candidates(), size, 1)


def test_a_dataset_without_pairs_is_refused():
    with pytest.raises(Problem, match="has no contrast pairs; import some first"):
        draw_sample([], 0, 1)
