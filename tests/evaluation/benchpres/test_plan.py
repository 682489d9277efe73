from collections import Counter
from itertools import groupby

import pytest

from annotate.problems import Problem
from evaluation.benchpres.plan import (
    Asked,
    PlannedProfile,
    choose,
    generation_key,
    plan,
    shards,
    verdict_key,
)
from evaluation.benchpres.prompting import Statement

SUBJECT = Asked("http://127.0.0.1:9/v1", "small", {"max_tokens": 400, "temperature": 1.0})
PROFILES = [
    PlannedProfile("p1", [Statement("Rents a flat."), Statement("Likes sarcasm.", is_preference=True)]),
    PlannedProfile("p2", [Statement("Rents a flat."), Statement("Likes sarcasm.", is_preference=True)]),
    PlannedProfile("p3", [Statement("Owns a boat.")]),
]
CONTEXTS = [("Bank", "Ask for a loan"), ("Bank", "Close the account"), ("Doctor", "Move an appointment")]
GENERATION = {
    "subject": SUBJECT,
    "messages": [{"role": "user", "content": "Write."}],
    "corpus_hash": "c" * 64,
    "profile_key": "p1",
    "context": CONTEXTS[0],
    "condition": "default",
    "sample": 1,
}
VERDICT = {"generation_key": "g", "preference": "Likes sarcasm.", "judge": SUBJECT, "prompt_hash": "h"}


def make_plan(conditions=("default", "no_preferences"), samples=3, subject=SUBJECT, corpus_hash="c" * 64):
    return plan(PROFILES, CONTEXTS, conditions, samples, subject=subject, corpus_hash=corpus_hash)


def test_the_plan_holds_every_unit_once():
    units = make_plan()
    cells = [(unit.profile_key, unit.recipient, unit.task, unit.condition, unit.sample) for unit in units]
    assert len(units) == len(set(cells)) == 3 * 3 * 2 * 3
    assert {unit.sample for unit in units} == {1, 2, 3}


def test_every_unit_has_a_key_of_its_own_even_where_two_profiles_remember_the_same():
    assert max(Counter(unit.key for unit in make_plan()).values()) == 1


def test_units_that_share_a_memory_stand_next_to_each_other():
    blocks = [block for block, _ in groupby(make_plan(), key=lambda unit: (unit.profile_key, unit.condition))]
    assert len(blocks) == len(set(blocks)) == 6


def test_the_same_plan_has_the_same_keys():
    assert make_plan() == make_plan()


def test_the_order_of_the_parameters_does_not_change_a_key():
    other = Asked(SUBJECT.base_url, SUBJECT.model, dict(reversed(SUBJECT.parameters.items())))
    assert make_plan(subject=other) == make_plan()


@pytest.mark.parametrize(
    "change",
    [
        {"subject": Asked("http://127.0.0.1:8/v1", "small", SUBJECT.parameters)},
        {"subject": Asked(SUBJECT.base_url, "large", SUBJECT.parameters)},
        {"subject": Asked(SUBJECT.base_url, "small", {"max_tokens": 401, "temperature": 1.0})},
        {"messages": [{"role": "user", "content": "Write!"}]},
        {"messages": [{"role": "system", "content": "Write."}]},
        {"corpus_hash": "d" * 64},
        {"profile_key": "p2"},
        {"context": CONTEXTS[1]},
        {"context": CONTEXTS[2]},
        {"condition": "mitigation"},
        {"sample": 2},
    ],
)
def test_a_generation_key_differs_when_anything_that_is_asked_differs(change):
    assert generation_key(**GENERATION | change) != generation_key(**GENERATION)


@pytest.mark.parametrize(
    "change",
    [
        {"generation_key": "h"},
        {"preference": "Likes emojis."},
        {"judge": Asked(SUBJECT.base_url, "large", SUBJECT.parameters)},
        {"judge": None},
        {"prompt_hash": "i"},
    ],
)
def test_a_verdict_key_differs_when_anything_that_is_asked_differs(change):
    assert verdict_key(**VERDICT | change) != verdict_key(**VERDICT)


def test_parts_that_run_together_are_not_the_same_question():
    one = verdict_key(generation_key="ab", preference="c", judge=None)
    assert one != verdict_key(generation_key="a", preference="bc", judge=None)


def test_shards_keep_the_order_and_never_mix_memories():
    units = make_plan()
    parts = shards(units, 4)
    assert [unit for part in parts for unit in part] == units
    assert max(len(part) for part in parts) == 4
    assert all(len({(unit.profile_key, unit.condition) for unit in part}) == 1 for part in parts)


def test_a_plan_that_cannot_be_asked_is_refused_before_anything_is_asked():
    profile = PlannedProfile("p", [], {CONTEXTS[0]: "Write a letter."})
    with pytest.raises(Problem, match="supplies the whole prompt"):
        plan([profile], CONTEXTS[:1], ["mitigation"], 1, subject=SUBJECT, corpus_hash="c")


def test_a_choice_keeps_the_order_and_depends_on_the_seed_alone():
    rows = list(range(40))
    chosen = choose(rows, 5, seed=3)
    assert chosen == sorted(chosen)
    assert chosen == choose(rows, 5, seed=3)
    assert {tuple(choose(rows, 5, seed=seed)) for seed in range(5)} != {tuple(chosen)}
    assert choose(rows, None, seed=3) == choose(rows, 99, seed=3) == rows
