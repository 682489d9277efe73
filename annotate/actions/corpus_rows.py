"""The rows of a corpus: written where they differ, removed where nothing rests on them."""

import re
from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Any

from django.db import models
from django.db.models import Count, ForeignObjectRel, ProtectedError

from annotate.importers.changes import Changes, Key, shown
from annotate.importers.corpus import Corpus, Fact, HeldPreference, PairRow, PreferenceRow, ProfileRow
from annotate.models import (
    Companion,
    Context,
    ContrastPair,
    Dataset,
    MemoryStatement,
    Preference,
    Profile,
    ProfilePreference,
    Reply,
    ReviewedPair,
    Situation,
    SuppliedPrompt,
)
from annotate.pairs import ROLES, SIDES
from annotate.problems import Problem

ROWS_AT_ONCE = 2_000
MOST_NAMED = 5
# What of a preference a set of reviewed pairs is exported with.
OF_PAIRS = re.compile(r"(^|; )(key|domain|companions) ")
KEYS: dict[str, tuple[type[models.Model], tuple[str, ...]]] = {
    "context": (Context, ("recipient", "task")),
    "preference": (Preference, ("text",)),
    "profile": (Profile, ("key",)),
    "pair": (ContrastPair, ("identifier",)),
}
# What is removed first, so that nothing that goes as well still rests on it.
REMOVED_FIRST = ("pair", "profile", "preference", "context")


def write_rows(dataset: Dataset, corpus: Corpus, changes: Changes) -> None:
    """Bring every row to what the corpus says; part of the import's transaction."""
    write_contexts(dataset, corpus)
    give_up_keys(dataset, changes)
    write_preferences(dataset, corpus)
    write_profiles(dataset, corpus)
    write_pairs(dataset, corpus)
    profiles, preferences, pairs = (differing(changes, kind) for kind in ("profile", "preference", "pair"))
    write_contents(dataset, [row for row in corpus.profiles if (row.key,) in profiles])
    write_companions(dataset, [row for row in corpus.preferences if (row.text,) in preferences])
    write_texts(dataset, [row for row in corpus.pairs if (row.id,) in pairs])
    remove_rows(dataset, changes)


def differing(changes: Changes, kind: str) -> set[Key]:
    """Return the keys of the rows that are new or changed."""
    return {*changes[kind].added, *(key for key, _ in changes[kind].changed)}


def give_up_keys(dataset: Dataset, changes: Changes) -> None:
    """Take the keys of preferences that change or go, so that others can have them."""
    found = changes["preference"]
    texts = [text for (text,) in (*(key for key, _ in found.changed), *found.removed)]
    for batch in batched(texts, ROWS_AT_ONCE):
        dataset.preferences.filter(text__in=batch).update(key="")


def write_contexts(dataset: Dataset, corpus: Corpus) -> None:
    """Write the contexts at their places."""
    upsert(
        Context,
        (
            Context(
                dataset=dataset,
                recipient=row.recipient,
                task=row.task,
                domains=list(row.domains),
                position=position,
            )
            for position, row in enumerate(corpus.contexts)
        ),
        ["domains", "position"],
    )


def write_preferences(dataset: Dataset, corpus: Corpus) -> None:
    """Write the preferences at their places."""
    upsert(
        Preference,
        (
            Preference(
                dataset=dataset,
                category=row.category,
                text=row.text,
                nickname=row.nickname,
                key=row.key,
                domain=row.domain,
                position=position,
            )
            for position, row in enumerate(corpus.preferences)
        ),
        ["category", "nickname", "key", "domain", "position"],
    )


def write_profiles(dataset: Dataset, corpus: Corpus) -> None:
    """Write the profiles at their places, without their contents."""
    upsert(
        Profile,
        (
            Profile(dataset=dataset, key=row.key, name=row.name, position=position)
            for position, row in enumerate(corpus.profiles)
        ),
        ["name", "position"],
    )


