"""A number with everything needed to judge it."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Interval:
    """A confidence interval, both ends included, and how it was made."""

    low: float
    high: float
    method: str
    level: float = 0.95
    note: str = ""


@dataclass(frozen=True)
class Estimate:
    """A value between its interval's ends, or `None` with the reason in words; never nan.

    `numerator` and `denominator` are counts where the value is a rate; for a coefficient the
    denominator is the number of units that entered and the numerator is `None`.
    `no_interval_reason` says why a defined value stands without the interval it could have had.
    """

    value: float | None
    numerator: float | None = None
    denominator: float | None = None
    interval: Interval | None = None
    undefined_reason: str | None = None
    no_interval_reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)
