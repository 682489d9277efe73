"""What is different between the corpus that is stored and the one that a file brings."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import ne
from typing import Any

from annotate.importers.corpus import (
    ContextRow,
    Corpus,
    GoldRow,
    PairRow,
    PreferenceRow,
    ProfileRow,
)

Key = tuple[str, ...]
MOST_SHOWN = 20


@dataclass(frozen=True)
class KindChanges:
    """The rows of one kind that differ, by key; `changed` with what changed, in words."""

    added: tuple[Key, ...] = ()
    changed: tuple[tuple[Key, str], ...] = ()
    removed: tuple[Key, ...] = ()
    moved: int = 0

    def counts(self) -> dict[str, int]:
        """Return how many rows differ, by the way they do; only what is not zero."""
        counts = {
            "added": len(self.added),
            "changed": len(self.changed),
            "removed": len(self.removed),
            "moved": self.moved,
        }
        return {way: number for way, number in counts.items() if number}

    def lines(self, kind: str) -> Iterator[str]:
        """Say row by row what differs."""
        for key in self.removed:
            yield f"- {kind} {shown(key)}"
        for key, what in self.changed:
            yield f"~ {kind} {shown(key)}: {what}"
        for key in self.added:
            yield f"+ {kind} {shown(key)}"
        if self.moved:
            yield f"~ {self.moved} {kind} rows stand in another order"


@dataclass(frozen=True)
class Changes:
    """All differences: fields of the dataset itself, and rows by kind."""

    dataset: tuple[tuple[str, str, str], ...]
    kinds: dict[str, KindChanges]

    def __bool__(self) -> bool:
        return bool(self.counts())

    def __getitem__(self, kind: str) -> KindChanges:
        return self.kinds[kind]

    @property
    def only_gold(self) -> bool:
        """Tell whether the corpus itself is the same and only labels differ."""
        return set(self.counts()) == {"gold label"}

    def counts(self) -> dict[str, Any]:
        """Return the counts of rows added, changed, removed and moved, by kind; only what is not zero."""
        counts: dict[str, Any] = {kind: found.counts() for kind, found in self.kinds.items()}
        if self.dataset:
            counts["dataset"] = {"changed": len(self.dataset)}
        return {kind: found for kind, found in counts.items() if found}

    def lines(self) -> list[str]:
        """Say what differs, of each kind at most twenty rows, then how many more."""
        lines = [f"~ dataset {name}: {before!r} -> {after!r}" for name, before, after in self.dataset]
        for kind, found in self.kinds.items():
            all_lines = list(found.lines(kind))
            lines += all_lines[:MOST_SHOWN]
            if len(all_lines) > MOST_SHOWN:
                lines.append(f"  and {len(all_lines) - MOST_SHOWN} more {kind} rows")
        return lines


def shown(key: Key) -> str:
    """Write a row's key."""
    return " / ".join(key)


def changes_between(old: Corpus, new: Corpus) -> Changes:
    """Compare two corpora row by row; a row is the same if its key is.

    Keys: recipient and task of a context, text of a preference, key of a profile, id of a pair, and context
    and preference of a gold label. A corpus without gold says nothing about labels that came earlier.
    """
    head = ("name", "source", "licence")
    values = [(name, getattr(old, name), getattr(new, name)) for name in head]
    old_gold = old.gold if new.gold else ()
    return Changes(
        dataset=tuple((name, before, after) for name, before, after in values if before != after),
        kinds={
            "context": compare(old.contexts, new.contexts, context_key, context_difference),
            "preference": compare(old.preferences, new.preferences, preference_key, preference_difference),
            "profile": compare(old.profiles, new.profiles, profile_key, profile_difference),
            "pair": compare(old.pairs, new.pairs, pair_key, pair_difference),
            "gold label": compare(old_gold, new.gold, gold_key, gold_difference, ordered=False),
        },
    )


def compare[Row](
    old: Sequence[Row],
    new: Sequence[Row],
    key_of: Callable[[Row], Key],
    difference: Callable[[Row, Row], str],
    ordered: bool = True,
) -> KindChanges:
    """Compare the rows of one kind; count those at another place only where order is content."""
    before = {key_of(row): row for row in old}
    after = {key_of(row): row for row in new}
    stayed = [key for key in after if key in before]
    order_before = [key for key in before if key in after]
    return KindChanges(
        added=tuple(key for key in after if key not in before),
        changed=tuple(
            (key, difference(before[key], after[key])) for key in stayed if before[key] != after[key]
        ),
        removed=tuple(key for key in before if key not in after),
        moved=sum(map(ne, stayed, order_before)) if ordered else 0,
    )


def context_key(row: ContextRow) -> Key:
    """Return what a context is known by."""
    return (row.recipient, row.task)


def preference_key(row: PreferenceRow) -> Key:
    """Return what a preference is known by."""
    return (row.text,)


def profile_key(row: ProfileRow) -> Key:
    """Return what a profile is known by."""
    return (row.key,)


def pair_key(row: PairRow) -> Key:
    """Return what a contrast pair is known by."""
    return (row.id,)


def gold_key(row: GoldRow) -> Key:
    """Return what a gold label is known by."""
    return (row.recipient, row.task, row.preference)


def context_difference(old: ContextRow, new: ContextRow) -> str:
    """Say how a context's domains changed."""
    return f"domains {', '.join(old.domains) or 'none'} -> {', '.join(new.domains) or 'none'}"


def preference_difference(old: PreferenceRow, new: PreferenceRow) -> str:
    """Say how category, nickname, key, domain and companions changed."""
    names = ("category", "nickname", "key", "domain")
    values = {name: (getattr(old, name), getattr(new, name)) for name in names}
    parts = [
        f"{name} {before or 'none'} -> {after or 'none'}"
        for name, (before, after) in values.items()
        if before != after
    ]
    if old.companions != new.companions:
        parts.append(f"companions {sets_difference(old.companions, new.companions)}")
    return "; ".join(parts)


def pair_difference(old: PairRow, new: PairRow) -> str:
    """Name the fields of a contrast pair that changed."""
    return ", ".join(one.name for one in fields(old) if getattr(old, one.name) != getattr(new, one.name))


def profile_difference(old: ProfileRow, new: ProfileRow) -> str:
    """Say how name, memory and prompts changed."""
    parts = [f"name {old.name} -> {new.name}"] if old.name != new.name else []
    if old.memory != new.memory:
        parts.append(f"memory {sets_difference(old.memory, new.memory)}")
    if old.prompts != new.prompts:
        parts.append(f"prompts {sets_difference(old.prompts, new.prompts)}")
    return "; ".join(parts)


def gold_difference(old: GoldRow, new: GoldRow) -> str:
    """Say how a label changed."""
    names = {0: "suppress", 1: "apply"}
    return f"{names[old.value]} -> {names[new.value]}"


def sets_difference(old: Iterable[Hashable], new: Iterable[Hashable]) -> str:
    """Count the entries that only one of two lists has."""
    before, after = set(old), set(new)
    if before == after:
        return "in another order"
    return f"+{len(after - before)} -{len(before - after)}"
