"""Find the parts of an answer that was asked for under marks, each at the start of a line: `ANSWER: ...`."""

import re

AROUND = r"[ \t]*[#*_>]*[ \t]*"


def after_mark(text: str, mark: str) -> str:
    """Return what stands after the last line that begins with the mark, without space around it."""
    places = list(_mark(mark).finditer(text))
    return text[places[-1].end() :].strip() if places else ""


def word_after_mark(text: str, mark: str, words: tuple[str, ...]) -> str:
    """Return which of the words is all that the first line with the mark says; empty where none is."""
    found = _mark(mark).search(text)
    if not found:
        return ""
    said = re.sub(r"[\W_]+", " ", text[found.end() :].lstrip("\n").partition("\n")[0]).strip().lower()
    return next((word for word in words if said == word.replace("_", " ")), "")


def _mark(mark: str) -> re.Pattern[str]:
    return re.compile(rf"^{AROUND}{re.escape(mark)}{AROUND}[:\n]{AROUND}", re.MULTILINE | re.IGNORECASE)
