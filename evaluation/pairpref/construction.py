"""How a new contrast pair comes about: what is asked at each stage, how it is read, what is dropped and why.

1. A generator writes a candidate: `construct_messages`, `read_candidate`.
2. Rules look at its wording: `rule_findings`.
3. A second model checks what it means: `verify_messages`, `read_verification`.
4. A third model chooses a reply without any context: `screen_messages`, `read_screening`.

`why_dropped` decides. Passing is acceptance by a filter, not correctness. The stages are those of PairPref,
section 3 and appendix B; the prompts are Tact's own.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.importers.corpus import PairRow
from annotate.pairs import CATEGORIES, DOMAINS, ROLES, SIDES, TIERS, words_of
from annotate.rule_checks import (
    PREFERENCE_RUN,
    REPLY_RATIO,
    REPLY_RUN,
    REPLY_WORDS,
    REQUEST_WORDS,
    SHARED_SHARE,
    SITUATION_RATIO,
    SITUATION_WORDS,
    check_pair,
)
from evaluation.judging.answers import Answer, NotRead, answer_of, only
from evaluation.judging.choices import ShownChoices
from evaluation.judging.items import read_items
from evaluation.judging.reading import Reading, read_letter
from evaluation.judging.tolerant_json import values_of
from evaluation.judging.truths import truth_value
from evaluation.llm.reply import Reply
from evaluation.prompts import load

CONSTRUCT_PROMPT = "pairpref-construct-1"
VERIFY_PROMPT = "pairpref-verify-1"
SCREEN_PROMPT = "pairpref-screen-1"

SCREENINGS = 3
# Screenings that may choose `memory` before the candidate is dropped.
MOST_MEMORY = 1

TEXTS = ("request", *SIDES, *ROLES)

# The meanings and questions below are part of the prompts: another wording is another prompt number.
CATEGORY_MEANINGS: Mapping[str, str] = {
    "companions": "who is there with the user, and what suits or troubles them",
    "occasion": "what kind of event it is for, and what is fitting there",
    "time_constraint": "how much time there is, or by when it has to be done",
    "beneficiary_shift": "for whom it is meant, the user or somebody else who has to live with it",
    "role_shift": "in which capacity the user acts, such as host, colleague, parent or guide",
    "resource_constraint": "what can be had, such as money, tools, space or stock",
    "physical_state": "how the user's body is, such as ill, tired, hurt or rested",
    "emotional_state": "how the user feels, such as grieving, anxious, angry or at ease",
}
TIER_MEANINGS: Mapping[str, str] = {
    "clean": "nothing in it seems to speak against following the preference",
    "distractor": "it holds a further cue that seems to bear on the decision, but read with care leaves the "
    "preference as applicable as before",
}
CHECKS: Mapping[str, str] = {
    "flip": "Should the preference, true in both situations, guide the answer in the positive situation and "
    "be set aside in the negative one?",
    "minimal_pair": "Do the two situations tell of the same scene and differ only in what decides whether "
    "the preference should guide the answer, and in a distractor's further cue where there is one?",
    "needs_inference": "Do both situations convey circumstances from which common sense can work out whether "
    "the preference applies, without saying outright whether to follow it?",
    "reply_roles": "Does memory follow the preference fully, do acknowledged and plain depart from it, and "
    "does off_task answer something other than the request?",
    "departure_acknowledged": "Does acknowledged let the user notice that it departs from what they prefer, "
    "and does plain say nothing of it?",
    "tier": "Is the positive situation of the kind that is stated above?",
    "constraint_strength": "Does the circumstance in the negative situation weigh enough for a thoughtful "
    "helper to set the preference aside, as more than a small inconvenience?",
    "request_natural": "Could the user make the request in these words after either situation?",
    "request_sufficient": "Does the request, with either situation, say enough to be answered without asking "
    "back?",
    "concrete_advice": "Do memory, acknowledged and plain each give concrete advice on the request?",
    "category_fits": "Is what decides between the two situations of the kind that is stated above?",
    "positive_feasible": "Can the preference be followed in the positive situation?",
    "both_answerable": "Is there, for each situation, at least one of the four replies that serves the user?",
}

CONSTRUCT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in TEXTS},
    "required": list(TEXTS),
    "additionalProperties": False,
}
VERIFY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "checks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string", "enum": list(CHECKS)}, "pass": {"type": "boolean"}},
                "required": ["id", "pass"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["checks"],
    "additionalProperties": False,
}

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Wanted:
    """One candidate to ask for: the preference's text, and category, tier and domain as `pairs` names them.

    `number`, from 1, tells candidates of the same kind apart. ValueError for what `pairs` does not name.
    """

    preference: str
    category: str
    tier: str
    domain: str
    number: int

    def __post_init__(self) -> None:
        for name, menu in (("category", CATEGORIES), ("tier", TIERS), ("domain", DOMAINS)):
            if (value := getattr(self, name)) not in menu:
                raise ValueError(f"The {name} is {value!r}; expected one of {', '.join(menu)}.")


def construct_messages(wanted: Wanted) -> Messages:
    """Return what the generator is asked. What differs between candidates comes last, for prompt caches."""
    return _asked(
        CONSTRUCT_PROMPT,
        **_form(),
        **_kind(wanted),
        preference=wanted.preference,
        domain=words_of(wanted.domain),
        number=str(wanted.number),
    )


def read_candidate(reply: Reply) -> Reading[dict[str, str]]:
    """Read the seven texts of a candidate, by the names in `TEXTS`, character for character.

    They come from the last JSON object that has any of them. Where that lacks one, gives two for one, or
    holds one that is no text to keep, the reply is malformed; where the length limit cut it, truncated.
    """
    answer = answer_of(reply)
    if isinstance(answer, NotRead):
        return Reading(None, answer)
    texts = _last_candidate(answer)
    return Reading(None, answer.why_not()) if texts is None else Reading(texts)


def rule_findings(wanted: Wanted, texts: Mapping[str, str], identifier: str) -> list[str]:
    """Return what the rule checks find in a candidate, each in words; empty where it passes."""
    pair = PairRow(
        id=identifier,
        preference="",  # a key, which no rule of a single pair looks at
        category=wanted.category,
        tier=wanted.tier,
        distance=1,
        **{name: texts[name] for name in TEXTS},
    )
    return [str(finding) for finding in check_pair(pair, wanted.preference)]


def verify_messages(wanted: Wanted, texts: Mapping[str, str]) -> Messages:
    """Return what the second model is asked about a candidate: every check, in one call."""
    return _asked(
        VERIFY_PROMPT,
        **_kind(wanted),
        preference=wanted.preference,
        **{name: texts[name] for name in TEXTS},
        questions="\n".join(f"- {name}: {question}" for name, question in CHECKS.items()),
    )


def read_verification(reply: Reply) -> Reading[dict[str, bool]]:
    """Read whether each check passed, by its name. All of them answered once, or the reply is not read."""
    return read_items(reply, CHECKS, "pass", _truth)


def screen_messages(request: str, replies: Mapping[str, str], key: str) -> Messages:
    """Return what the third model is asked: the request and four replies, by role, in the order of the key.

    KeyError where a role has no reply.
    """
    lettered = dict(zip("abcd", (replies[role] for role in shown_replies(key).order), strict=True))
    return _asked(SCREEN_PROMPT, request=request, **lettered)


def shown_replies(key: str) -> ShownChoices:
    """Return the roles in the order in which the screening with this key shows their replies."""
    return ShownChoices.shuffled(ROLES, key)


def read_screening(reply: Reply, key: str) -> Reading[str]:
    """Read the role of the reply that the screening with this key chose."""
    shown = shown_replies(key)
    return read_letter(reply, shown.letters).then(shown.chosen)


def why_dropped(
    findings: Sequence[str], verification: Mapping[str, bool] | None, screenings: Sequence[str | None]
) -> str:
    """Return why a candidate is dropped, from the first stage that it fails; empty where it passes all.

    `verification` is None, and a screening's role None, where there is no reading; that never passes.
    ValueError where more screenings come than a candidate gets.
    """
    if findings:
        return f"rule checks: {'; '.join(findings)}"
    return _why_not_verified(verification) or _why_screened_out(screenings)


def digest_of(texts: Mapping[str, str]) -> str:
    """Return the SHA-256, in hex, of a candidate's seven texts."""
    return hashlib.sha256(json.dumps([texts[name] for name in TEXTS]).encode()).hexdigest()