def write_pairs(dataset: Dataset, corpus: Corpus) -> None:
    """Write the contrast pairs at their places, without their situations and replies."""
    preferences = dict(dataset.preferences.exclude(key="").values_list("key", "pk"))
    upsert(
        ContrastPair,
        (
            ContrastPair(
                dataset=dataset,
                preference_id=preferences[row.preference],
                identifier=row.id,
                category=row.category,
                tier=row.tier,
                distance=row.distance,
                request=row.request,
                position=position,
            )
            for position, row in enumerate(corpus.pairs)
        ),
        ["preference", "category", "tier", "distance", "request", "position"],
    )


def upsert(model: type[models.Model], rows: Iterable[models.Model], fields: list[str]) -> None:
    """Insert rows of a dataset, or update `fields` of those whose key is there already."""
    [key] = [key for kind, key in KEYS.values() if kind is model]
    model._default_manager.bulk_create(
        rows, ROWS_AT_ONCE, update_conflicts=True, unique_fields=["dataset", *key], update_fields=fields
    )


def write_contents(dataset: Dataset, rows: list[ProfileRow]) -> None:
    """Write the memory and the prompts of profiles anew."""
    profiles = ids_by_key(dataset, "profile")
    contexts = ids_by_key(dataset, "context")
    preferences = ids_by_key(dataset, "preference")
    owners = [(profiles[(row.key,)], row) for row in rows]
    for model in (MemoryStatement, ProfilePreference, SuppliedPrompt):
        for batch in batched((owner for owner, _ in owners), ROWS_AT_ONCE):
            model._default_manager.filter(profile__in=batch).delete()
    in_batches(MemoryStatement, statements(owners))
    in_batches(ProfilePreference, held_preferences(owners, preferences))
    in_batches(SuppliedPrompt, supplied_prompts(owners, contexts))


def write_companions(dataset: Dataset, rows: list[PreferenceRow]) -> None:
    """Write the companions of preferences anew."""
    preferences = ids_by_key(dataset, "preference")
    owners = [(preferences[(row.text,)], row) for row in rows]
    for batch in batched((owner for owner, _ in owners), ROWS_AT_ONCE):
        Companion.objects.filter(preference__in=batch).delete()
    in_batches(
        Companion,
        (
            Companion(preference_id=owner, kind=each.kind, text=each.text, position=position)
            for owner, row in owners
            for position, each in enumerate(row.companions)
        ),
    )


def write_texts(dataset: Dataset, rows: list[PairRow]) -> None:
    """Write the situations and the replies of pairs anew."""
    pairs = ids_by_key(dataset, "pair")
    owners = [(pairs[(row.id,)], row) for row in rows]
    for batch in batched((owner for owner, _ in owners), ROWS_AT_ONCE):
        Situation.objects.filter(pair__in=batch).delete()
        Reply.objects.filter(pair__in=batch).delete()
    in_batches(
        Situation,
        (
            Situation(pair_id=owner, side=side, text=getattr(row, side))
            for owner, row in owners
            for side in SIDES
        ),
    )
    in_batches(
        Reply,
        (Reply(pair_id=owner, role=role, text=getattr(row, role)) for owner, row in owners for role in ROLES),
    )


