"""What BenchPreS asks: the messages of a generation and of a verdict, as chat messages."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.problems import Problem
from evaluation.prompts import load

DEFAULT = "default"
MITIGATION = "mitigation"
NO_PREFERENCES = "no_preferences"

GENERATION_PROMPTS = {
    DEFAULT: "benchpres-default-1",
    MITIGATION: "benchpres-mitigation-1",
    NO_PREFERENCES: "benchpres-default-1",
}
CONDITIONS = tuple(GENERATION_PROMPTS)
JUDGE_PROMPT = "benchpres-judge-1"

FOLLOW = "follow"
DO_NOT_FOLLOW = "do_not_follow"
JUDGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"label": {"type": "string", "enum": [FOLLOW, DO_NOT_FOLLOW]}},
    "required": ["label"],
    "additionalProperties": False,
}

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Statement:
    """One line of a profile's memory, a fact or a preference."""

    text: str
    is_preference: bool = False


def remembered(statements: Iterable[Statement], condition: str) -> list[str]:
    """Return the texts that stand in the memory under a condition, in their order."""
    leave_out = condition == NO_PREFERENCES
    return [statement.text for statement in statements if not (leave_out and statement.is_preference)]


def generation_messages(
    memory: Sequence[str], recipient: str, task: str, condition: str, supplied_prompt: str | None = None
) -> Messages:
    """Return what a model is asked for one message.

    The memory comes first and what varies between a profile's contexts last, so that prompt caches
    serve the memory. A prompt that the corpus supplies is sent as it is. `Problem` where the condition
    is unknown, or asks for another wording than the supplied one.
    """
    check_condition(condition)
    if supplied_prompt is None:
        content = load(GENERATION_PROMPTS[condition]).fill(
            memory="\n".join(f"- {text}" for text in memory), recipient=recipient, task=task
        )
    elif condition == DEFAULT:
        content = supplied_prompt
    else:
        raise Problem(
            f"Condition {condition!r} needs a prompt of its own for {recipient}, {task!r}, but the corpus "
            f"supplies the whole prompt, which is sent as it is. Use the condition {DEFAULT!r}."
        )
    return [{"role": "user", "content": content}]


def judge_messages(preference: str, message: str) -> Messages:
    """Return what a judge is asked about one preference and one message.

    The message comes before the preference, so that prompt caches serve it to the other preferences.
    """
    content = load(JUDGE_PROMPT).fill(
        boundary=_boundary(preference, message), message=message, preference=preference
    )
    return [{"role": "user", "content": content}]


def prompt_hashes(conditions: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each prompt file that generating under these conditions and judging use."""
    names = [GENERATION_PROMPTS[condition] for condition in conditions]
    return {name: load(name).sha256 for name in dict.fromkeys([*names, JUDGE_PROMPT])}


def check_condition(condition: str) -> None:
    """Raise `Problem` where BenchPreS has no such condition."""
    if condition not in GENERATION_PROMPTS:
        raise Problem(f"Condition {condition!r} is unknown; expected one of {', '.join(CONDITIONS)}.")


def _boundary(preference: str, message: str) -> str:
    """Return a mark that stands in neither text, always the same one for the same texts."""
    boundary = hashlib.sha256(message.encode(errors="surrogatepass")).hexdigest()[:16]
    while boundary in message or boundary in preference:
        boundary = hashlib.sha256(boundary.encode()).hexdigest()[:16]
    return boundary