def identifier(preference_key: str, category: str, digest: str) -> str:
    """Return a pair's name such as M07-C6-c26634, from the place of its category and its digest's beginning.

    Two candidates of one preference and category share it about once in a million.
    """
    return f"{preference_key}-C{CATEGORIES.index(category) + 1}-c{digest[:5]}"


def _asked(prompt: str, **parts: str) -> Messages:
    return [{"role": "user", "content": load(prompt).fill_apart(**parts)}]


def _form() -> dict[str, str]:
    """Return the bounds of the rule checks as the generator is told them."""
    return {
        "request_words": _range(REQUEST_WORDS),
        "situation_words": _range(SITUATION_WORDS),
        "situation_ratio": str(SITUATION_RATIO),
        "shared_share": f"{SHARED_SHARE:.0%}",
        "reply_words": _range(REPLY_WORDS),
        "reply_ratio": str(REPLY_RATIO),
        "preference_run": str(PREFERENCE_RUN),
        "reply_run": str(REPLY_RUN),
    }


def _range(bounds: tuple[int, int]) -> str:
    return f"{bounds[0]} to {bounds[1]}"


def _kind(wanted: Wanted) -> dict[str, str]:
    """Return category and tier with what they mean."""
    return {
        "category": words_of(wanted.category),
        "category_meaning": CATEGORY_MEANINGS[wanted.category],
        "tier": wanted.tier,
        "tier_meaning": TIER_MEANINGS[wanted.tier],
    }


def _last_candidate(answer: Answer) -> dict[str, str] | None:
    """Return the texts of the last object that has any; None where they are not whole."""
    if not answer.values(TEXTS):  # a cut object without texts yet may have been the last word
        return None
    last = next(found for found in reversed(answer.objects) if values_of(found.value, TEXTS))
    values = {name: values_of(last.value, (name,)) for name in TEXTS}
    if last.is_cut or not all(values.values()):
        return None
    texts = {name: only(found) for name, found in values.items()}
    return texts if all(_is_text(text) for text in texts.values()) else None


def _is_text(value: Any) -> bool:
    """Tell whether a value is a text with something in it that a database and an endpoint take."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _truth(value: Any) -> bool | None:
    read = truth_value(value)
    return None if read is None else read == 1


def _why_not_verified(verification: Mapping[str, bool] | None) -> str:
    if verification is None or not CHECKS.keys() <= verification.keys():
        return "verification: not read"
    failed = [name for name in CHECKS if not verification[name]]
    return f"verification: {', '.join(failed)}" if failed else ""


def _why_screened_out(screenings: Sequence[str | None]) -> str:
    if len(screenings) > SCREENINGS:
        raise ValueError(f"Found {len(screenings)} screenings; expected at most {SCREENINGS}.")
    if (memory := screenings.count("memory")) > MOST_MEMORY:
        return f"screening: memory chosen {memory} of {SCREENINGS} times"
    unread = SCREENINGS - sum(role in ROLES for role in screenings)
    return f"screening: not read {unread} of {SCREENINGS} times" if unread else ""
