"""How long to wait before the next attempt: as the endpoint asks, or by our own back-off."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

SECONDS = re.compile(r"\d{1,15}(?:\.\d{1,15})?|\.\d{1,15}")


@dataclass(frozen=True)
class Patience:
    """How often and how long a call is tried. Times in seconds.

    A wait beyond `longest_wait` releases the worker; no wait is ever longer than `clamp`.
    """

    attempts: int = 8
    timeouts: int = 3
    first_wait: float = 0.5
    longest_back_off: float = 60.0
    longest_wait: float = 60.0
    clamp: float = 3600.0

    def back_off(self, attempt: int, chance: float) -> float:
        """Return the wait after the failed attempt 1, 2, ...: doubling, and spread by `chance` in 0..1."""
        wait = min(self.longest_back_off, self.first_wait * 2 ** min(attempt - 1, 30))
        return wait * (0.5 + chance / 2)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that an endpoint asks to wait, or None where it says nothing usable.

    `headers` have names in lower case. Understood: `retry-after-ms`, and `retry-after` as seconds,
    fractions of them, or an HTTP date (without a zone: UTC). Nonsense, negative and past values are None.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    seconds = _number(value)
    return seconds if seconds is not None else _until(value, now)


def _number(text: str) -> float | None:
    return float(text) if SECONDS.fullmatch(text.strip()) and text.isascii() else None


def _until(text: str, now: datetime) -> float | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    seconds = (date - now).total_seconds()
    return seconds if seconds > 0 and math.isfinite(seconds) else None
