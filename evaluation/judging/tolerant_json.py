"""Find JSON objects wherever they stand in a reply, also where the JSON is not quite JSON.

Real JSON is read by the standard library. What that refuses is read once more, with single and
typographic quotes, Python and bare words, comments, stray commas, raw newlines and quotes inside of
strings allowed. Values come out character for character.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DEEPEST = 40
CLOSING_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
WORDS = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "null": None,
    "None": None,
    "undefined": None,
}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}
SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|#[^\n]*)*", re.DOTALL)
AFTER_STRING = re.compile(r"""\s*(?:[,}\]:]|\Z|//|/\*|\#|\n\s*["'“][\w -]{1,40}["'”]\s*:)""")
BARE_KEY = re.compile(r"[^\W\d][\w-]*")
BARE_VALUE = re.compile(r"""(?:(?!//|/\*|\s\#)[^,{}\[\]"\n\r])+""")
INTEGER = re.compile(r"[-+]?\d{1,300}")
DECIMAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Conflict:
    """Stands for a key that came twice in one object, with different values."""


CONFLICT = Conflict()


@dataclass(frozen=True)
class Found:
    """An object at text[start:end]. One that the end of the text cut off holds its complete members only."""

    value: dict[str, Any]
    start: int
    end: int
    is_cut: bool = False


class _BrokenError(Exception):
    """This is no object, not even a tolerable one."""


class _CutError(Exception):
    """The text ends in the middle of a value."""


def find_objects(text: str) -> list[Found]:
    """Return the outermost objects in the text, in order.

    The work on brackets that turn out to open no object is bounded by the length of the text.
    """
    found: list[Found] = []
    patience = 5 * len(text) + 10_000
    position = text.find("{")
    while position != -1 and patience > 0:
        here, reached = _read_object(text, position)
        if here:
            found.append(here)
        else:
            patience -= reached - position + len(text) // 200
        position = text.find("{", here.end if here else position + 1)
    return found


def values_of(value: Any, keys: tuple[str, ...]) -> list[Any]:
    """Return every value that stands under one of the keys, whatever their case; the nearest level only."""
    if isinstance(value, dict):
        here = [inner for key, inner in value.items() if key.strip().lower() in keys]
        return here or [found for inner in value.values() for found in values_of(inner, keys)]
    if isinstance(value, list):
        return [found for inner in value for found in values_of(inner, keys)]
    return []


def _read_object(text: str, start: int) -> tuple[Found | None, int]:
    """Return the object that begins here, if one does, and how far the reading went."""
    try:
        value, end = _STRICT.raw_decode(text, start)
    except RecursionError:
        return None, start + 10_000
    except ValueError:
        reader = _TolerantReader(text)
        return reader.read(start), reader.at
    return Found(value, start, end), end


def _joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dictionary of pairs; equal values under one key are one, different ones a conflict."""
    members: dict[str, Any] = {}
    for key, value in pairs:
        is_new = key not in members or (type(members[key]), members[key]) == (type(value), value)
        members[key] = value if is_new else CONFLICT
    return members


_STRICT = json.JSONDecoder(strict=False, object_pairs_hook=_joined)


class _TolerantReader:
    """A recursive reader of one object that stands somewhere in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.is_cut = False

    def read(self, start: int) -> Found | None:
        self.at = start
        try:
            value = self._object(1)
        except _BrokenError:
            return None
        return Found(value, start, self.at, self.is_cut) if value or not self.is_cut else None

    def _object(self, depth: int) -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = []
        self.at += 1
        for _ in self._members("}", depth):
            try:
                name = self._key()
                value = self._value(depth)
            except _CutError:
                self.is_cut, self.at = True, len(self.text)
                break
            pairs.append((name, value))
            if self.is_cut:
                break
        return _joined(pairs)

    def _array(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self.at += 1
        for _ in self._members("]", depth):
            items.append(self._value(depth))
            if self.is_cut:
                break
        return items

    def _members(self, closing: str, depth: int) -> Iterator[None]:
        """Yield before each member, until the closing bracket or the end of the text."""
        if depth > DEEPEST:
            raise _BrokenError
        while True:
            self._skip(commas=True)
            if self._here() == closing:
                self.at += 1
                return
            if not self._here():
                self.is_cut = True
                return
            yield

    def _key(self) -> str:
        if self._here() in CLOSING_QUOTES:
            name = self._string()
        else:
            bare = BARE_KEY.match(self.text, self.at)
            if not bare:
                raise _BrokenError
            name, self.at = bare[0], bare.end()
        self._skip()
        if not self._here():
            raise _CutError
        if self._here() not in ":=":
            raise _BrokenError
        self.at += 1
        return name

    def _value(self, depth: int) -> Any:
        self._skip()
        here = self._here()
        if not here:
            raise _CutError
        if here == "{":
            return self._object(depth + 1)
        if here == "[":
            return self._array(depth + 1)
        return self._string() if here in CLOSING_QUOTES else self._bare()

    def _bare(self) -> Any:
        bare = BARE_VALUE.match(self.text, self.at)
        if not bare or not bare[0].strip():
            raise _BrokenError
        if bare.end() == len(self.text):
            raise _CutError
        self.at = bare.end()
        return _bare_value(bare[0].strip())

    def _string(self) -> str:
        """Read to the quote that a comma, colon, bracket or the end follows; others belong to the text."""
        closing = CLOSING_QUOTES[self.text[self.at]]
        pieces: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            character = self._here()
            if character == "\\":
                pieces.append(self._escape())
                continue
            self.at += 1
            if character == closing and AFTER_STRING.match(self.text, self.at):
                return _paired("".join(pieces))
            pieces.append(character)
        raise _CutError

    def _escape(self) -> str:
        code = self.text[self.at + 1 : self.at + 2]
        digits = self.text[self.at + 2 : self.at + 6]
        if code == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            self.at += 6
            return chr(int(digits, 16))
        self.at += 2
        return ESCAPES.get(code, "\\" + code)

    def _skip(self, commas: bool = False) -> None:
        while True:
            space = SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            if not (commas and self._here() == ","):
                return
            self.at += 1

    def _here(self) -> str:
        return self.text[self.at : self.at + 1]


def _paired(text: str) -> str:
    """Join the halves of characters that were escaped as two surrogates."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _bare_value(word: str) -> Any:
    if word in WORDS:
        return WORDS[word]
    if INTEGER.fullmatch(word):
        return int(word)
    if DECIMAL.fullmatch(word):
        return float(word)
    return word
