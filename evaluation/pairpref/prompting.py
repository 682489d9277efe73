"""What PairPref asks: the conversation of one side of a pair, the classifiers, and the judges of answers.

A conversation is the memory, the situation, filler exchanges, and the request. Each side is a call of its
own; which side it is, and which reply has which role, is never visible. Seeds that depend on the side fix
the order of the memories, of the replies, and the fillers (PairPref, appendix F.1).
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotate.pairs import ROLES
from annotate.problems import Problem
from evaluation.judging.choices import ShownChoices
from evaluation.judging.reading import (
    Reading,
    read_after_mark,
    read_fit,
    read_letter,
    read_truth,
    read_uptake,
    read_word,
)
from evaluation.llm.reply import Reply
from evaluation.pairpref.arms import (
    APPLICABILITY_FIRST,
    BARE,
    DIALOG,
    DIRECT,
    FAR15,
    MITIGATE,
    NO_MEMORY,
    NO_SITUATION,
    NUDGE,
    RELEVANCE_GATE,
    SELECTION,
    STEP_BY_STEP,
    SYSTEM_LIST,
    TOP5,
    TWO_DRAFTS,
    USER_BLOCK,
    Arm,
)
from evaluation.pairpref.fillers import FILLERS, HEARD, NOTED
from evaluation.prompts import Prompt, load
from evaluation.questions import (
    Messages,
    Question,
    Read,
    Values,
    into,
    menu_schema,
    read_text,
    truth_schema,
    user,
)
from evaluation.targets import Target

APPLY, SET_ASIDE = "apply", "set_aside"
WORDING_PROMPTS = {
    NUDGE: "pairpref-nudge-1",
    BARE: "pairpref-bare-1",
    MITIGATE: "pairpref-mitigate-1",
}
NO_MEMORY_PROMPT, MEMORY_PROMPT = "pairpref-no-memory-1", "pairpref-memory-1"
SELECTION_PROMPT = "pairpref-selection-1"
PROCEDURE_PROMPTS = {
    DIRECT: "pairpref-answer-1",
    APPLICABILITY_FIRST: "pairpref-applicability-first-1",
    TWO_DRAFTS: "pairpref-two-drafts-1",
    STEP_BY_STEP: "pairpref-step-by-step-1",
}
JUDGE_PROMPTS = {
    Target.UPTAKE: "pairpref-uptake-1",
    Target.FIT: "pairpref-fit-1",
    Target.HEDGE: "pairpref-hedge-1",
}
PREFERENCE_ONLY_PROMPT = "pairpref-preference-only-1"
HEADS = {
    "relevant": "pairpref-relevant-1",
    "sufficient": "pairpref-sufficient-1",
    "apply": "pairpref-apply-1",
}
# Companions that stand beside the preference under each control.
POOLS = {TOP5: ("near",), FAR15: ("control",)}
FULL_POOL = ("near", "middle", "far")
ANSWER, DECISION, CHOICE = "ANSWER", "DECISION", "CHOICE"


@dataclass(frozen=True)
class PlannedPair:
    """What of a contrast pair is asked about: texts by side, role and kind of companion."""

    identifier: str
    preference: str
    request: str
    situations: Mapping[str, str]
    replies: Mapping[str, str]
    companions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    distance: int = 1


def selection_question(pair: PlannedPair, side: str, arm: Arm, seed: int) -> Question:
    """Ask for the letter of one of the four replies, shown in the order of the side."""
    choices = ShownChoices.shuffled(ROLES, _seed(seed, pair, side, "replies"))
    # A reply stands on one line, whatever it holds: it cannot pass for a further letter.
    lines = [
        f"{letter}. {' '.join(pair.replies[role].split())}"
        for letter, role in zip(choices.letters, choices.order, strict=True)
    ]
    last = load(SELECTION_PROMPT).fill(request=pair.request, replies="\n".join(lines))

    def read_role(reply: Reply) -> Reading[str]:
        return read_letter(reply, choices.letters).then(choices.chosen)

    messages = conversation(pair, side, arm, seed, last)
    return Question(messages, into("choice", read_role), temperature=0.0, shown=choices.order)


def answer_question(pair: PlannedPair, side: str, arm: Arm, seed: int) -> Question:
    """Ask for an answer in the user's situation, without any replies to choose from."""
    last = load(PROCEDURE_PROMPTS[arm.procedure]).fill(request=pair.request)
    messages = conversation(pair, side, arm, seed, last)
    if arm.procedure == DIRECT:
        return Question(messages, read_text, temperature=0.0, tries=1)
    return Question(messages, _reader(arm.procedure), temperature=0.0)


def classifier_question(pair: PlannedPair, side: str, head: str) -> Question:
    """Ask one decision about the preference, without an answer: a head of the gate, or the side-blind one.

    Without a side the decision is taken from preference and request alone.
    """
    prompt = load(HEADS[head] if side else PREFERENCE_ONLY_PROMPT)
    texts = {"preference": pair.preference, "request": pair.request}
    if side:
        texts["situation"] = pair.situations[side]
    key = head if side else "apply"
    read = into("choice", lambda reply: read_truth(reply, key), lambda truth: "yes" if truth else "no")
    return Question(user(prompt.fill_apart(**texts)), read, truth_schema(key), temperature=0.0)


