"""Gold releases: frozen from a campaign's unanimous labels, or imported with a corpus."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import batched
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.db.models import Count, F, Max

from annotate.balance import GoldColumns, balance_of, gold_columns
from annotate.gold_content import gold_hash
from annotate.importers.corpus import GoldRow
from annotate.models import Campaign, Context, Dataset, GoldLabel, GoldRelease, LabelRevision, Preference
from annotate.problems import Problem
from annotate.ratings import Numbers, Standing, read_labels, read_standing
from annotate.reports import agreement_report, consensus_counts

ROWS_AT_ONCE = 2_000
BEGIN_SNAPSHOT = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",
}
# Two releases that are equal in all of these say the same.
CONTENT = ("content_hash", "corpus_hash", "guideline_id", "counts", "agreement", "is_example")


def freeze_gold_release(campaign: Campaign, created_by: str = "") -> GoldRelease:
    """Freeze the items on which all annotators agree as the next release of the campaign's dataset.

    1. Read all as of one moment; what is labelled meanwhile waits for the next release.
    2. Keep what is unanimous, not set aside and not openly flagged; count the rest by first reason.
    3. Refuse if nothing is kept, or nothing changed since the campaign's last release.
    4. Write release and labels in one transaction.
    """
    with _one_moment():
        labels = read_labels(campaign)
        standing = read_standing(campaign, labels)
        gold = gold_columns(standing)
        if not len(gold.values):
            raise Problem(_nothing_to_freeze(campaign, standing))
        release = GoldRelease(
            dataset=campaign.dataset,
            origin=GoldRelease.Origin.CAMPAIGN,
            campaign=campaign,
            guideline=campaign.guideline,
            counts=_campaign_counts(campaign, standing, gold),
            agreement=agreement_report(campaign, labels),
            is_example=campaign.is_example,
            created_by=created_by,
        )
    return _write_release(release, gold)


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read as of one moment and lock nothing, which Django's own transactions do not offer.

    Inside of another transaction nothing is done: it has begun in its own way.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN_SNAPSHOT[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("COMMIT")


def import_gold_release(dataset: Dataset, rows: Sequence[GoldRow], created_by: str = "") -> GoldRelease:
    """Store labels that came with a corpus as a release marked imported; the same again adds nothing."""
    gold = _gold_of_rows(dataset, rows)
    kept, apply = len(gold.values), int(gold.values.sum())
    counts = {"items": kept, "kept": kept, "apply": apply, "suppress": kept - apply, "left_out": {}}
    counts["balance"] = balance_of(dataset, gold, gold.contexts)
    release = GoldRelease(
        dataset=dataset, origin=GoldRelease.Origin.IMPORTED, counts=counts, created_by=created_by
    )
    try:
        return _write_release(release, gold)
    except NothingNew as known:
        return known.release


class NothingNew(Problem):
    """The last release says the same already."""

    def __init__(self, release: GoldRelease) -> None:
        super().__init__(
            f"Nothing changed since {release.name}, which holds these {release.counts['kept']} labels "
            f"already (content hash {release.content_hash[:12]}); use that release."
        )
        self.release = release


def _nothing_to_freeze(campaign: Campaign, standing: Standing) -> str:
    left_out = consensus_counts(campaign, standing)["left_out"]
    found = ", ".join(f"{number} {reason.replace('_', ' ')}" for reason, number in left_out.items())
    return (
        f"Campaign {campaign} has no item for a gold release; expected at least one that is unanimous, "
        f"not set aside and not openly flagged. Found {len(standing.ids)} items: {found}."
    )


def _campaign_counts(campaign: Campaign, standing: Standing, gold: GoldColumns) -> dict[str, Any]:
    found = consensus_counts(campaign, standing)
    apply = int(gold.values.sum())
    reasons = campaign.items.exclude(set_aside="").order_by().values_list("set_aside")
    versions = (
        LabelRevision.objects.filter(label__annotator__campaign=campaign, version=F("label__version"))
        .order_by()
        .values_list("guideline__version")
    )
    return {
        "items": found["items"],
        "kept": found["kept"],
        "apply": apply,
        "suppress": found["kept"] - apply,
        "left_out": found["left_out"],
        "set_aside_reasons": dict(sorted(reasons.annotate(n=Count("pk")))),
        "labels_by_guideline": {str(version): n for version, n in sorted(versions.annotate(n=Count("pk")))},
        "balance": balance_of(campaign.dataset, gold, standing.contexts),
    }


def _gold_of_rows(dataset: Dataset, rows: Iterable[GoldRow]) -> GoldColumns:
    """Find each row's context and preference; rows that repeat are one label, and must not differ."""
    contexts = {(c.recipient, c.task): c.pk for c in dataset.contexts.all()}
    preferences = {p.text: p.pk for p in dataset.preferences.all()}
    values: dict[tuple[int, int], int] = {}
    for row in rows:
        context, preference = contexts.get((row.recipient, row.task)), preferences.get(row.preference)
        if context is None or preference is None:
            missing = "context" if context is None else "preference"
            raise Problem(f"Dataset {dataset} has no {missing} for the gold label {_shown(row)}.")
        if values.setdefault((context, preference), row.value) != row.value:
            raise Problem(f"The gold label {_shown(row)} contradicts an earlier row; expected one value.")
    if not values:
        raise Problem(f"There is no gold label to import for dataset {dataset}; expected at least one.")
    pairs = np.array(list(values), dtype=np.int64)
    return GoldColumns(pairs[:, 0], pairs[:, 1], np.array(list(values.values()), dtype=np.int64))


