"""How the units of a run ended. Done, not read, failed, skipped and planned add up to the plan."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

from evaluation.records import GenerationRecord

PLANNED, DONE = "planned", "done"
WITH_REASON = {"not_read": "answered, not read", "failed": "failed", "skipped": "skipped"}


class Ended(Protocol):
    """What says how it ended."""

    @property
    def outcome(self) -> str:
        """Return the outcome."""

    @property
    def reason(self) -> str:
        """Return why."""


def count_units(generations: Iterable[GenerationRecord]) -> dict[str, Any]:
    """Return how units ended: answers and verdicts together, then each."""
    generations = list(generations)
    kinds = {
        "generations": outcomes(generations),
        "verdicts": outcomes(verdict for row in generations for verdict in row.verdicts),
    }
    return {**_added(kinds.values()), **kinds}


def outcomes(units: Iterable[Ended]) -> dict[str, Any]:
    """Count units by outcome, and by reason where an outcome has reasons, the most frequent first."""
    counted = Counter((unit.outcome, unit.reason) for unit in units)
    counts: dict[str, Any] = {"units": counted.total(), PLANNED: 0, DONE: 0}
    counts |= {outcome: {} for outcome in WITH_REASON}
    for (outcome, reason), number in counted.most_common():
        if outcome in WITH_REASON:
            counts[outcome][reason or "no reason given"] = number
        else:
            counts[outcome] += number
    return counts


def _added(kinds: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Add the counts of several kinds of units."""
    total: dict[str, Any] = {}
    for counts in kinds:
        for name, value in counts.items():
            if isinstance(value, dict):
                total[name] = dict(Counter(total.get(name, {})) + Counter(value))
            else:
                total[name] = total.get(name, 0) + value
    return total
