"""A reply as plain data, whatever shape the endpoint gave it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LENGTH = "length"
FILTERED = "content_filter"
REFUSED = "refusal"

FINISHES = {
    "max_tokens": LENGTH,
    "max_output_tokens": LENGTH,
    "model_length": LENGTH,
    "model_context_window_exceeded": LENGTH,
    "safety": FILTERED,
    "blocked": FILTERED,
    "blocklist": FILTERED,
    "prohibited_content": FILTERED,
    "sensitive": FILTERED,
    "refused": REFUSED,
}
REASONING_PARTS = ("thinking", "reasoning", "reasoning_text", "thought", "redacted_thinking")


@dataclass(frozen=True)
class Usage:
    """Tokens of one call; None where the endpoint did not say.

    Cached tokens are part of the input, reasoning tokens part of the output.
    """

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None

    @classmethod
    def from_body(cls, usage: Any) -> "Usage":
        """Read the `usage` object of a chat completion; what is no count is unknown."""
        if not isinstance(usage, Mapping):
            return cls()
        cached = _count(usage.get("prompt_tokens_details"), "cached_tokens")
        return cls(
            input_tokens=_count(usage, "prompt_tokens"),
            cached_tokens=cached if cached is not None else _count(usage, "prompt_cache_hit_tokens"),
            output_tokens=_count(usage, "completion_tokens"),
            reasoning_tokens=_count(usage.get("completion_tokens_details"), "reasoning_tokens"),
        )


@dataclass(frozen=True)
class Reply:
    """What a model answered. `content` is the answer as sent; reasoning that came apart is kept apart."""

    content: str | None
    finish_reason: str | None = "stop"
    reasoning: str = ""
    refusal: str = ""
    usage: Usage = field(default_factory=Usage)

    @classmethod
    def from_body(cls, body: Any) -> "Reply":
        """Read the body of a chat completion. ValueError where it has no message."""
        choice = _first_choice(body)
        message = choice.get("message")
        if not isinstance(message, Mapping):
            raise ValueError("the answer holds no message")
        content, inner_reasoning = _split_parts(message.get("content"))
        reasoning = [_text(message.get(name)) for name in ("reasoning_content", "reasoning")]
        return cls(
            content=content,
            finish_reason=normal_finish(choice.get("finish_reason")),
            reasoning="\n".join(dict.fromkeys(part for part in [*reasoning, inner_reasoning] if part)),
            refusal=_text(message.get("refusal")),
            usage=Usage.from_body(body.get("usage")),
        )


def normal_finish(finish: Any) -> str | None:
    """Return one name for each way to finish: stop, length, content_filter, refusal, or as it came."""
    if not isinstance(finish, str):
        return None
    return FINISHES.get(finish.lower(), finish.lower())


def _first_choice(body: Any) -> Mapping[str, Any]:
    choices = body.get("choices") if isinstance(body, Mapping) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise ValueError("the answer holds no choices")
    return choices[0]


def _split_parts(content: Any) -> tuple[str | None, str]:
    """Return (answer, reasoning) of content that is a text, or a list of parts."""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list):
        return None, ""
    answer: list[str] = []
    reasoning: list[str] = []
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        (reasoning if kind in REASONING_PARTS else answer).append(_part_text(part))
    return "".join(answer) or None, "".join(reasoning)


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    for name in ("text", "thinking", "reasoning", "content"):
        inner = part.get(name)
        if isinstance(inner, str):
            return inner
        if isinstance(inner, list):
            return "".join(_part_text(piece) for piece in inner)
    return ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(holder: Any, name: str) -> int | None:
    value = holder.get(name) if isinstance(holder, Mapping) else None
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
    return value if is_count else None
