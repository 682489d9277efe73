"""What came back from an endpoint, classified once: answered, retry, fail the unit, stop the endpoint."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MOST_WORDS = 500
TEMPORARY_STATUSES = {408, 409, 425, 429}
STOPPING_STATUSES = {401, 402, 403, 404, 405, 407, 410}
OUT_OF_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|billing|exceeded your current quota|out of credits?|"
    r"credit balance|payment required",
    re.IGNORECASE,
)
BAD_KEY = re.compile(r"invalid[_ ]api[_ ]key|incorrect api key|invalid[_ ]authentication", re.IGNORECASE)
UNKNOWN_MODEL = re.compile(
    r"model[_ ]not[_ ]found|(?:unknown|invalid|no such) model|not a valid model|"
    r"model\b.{0,120}?\b(?:does not exist|not found|is not available|not supported by)",
    re.IGNORECASE | re.DOTALL,
)
ABOUT_CONTENT = re.compile(
    r"moderation|flagged|content[_ ](?:filter|policy)|safety|data[_ ]inspection", re.IGNORECASE
)
BUSY = re.compile(
    r"overloaded|rate[_ -]?limit|too many requests|temporarily|try again|timed? ?out", re.IGNORECASE
)
# A NUL, or half of a character: no database takes them.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
MAYBE_UNSTORABLE = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)


class Action(StrEnum):
    """What must follow."""

    ANSWERED = "answered"
    RETRY = "retry"
    FAIL_UNIT = "fail_unit"
    STOP_ENDPOINT = "stop_endpoint"


class Trouble(StrEnum):
    """How a call can go wrong before any answer."""

    UNREACHABLE = "unreachable"
    DROPPED = "dropped"
    TIMED_OUT = "timed out"


class TransportError(Exception):
    """No HTTP answer came."""

    def __init__(self, trouble: Trouble, words: str) -> None:
        super().__init__(words)
        self.trouble = trouble


@dataclass(frozen=True)
class HttpAnswer:
    """What an endpoint sent back. Header names are in lower case."""

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """What one HTTP answer amounts to: a body that holds a message, or words why there is none."""

    action: Action
    words: str = ""
    body: dict[str, Any] | None = None
    is_refusal: bool = False
    error: Mapping[str, Any] = field(default_factory=dict)


def classify(answer: HttpAnswer) -> Finding:
    """Classify an answer of any status.

    An error inside of a 200 counts as that error. A 200 that holds no message - HTML of a proxy, broken
    JSON, an unexpected shape - is tried again.
    """
    body = _parse(answer.text)
    error = _error_of(body)
    if answer.status != 200 or error is not None:
        return _classify_error(answer, error or {})
    if not isinstance(body, dict) or not _holds_message(body):
        return Finding(Action.RETRY, f"no message in the answer: {_shorten(answer.text)}")
    return Finding(Action.ANSWERED, body=body)


def redact(text: str, key: str) -> str:
    """Return the text with the key, as it is or as JSON writes it, replaced."""
    for form in {key, json.dumps(key)[1:-1]} if key else ():
        text = text.replace(form, "[key]")
    return text


def _classify_error(answer: HttpAnswer, error: Mapping[str, Any]) -> Finding:
    message = error.get("message")
    words = _shorten(message if isinstance(message, str) and message.strip() else answer.text)
    status = _status_of(answer.status, error)
    action = _action(status, " ".join([words, str(error.get("code", "")), str(error.get("type", ""))]))
    words = f"HTTP {status}: {words}" if status else words
    is_refusal = action is Action.RETRY and (status in {429, 503, 529} or bool(BUSY.search(words)))
    return Finding(action, words, is_refusal=is_refusal, error=error)


def _action(status: int, words: str) -> Action:
    """Return what must follow an error of this status and these words; status 0 where none is known."""
    if status in {200, 400, 403, 422} and ABOUT_CONTENT.search(words):
        return Action.FAIL_UNIT
    if status in STOPPING_STATUSES or OUT_OF_CREDIT.search(words) or BAD_KEY.search(words):
        return Action.STOP_ENDPOINT
    if status in {0, 400, 422} and UNKNOWN_MODEL.search(words):
        return Action.STOP_ENDPOINT
    if status == 0 or status in TEMPORARY_STATUSES or status >= 500:
        return Action.RETRY
    return Action.STOP_ENDPOINT if 300 <= status < 400 else Action.FAIL_UNIT


def _status_of(status: int, error: Mapping[str, Any]) -> int:
    """Return the status of the HTTP answer, or in a 200 the one that the error inside names, else 0."""
    if status != 200:
        return status
    for name in ("code", "status", "status_code"):
        code = str(error.get(name, ""))
        if code.isdecimal() and 300 <= int(code) < 600:
            return int(code)
    return 0


def _error_of(body: Any) -> Mapping[str, Any] | None:
    """Return the error that a body names, at its top or in its first choice, in one shape."""
    if not isinstance(body, dict):
        return None
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    error = body.get("error") or first.get("error")
    if isinstance(error, dict):
        return error
    if isinstance(error, str):
        return {"message": error}
    if first.get("finish_reason") == "error":
        return {"message": "the endpoint finished with an error"}
    detail = body.get("detail") or (body.get("message") if "choices" not in body else None)
    return {"message": detail if isinstance(detail, str) else json.dumps(detail)} if detail else None


def _holds_message(body: Mapping[str, Any]) -> bool:
    choices = body.get("choices")
    return (
        isinstance(choices, list)
        and bool(choices)
        and isinstance(choices[0], dict)
        and isinstance(choices[0].get("message"), dict)
    )


def _parse(text: str) -> Any:
    """Return the JSON of a body, or None; what no database stores is replaced by U+FFFD."""
    try:
        value = json.loads(text, parse_constant=lambda name: None, parse_float=_finite)
        return _storable(value) if MAYBE_UNSTORABLE.search(text) else value
    except (ValueError, RecursionError):
        return None


def _finite(text: str) -> float | None:
    return float(text) if math.isfinite(float(text)) else None


def _storable(value: Any) -> Any:
    if isinstance(value, dict):
        return {_storable(key): _storable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_storable(inner) for inner in value]
    return UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else value


def _shorten(text: str) -> str:
    words = " ".join(UNSTORABLE.sub("\ufffd", text).split()) or "an empty body"
    return words if len(words) <= MOST_WORDS else words[:MOST_WORDS] + "..."
