"""A client that answers from a script, for tests and for trying things out without an endpoint."""

import json
from collections.abc import Callable
from typing import Any

from evaluation.llm.errors import HttpAnswer, TransportError

Script = Callable[[dict[str, Any]], HttpAnswer | TransportError]


class ScriptedClient:
    """Answers each body by a function, and remembers the bodies."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.bodies: list[dict[str, Any]] = []

    async def complete(self, body: dict[str, Any], deadline: float) -> HttpAnswer:
        """Return what the script says to this body, or raise it."""
        self.bodies.append(body)
        answer = self.script(body)
        if isinstance(answer, TransportError):
            raise answer
        return answer

    async def close(self) -> None:
        """Do nothing."""


def completion(content: str | None, finish_reason: str = "stop", **message: Any) -> HttpAnswer:
    """Return an ordinary chat completion with this content."""
    choice = {"message": {"role": "assistant", "content": content, **message}, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return HttpAnswer(200, json.dumps({"choices": [choice], "usage": usage}))
