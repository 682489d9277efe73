"""A corpus as plain data, and its canonical form: the lines of the project's own file format."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotate.pairs import ROLES, SIDES

FORMAT = "tact-corpus/1"

encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class ContextRow:
    """A recipient and a task, with the domains it belongs to."""

    recipient: str
    task: str
    domains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CompanionRow:
    """Another memory of the user who holds a preference; `kind` is near, middle, far or control."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """A preference, the same for every profile that holds its text; an unknown category is empty.

    Contrast pairs name it by its key; domain and companions are those of PairPref.
    """

    category: str
    text: str
    nickname: str = ""
    key: str = ""
    domain: str = ""
    companions: tuple[CompanionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class PairRow:
    """A contrast pair of the preference with that key: one request, two situations, four replies."""

    id: str
    preference: str
    category: str
    tier: str
    distance: int
    request: str
    positive: str
    negative: str
    memory: str
    acknowledged: str
    plain: str
    off_task: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A factual statement of a profile's memory."""

    text: str
    domain: str = ""


@dataclass(frozen=True, slots=True)
class HeldPreference:
    """A preference's place in a profile's memory, by its text."""

    text: str


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A whole prompt that the corpus brings for a profile and a context."""

    recipient: str
    task: str
    text: str


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A user, and what a model is told about them, in this order."""

    key: str
    name: str
    memory: tuple[Fact | HeldPreference, ...] = ()
    prompts: tuple[PromptRow, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldRow:
    """g(context, preference): 1 apply, 0 suppress."""

    recipient: str
    task: str
    preference: str
    value: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """Everything that one import brings. The order of rows is part of the content."""

    name: str
    source: str = ""
    licence: str = ""
    contexts: tuple[ContextRow, ...] = ()
    preferences: tuple[PreferenceRow, ...] = ()
    profiles: tuple[ProfileRow, ...] = ()
    pairs: tuple[PairRow, ...] = ()
    gold: tuple[GoldRow, ...] = ()


def content_hash(corpus: Corpus) -> str:
    """Return the SHA-256, in hex, of the corpus in its canonical form: that of the exported file.

    The gold rows are no part of it; a gold release has a hash of its own.
    """
    digest = hashlib.sha256()
    for line in lines_of(corpus):
        digest.update(line.encode())
    return digest.hexdigest()


def lines_of(corpus: Corpus) -> Iterator[str]:
    """Write a corpus in its canonical form."""
    return corpus_lines(corpus, corpus.contexts, corpus.preferences, corpus.profiles, corpus.pairs)


def corpus_lines(
    head: Corpus,
    contexts: Iterable[ContextRow],
    preferences: Iterable[PreferenceRow],
    profiles: Iterable[ProfileRow],
    pairs: Iterable[PairRow],
) -> Iterator[str]:
    """Write one JSON object a line: the dataset (of `head`, only name, source and licence), then the rows.

    The rows may be streams, so that a corpus larger than memory can be written.
    """
    yield line("dataset", format=FORMAT, name=head.name, source=head.source, licence=head.licence)
    for context in contexts:
        yield line("context", recipient=context.recipient, task=context.task, domains=list(context.domains))
    for preference in preferences:
        yield preference_line(preference)
    for profile in profiles:
        yield profile_line(profile)
    for pair in pairs:
        yield pair_line(pair)


def preference_line(row: PreferenceRow) -> str:
    """Write a preference; nickname, key, domain and companions only where it has them."""
    others: dict[str, Any] = {"nickname": row.nickname, "key": row.key, "domain": row.domain}
    others["companions"] = companions_by_kind(row)
    others = {name: value for name, value in others.items() if value}
    return line("preference", category=row.category, text=row.text, **others)


def companions_by_kind(row: PreferenceRow) -> dict[str, list[str]]:
    """Return the texts of a preference's companions by their kind."""
    texts: dict[str, list[str]] = {}
    for companion in row.companions:
        texts.setdefault(companion.kind, []).append(companion.text)
    return texts


def pair_line(row: PairRow) -> str:
    """Write a contrast pair."""
    return line(
        "pair",
        id=row.id,
        preference=row.preference,
        category=row.category,
        tier=row.tier,
        distance=row.distance,
        request=row.request,
        situations={side: getattr(row, side) for side in SIDES},
        replies={role: getattr(row, role) for role in ROLES},
    )


def profile_line(profile: ProfileRow) -> str:
    """Write a profile; prompts only where it brings some."""
    memory = [memory_entry(entry) for entry in profile.memory]
    prompts = [{"recipient": row.recipient, "task": row.task, "text": row.text} for row in profile.prompts]
    others: dict[str, Any] = {"prompts": prompts} if prompts else {}
    return line("profile", key=profile.key, name=profile.name, memory=memory, **others)


def memory_entry(entry: Fact | HeldPreference) -> dict[str, str]:
    """Write a fact, with its domain if it has one, or the text of a preference."""
    if isinstance(entry, HeldPreference):
        return {"preference": entry.text}
    return {"text": entry.text, "domain": entry.domain} if entry.domain else {"text": entry.text}


def line(kind: str, **fields: Any) -> str:
    """Write one line, its keys in the given order."""
    return encode({"kind": kind, **fields}) + "\n"
