"""Every way to ask of PairPref has a name of its own, and stands in a plan once."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.problems import Problem
from evaluation.pairpref.arms import (
    CLASSIFIERS,
    CONTROLS,
    PRESENTATIONS,
    PROCEDURES,
    TRACKS,
    WORDINGS,
    Arm,
    arms,
)

SWITCHES = (None, True, False)


def some(values):
    return st.lists(st.sampled_from(values), unique=True, min_size=1)


VARIED = st.fixed_dictionaries(
    {
        "tracks": some(TRACKS),
        "controls": some(CONTROLS),
        "presentations": some(PRESENTATIONS),
        "wordings": some(WORDINGS),
        "procedures": some(PROCEDURES),
        "reasoning": some(SWITCHES),
    }
)


def slowly(tracks, controls, presentations, wordings, procedures, reasoning):
    """Every arm by nested rules, as sets of what differs: the second version."""
    found = set()
    for track, control, presentation, wording, procedure, switch in product(
        tracks, controls, presentations, wordings, procedures, reasoning
    ):
        if track in CLASSIFIERS:
            found.add((track, "full", "system_list", "nudge", "direct", switch))
            continue
        if control == "no_memory":
            presentation, wording = "system_list", "nudge"
        if track == "selection":
            procedure = "direct"
        found.add((track, control, presentation, wording, procedure, switch))
    return found


def settings(arm):
    return (arm.track, arm.control, arm.presentation, arm.wording, arm.procedure, arm.reasoning)


@given(VARIED)
def test_every_combination_that_differs_stands_there_once_under_a_name_of_its_own(varied):
    planned = arms(**varied)
    assert {settings(arm) for arm in planned} == slowly(**varied)
    assert len(planned) == len({arm.name for arm in planned}) == len(slowly(**varied))


@given(VARIED)
def test_an_arm_comes_back_from_what_a_run_stores_of_it(varied):
    for arm in arms(**varied):
        stored = json.loads(json.dumps(arm.as_dict()))
        assert Arm.from_dict(stored) == arm
        assert stored["name"] == arm.name


def test_the_arms_stand_in_the_order_in_which_they_were_asked_for():
    planned = arms(["generation", "selection"], controls=["top5", "full"])
    assert [arm.name for arm in planned] == ["generation, top5", "generation", "selection, top5", "selection"]


def test_only_the_reasoning_multiplies_a_classifier():
    planned = arms(
        CLASSIFIERS,
        controls=CONTROLS,
        presentations=PRESENTATIONS,
        wordings=WORDINGS,
        procedures=PROCEDURES,
        reasoning=[True, False],
    )
    assert [arm.name for arm in planned] == [
        "preference_only, reasoning on",
        "preference_only, reasoning off",
        "relevance_gate, reasoning on",
        "relevance_gate, reasoning off",
    ]
    assert all(arm.is_classifier for arm in planned)


def test_without_memory_there_is_nothing_to_present_or_to_word():
    planned = arms(["selection"], controls=["no_memory"], presentations=PRESENTATIONS, wordings=WORDINGS)
    assert [arm.name for arm in planned] == ["selection, no_memory"]


def test_a_name_says_whatever_differs_from_the_main_setting():
    arm = Arm("generation", "far15", "dialog", "mitigate", "two_drafts", reasoning=False)
    assert arm.name == "generation, far15, dialog, mitigate, two_drafts, reasoning off"
    assert Arm("generation").name == "generation"


KINDS = {
    "track": ("tracks", TRACKS),
    "control": ("controls", CONTROLS),
    "presentation": ("presentations", PRESENTATIONS),
    "wording": ("wordings", WORDINGS),
    "procedure": ("procedures", PROCEDURES),
}


@pytest.mark.parametrize(("kind", "name", "known"), [(kind, *rest) for kind, rest in KINDS.items()])
def test_an_unknown_name_is_refused_with_those_that_exist(kind, name, known):
    expected = f"The {kind} 'loud' is unknown; expected one of {', '.join(known)}."
    with pytest.raises(Problem) as found:
        arms(**{"tracks": ["selection"]} | {name: [known[0], "loud"]})
    assert str(found.value) == expected


@pytest.mark.parametrize("twice", [True, False])
@pytest.mark.parametrize(("kind", "name", "known"), [(kind, *rest) for kind, rest in KINDS.items()])
def test_a_kind_without_a_name_or_with_one_twice_is_refused(kind, name, known, twice):
    with pytest.raises(Problem, match=f"at least one {kind}, and each only once"):
        arms(**{"tracks": ["selection"]} | {name: [known[0]] * 2 if twice else []})


@pytest.mark.parametrize("switches", [[], [True, True]])
def test_no_switch_of_reasoning_or_one_twice_is_refused(switches):
    with pytest.raises(Problem, match="at least one reasoning, and each only once"):
        arms(["selection"], reasoning=switches)
