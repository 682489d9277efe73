"""Every label of a campaign with what is needed to study it; annotators appear as pseudonyms."""

from collections.abc import Iterator
from itertools import batched
from typing import Any

import numpy as np
from django.db.models import CharField, F
from django.db.models.functions import Cast

from annotate.allocation import RandomOrder
from annotate.exporters.gold import ROWS_AT_ONCE, context_words, preference_words
from annotate.exporters.tabular import Columns
from annotate.models import Campaign, LabelRevision
from annotate.models.campaign import EXAMPLE_LABELS
from annotate.ratings import CATEGORIES

# `place` counts from 1 in the annotator's own random order. `version` counts the answers that the
# annotator saved on the item; the row holds the last one, when it was saved and under which guideline.
LABEL_COLUMNS: Columns = {
    "campaign": str,
    "origin": str,
    "annotator": str,
    "place": int,
    "recipient": str,
    "task": str,
    "domains": list,
    "category": str,
    "preference": str,
    "nickname": str,
    "label": str,
    "value": int,
    "version": int,
    "guideline": int,
    "saved_at": str,
}


def label_rows(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    """Give one row a label, its present value, read as they are asked for."""
    origin = EXAMPLE_LABELS if campaign.is_example else "annotators of the campaign"
    orders = _orders(campaign)
    contexts, preferences = context_words(campaign.dataset), preference_words(campaign.dataset)
    present = LabelRevision.objects.filter(label__annotator__in=list(orders), version=F("label__version"))
    # The time comes as the database's text, always in UTC: making a datetime of it and a text of that
    # would take a quarter of the export's time.
    timed = present.annotate(utc=Cast("saved_at", CharField()))
    answers = timed.order_by("label").values_list(
        "label__annotator",
        "label__item__number",
        "label__item__context",
        "label__item__preference",
        "value",
        "version",
        "guideline__version",
        "utc",
    )
    for batch in batched(answers.iterator(ROWS_AT_ONCE), ROWS_AT_ONCE):
        places = _places(batch, orders)
        for place, (seat, _, context, preference, value, version, guideline, utc) in zip(
            places, batch, strict=True
        ):
            yield (
                campaign.slug,
                origin,
                orders[seat][0],
                place,
                *contexts[context],
                *preferences[preference],
                CATEGORIES[value],
                value,
                version,
                guideline,
                f"{utc[:10]}T{utc[11:19]}+00:00",
            )


def _orders(campaign: Campaign) -> dict[int, tuple[str, RandomOrder]]:
    """Return each annotator's pseudonym and order of the items, by the key of the seat."""
    items = campaign.items.count()
    seats = campaign.annotators.values_list("pk", "pseudonym", "seed")
    return {pk: (pseudonym, RandomOrder(seed, items)) for pk, pseudonym, seed in seats}


def _places(batch: tuple[tuple[Any, ...], ...], orders: dict[int, tuple[str, RandomOrder]]) -> list[int]:
    """Return each row's place in its annotator's order, from 1."""
    seats, numbers = np.array([row[:2] for row in batch], dtype=np.int64).T
    places = np.empty(len(batch), dtype=np.int64)
    for seat in np.unique(seats).tolist():
        chosen = seats == seat
        places[chosen] = orders[seat][1].places_of(numbers[chosen]) + 1
    return places.tolist()
