"""The rows of a gold release, one a label, in the order of the corpus."""

from collections.abc import Iterator
from typing import Any

from annotate.exporters.tabular import Columns
from annotate.models import GoldRelease
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
EXAMPLE = "example labels that no recruited person gave"


def origin_of(release: GoldRelease) -> str:
    """Say in words where the labels of a release come from."""
    return EXAMPLE if release.is_example else release.get_origin_display()


def gold_rows(release: GoldRelease) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a release, read as they are asked for."""
    name, origin = release.name, origin_of(release)
    words = release.labels.order_by("pk").values_list(
        "context__recipient",
        "context__task",
        "context__domains",
        "preference__category",
        "preference__text",
        "preference__nickname",
        "value",
    )
    for *described, value in words.iterator(ROWS_AT_ONCE):
        yield name, origin, *described, CATEGORIES[value], value
