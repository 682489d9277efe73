"""What stands in memory: worked through word by word for memories of every make."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchpres.arms import ORDERS, Arm, arms
from evaluation.benchpres.memory import PlannedProfile, Statement, own_preferences, remembered
from evaluation.prompts import Prompt

PROMPT = Prompt.of("mild-1", "$memory $recipient $task")
CONTEXTS = [(f"Recipient {number}", "Ask") for number in range(39)]
CONTEXT = CONTEXTS[0]


def fact(number):
    return Statement(f"Owns book {number}.")


def preference(number):
    return Statement(f"Likes colour {number}.", is_preference=True)


def stranger(number):
    return Statement(f"Likes town {number}.", is_preference=True)


def nickname(name):
    return Statement(f"Wants to be called {name}.", is_preference=True, is_nickname=True)


FACTS = [fact(number) for number in range(12)]
OWN = [*(preference(number) for number in range(4)), nickname("Kit")]
STRANGERS = [*(stranger(number) for number in range(20)), nickname("Jo"), *OWN]
MEMORY = [*FACTS[:3], OWN[0], OWN[1], *FACTS[3:7], OWN[2], *FACTS[7:], OWN[3], OWN[4]]
PROFILE = PlannedProfile("p1", MEMORY, strangers=STRANGERS)


def arm_of(condition="default", **changed):
    return Arm(condition, PROMPT, **changed)


def texts(statements):
    return [statement.text for statement in statements]


@st.composite
def profiles(draw):
    """A profile with any number of facts and preferences in any order, and strangers, some its own."""
    facts = [fact(number) for number in range(draw(st.integers(0, 12)))]
    own = [preference(number) for number in range(draw(st.integers(0, 5)))]
    named = [nickname("Kit")] if draw(st.booleans()) else []
    others = [*(stranger(number) for number in range(draw(st.integers(0, 8)))), nickname("Jo"), *own, *named]
    memory = draw(st.permutations([*facts, *own, *named]))
    return PlannedProfile("p1", memory, strangers=draw(st.permutations(others)))


ARMS = st.builds(
    arm_of,
    st.sampled_from(["default", "mitigation", "mild-1"]),
    density=st.none() | st.integers(1, 20),
    ratio=st.none() | st.integers(0, 40).map(lambda value: value / 10),
    order=st.sampled_from(ORDERS),
)
SEEDS = st.integers(0, 2**31)


@given(profiles(), ARMS, st.sampled_from(CONTEXTS), SEEDS)
def test_a_memory_holds_what_its_arm_says(profile, arm, context, seed):
    found = remembered(profile, arm, context, seed)
    own = [statement.text for statement in profile.memory if statement.is_preference]
    facts = [statement.text for statement in profile.memory if not statement.is_preference]
    spare = [text for text in texts(profile.strangers) if text not in own]
    if "Wants to be called Kit." in own:
        spare.remove("Wants to be called Jo.")
    assert len(found) == len(set(found))
    assert set(found) <= {*own, *facts, *spare}

    kept, added, known = ([text for text in found if text in part] for part in (own, spare, facts))
    wanted = len(own) if arm.density is None else arm.density
    assert len(kept) == min(wanted, len(own))
    assert len(added) == min(max(0, wanted - len(own)), len(spare))
    exact = len(facts) if arm.ratio is None else arm.ratio * (len(kept) + len(added))
    assert abs(len(known) - min(exact, len(facts))) <= 0.5 + 1e-9
    measured = texts(own_preferences(profile, arm, context, seed))
    assert measured == [text for text in own if text in kept]


@given(profiles(), ARMS, st.sampled_from(CONTEXTS), SEEDS)
def test_an_order_changes_the_order_alone_and_keeps_that_of_the_corpus_within_its_halves(
    profile, arm, context, seed
):
    plain, first, last, shuffled = (
        remembered(profile, replace(arm, order=order), context, seed) for order in ORDERS
    )
    own = [text for text in plain if text in texts(profile.memory)]
    assert own == [text for text in texts(profile.memory) if text in own]
    likes = [text for text in plain if not text.startswith("Owns")]
    facts = [text for text in plain if text.startswith("Owns")]
    assert first == likes + facts
    assert last == facts + likes
    assert sorted(shuffled) == sorted(plain)


@given(profiles(), st.sampled_from(CONTEXTS), SEEDS)
def test_a_plain_arm_returns_the_memory_of_the_corpus_unchanged(profile, context, seed):
    assert remembered(profile, arm_of(), context, seed) == texts(profile.memory)
    assert own_preferences(profile, arm_of(), context, seed) == profile.preferences


@given(profiles(), ARMS, st.sampled_from(CONTEXTS), SEEDS)
def test_without_preferences_no_preference_stands_in_memory(profile, arm, context, seed):
    found = remembered(profile, replace(arm, condition="no_preferences"), context, seed)
    assert set(found) <= {text for text in texts(profile.memory) if text.startswith("Owns")}


@given(profiles(), st.sampled_from(CONTEXTS), SEEDS, st.none() | st.integers(1, 20))
def test_without_preferences_all_facts_stand_in_the_order_of_the_corpus(profile, context, seed, density):
    found = remembered(profile, arm_of("no_preferences", density=density), context, seed)
    assert found == [text for text in texts(profile.memory) if text.startswith("Owns")]


def test_without_preferences_a_ratio_leaves_the_facts_that_it_leaves_with_them():
    with_them = remembered(PROFILE, arm_of(ratio=2), CONTEXT, seed=1)
    without = remembered(PROFILE, arm_of("no_preferences", ratio=2), CONTEXT, seed=1)
    assert without == [text for text in with_them if text.startswith("Owns")]


def test_without_preferences_in_memory_all_are_measured():
    assert own_preferences(PROFILE, arm_of("no_preferences", density=1), CONTEXT, seed=1) == OWN


@given(profiles(), st.sampled_from(CONTEXTS), SEEDS, st.integers(1, 20), st.integers(1, 20))
def test_a_denser_memory_contains_a_thinner_one_and_the_facts_stay_where_they_were(
    profile, context, seed, one, other
):
    thin, dense = (
        remembered(profile, arm_of(density=density), context, seed) for density in sorted([one, other])
    )
    assert set(thin) <= set(dense)
    facts = [text for text in texts(profile.memory) if text.startswith("Owns")]
    for memory in (thin, dense):
        assert [text for text in memory if text.startswith("Owns")] == facts


@given(profiles(), st.sampled_from(CONTEXTS), SEEDS, st.integers(1, 20), st.integers(1, 20))
def test_what_is_measured_at_a_density_is_measured_at_every_higher_one(profile, context, seed, one, other):
    thin, dense = (
        own_preferences(profile, arm_of(density=density), context, seed) for density in sorted([one, other])
    )
    assert thin == [statement for statement in dense if statement in thin]


@pytest.mark.parametrize("seed", range(5))
def test_every_preference_is_measured_alone_in_some_context(seed):
    measured = [own_preferences(PROFILE, arm_of(density=1), context, seed) for context in CONTEXTS]
    assert all(len(alone) == 1 for alone in measured)
    assert {alone[0] for alone in measured} == set(OWN)


def test_all_arms_of_a_density_measure_the_same_preferences():
    planned = arms(["default", "mitigation"], densities=[2], temperatures=[0.5, 1.0], orders=ORDERS)
    for context in CONTEXTS:
        measured = {tuple(own_preferences(PROFILE, arm, context, 1)) for arm in planned}
        assert len(measured) == 1


def test_a_ratio_keeps_so_many_facts_for_each_preference_in_memory():
    # With its own 5 in memory 10 of the 12 facts, with 1 of them 2, with 7 as many as there are.
    for density, facts in [(None, 10), (1, 2), (7, 12)]:
        found = remembered(PROFILE, arm_of(density=density, ratio=2), CONTEXT, seed=1)
        assert len([text for text in found if text.startswith("Owns")]) == facts


def test_a_ratio_that_gives_no_whole_number_of_facts_is_rounded_to_the_nearest():
    # Times 5 preferences: 4.75, 2.75, 2.25 and 6.75 facts.
    for ratio, facts in [(0.95, 5), (0.55, 3), (0.45, 2), (1.35, 7)]:
        found = remembered(PROFILE, arm_of(ratio=ratio), CONTEXT, seed=1)
        assert len([text for text in found if text.startswith("Owns")]) == facts


def test_a_ratio_of_none_at_all_leaves_the_preferences_alone():
    assert remembered(PROFILE, arm_of(ratio=0), CONTEXT, seed=1) == texts(OWN)


def test_a_ratio_counts_a_fact_that_is_there_twice_as_two():
    profile = PlannedProfile("p1", [fact(1), preference(1), fact(1)])
    assert len(remembered(profile, arm_of(ratio=1), CONTEXT, seed=1)) == 2


def test_no_second_nickname_is_added_to_a_profile_that_has_one():
    crowd = replace(PROFILE, strangers=[nickname("Jo"), nickname("Lu"), stranger(1)])
    found = remembered(crowd, arm_of(density=20), CONTEXT, seed=1)
    assert [text for text in found if "called" in text] == ["Wants to be called Kit."]
    assert "Likes town 1." in found


def test_a_profile_without_a_nickname_is_given_one_at_most():
    crowd = PlannedProfile("p1", [fact(1)], strangers=[nickname("Jo"), nickname("Lu"), stranger(1)])
    found = remembered(crowd, arm_of(density=3), CONTEXT, seed=1)
    assert len([text for text in found if "called" in text]) <= 1


def test_what_is_added_stands_among_the_rest_and_not_at_one_end():
    places = set()
    for seed in range(200):
        found = remembered(PROFILE, arm_of(density=6), CONTEXT, seed)
        (added,) = set(found) - set(texts(MEMORY))
        places.add(found.index(added))
    assert places == set(range(len(MEMORY) + 1))


def test_two_profiles_with_one_memory_are_filled_and_measured_by_draws_of_their_own():
    others = [replace(PROFILE, key=f"p{number}") for number in range(6)]
    filled = [frozenset(remembered(other, arm_of(density=10), CONTEXT, 1)) for other in others]
    assert len(set(filled)) > 4
    measured = [tuple(own_preferences(other, arm_of(density=1), CONTEXT, 1)) for other in others]
    assert len(set(measured)) > 1


@given(profiles(), ARMS, st.sampled_from(CONTEXTS), SEEDS)
def test_the_same_seed_gives_the_same_memory_and_changes_nothing_it_was_given(profile, arm, context, seed):
    before = list(profile.memory), list(profile.strangers)
    assert remembered(profile, arm, context, seed) == remembered(profile, arm, context, seed)
    assert (list(profile.memory), list(profile.strangers)) == before


def test_another_seed_shuffles_otherwise():
    found = {tuple(remembered(PROFILE, arm_of(order="shuffled"), CONTEXT, seed)) for seed in range(10)}
    assert len(found) == 10


def test_a_shuffled_memory_is_the_same_in_all_contexts_so_that_caches_serve_it():
    found = {tuple(remembered(PROFILE, arm_of(order="shuffled"), context, 1)) for context in CONTEXTS}
    assert len(found) == 1
