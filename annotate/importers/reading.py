"""Read JSON strictly and say where each value stands: as lines, or as one long array, piece by piece.

Stricter than the standard library's reader: a key given twice, NaN and Infinity, an encoding other than
UTF-8 and text that no database can hold are refused. A UTF-8 byte order mark at the start is passed over.
"""

import codecs
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Never

from annotate.problems import Problem

# One line, or one element of an array, may be this long; with it the memory of a reader is bounded.
LONGEST = 64 * 2**20
PIECE = 2**20
# A number or a literal at the end of a piece may go on in the next; none worth reading is longer.
LONGEST_LITERAL = 400


class BadInput(Problem):
    """Something in a file that cannot be imported: where it stands, what was found, what was expected."""

    def __init__(self, place: "Place", field: str, found: str, expected: str) -> None:
        self.file = place.file
        self.line = place.line
        self.field = field
        self.found = found
        self.expected = expected
        where = f"{place}, {field}" if field else str(place)
        super().__init__(f"{where}: found {found}; expected {expected}. Nothing was imported.")


@dataclass(frozen=True, slots=True)
class Place:
    """A file and, counted from 1, its line (in a Parquet file its row, in a list where the entry begins)."""

    file: str
    line: int | None = None
    unit: str = "line"

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}, {self.unit} {self.line}"

    def refuse(self, field: str, found: str, expected: str) -> Never:
        """Raise `BadInput` at this place."""
        raise BadInput(self, field, found, expected)


def describe(value: Any) -> str:
    """Say in a few words what a JSON value is, safe to print whatever it holds."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {shortened(str(value))}"
        case str():
            return repr(shortened(value))
        case list():
            return f"a list of {len(value)}"
        case _:
            return "an object"


def shortened(text: str) -> str:
    """Cut a text to what a message has room for."""
    return text if len(text) <= 60 else f"{text[:60]}…"


def printable(name: str) -> str:
    """Return a key as it can be shown in a message, whatever it holds."""
    return shortened(name) if name.isprintable() else ascii(shortened(name))


def read_json_lines(file: BinaryIO, name: str) -> Iterator[tuple[Place, Any]]:
    """Yield each line's value with its place; empty lines are passed over. Raises `BadInput`."""
    number = 0
    while raw := file.readline(LONGEST + 1):
        number += 1
        place = Place(name, number)
        if len(raw) > LONGEST:
            place.refuse("", "a line longer than 64 MB", "one JSON object a line")
        text = decoded(raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw, place)
        if text.strip():
            yield place, parsed(text, place)


def decoded(raw: bytes, place: Place) -> str:
    """Decode UTF-8, or say what stands there instead."""
    refuse_utf16(raw, place)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        place.refuse("", f"byte 0x{raw[error.start]:02x} at place {error.start + 1}", "UTF-8 text")


def refuse_utf16(raw: bytes, place: Place) -> None:
    """Name the encoding that spreadsheets and editors most often write instead of UTF-8."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in raw[:4]:
        place.refuse("", "UTF-16 or UTF-32 text, or NUL characters", "UTF-8 text")


class _RepeatedKeyError(ValueError):
    """A key that an object gives twice."""


class _NoJsonNumberError(ValueError):
    """NaN or Infinity, which are no JSON."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise _RepeatedKeyError(key)
    return found


def _constant(name: str) -> Never:
    raise _NoJsonNumberError(name)


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def parsed(text: str, place: Place) -> Any:
    """Parse one line."""
    try:
        return DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        refuse_json(error, place)


def refuse_json(error: Exception, place: Place) -> Never:
    """Turn what the JSON reader says into `BadInput`."""
    match error:
        case _RepeatedKeyError():
            place.refuse(f"field {describe(str(error))}", "it twice in one object", "each key once")
        case _NoJsonNumberError():
            place.refuse("", str(error), "JSON, which has no such number")
        case RecursionError():
            place.refuse("", "values nested too deeply", "a few levels at most")
        case json.JSONDecodeError():
            rest = error.doc[error.pos : error.pos + 20]
            where = f"before {describe(rest)}" if rest else "at the end"
            what = error.msg.removesuffix(" starting at")
            place.refuse("", f"broken JSON {where} ({what})", "one whole JSON value")
        case _:
            place.refuse("", "a number with too many digits", "numbers of ordinary size")


