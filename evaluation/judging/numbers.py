"""Read numbers of a closed menu: uptake, completeness. A number off the menu is never clamped."""

import re
from dataclasses import dataclass
from typing import Any

from evaluation.judging.answers import NotRead, Prose
from evaluation.judging.plain import OPENERS, plain, says

NUMBER = re.compile(r"(?<![\w.,])[-+−]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w]|[.,]\d)%?")
PLAIN_NUMBER = re.compile(r"[-+]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][-+]?\d{1,3})?")
OUT_OF = re.compile(r"\s*(?:/|(?:out\s+)?of)\s*(?P<scale>\d+(?:\.\d+)?)(?![\w.]\d)", re.IGNORECASE)
RANGE = re.compile(r"\s*(?:[-–—|]|to\b|or\b|and\b|/)\s*\d", re.IGNORECASE)
SCALE = re.compile(
    r"\b(?:scale|range|from|between)\b(?:\s+(?:of|from|between))?\s*[\d.]+\s*(?:[-–—]|to|and)\s*[\d.]*\d",
    re.IGNORECASE,
)
SAYS = rf"(?:{says(r'\b(?:is|of|as|at|an?|equals)\b')})?+{OPENERS}"
VERB = (
    r"\b(?:rate|rated|rating|give|gave|score|scored|assign|grade|award)"
    r"(?:\s+(?:it|this|that|the|message|answer|reply|response|a|an|as|at|score|of)\b){0,6}+"
)


@dataclass(frozen=True)
class Menu:
    """The numbers that may be answered, the JSON keys they stand under, and the scale of `4/5`."""

    keys: tuple[str, ...]
    values: tuple[float, ...]
    scale: float

    def value(self, value: Any) -> float | None:
        """Return the number of the menu that a JSON value is, or None. A truth value is no number."""
        if isinstance(value, str):
            return self._of_text(value.strip())
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return self._on_menu(value)

    def in_prose(self, prose: Prose) -> float | NotRead | None:
        """Return the number after the last cue such as `score:`, else the only number named.

        Off the menu where that number is, or where several are named. None where none is, or where
        the text was cut before its verdict.
        """
        text = plain(prose.text)
        if prose.is_cut and not PLAIN_NUMBER.fullmatch(text.strip()):
            text = text.rstrip("0123456789.,/")
        stated = self._stated(text)
        if stated is not None or prose.is_rest:
            return stated
        if prose.is_cut and not PLAIN_NUMBER.fullmatch(text.strip()):
            return None
        text = SCALE.sub(" ", text)
        named = {self._at(match, text) for match in NUMBER.finditer(text) if not _is_scale(match, text)}
        if not named:
            return None
        number = named.pop()
        return NotRead.OFF_THE_MENU if named or number is None else number

    def _stated(self, text: str) -> float | NotRead | None:
        cues = "|".join([*(rf"\b{key}\b" for key in self.keys), r"\bfinal\s+\w+\b", VERB])
        text = SCALE.sub(lambda match: " " * len(match[0]), text)
        statement = re.compile(rf"(?:{cues}){SAYS}(?=[-+.\d])", re.IGNORECASE)
        numbers = [NUMBER.match(text, match.end()) for match in statement.finditer(text)]
        found = [match for match in numbers if match]
        if not found:
            return None
        value = self._at(found[-1], text)
        return NotRead.OFF_THE_MENU if value is None else value

    def _at(self, match: re.Match[str], text: str) -> float | None:
        """Return the menu's number at a place in prose; None for one of a range or of another scale."""
        out_of = OUT_OF.match(text, match.end())
        if out_of:
            return self._of_text(match[0]) if float(out_of["scale"]) == self.scale else None
        return None if RANGE.match(text, match.end()) else self._of_text(match[0])

    def _of_text(self, text: str) -> float | None:
        number, slash, scale = text.partition("/")
        if slash and scale.strip() != f"{self.scale:g}":
            return None
        return self._on_menu(float(number)) if PLAIN_NUMBER.fullmatch(number.strip()) else None

    def _on_menu(self, number: float) -> float | None:
        return next((value for value in self.values if value == number), None)


UPTAKE = Menu(("uptake",), (0.0, 0.5, 1.0), scale=1)
COMPLETENESS = Menu(("score", "completeness"), (1, 2, 3, 4, 5), scale=5)


def _is_scale(match: re.Match[str], text: str) -> bool:
    """Tell whether a number is the 5 of `4/5` or of `4 out of 5`."""
    return bool(re.search(r"\d\s*(?:/|(?:out\s+)?of)\s*\Z", text[max(0, match.start() - 20) : match.start()]))
