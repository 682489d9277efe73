"""The plan of a run: which messages are asked for, in which order, under which keys."""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched, groupby
from typing import Any

from evaluation.benchpres.prompting import Statement, generation_messages, remembered

ContextKey = tuple[str, str]


@dataclass(frozen=True)
class Asked:
    """Who is asked, and with which parameters: what of an endpoint changes an answer."""

    base_url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PlannedProfile:
    """A profile's memory, and the whole prompts that the corpus supplies, by (recipient, task)."""

    key: str
    memory: Sequence[Statement]
    supplied_prompts: Mapping[ContextKey, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GenerationUnit:
    """One message of the plan. Samples count from 1."""

    profile_key: str
    recipient: str
    task: str
    condition: str
    sample: int
    key: str


def plan(
    profiles: Sequence[PlannedProfile],
    contexts: Sequence[ContextKey],
    conditions: Sequence[str],
    samples: int,
    *,
    subject: Asked,
    corpus_hash: str,
) -> list[GenerationUnit]:
    """Return every unit once, all of a profile and condition next to each other.

    Units that share the memory, the long first part of the prompt, are neighbours, so that prompt
    caches serve it. `Problem` where a condition cannot be asked (see `generation_messages`).
    """
    return [
        GenerationUnit(profile.key, recipient, task, condition, sample, key)
        for profile in profiles
        for condition in conditions
        for recipient, task in contexts
        for sample, key in _keys(profile, (recipient, task), condition, samples, subject, corpus_hash)
    ]


def unit_messages(profile: PlannedProfile, context: ContextKey, condition: str) -> list[dict[str, str]]:
    """Return what the model is asked for a message of this profile in this (recipient, task)."""
    recipient, task = context
    supplied = profile.supplied_prompts.get(context)
    return generation_messages(remembered(profile.memory, condition), recipient, task, condition, supplied)


def generation_key(
    *,
    subject: Asked,
    messages: Sequence[Mapping[str, str]],
    corpus_hash: str,
    profile_key: str,
    context: ContextKey,
    condition: str,
    sample: int,
) -> str:
    """Return the SHA-256 over everything that changes what is asked for a message.

    Two samples of one prompt have different keys, and so have two profiles with the same memory.
    """
    return _digest(
        "generation", _asked(subject), messages, corpus_hash, profile_key, context, condition, sample
    )


def verdict_key(*, generation_key: str, preference: str, judge: Asked | None, prompt_hash: str = "") -> str:
    """Return the SHA-256 over everything that changes what is asked for a verdict.

    The message enters through the key of its generation. Without a judge the verdict is the exact
    match of a nickname.
    """
    return _digest("verdict", generation_key, preference, judge and _asked(judge), prompt_hash)


def shards(units: Sequence[GenerationUnit], size: int) -> list[list[GenerationUnit]]:
    """Split a plan into runs of at most `size` units, none with two profiles or conditions."""
    groups = groupby(units, key=lambda unit: (unit.profile_key, unit.condition))
    return [list(shard) for _, group in groups for shard in batched(group, size)]


def choose[T](rows: Sequence[T], count: int | None, seed: int) -> list[T]:
    """Draw `count` of the rows by the seed, keeping their order; all where `count` is None or larger."""
    if count is None or count >= len(rows):
        return list(rows)
    return [rows[index] for index in sorted(random.Random(seed).sample(range(len(rows)), count))]  # noqa: S311


def _keys(
    profile: PlannedProfile,
    context: ContextKey,
    condition: str,
    samples: int,
    subject: Asked,
    corpus_hash: str,
) -> Iterator[tuple[int, str]]:
    """Yield the sample numbers 1, 2, ... of one prompt with their keys."""
    messages = unit_messages(profile, context, condition)
    for sample in range(1, samples + 1):
        yield (
            sample,
            generation_key(
                subject=subject,
                messages=messages,
                corpus_hash=corpus_hash,
                profile_key=profile.key,
                context=context,
                condition=condition,
                sample=sample,
            ),
        )


def _asked(endpoint: Asked) -> tuple[str, str, Mapping[str, Any]]:
    return endpoint.base_url, endpoint.model, endpoint.parameters


def _digest(*parts: Any) -> str:
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()
