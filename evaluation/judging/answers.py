"""From a reply to the text that may hold an answer, or the reason why there is none."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evaluation.judging.reasoning import strip_reasoning
from evaluation.judging.tolerant_json import CONFLICT, Found, find_objects, values_of
from evaluation.llm.reply import FILTERED, LENGTH, REFUSED, Reply


class NotRead(StrEnum):
    """Why a reply holds no value."""

    TRUNCATED = "truncated"
    REFUSED = "refused"
    FILTERED = "filtered"
    OFF_THE_MENU = "off the menu"
    EMPTY = "empty"
    IN_REASONING = "only in the reasoning field"
    MALFORMED = "malformed"


ASK_AGAIN = frozenset({NotRead.OFF_THE_MENU, NotRead.EMPTY, NotRead.IN_REASONING, NotRead.MALFORMED})

REFUSAL = re.compile(
    r"\b(?:i(?:['’]m| am)? (?:can(?:['’]?t|not| not)|won['’]?t|will not|(?:am )?unable|not able|must decline|"
    r"decline|have to decline|refuse)|i(?:['’]m| am) (?:sorry|afraid)|i apologi[sz]e|as an ai\b)",
    re.IGNORECASE,
)
BROKEN_OBJECT = re.compile(r"""\{\s*(?:\\?["'“‘]|\w+\s*:|\Z)""")


@dataclass(frozen=True)
class Prose:
    """Text around JSON. `is_cut`: the length limit ended it. `is_rest`: JSON without an answer stood by."""

    text: str
    is_cut: bool = False
    is_rest: bool = False


@dataclass(frozen=True)
class Answer:
    """The text outside of reasoning, its JSON objects, and the prose around them."""

    text: str
    objects: list[Found]
    is_cut: bool

    @property
    def prose(self) -> Prose:
        """Return the text with line ends in place of its JSON objects."""
        pieces, position = [], 0
        for found in self.objects:
            pieces.append(self.text[position : found.start])
            position = found.end
        return Prose("\n".join([*pieces, self.text[position:]]), self.is_cut, bool(self.objects))

    @property
    def prose_after_json(self) -> Prose:
        """Return what follows the last JSON object; the whole text where there is none."""
        start = self.objects[-1].end if self.objects else 0
        return Prose(self.text[start:], self.is_cut, bool(self.objects))

    def values(self, keys: tuple[str, ...]) -> list[Any]:
        """Return what the last JSON object that has one of the keys holds under them; [] where none has.

        An object that the length limit cut before the key may have been the verdict: then [] too.
        """
        if self.is_cut and BROKEN_OBJECT.search(self.prose_after_json.text):
            return []
        for found in reversed(self.objects):
            values = values_of(found.value, keys)
            if values or found.is_cut:
                return values
        return []

    def why_not(self) -> NotRead:
        """Return the reason for a text in which no value was found."""
        if self.is_cut:
            return NotRead.TRUNCATED
        if self.objects or BROKEN_OBJECT.search(self.text):
            return NotRead.MALFORMED
        return NotRead.REFUSED if REFUSAL.search(self.text) else NotRead.OFF_THE_MENU


def answer_of(reply: Reply) -> Answer | NotRead:
    """Return the part of a reply that may hold an answer, or why there is none."""
    if reply.finish_reason == FILTERED:
        return NotRead.FILTERED
    text, is_open = strip_reasoning(reply.content or "")
    is_cut = reply.finish_reason == LENGTH
    if is_open:
        return NotRead.TRUNCATED
    if text.strip() and reply.finish_reason != REFUSED:
        return Answer(text, _objects(text), is_cut)
    return _why_empty(reply, is_cut)


def only(values: list[Any]) -> Any:
    """Return the one value that they all are; CONFLICT where they differ."""
    first = values[0]
    same = all(type(value) is type(first) and value == first for value in values)
    return first if same else CONFLICT


def _why_empty(reply: Reply, is_cut: bool) -> NotRead:
    if reply.refusal.strip() or reply.finish_reason == REFUSED:
        return NotRead.REFUSED
    if is_cut:
        return NotRead.TRUNCATED
    return NotRead.IN_REASONING if reply.content is None and reply.reasoning.strip() else NotRead.EMPTY


def _objects(text: str) -> list[Found]:
    """Find the JSON objects; where quotes came escaped, as inside of a JSON string, unescape them first."""
    objects = find_objects(text)
    if not any(found.value for found in objects) and '{\\"' in text.replace(" ", ""):
        return [
            Found(found.value, 0, len(text), found.is_cut)
            for found in find_objects(text.replace('\\"', '"').replace("\\n", "\n"))
        ]
    return objects
