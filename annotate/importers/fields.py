"""Take typed fields out of a JSON object, or say which field is wrong and how."""

from collections.abc import Callable
from typing import Any

from annotate.importers.reading import BadInput, Place, describe, printable

LONG_TEXT = 1_000_000


class Fields:
    """The fields of one object, the place where it stands, and the path to it within that place."""

    def __init__(self, value: Any, place: Place, path: str = "") -> None:
        self.place = place
        self.path = path
        if not isinstance(value, dict):
            place.refuse(f"field {path}" if path else "", describe(value), "an object")
        self.values: dict[str, Any] = value

    def problem(self, name: str, found: str, expected: str) -> BadInput:
        """Make the error for a field; the caller raises it."""
        return BadInput(self.place, f"field {self.inner(name)}", found, expected)

    def inner(self, name: str) -> str:
        """Return the path of a field."""
        return f"{self.path}.{printable(name)}" if self.path else printable(name)

    def only(self, *names: str) -> None:
        """Refuse other fields: a slip in a name must not drop a value in silence."""
        for name in self.values:
            if name not in names:
                raise BadInput(self.place, f"field {describe(name)}", "an unknown field", ", ".join(names))

    def get(self, name: str) -> Any:
        """Return a field that must be there."""
        if name not in self.values:
            raise self.problem(name, "no such field", f"a field named {name}")
        return self.values[name]

    def text(self, name: str, most: int = LONG_TEXT) -> str:
        """Return a text that is not blank and has at most `most` characters."""
        return self.filled(name, self.get(name), most)

    def optional_text(self, name: str, most: int = LONG_TEXT) -> str:
        """Return a text that may be empty; it is where the field is missing."""
        return self.checked(name, self.values.get(name, ""), most)

    def entries(self, name: str) -> list[Any]:
        """Return a list."""
        value = self.get(name)
        if not isinstance(value, list):
            raise self.problem(name, describe(value), "a list")
        return value

    def objects(self, name: str) -> list["Fields"]:
        """Return the objects of a list."""
        entries = enumerate(self.entries(name))
        return [Fields(value, self.place, f"{self.inner(name)}[{at}]") for at, value in entries]

    def texts(self, name: str, most: int = LONG_TEXT) -> tuple[str, ...]:
        """Return the texts of a list: none blank, none twice."""
        entries = enumerate(self.entries(name))
        texts = tuple(self.filled(f"{name}[{at}]", value, most) for at, value in entries)
        for at, text in enumerate(texts):
            if text in texts[:at]:
                raise self.problem(f"{name}[{at}]", f"{describe(text)} again", "each entry once")
        return texts

    def filled(self, name: str, value: Any, most: int) -> str:
        """Return a text with something in it."""
        text = self.checked(name, value, most)
        if not text.strip():
            raise self.problem(name, "white space only" if text else "an empty text", "some text")
        return text

    def checked(self, name: str, value: Any, most: int) -> str:
        """Return a text that every database can hold."""
        if not isinstance(value, str):
            raise self.problem(name, describe(value), "a text")
        if len(value) > most:
            raise self.problem(name, f"a text of {len(value)} characters", f"at most {most}")
        if "\0" in value:
            raise self.problem(name, "a NUL character", "a text without it")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise self.problem(name, f"half a surrogate pair at {error.start}", "whole characters") from error
        return value


class Seen[Key]:
    """Remembers where each key was first met, and refuses it the second time, naming both places."""

    def __init__(self, kind: str, show: Callable[[Key], str] = str) -> None:
        self.kind = kind
        self.show = show
        self.places: dict[Key, Place] = {}

    def add(self, key: Key, place: Place) -> None:
        """Note a key that must be new."""
        if key in self.places:
            found = f"the {self.kind} {describe(self.show(key))}, already given in {self.places[key]}"
            place.refuse(self.kind, found, f"each {self.kind} once")
        self.places[key] = place


def shown(key: tuple[str, ...]) -> str:
    """Write a key of several texts."""
    return ": ".join(key)
