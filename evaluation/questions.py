"""A question to a model: what is sent, and how what comes back is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.judging.reading import Reading, read_message
from evaluation.llm.reply import Reply

Messages = list[dict[str, str]]
Values = dict[str, Any]
Read = Callable[[Reply], Reading[Values]]

MOST_ASKED = 3


@dataclass(frozen=True)
class Question:
    """What is asked of whom, once; `read` returns the columns of the row that a reply fills.

    `tries` is how often it is asked in all where a reply cannot be read. `shown` are the roles of the
    replies in the order shown.
    """

    messages: Messages
    read: Read
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.0
    tries: int = MOST_ASKED
    shown: tuple[str, ...] = ()

    @property
    def characters(self) -> int:
        """Return the length of what is sent."""
        return sum(len(message["content"]) for message in self.messages)


def user(content: str) -> Messages:
    """Return one message of the user."""
    return [{"role": "user", "content": content}]


def into[T](
    column: str, read: Callable[[Reply], Reading[T]], change: Callable[[T], Any] = lambda value: value
) -> Read:
    """Return a reader that puts what another reads into a column."""
    return lambda reply: read(reply).then(lambda value: {column: change(value)})


read_text = into("message", read_message)


def truth_schema(key: str) -> dict[str, Any]:
    """Return the JSON schema of an answer that is true or false under a key."""
    return object_schema({key: {"type": "boolean"}})


def menu_schema(key: str, kind: str, menu: tuple[Any, ...]) -> dict[str, Any]:
    """Return the JSON schema of an answer that is one of a menu under a key."""
    return object_schema({key: {"type": kind, "enum": list(menu)}})


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with just these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
