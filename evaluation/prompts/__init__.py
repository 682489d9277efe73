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


@dataclass(frozen=True)
class Prompt:
    """A prompt's text, without the file's last line end, and the SHA-256 of its file."""

    name: str
    text: str
    sha256: str

    def fill(self, **parts: str) -> str:
        """Return the text with every place filled; KeyError where one is missing."""
        return Template(self.text).substitute(parts)


@cache
def load(name: str) -> Prompt:
    """Return the prompt of that name, e.g. `benchpres-default-1`; FileNotFoundError where there is none."""
    content = Path(__file__).with_name(f"{name}.txt").read_bytes()
    return Prompt(name, content.decode().removesuffix("\n"), hashlib.sha256(content).hexdigest())
