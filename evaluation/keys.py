"""The identity of a unit: a hash over everything that changes what is asked, and the draws of a plan."""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched, groupby
from typing import Any, Protocol


@dataclass(frozen=True)
class Asked:
    """Who is asked, and with which parameters: what of an endpoint changes an answer."""

    base_url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


def unit_key(
    *,
    subject: Asked,
    messages: Sequence[Mapping[str, str]],
    corpus_hash: str,
    about: Mapping[str, Any],
    arm: str,
    sample: int,
) -> str:
    """Return the SHA-256 over everything that changes what the model is asked.

    `about` names what in the corpus the unit is about. Two samples of one prompt have different keys, and
    so have two profiles with the same memory, or the two sides of a pair.
    """
    return _digest("unit", _plain(subject), messages, corpus_hash, about, arm, sample)


def verdict_key(
    *,
    unit_key: str,
    target: str,
    about: str = "",
    judge: Asked | None = None,
    prompt_hash: str = "",
    number: int = 1,
) -> str:
    """Return the SHA-256 over everything that changes what is asked for a verdict.

    The answer enters through the key of its unit, `about` is the preference where a judge sees one of
    several. Without a judge the verdict is the exact match of a nickname.
    """
    return _digest("verdict", unit_key, target, about, judge and _plain(judge), prompt_hash, number)


class InGroup(Protocol):
    """A unit that says which others it shares a prompt's beginning with."""

    @property
    def group(self) -> tuple[Any, ...]:
        """Return what the units of one shard have in common."""


def shards[T: InGroup](units: Sequence[T], size: int) -> Iterator[list[T]]:
    """Split a plan into runs of at most `size` units, none with units of two groups."""
    for _, group in groupby(units, key=lambda unit: unit.group):
        yield from map(list, batched(group, size))


def choose[T](rows: Sequence[T], count: int | None, seed: int) -> list[T]:
    """Draw `count` of the rows by the seed, keeping their order; all where `count` is None or larger."""
    if count is None or count >= len(rows):
        return list(rows)
    return [rows[index] for index in sorted(random.Random(seed).sample(range(len(rows)), count))]  # noqa: S311


def _plain(endpoint: Asked) -> tuple[str, str, Mapping[str, Any]]:
    return endpoint.base_url, endpoint.model, endpoint.parameters


def _digest(*parts: Any) -> str:
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()
