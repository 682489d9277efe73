"""The prompts: one text file each, never changed once used; a new wording is a new number.

A place to fill is written `$name`. Filling goes over the prompt once, so that braces, percent and
dollar signs in people's text survive. These are no page templates: escaping would change what the
model sees.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Self


@dataclass(frozen=True)
class Prompt:
    """A prompt's text, without the file's last line end, and the SHA-256 of its file."""

    name: str
    text: str
    sha256: str

    @classmethod
    def of(cls, name: str, text: str) -> Self:
        """Return the prompt of that text; its hash is that of a file with the text and a line end."""
        return cls(name, text, hashlib.sha256(f"{text}\n".encode()).hexdigest())

    @property
    def places(self) -> frozenset[str]:
        """Return the names of the places to fill."""
        return frozenset(Template(self.text).get_identifiers())

    def fill(self, **parts: str) -> str:
        """Return the text with every place filled; KeyError where one is missing."""
        return Template(self.text).substitute(parts)

    def fill_apart(self, **parts: str) -> str:
        """Fill, with `$boundary` a mark that stands in none of the parts: none can close its delimiters.

        The mark comes from the first part, so that prompts which share that one begin alike and prompt
        caches serve it; the same parts always get the same mark.
        """
        return self.fill(boundary=_boundary(list(parts.values())), **parts)


@cache
def load(name: str) -> Prompt:
    """Return the prompt of that name, e.g. `benchpres-default-1`; FileNotFoundError where there is none."""
    content = Path(__file__).with_name(f"{name}.txt").read_bytes()
    return Prompt(name, content.decode().removesuffix("\n"), hashlib.sha256(content).hexdigest())


def is_brought(name: str) -> bool:
    """Tell whether a prompt of this name, whatever its number, is among those that Tact brings."""
    return any(file.stem.rpartition("-")[0] == name for file in Path(__file__).parent.glob("*.txt"))


def _boundary(parts: list[str]) -> str:
    boundary = hashlib.sha256(parts[0].encode(errors="surrogatepass")).hexdigest()[:16]
    while any(boundary in part for part in parts):
        boundary = hashlib.sha256(boundary.encode()).hexdigest()[:16]
    return boundary