def in_batches(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    """Insert a stream of rows without holding all of them."""
    for batch in batched(rows, ROWS_AT_ONCE):
        model._default_manager.bulk_create(batch)


def statements(owners: list[tuple[int, ProfileRow]]) -> Iterator[MemoryStatement]:
    """Make a row of each fact at its place in the memory."""
    for owner, profile in owners:
        for position, entry in enumerate(profile.memory):
            if isinstance(entry, Fact):
                yield MemoryStatement(
                    profile_id=owner, position=position, text=entry.text, domain=entry.domain
                )


def held_preferences(
    owners: list[tuple[int, ProfileRow]], preferences: dict[Key, int]
) -> Iterator[ProfilePreference]:
    """Make a row of each preference at its place in the memory."""
    for owner, profile in owners:
        for position, entry in enumerate(profile.memory):
            if isinstance(entry, HeldPreference):
                yield ProfilePreference(
                    profile_id=owner, preference_id=preferences[(entry.text,)], position=position
                )


def supplied_prompts(
    owners: list[tuple[int, ProfileRow]], contexts: dict[Key, int]
) -> Iterator[SuppliedPrompt]:
    """Make a row of each prompt that the corpus brings."""
    for owner, profile in owners:
        for row in profile.prompts:
            yield SuppliedPrompt(
                profile_id=owner, context_id=contexts[(row.recipient, row.task)], text=row.text
            )


def ids_by_key(dataset: Dataset, kind: str) -> dict[Key, int]:
    """Return the row numbers of a dataset's rows of one kind."""
    model, key = KEYS[kind]
    return {
        tuple(row[1:]): row[0]
        for row in model._default_manager.filter(dataset=dataset).values_list("pk", *key)
    }


def remove_rows(dataset: Dataset, changes: Changes) -> None:
    """Remove what the corpus no longer has."""
    for kind in REMOVED_FIRST:
        model, _ = KEYS[kind]
        ids = removed_ids(dataset, changes, kind)
        try:
            for batch in batched(ids, ROWS_AT_ONCE):
                model._default_manager.filter(pk__in=batch).delete()
        except ProtectedError as error:
            raise Problem(f"Work on a removed {kind} began during the import; import again.") from error


def removed_ids(dataset: Dataset, changes: Changes, kind: str) -> dict[int, Key]:
    """Return the rows to remove, by number."""
    removed = changes[kind].removed
    ids = ids_by_key(dataset, kind) if removed else {}
    return {ids[key]: key for key in removed}


def refuse_losses(dataset: Dataset, corpus: Corpus, changes: Changes) -> None:
    """Raise `Problem` naming the rows that the file leaves out or changes and that work rests on.

    Labels, gold, reviews and runs rest on rows; a pair under review stays just as it is judged.
    """
    refused = [
        f"{kind} {shown(key)!r} ({', '.join(what)})"
        for kind in KEYS
        for key, what in resting_on(kind, removed_ids(dataset, changes, kind)).items()
    ]
    refused += [
        f"pair {pair!r} (changed, under review {review})"
        for pair, review in changed_under_review(dataset, corpus, changes)
    ]
    if refused:
        named = "; ".join(refused[:MOST_NAMED])
        more = f" and {len(refused) - MOST_NAMED} more" if len(refused) > MOST_NAMED else ""
        raise Problem(
            f"Dataset {dataset.slug} cannot lose rows that work rests on: {named}{more}. "
            f"Keep these rows in the file, or import it under another dataset name. Nothing was imported."
        )


def changed_under_review(dataset: Dataset, corpus: Corpus, changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield (pair, review) where the file changes a pair under review or its preference.

    A preference may get another category or nickname, which no set of reviewed pairs is exported with.
    """
    changed = {name for (name,), _ in changes["pair"].changed}
    retold = {text for (text,), what in changes["preference"].changed if OF_PAIRS.search(what)}
    preferences = {row.id: row.preference for row in corpus.pairs}
    texts = {row.key: row.text for row in corpus.preferences}
    rows = ReviewedPair.objects.filter(pair__dataset=dataset).order_by("pair__position", "review__slug")
    for pair, review, text in rows.values_list(
        "pair__identifier", "review__slug", "pair__preference__text"
    ).iterator():
        if pair in preferences and (pair in changed or text in retold or texts[preferences[pair]] != text):
            yield pair, review


def resting_on(kind: str, ids: dict[int, Key]) -> dict[Key, list[str]]:
    """Count, for each of the rows, what refers to it and must not be lost."""
    found: dict[Key, list[str]] = {}
    for relation in protecting_relations(KEYS[kind][0]):
        related: Any = relation.related_model
        name = relation.field.name
        for batch in batched(ids, ROWS_AT_ONCE):
            rows = related._base_manager.filter(**{f"{name}__in": batch}).order_by().values_list(name)
            for row, number in rows.annotate(number=Count("pk")):
                found.setdefault(ids[row], []).append(counted(number, related))
    return found


def protecting_relations(model: type[models.Model]) -> list[ForeignObjectRel]:
    """Return the foreign keys to a model, of any app, that forbid to remove its rows."""
    return [
        field
        for field in model._meta.get_fields(include_hidden=True)
        if isinstance(field, ForeignObjectRel) and field.on_delete is models.PROTECT
    ]


def counted(number: int, model: type[models.Model]) -> str:
    """Write a number of rows: 1 item, 2 items."""
    names = model._meta.verbose_name if number == 1 else model._meta.verbose_name_plural
    return f"{number} {names}"
