"""Rule checks find what a sceptical reader would see at a glance, and pass a pair that is in form."""

from dataclasses import replace

import pytest

from annotate.importers.corpus import PairRow
from annotate.pairs import ROLES
from annotate.rule_checks import Finding, check_collection, check_pair

PREFERENCE = "User picks walks with a steep climb and a view over anything flat."
PAIR = PairRow(
    id="M01-C7-s1",
    preference="M01",
    category="physical_state",
    tier="clean",
    distance=1,
    request="Where could I walk on Sunday?",
    positive="I have Sunday to myself, the boots are oiled, and my knees held up on the long stairs.",
    negative="I have Sunday to myself, the boots are oiled, and my left knee clicks on the stairs.",
    memory="Take the early bus to the quarry and go up the ridge path to the wide plateau.",
    acknowledged="Leave the ridges for another month and follow the canal towpath to the mill.",
    plain="Walk around the reservoir on the gravel track and stop at the boathouse cafe.",
    off_task="Wash the boots with lukewarm water, stuff them with newspaper, and let them dry slowly.",
)


def rules_broken(pair: PairRow, preference: str = PREFERENCE) -> set[tuple[str, str]]:
    return {(finding.rule, finding.text) for finding in check_pair(pair, preference)}


def test_pair_in_form_passes():
    assert check_pair(PAIR, PREFERENCE) == []


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"request": "Where?"}, {("length", "request")}),
        ({"plain": "Walk round the lake."}, {("length", "reply plain"), ("length", "reply memory")}),
        ({"negative": PAIR.negative + " So I should rest it."}, {("telling cue", "negative situation")}),
        (
            {"positive": PAIR.positive.replace("held up", "held up as usual")},
            {("telling cue", "positive situation")},
        ),
        (
            {"negative": "Rain is forecast, two cousins arrive at noon and they bring a dog and a pram."},
            {("minimal pair", "situations")},
        ),
        ({"negative": PAIR.positive}, {("minimal pair", "situations")}),
        (
            {"memory": "Go for walks with a steep climb and a view; take the bus to the quarry."},
            {("repeated wording", "reply memory")},
        ),
        (
            {"plain": "Follow the canal towpath to the mill and back, and rest at the boathouse cafe."},
            {("repeated wording", "reply acknowledged")},
        ),
        (
            {"memory": "Since you like it hard, take the bus to the quarry and go up the ridge path."},
            {("telling cue", "reply memory")},
        ),
    ],
)
def test_each_rule_names_the_text_that_breaks_it(changes: dict[str, str], broken: set[tuple[str, str]]):
    assert rules_broken(replace(PAIR, **changes)) == broken


def test_finding_says_what_was_found_and_what_was_expected():
    [finding] = check_pair(replace(PAIR, request="Where?"), PREFERENCE)
    assert str(finding) == "M01-C7-s1, request: 1 words; expected 3 to 20 (length)"


def test_text_used_twice_is_found_across_pairs():
    other = replace(PAIR, id="M02-C1-s1", positive="Other words.", negative="More words.")
    found = check_collection([PAIR, other])
    assert (
        Finding("texts used twice", "M02-C1-s1", "reply memory", "the same text as M01-C7-s1, reply memory")
        in found
    )
    assert len(found) == len(ROLES)


def test_role_that_is_always_longest_is_found():
    pairs = [
        replace(
            PAIR,
            id=f"M{n:02}-C1-s1",
            **{role: f"{role} {n} " * (4 if role == "memory" else 3) for role in ROLES},
        )
        for n in range(20)
    ]
    found = [finding.found for finding in check_collection(pairs) if finding.text == "reply memory"]
    assert "the longest of its four in 20 of 20 pairs; expected at most 40%" in found
