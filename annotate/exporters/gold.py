"""The rows of a gold release, one a label, in the order of the corpus."""

from collections.abc import Iterator
from typing import Any

from annotate.exporters.tabular import Columns
from annotate.models import Dataset, GoldRelease
from annotate.models.campaign import EXAMPLE_LABELS
from annotate.ratings import CATEGORIES

GOLD_COLUMNS: Columns = {
    "release": str,
    "origin": str,
    "recipient": str,
    "task": str,
    "domains": list,
    "category": str,
    "preference": str,
    "nickname": str,
    "label": str,
    "value": int,
}
ROWS_AT_ONCE = 10_000


def origin_of(release: GoldRelease) -> str:
    """Say in words where the labels of a release come from."""
    return EXAMPLE_LABELS if release.is_example else release.get_origin_display()


def gold_rows(release: GoldRelease) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a release, read as they are asked for."""
    name, origin = release.name, origin_of(release)
    contexts, preferences = context_words(release.dataset), preference_words(release.dataset)
    labels = release.labels.order_by("pk").values_list("context", "preference", "value")
    for context, preference, value in labels.iterator(ROWS_AT_ONCE):
        yield name, origin, *contexts[context], *preferences[preference], CATEGORIES[value], value


# The words are read once: joined to every label they would take most of an export's time.
def context_words(dataset: Dataset) -> dict[int, tuple[Any, ...]]:
    """Return recipient, task and domains by the key of the context."""
    return {
        pk: tuple(words) for pk, *words in dataset.contexts.values_list("pk", "recipient", "task", "domains")
    }


def preference_words(dataset: Dataset) -> dict[int, tuple[Any, ...]]:
    """Return category, text and nickname by the key of the preference."""
    rows = dataset.preferences.values_list("pk", "category", "text", "nickname")
    return {pk: tuple(words) for pk, *words in rows}