def read_json_array(file: BinaryIO, name: str) -> Iterator[tuple[Place, Any]]:
    """Yield each element of a file that is one JSON array, with the line where the element starts.

    The file is read piece by piece; what is kept is one element. Raises `BadInput`.
    """
    reader = _ArrayReader(file, name)
    first = reader.next_character()
    if first != "[":
        reader.refuse(describe(first) if first else "an empty file", "a JSON list, from '['")
    reader.step()
    if reader.next_character() == "]":
        reader.step()
    else:
        yield reader.element()
        while reader.separator():
            yield reader.element()
    if reader.next_character():
        reader.refuse("more text after the list", "its end")


class _ArrayReader:
    """The part of the file that is in memory, and the place reached in it."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file = file
        self.name = name
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self.text = ""
        self.position = 0
        self.line = 1
        self.started = False
        self.ended = False

    @property
    def place(self) -> Place:
        return Place(self.name, self.line)

    @property
    def entry(self) -> Place:
        """An element may have many lines; what is wrong inside it is found by its path."""
        return Place(self.name, self.line, "entry from line")

    def refuse(self, found: str, expected: str) -> Never:
        self.place.refuse("", found, expected)

    def step(self, to: int | None = None) -> None:
        """Move on to a position, or over one character."""
        to = self.position + 1 if to is None else to
        self.line += self.text.count("\n", self.position, to)
        self.position = to

    def read_on(self) -> bool:
        """Get at least as much text again as is kept, so that trying anew stays cheap in all."""
        raw = self.file.read(max(PIECE, len(self.text) - self.position))
        if not self.started:
            refuse_utf16(raw, self.place)
            self.started = True
        self.ended = not raw
        more = self.decode(raw)
        if more:
            self.text = self.text[self.position :] + more
            self.position = 0
        return not self.ended

    def decode(self, raw: bytes) -> str:
        try:
            return self.decoder.decode(raw, final=self.ended)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].count(b"\n") + self.text.count("\n", self.position)
            byte = f"byte 0x{error.object[error.start]:02x}"
            Place(self.name, self.line + before).refuse("", byte, "UTF-8 text")

    def next_character(self) -> str:
        """Pass over white space; return the character there, or nothing at the end of the file."""
        while True:
            rest = len(self.text)
            at = self.position
            while at < rest and self.text[at] in " \t\r\n":
                at += 1
            self.step(at)
            if at < rest:
                return self.text[at]
            if not self.read_on():
                return ""

    def separator(self) -> bool:
        """Pass over a comma (True) or the closing bracket (False)."""
        found = self.next_character()
        if found not in (",", "]"):
            self.refuse(describe(found) if found else "the end of the file", "',' or ']'")
        self.step()
        return found == ","

    def element(self) -> tuple[Place, Any]:
        """Parse one element, reading on for as long as it may only be cut off."""
        self.next_character()
        place = self.entry
        while True:
            try:
                value, end = DECODER.raw_decode(self.text, self.position)
            except (ValueError, RecursionError) as error:
                if not (self.may_be_cut_off(error) and self.read_on()):
                    refuse_json(error, self.where(error))
            else:
                length = end - self.position
                if end < len(self.text) or not self.read_on():
                    self.step(self.position + length)
                    return place, value

    def may_be_cut_off(self, error: Exception) -> bool:
        """Tell whether more text could mend an error: it stands at the end, or is an open string."""
        if self.ended or not isinstance(error, json.JSONDecodeError):
            return False
        if len(self.text) - self.position > LONGEST:
            self.refuse("a list element longer than 64 MB, or a text that never ends", "shorter elements")
        return error.msg.startswith("Unterminated") or len(self.text) - error.pos < LONGEST_LITERAL

    def where(self, error: Exception) -> Place:
        """Return the line of a syntax error, or else that where the element starts."""
        if not isinstance(error, json.JSONDecodeError):
            return self.entry
        return Place(self.name, self.line + self.text.count("\n", self.position, error.pos))