def judge_question(target: Target, pair: PlannedPair, side: str, answer: str) -> Question:
    """Ask a judge for uptake, situational fit or hedging of one answer."""
    texts = {"request": pair.request, "answer": answer}
    if target == Target.FIT:
        texts["situation"] = pair.situations[side]
    else:
        texts["preference"] = pair.preference
    messages = user(load(JUDGE_PROMPTS[target]).fill_apart(**texts))
    if target == Target.UPTAKE:
        read, schema = into("value", read_uptake, float), menu_schema("uptake", "number", (0, 0.5, 1))
    elif target == Target.FIT:
        read, schema = into("value", read_fit, float), menu_schema("fit", "integer", (0, 1))
    else:
        read, schema = into("value", lambda reply: read_truth(reply, "hedge"), float), truth_schema("hedge")
    return Question(messages, read, schema, temperature=0.0)


def conversation(pair: PlannedPair, side: str, arm: Arm, seed: int, last: str) -> Messages:
    """Return memory, situation, filler exchanges and the last turn, as the arm presents them."""
    memories = pool(pair, side, arm, seed)
    block = load(MEMORY_PROMPT).fill(memory="\n".join(f"- {text}" for text in memories))
    wording = load(WORDING_PROMPTS[arm.wording] if memories else NO_MEMORY_PROMPT).text
    turns: list[tuple[str, str]] = []
    if memories and arm.presentation == SYSTEM_LIST:
        wording = f"{wording}\n\n{block}"
    elif memories and arm.presentation == USER_BLOCK:
        turns.append((block, NOTED))
    elif memories and arm.presentation == DIALOG:
        turns += [(text, NOTED) for text in memories]
    if arm.control != NO_SITUATION:
        turns.append((pair.situations[side], HEARD))
    turns += fillers(pair, side, seed)
    return [{"role": "system", "content": wording}, *_turns(turns), *user(last)]


def pool(pair: PlannedPair, side: str, arm: Arm, seed: int) -> list[str]:
    """Return the memories under a control, in the order of the side; none without memory.

    `Problem` where the corpus has no companions of a kind that the control needs.
    """
    if arm.control == NO_MEMORY:
        return []
    kinds = POOLS.get(arm.control, FULL_POOL)
    if missing := [kind for kind in kinds if not pair.companions.get(kind)]:
        raise Problem(
            f"The preference of pair {pair.identifier} has no {' and no '.join(missing)} companion memories; "
            f"the control {arm.control!r} needs them. Import a corpus that has them."
        )
    memories = [pair.preference, *(text for kind in kinds for text in pair.companions[kind])]
    random.Random(_seed(seed, pair, side, "memories")).shuffle(memories)  # noqa: S311 - an order, no secret
    return memories


def fillers(pair: PlannedPair, side: str, seed: int) -> list[tuple[str, str]]:
    """Return the distance - 1 exchanges between situation and request, drawn for the side."""
    chance = random.Random(_seed(seed, pair, side, "fillers"))  # noqa: S311 - a repeatable draw
    drawn: list[tuple[str, str]] = []
    while len(drawn) < pair.distance - 1:
        drawn += chance.sample(FILLERS, min(len(FILLERS), pair.distance - 1 - len(drawn)))
    return drawn


def prompts_of(arms: Sequence[Arm]) -> list[Prompt]:
    """Return the prompts that the arms ask with, and those of their judges."""
    names: dict[str, None] = {}
    for arm in arms:
        names |= dict.fromkeys(_names_of(arm))
    return [load(name) for name in names]


def _names_of(arm: Arm) -> list[str]:
    if arm.is_classifier:
        return list(HEADS.values()) if arm.track == RELEVANCE_GATE else [PREFERENCE_ONLY_PROMPT]
    names = [NO_MEMORY_PROMPT] if arm.control == NO_MEMORY else [WORDING_PROMPTS[arm.wording], MEMORY_PROMPT]
    if arm.track == SELECTION:
        return [*names, SELECTION_PROMPT]
    return [*names, PROCEDURE_PROMPTS[arm.procedure], *JUDGE_PROMPTS.values()]


def _reader(procedure: str) -> Read:
    """Return the reader of a procedure: the answer, and the decision before it where there is one."""

    def read(reply: Reply) -> Reading[Values]:
        choice = _choice(procedure, reply)
        return read_after_mark(reply, ANSWER).then(lambda message: {"message": message, "choice": choice})

    return read


def _choice(procedure: str, reply: Reply) -> str:
    if procedure == APPLICABILITY_FIRST:
        return read_word(reply, DECISION, (APPLY, SET_ASIDE))
    if procedure == TWO_DRAFTS:
        return {"1": APPLY, "2": SET_ASIDE}.get(read_word(reply, CHOICE, ("1", "2")), "")
    return ""


def _turns(exchanges: Sequence[tuple[str, str]]) -> Messages:
    return [
        {"role": role, "content": content}
        for exchange in exchanges
        for role, content in zip(("user", "assistant"), exchange, strict=True)
    ]


def _seed(seed: int, pair: PlannedPair, side: str, what: str) -> str:
    return "\n".join([str(seed), pair.identifier, side, what])
