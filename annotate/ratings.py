"""A campaign's labels and items as arrays: read once, then counted without the database."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.consensus import ConsensusColumns, consensus_of_units
from annotate.agreement.tables import Labels, unit_by_category
from annotate.models import Campaign, Flag, Label

# In the order of the values: 0 is suppress, 1 is apply.
CATEGORIES = ("suppress", "apply")
ROWS_AT_ONCE = 10_000

type Flags = NDArray[np.bool_]
type Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Standing:
    """Where each item of a campaign stands. Arrays hold one entry an item, in the order of `ids`.

    `counts` holds how many annotators said suppress and apply.
    """

    overlap: int
    ids: Numbers
    contexts: Numbers
    preferences: Numbers
    counts: Numbers
    set_aside: Flags
    flagged: Flags

    @cached_property
    def consensus(self) -> ConsensusColumns:
        """Return which items are unanimous, split, incomplete, whatever else is said of them."""
        return consensus_of_units(self.counts, self.overlap)

    @cached_property
    def left_out(self) -> dict[str, Flags]:
        """Return which items do not enter gold, each under the first reason that holds."""
        reasons = {
            "set_aside": self.set_aside,
            "flagged": self.flagged,
            "incomplete": self.consensus.incomplete,
            "split": self.consensus.split,
        }
        remaining, first_reasons = np.ones(len(self.ids), dtype=bool), {}
        for reason, holds in reasons.items():
            first_reasons[reason] = remaining & holds
            remaining = remaining & ~holds
        return first_reasons

    @cached_property
    def kept(self) -> Flags:
        """Return which items enter gold: unanimous, not set aside, no flag left open."""
        return ~np.any(list(self.left_out.values()), axis=0)


def read_labels(campaign: Campaign) -> Labels:
    """Read every label of a campaign; units are item ids, raters are pseudonyms."""
    seats = list(campaign.annotators.order_by("pk").values_list("pk", "pseudonym"))
    seat_ids = [pk for pk, _ in seats]
    rows = _table(
        Label.objects.filter(annotator__in=seat_ids)
        .values_list("item_id", "annotator_id", "value")
        .iterator(ROWS_AT_ONCE),
        width=3,
    )
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    units, unit = np.unique(rows[:, 0], return_inverse=True)
    rater = np.searchsorted(np.array(seat_ids, dtype=np.int64), rows[:, 1])
    pseudonyms = tuple(pseudonym for _, pseudonym in seats)
    return Labels(unit, rater, rows[:, 2], units, pseudonyms, CATEGORIES)


def read_standing(campaign: Campaign, labels: Labels) -> Standing:
    """Read the items of a campaign and count each one's labels."""
    columns = campaign.items.order_by("pk").values_list("pk", "context_id", "preference_id")
    ids, contexts, preferences = _table(columns.iterator(ROWS_AT_ONCE), width=3).T
    counts = np.zeros((len(ids), len(CATEGORIES)), dtype=np.int64)
    counts[np.searchsorted(ids, labels.units)] = unit_by_category(labels)
    set_aside = campaign.items.exclude(set_aside="").order_by().values_list("pk")
    flags = Flag.objects.filter(item__campaign=campaign, resolved_at=None).order_by().values_list("item_id")
    return Standing(
        campaign.overlap,
        ids,
        contexts,
        preferences,
        counts,
        set_aside=np.isin(ids, _table(set_aside.iterator(), width=1)),
        flagged=np.isin(ids, _table(flags.iterator(), width=1)),
    )


def complete_only(labels: Labels, overlap: int) -> Labels:
    """Return the labels of those units that have as many as the overlap asks for."""
    complete = np.bincount(labels.unit, minlength=len(labels.units)) >= overlap
    entering = complete[labels.unit]
    places = np.cumsum(complete) - 1
    return Labels(
        places[labels.unit[entering]],
        labels.rater[entering],
        labels.value[entering],
        labels.units[complete],
        labels.raters,
        labels.categories,
    )


def _table(rows: Iterable[tuple[int, ...]], width: int) -> Numbers:
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(-1, width)
