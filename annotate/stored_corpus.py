"""A stored dataset read as plain data, as importers and exporters know it."""

from collections.abc import Iterator

from django.db.models import QuerySet

from annotate.importers.corpus import (
    CompanionRow,
    ContextRow,
    Corpus,
    Fact,
    GoldRow,
    HeldPreference,
    PairRow,
    PreferenceRow,
    ProfileRow,
    PromptRow,
)
from annotate.models import ContrastPair, Dataset, GoldRelease, Preference, Profile

PROFILES_AT_ONCE = 50
PAIRS_AT_ONCE = 500


def stored_corpus(dataset: Dataset) -> Corpus:
    """Read a whole dataset as plain data, with the labels of its last imported gold release."""
    return Corpus(
        name=dataset.name,
        source=dataset.source,
        licence=dataset.licence,
        contexts=tuple(stored_contexts(dataset)),
        preferences=tuple(stored_preferences(dataset)),
        profiles=tuple(stored_profiles(dataset)),
        pairs=tuple(stored_pairs(dataset)),
        gold=stored_gold(dataset),
    )


def stored_contexts(dataset: Dataset) -> Iterator[ContextRow]:
    """Yield the contexts in their order."""
    for row in dataset.contexts.order_by("position").iterator():
        yield ContextRow(row.recipient, row.task, tuple(row.domains))


def stored_preferences(dataset: Dataset) -> Iterator[PreferenceRow]:
    """Yield the preferences in their order, with their companions."""
    rows = dataset.preferences.order_by("position").prefetch_related("companions")
    for row in rows.iterator(chunk_size=PAIRS_AT_ONCE):
        yield preference_row(row)


def preference_row(row: Preference) -> PreferenceRow:
    """Read a stored preference."""
    companions = tuple(CompanionRow(each.kind, each.text) for each in row.companions.all())
    return PreferenceRow(row.category, row.text, row.nickname, row.key, row.domain, companions)


def stored_pairs(dataset: Dataset) -> Iterator[PairRow]:
    """Yield the contrast pairs in their order."""
    for row in whole_pairs(dataset.pairs.order_by("position")).iterator(chunk_size=PAIRS_AT_ONCE):
        yield pair_row(row)


def whole_pairs(pairs: QuerySet[ContrastPair], *others: str) -> QuerySet[ContrastPair]:
    """Add to a query of pairs what `pair_row` reads, and other relations, so that each is asked for once."""
    return pairs.select_related("preference").prefetch_related("situations", "replies", *others)


def pair_row(row: ContrastPair) -> PairRow:
    """Read a stored pair."""
    return PairRow(
        id=row.identifier,
        preference=row.preference.key,
        category=row.category,
        tier=row.tier,
        distance=row.distance,
        request=row.request,
        **{situation.side: situation.text for situation in row.situations.all()},
        **{reply.role: reply.text for reply in row.replies.all()},
    )


def stored_profiles(dataset: Dataset) -> Iterator[ProfileRow]:
    """Yield the profiles in their order, with memory and prompts."""
    rows = dataset.profiles.order_by("position").prefetch_related(
        "statements", "held_preferences__preference", "supplied_prompts__context"
    )
    for row in rows.iterator(chunk_size=PROFILES_AT_ONCE):
        yield ProfileRow(row.key, row.name, memory_of(row), prompts_of(row))


def memory_of(profile: Profile) -> tuple[Fact | HeldPreference, ...]:
    """Put facts and preferences back at their places."""
    entries: dict[int, Fact | HeldPreference] = {
        row.position: Fact(row.text, row.domain) for row in profile.statements.all()
    }
    entries |= {row.position: HeldPreference(row.preference.text) for row in profile.held_preferences.all()}
    return tuple(entries[position] for position in sorted(entries))


def prompts_of(profile: Profile) -> tuple[PromptRow, ...]:
    """Return the supplied prompts as they came."""
    rows = sorted(profile.supplied_prompts.all(), key=lambda row: row.pk)
    return tuple(PromptRow(row.context.recipient, row.context.task, row.text) for row in rows)


def stored_gold(dataset: Dataset) -> tuple[GoldRow, ...]:
    """Return the labels of the last release that was imported, in the order of the corpus."""
    release = dataset.gold_releases.filter(origin=GoldRelease.Origin.IMPORTED).order_by("-number").first()
    if release is None:
        return ()
    labels = release.labels.order_by("pk").values_list(
        "context__recipient", "context__task", "preference__text", "value"
    )
    return tuple(GoldRow(*label) for label in labels)
