"""Make prose plain before it is read: one form for each letter, space and apostrophe, no emphasis marks."""

import re
import unicodedata

# Space, quotes and brackets that may stand between a cue and its answer, LaTeX wrappings among them.
OPENERS = r"""(?>[\s"'“‘(\[{<$]|boxed\s*\{|text\s*\{)*+"""
EMPHASIS = re.compile(r"[*`~\\\u00ad\u200b-\u200d\u2060\ufeff]")
SPACES = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return the text in NFKC without emphasis marks, each run of space as one space or one line end.

    Raised and circled numbers and fractions are left out: they count notes and steps, and answer nothing.
    """
    if not text.isascii():
        text = "".join(" " if unicodedata.category(mark) == "No" else mark for mark in text)
    text = EMPHASIS.sub("", unicodedata.normalize("NFKC", text))
    return SPACES.sub(lambda run: "\n" if "\n" in run[0] else " ", text)


def says(verbs: str) -> str:
    """Return the pattern for what joins a cue to its answer: `verdict (final)": ` and the like."""
    return rf"""(?:\s?\([^()\n]{{0,40}}\))?+["'”’)\]]*+\s?(?:{verbs}|[:=>|→⇒—–-])[:=>|→⇒—–\s-]*+"""


def trimmed(text: str) -> str:
    """Return the text from its first to its last letter or digit."""
    places = [place for place, character in enumerate(text) if character.isalnum()]
    return text[places[0] : places[-1] + 1] if places else ""
