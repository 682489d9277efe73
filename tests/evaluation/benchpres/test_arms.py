"""Every way to ask of BenchPreS has a name of its own, and stands in a plan once."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.problems import Problem
from evaluation.benchpres.arms import CONDITIONS, NO_PREFERENCES, ORDERS, PROBE, Arm, arms
from evaluation.prompts import Prompt, load

ADDED = {name: Prompt.of(name, f"{name}: $memory $recipient $task") for name in ("mild-1", "mild-2")}


def some(values):
    return st.lists(values, unique=True, min_size=1, max_size=4)


VARIED = st.fixed_dictionaries(
    {
        "conditions": some(st.sampled_from([*CONDITIONS, *ADDED])),
        "reasoning": some(st.sampled_from([None, True, False])),
        # Values as people write them, with at most three decimal places.
        "temperatures": some(st.integers(0, 2000).map(lambda value: value / 1000)),
        "densities": some(st.none() | st.integers(1, 50)),
        "ratios": some(st.none() | st.integers(0, 99_999).map(lambda value: value / 1000)),
        "orders": some(st.sampled_from(ORDERS)),
    }
)


@given(VARIED)
def test_every_combination_stands_there_once_under_a_name_of_its_own(varied):
    planned = arms(**varied, added=ADDED)
    asked = [name for name in varied["conditions"] if name not in (PROBE, NO_PREFERENCES)]
    per_condition = 1
    for kind in ("reasoning", "temperatures", "densities", "ratios", "orders"):
        per_condition *= len(varied[kind])
    folded = 0
    if PROBE in varied["conditions"]:
        folded += len(varied["reasoning"])
    if NO_PREFERENCES in varied["conditions"]:
        # Neither the number nor the place of preferences that are not there.
        orders = {"corpus" if order.startswith("preferences") else order for order in varied["orders"]}
        folded += len(orders) * len(varied["reasoning"]) * len(varied["temperatures"]) * len(varied["ratios"])
    assert len(planned) == len(set(planned)) == len(asked) * per_condition + folded
    assert len({arm.name for arm in planned}) == len(planned)
    for arm in planned:
        assert arm.condition in varied["conditions"]
        assert arm.reasoning in varied["reasoning"]
        if arm.condition != PROBE:
            assert arm.temperature in varied["temperatures"]
            assert arm.ratio in varied["ratios"]
        if arm.condition not in (PROBE, NO_PREFERENCES):
            assert arm.density in varied["densities"]
            assert arm.order in varied["orders"]


@given(VARIED)
def test_an_arm_comes_back_from_what_a_run_stores_of_it(varied):
    for arm in arms(**varied, added=ADDED):
        stored = json.loads(json.dumps(arm.as_dict()))
        assert Arm.from_dict(stored) == arm
        assert stored["name"] == arm.name


@pytest.mark.parametrize(
    "varied", [{"temperatures": [0.1234567, 0.1234568]}, {"ratios": [1_000_001, 1_000_002]}]
)
def test_values_that_lie_close_together_have_names_of_their_own(varied):
    planned = arms(["default"], **varied)
    assert len({arm.name for arm in planned}) == len(planned) == 2


def test_a_name_says_whatever_differs_from_the_papers_settings():
    (arm,) = arms(
        ["mitigation"],
        reasoning=[True],
        temperatures=[0.3],
        densities=[20],
        ratios=[2.5],
        orders=["preferences_last"],
    )
    assert arm.name == (
        "mitigation, reasoning on, temperature 0.3, 20 preferences, 2.5 facts a preference, preferences last"
    )
    assert [arm.name for arm in arms(["default"], densities=[None, 1])] == [
        "default",
        "default, 1 preference",
    ]


def test_the_arms_stand_in_the_order_in_which_they_were_asked_for():
    planned = arms(["mitigation", "default"], temperatures=[0.5, 1.0])
    assert [arm.name for arm in planned] == [
        "mitigation, temperature 0.5",
        "mitigation",
        "default, temperature 0.5",
        "default",
    ]


def test_only_the_reasoning_multiplies_the_probe():
    planned = arms(
        [PROBE],
        reasoning=[True, False],
        temperatures=[0.5, 1.0],
        densities=[1, 5],
        ratios=[1, 2],
        orders=ORDERS,
    )
    assert [arm.name for arm in planned] == ["probe, reasoning on", "probe, reasoning off"]
    assert {arm.temperature for arm in planned} == {0.0}


def test_each_condition_asks_with_its_own_prompt():
    planned = arms([*CONDITIONS, "mild-2"], added=ADDED)
    assert {arm.condition: arm.prompt for arm in planned} == {
        "default": load("benchpres-default-1"),
        "mitigation": load("benchpres-mitigation-1"),
        "no_preferences": load("benchpres-default-1"),
        "probe": load("benchpres-probe-1"),
        "mild-2": ADDED["mild-2"],
    }


@pytest.mark.parametrize(
    ("varied", "keeps"),
    [
        ({}, True),
        ({"temperatures": [0.2], "reasoning": [True]}, True),
        ({"densities": [5]}, False),
        ({"ratios": [0]}, False),
        ({"orders": ["shuffled"]}, False),
    ],
)
def test_an_arm_keeps_the_memory_of_the_corpus_unless_it_changes_what_stands_there(varied, keeps):
    (arm,) = arms(["mitigation"], **varied)
    assert arm.keeps_memory is keeps


@pytest.mark.parametrize(
    ("varied", "message"),
    [
        (
            {"conditions": ["default", "loud"]},
            "Condition 'loud' is unknown; expected one of default, mitigation, no_preferences, "
            "probe, mild-1, "
            "mild-2.",
        ),
        (
            {"orders": ["random"]},
            "The order 'random' is unknown; expected one of corpus, preferences_first, preferences_last, "
            "shuffled.",
        ),
        ({"densities": [0]}, "The density is 0; expected 1 or more preferences in memory."),
        ({"densities": [5, -1]}, "The density is -1; expected 1 or more preferences in memory."),
        ({"ratios": [-0.5]}, "The ratio is -0.5; expected 0 or more facts a preference."),
        ({"ratios": [float("inf")]}, "The ratio is inf; expected 0 or more facts a preference."),
        ({"ratios": [float("nan")]}, "The ratio is nan; expected 0 or more facts a preference."),
    ],
)
def test_what_is_unknown_or_out_of_range_is_refused_with_what_was_expected(varied, message):
    with pytest.raises(Problem) as found:
        arms(**{"conditions": ["default"]} | varied, added=ADDED)
    assert str(found.value) == message


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("condition", "conditions", "default"),
        ("reasoning", "reasoning", None),
        ("temperature", "temperatures", 0.5),
        ("density", "densities", 5),
        ("ratio", "ratios", 2),
        ("order", "orders", "corpus"),
    ],
)
def test_a_kind_without_a_value_or_with_one_twice_is_refused(kind, name, value):
    for values in ([], [value, value]):
        with pytest.raises(Problem, match=f"at least one {kind}, and each only once"):
            arms(**{"conditions": ["default"]} | {name: values})
