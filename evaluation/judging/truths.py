"""Read yes or no: situational fit, hedging, whether a preference applies."""

import re
from functools import cache
from typing import Any

from evaluation.judging.answers import NotRead, Prose
from evaluation.judging.plain import OPENERS, plain, says, trimmed

TRUTH = {"true": 1, "yes": 1, "1": 1, "false": 0, "no": 0, "0": 0}
SAYS = rf"(?:{says(r'\b(?:is|of|as|at|an?|equals)\b')})?+{OPENERS}"
# What may follow the answer: a mark, the end, or a reason; neither another answer nor the rest of a phrase.
ENDS = re.compile(
    r"""["'”’)\]}]*(?:\s*(?:[.,;:!]|—|–|\n|\Z)|\s+(?:because|since|as|for|given|here|in this)\b)""",
    re.IGNORECASE,
)
DENIED = re.compile(r"(?:\b(?:not|never|wrong|incorrect)|n['’]t)\b[^.;!?\n]{0,40}\Z", re.IGNORECASE)
# What prose calls the answer under a key, beside the key itself.
CUES = {"fit": r"situational\s+fit", "hedge": r"hedging|hedged|hedges", "apply": r"applies|applicable"}


def truth_value(value: Any) -> int | None:
    """Return 1 or 0 for a JSON value that says true or false in any of the usual ways, or None."""
    if isinstance(value, str):
        return TRUTH.get(value.strip().strip(".!\"'").lower())
    return int(value) if isinstance(value, bool | int | float) and value in (0, 1) else None


def truth_in_prose(prose: Prose, key: str) -> int | NotRead | None:
    """Return 1 or 0 where prose says nothing else, or says it after a cue such as `fit:`; else None."""
    text = plain(prose.text)
    whole = TRUTH.get(trimmed(text).lower())
    if whole is not None:
        return whole
    stated = [
        match
        for match in _statement(key).finditer(text)
        if not (prose.is_cut and match.end() == len(text)) and _is_clear(match, text)
    ]
    if stated:
        return TRUTH[stated[-1]["word"].lower()]
    return NotRead.OFF_THE_MENU if re.search(r"\w", text) and not (prose.is_cut or prose.is_rest) else None


def _is_clear(match: re.Match[str], text: str) -> bool:
    """Tell whether a word is the answer: not one of a menu, the beginning of a phrase, or denied before."""
    return bool(ENDS.match(text, match.end())) and not DENIED.search(text[: match.start()])


@cache
def _statement(key: str) -> re.Pattern[str]:
    names = "|".join(filter(None, [re.escape(key), CUES.get(key), "answer|verdict|label"]))
    return re.compile(rf"\b(?:{names})\b{SAYS}(?P<word>true|false|yes|no|[01])\b(?![.,]\d)", re.IGNORECASE)
