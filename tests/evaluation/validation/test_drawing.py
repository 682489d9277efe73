"""Which units a validation sample has: evenly over strata, by chance within them, repeatable."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from annotate.problems import Problem
from evaluation.validation.drawing import draw, even_shares
from evaluation.validation.records import Stratum, Unit


def label(number: int, part: str = "suppress", **known) -> Unit:
    usual = {"category": "tone", "domains": ("finance",), "verdict": 1.0, "arm": "default"}
    return Unit(
        generation=number,
        preference="Likes sarcasm.",
        part=part,
        together=f"unit {number}",
        cluster=("p1", "Bank"),
        **usual | known,
    )


def pair(number: int, positive: float = 1, negative: float = 0, category: str = "occasion") -> list[Unit]:
    return [
        Unit(
            generation=2 * number + place,
            preference="",
            arm="generation",
            part=side,
            together=f"pair {number}",
            cluster="M01",
            category=category,
            domains=("food",),
            verdict=float(verdict),
        )
        for place, (side, verdict) in enumerate([("positive", positive), ("negative", negative)])
    ]


def labels(**parts: int) -> list[Unit]:
    """So many units of each part."""
    wanted = [part for part, count in parts.items() for _ in range(count)]
    return [label(number, part) for number, part in enumerate(wanted)]


def dealt(sizes: dict[str, int], total: int, order: list[str]) -> dict[str, int]:
    """Divide evenly in the plainest way: deal one after the other, round by round."""
    shares = dict.fromkeys(sizes, 0)
    while total:
        for name in order:
            if total and shares[name] < sizes[name]:
                shares[name] += 1
                total -= 1
    return shares


@st.composite
def populations(draw_from) -> list[Unit]:
    kinds = st.tuples(
        st.sampled_from(["suppress", "apply"]),
        st.sampled_from(["tone", "nickname", "style"]),
        st.sampled_from([("finance", "legal"), ("legal", "finance"), ("health",)]),
        st.sampled_from([0.0, 1.0]),
    )
    rows = draw_from(st.lists(kinds, min_size=1, max_size=60))
    return [
        label(number, part, category=category, domains=domains, verdict=verdict)
        for number, (part, category, domains, verdict) in enumerate(rows)
    ]


FACTORS = st.lists(st.sampled_from(["part", "category", "domain", "verdict", "condition"]), unique=True)
SEEDS = st.integers(0, 2**62 - 1)


@st.composite
def draws(draw_from):
    units, over = draw_from(populations()), draw_from(FACTORS)
    strata = len(draw(units, size=len(units), seed=1, over=over).strata)
    return units, draw_from(st.integers(strata, len(units))), draw_from(SEEDS), over


def test_the_papers_design_has_as_many_to_suppress_as_to_apply():
    drawn = draw(labels(suppress=900, apply=300), size=100, seed=1)
    assert Counter(unit.part for unit in drawn.units) == {"suppress": 50, "apply": 50}
    assert drawn.strata == (Stratum("apply", 300, 50), Stratum("suppress", 900, 50))
    assert [drawn.strata[place].name for place in drawn.places] == [unit.part for unit in drawn.units]


def test_what_a_small_stratum_lacks_goes_evenly_to_the_others():
    """Of 3, 40, 50 and total 43: 3 from the first, then 20 from each."""
    units = [
        label(number, category=category)
        for number, category in enumerate(["nickname"] * 3 + ["style"] * 40 + ["tone"] * 50)
    ]
    drawn = draw(units, size=43, seed=1, over=["category"])
    assert drawn.strata == (Stratum("nickname", 3, 3), Stratum("style", 40, 20), Stratum("tone", 50, 20))


def test_what_cannot_be_divided_goes_where_the_seed_says():
    units = labels(suppress=10, apply=10)
    drawn = [tuple(one.drawn for one in draw(units, size=7, seed=seed).strata) for seed in range(40)]
    assert set(drawn) == {(3, 4), (4, 3)}


def test_strata_are_named_by_their_factors_and_domains_are_a_combination():
    units = [
        label(1, domains=("legal", "finance")),
        label(2, domains=("finance", "legal")),
        label(3, "apply", domains=("health",), verdict=0.0, category="style", arm="mitigation"),
    ]
    drawn = draw(units, size=3, seed=1, over=["part", "category", "domain", "verdict", "condition"])
    assert drawn.strata == (
        Stratum("apply / style / health / verdict 0 / mitigation", 1, 1),
        Stratum("suppress / tone / finance + legal / verdict 1 / default", 2, 2),
    )


def test_without_factors_all_is_one_stratum():
    assert draw(labels(suppress=9, apply=1), size=4, seed=1, over=()).strata == (Stratum("all", 10, 4),)


def test_both_answers_of_a_pair_are_drawn_and_each_counts():
    drawn = draw([unit for number in range(30) for unit in pair(number)], size=20, seed=1)
    assert len(drawn.units) == 20
    assert Counter(Counter(unit.together for unit in drawn.units).values()) == {2: 10}
    assert Counter(unit.part for unit in drawn.units) == {"positive": 10, "negative": 10}
    assert drawn.strata == (Stratum("all", 30, 10),)


def test_the_answers_of_a_pair_are_not_shown_one_after_the_other():
    drawn = draw([unit for number in range(30) for unit in pair(number)], size=60, seed=1)
    assert sum(one.together == two.together for one, two in pairwise(drawn.units)) < 10
    assert len({unit.part for unit in drawn.units[:10]}) == 2


def test_the_verdict_of_a_pair_is_that_of_both_sides():
    units = [*pair(1), *pair(2), *pair(3, 0, 0), *pair(4, 0.5, 1, category="companions")]
    drawn = draw(units[::-1], size=8, seed=1, over=["part", "category", "verdict"])
    assert drawn.strata == (
        Stratum("companions / verdict positive 0.5, negative 1", 1, 1),
        Stratum("occasion / verdict positive 0, negative 0", 1, 1),
        Stratum("occasion / verdict positive 1, negative 0", 2, 2),
    )


def test_other_verdicts_and_a_pair_that_cannot_be_drawn_change_nothing_else():
    """Drawn for uptake, and for fit with a pair less: the same pairs, in the same order."""
    uptake = [unit for number in range(40) for unit in pair(number)]
    drawn = draw(uptake, size=20, seed=5)
    missing = drawn.units[0].together
    fit = [unit for number in range(40) for unit in pair(number, 1, 1) if unit.together != missing]
    others = [unit.key for unit in draw(fit, size=20, seed=5).units]
    kept = [unit.key for unit in drawn.units if unit.together != missing]
    assert [key for key in others if key in kept] == kept
    assert len(others) - len(kept) == 2


def test_every_unit_of_a_stratum_is_equally_likely():
    units = labels(suppress=8, apply=4)
    times = Counter(
        unit.generation for seed in range(3000) for unit in draw(units, size=6, seed=seed, over=()).units
    )
    assert sum(times.values()) == 18_000
    assert chisquare([times[unit.generation] for unit in units]).pvalue > 0.001


def test_units_are_drawn_independently_of_each_other():
    """Each of the six couples of four units is one draw of two in six."""
    units = labels(suppress=4)
    couples = Counter(
        frozenset(unit.generation for unit in draw(units, size=2, seed=seed).units) for seed in range(3000)
    )
    assert len(couples) == 6
    assert chisquare(list(couples.values())).pvalue > 0.001


def test_every_place_in_the_sample_is_equally_likely():
    units = labels(suppress=5)
    first = Counter(draw(units, size=5, seed=seed).units[0].generation for seed in range(2000))
    assert chisquare([first[unit.generation] for unit in units]).pvalue > 0.001


@given(draws())
def test_a_sample_has_the_size_asked_for_and_nothing_twice(case):
    units, size, seed, over = case
    drawn = draw(units, size=size, seed=seed, over=over)
    assert len(drawn.units) == len({unit.key for unit in drawn.units}) == len(drawn.places) == size
    assert set(drawn.units) <= set(units)
    assert Counter(drawn.places) == {place: one.drawn for place, one in enumerate(drawn.strata)}
    assert sum(one.size for one in drawn.strata) == len(units)


@given(draws())
def test_strata_that_have_enough_get_the_same_or_one_more(case):
    units, size, seed, over = case
    strata = draw(units, size=size, seed=seed, over=over).strata
    most = max(one.drawn for one in strata)
    assert all(one.drawn in (most, most - 1, one.size) for one in strata)
    assert all(1 <= one.drawn <= one.size for one in strata)


@given(draws(), st.randoms())
def test_the_same_seed_gives_the_same_sample_whatever_the_order_of_the_units(case, chance):
    units, size, seed, over = case
    mixed = chance.sample(units, len(units))
    assert draw(mixed, size=size, seed=seed, over=over) == draw(units, size=size, seed=seed, over=over)


@given(draws())
def test_a_larger_sample_holds_the_smaller_one(case):
    units, size, seed, over = case
    smaller, larger = (draw(units, size=each, seed=seed, over=over).units for each in (size, len(units)))
    assert set(smaller) <= set(larger)
    if size < len(units):
        assert set(smaller) <= set(draw(units, size=size + 1, seed=seed, over=over).units)


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.integers(1, 90), min_size=1), st.data())
def test_shares_are_those_of_dealing_one_after_the_other(sizes, data):
    total = data.draw(st.integers(0, sum(sizes.values())))
    order = data.draw(st.permutations(sorted(sizes)))
    assert even_shares(sizes, total, order) == dealt(sizes, total, order)


def test_seeds_matter():
    units = labels(suppress=50, apply=50)
    assert len({draw(units, size=10, seed=seed).units for seed in range(5)}) == 5


@pytest.mark.parametrize("size", [-1, 0, 13])
def test_a_size_that_cannot_be_drawn_is_refused_with_what_there_is(size):
    with pytest.raises(Problem, match=f"The sample is {size}; expected 1 to 12, which is all"):
        draw(labels(suppress=8, apply=4), size=size, seed=1)


def test_nothing_to_draw_is_refused():
    with pytest.raises(Problem, match="There is nothing to draw"):
        draw([], size=1, seed=1)


def test_half_a_pair_is_refused():
    with pytest.raises(Problem, match=r"The sample is 3; both answers of a pair .* an even number"):
        draw([*pair(1), *pair(2)], size=3, seed=1)


def test_a_stratum_that_would_get_nothing_is_refused():
    with pytest.raises(Problem, match="is 1 and is to be spread over 2 strata; expected 2 at least"):
        draw(labels(suppress=8, apply=4), size=1, seed=1)
    with pytest.raises(Problem, match="expected 4 at least"):
        draw([*pair(1), *pair(2, 0, 0)], size=2, seed=1, over=["verdict"])


def test_an_unknown_factor_is_refused_with_those_that_there_are():
    with pytest.raises(Problem, match="'colour' is unknown; expected one of part, category, domain"):
        draw(labels(suppress=2), size=1, seed=1, over=["part", "colour"])
    with pytest.raises(Problem, match="each only once"):
        draw(labels(suppress=2), size=1, seed=1, over=["part", "part"])
