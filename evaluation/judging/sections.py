"""Find the parts of an answer that was asked for under marks, each at the start of a line: `ANSWER: ...`."""

import re

# Signs of emphasis, headings and quotes before a mark; those that close it after.
BEFORE, AFTER = r"[ \t]*+(?P<signs>[#*_>]*+)[ \t]*+", r"[ \t]*+[*_#]*+[ \t]*+"


def after_mark(text: str, mark: str) -> str:
    """Return what stands after the last line that begins with the mark, without space around it."""
    places = list(_mark(mark).finditer(text))
    return _without_closing_signs(text, places[-1]).strip() if places else ""


def word_after_mark(text: str, mark: str, words: tuple[str, ...]) -> str:
    """Return which of the words is all that the first line with the mark says; empty where none is."""
    found = _mark(mark).search(text)
    if not found:
        return ""
    said = re.sub(r"[\W_]+", " ", text[found.end() :].strip().partition("\n")[0]).strip().lower()
    return next((word for word in words if said == word.replace("_", " ")), "")


def _without_closing_signs(text: str, found: re.Match[str]) -> str:
    """Return what follows a mark but for the signs that close those before it: `**ANSWER:** tea`."""
    rest = text[found.end() :]
    signs = found["signs"].strip("#>")
    is_open = signs and not found["closed"].strip()
    return rest.removeprefix(signs) if is_open else rest


def _mark(mark: str) -> re.Pattern[str]:
    pattern = rf"^{BEFORE}{re.escape(mark)}(?P<closed>{AFTER})(?::|\r?\n)"
    return re.compile(pattern, re.MULTILINE | re.IGNORECASE)
