"""What an endpoint takes: asked once, by the first real call, and then remembered.

Capabilities are a JSON object: `temperature` and `seed` (taken or not), `token_limit` (the name of the
parameter that limits the answer), `response_format` (json_schema, json_object or none). A key that is
missing is not known yet.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Capabilities = dict[str, Any]

SWITCHES = ("temperature", "seed")
TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")
FORMATS = ("json_schema", "json_object", "none")
REFUSING_STATUSES = {400, 422}
UNSUPPORTED = re.compile(
    r"unsupported|n[o']t support|not (?:permitted|allowed|accepted|available|recogni[sz]ed|a valid)|unknown|"
    r"unrecogni[sz]ed|unexpected|only the default|extra[_ ]|deprecated|unavailable|use ['\"`]?max_",
    re.IGNORECASE,
)
ABOUT_FORMAT = re.compile(r"response_format|json_schema|json_object|structured output|guided", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """What is asked. `schema`: the JSON schema that the answer should obey, where the endpoint can do so.

    `parameters` go with the call as they are; they win over temperature and seed. Smaller priorities
    go first.
    """

    messages: list[dict[str, str]]
    parameters: Mapping[str, Any]
    temperature: float | None = None
    seed: int | None = None
    schema: Mapping[str, Any] | None = None
    priority: int = 0


def fitted(request: Request, capabilities: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters to send, in the words that the endpoint takes."""
    sent: dict[str, Any] = {"temperature": request.temperature, "seed": request.seed, **request.parameters}
    sent = {name: value for name, value in sent.items() if value is not None}
    for name in SWITCHES:
        if capabilities.get(name) is False:
            sent.pop(name, None)
    limit = capabilities.get("token_limit")
    for name in TOKEN_LIMITS:
        if limit and name != limit and name in sent:
            sent[limit] = sent.pop(name)
    format_taken = capabilities.get("response_format", FORMATS[0])
    if request.schema is not None and "response_format" not in sent and format_taken != "none":
        sent["response_format"] = _response_format(format_taken, request.schema)
    return sent


def confirmed(sent: Mapping[str, Any], capabilities: Mapping[str, Any]) -> Capabilities:
    """Return what an answer to these parameters adds to what is known."""
    return {name: value for name, value in _claims(sent).items() if name not in capabilities}


def lesson(
    status: int | None, words: str, error: Mapping[str, Any], sent: Mapping[str, Any]
) -> Capabilities | None:
    """Return what a refusal teaches about the endpoint, or None where it is not about a parameter."""
    text = " ".join([words, *(str(error.get(name, "")) for name in ("code", "param", "type", "loc"))])
    if status not in REFUSING_STATUSES or not UNSUPPORTED.search(text):
        return None
    for name in SWITCHES:
        if name in sent and re.search(rf"\b{name}\b", text):
            return {name: False}
    for name, other in zip(TOKEN_LIMITS, reversed(TOKEN_LIMITS), strict=True):
        if name in sent and re.search(rf"\b{name}\b", text):
            return {"token_limit": other}
    if "response_format" in sent and ABOUT_FORMAT.search(text):
        refused = _format_type(sent)
        return {"response_format": FORMATS[FORMATS.index(refused) + 1]} if refused in FORMATS else None
    return None


def _claims(sent: Mapping[str, Any]) -> Capabilities:
    """Return what an endpoint that takes these parameters can do."""
    claims: Capabilities = {name: True for name in SWITCHES if name in sent}
    for name in TOKEN_LIMITS:
        if name in sent:
            claims["token_limit"] = name
    if _format_type(sent) in FORMATS:
        claims["response_format"] = _format_type(sent)
    return claims


def _format_type(sent: Mapping[str, Any]) -> Any:
    response_format = sent.get("response_format")
    return response_format.get("type") if isinstance(response_format, Mapping) else None


def _response_format(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if kind != "json_schema":
        return {"type": kind}
    return {"type": kind, "json_schema": {"name": "verdict", "strict": True, "schema": schema}}
