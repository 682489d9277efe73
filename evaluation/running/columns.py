"""What a reading, or an exact match, writes into the row of a unit."""

from typing import Any

from annotate.models import Preference
from evaluation.benchpres.matching import nickname_match, raw_match
from evaluation.judging.reading import Reading
from evaluation.models.generation import Outcome
from evaluation.questions import Values

CUT = "cut by the length limit"


def read_columns(reading: Reading[Values]) -> dict[str, Any]:
    """Return outcome, reason, and what was read."""
    outcome = Outcome.NOT_READ if reading.value is None else Outcome.DONE
    reason = CUT if reading.is_cut else str(reading.reason or "")
    return {"outcome": outcome.value, "reason": reason, **(reading.value or {})}


def match_columns(preference: Preference | None, message: str) -> dict[str, Any]:
    """Return the exact match of a nickname, and the plain comparison beside it."""
    nickname = preference.nickname if preference else ""
    return {
        "value": float(nickname_match(nickname, message)),
        "raw_match": raw_match(nickname, message),
    }