def _shown(row: GoldRow) -> str:
    return f"({row.recipient!r}, {row.task!r}, {row.preference!r}, {row.value})"


def _write_release(release: GoldRelease, gold: GoldColumns) -> GoldRelease:
    """Hash, number and save a release with its labels; the lock on the dataset keeps numbers in a row."""
    contexts = release.dataset.contexts.in_bulk()
    preferences = release.dataset.preferences.in_bulk()
    gold = _in_corpus_order(gold, contexts, preferences)
    release.content_hash = gold_hash(
        (contexts[c].recipient, contexts[c].task, preferences[p].text, value) for c, p, value in gold.rows()
    )
    release.counts, release.agreement = _as_stored(release.counts), _as_stored(release.agreement)
    with transaction.atomic():
        dataset = Dataset.objects.select_for_update().get(pk=release.dataset_id)
        release.corpus_version, release.corpus_hash = dataset.version, dataset.content_hash
        _refuse_nothing_new(release)
        last_number = GoldRelease.objects.filter(dataset=dataset).aggregate(last=Max("number"))["last"]
        release.number = (last_number or 0) + 1
        release.save()
        for rows in batched(gold.rows(), ROWS_AT_ONCE):
            GoldLabel.objects.bulk_create(
                GoldLabel(release_id=release.pk, context_id=c, preference_id=p, value=value)
                for c, p, value in rows
            )
    return release


def _in_corpus_order(
    gold: GoldColumns, contexts: dict[int, Context], preferences: dict[int, Preference]
) -> GoldColumns:
    """Sort the labels context by context, as the corpus has them."""
    context_places = _places(gold.contexts, contexts)
    order = np.lexsort((_places(gold.preferences, preferences), context_places))
    return GoldColumns(gold.contexts[order], gold.preferences[order], gold.values[order])


def _places(ids: Numbers, rows: dict[int, Any]) -> Numbers:
    return np.array([rows[pk].position for pk in ids.tolist()], dtype=np.int64)


def _refuse_nothing_new(release: GoldRelease) -> None:
    last = (
        GoldRelease.objects.filter(
            dataset=release.dataset_id, campaign=release.campaign_id, origin=release.origin
        )
        .order_by("-number")
        .first()
    )
    if last and all(getattr(last, field) == getattr(release, field) for field in CONTENT):
        raise NothingNew(last)


def _as_stored(value: Any) -> Any:
    """Return a value as a JSON column gives it back, so that it compares with a stored one."""
    return json.loads(json.dumps(value))
