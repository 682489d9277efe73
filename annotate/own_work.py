"""What an annotator may know of a campaign: the own work, and nothing that others' labels could shift."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import ceil
from statistics import median

from django.db.models import Q, QuerySet

from annotate.labelling_sql import Seat, count_labelled, last_labelled, read_seat
from annotate.models import Annotator, Assignment, Item, Label

LONGEST_THOUGHT = timedelta(minutes=5)
LABELS_FOR_PACE = 21


@dataclass(frozen=True)
class OwnProgress:
    """How far the annotator is: labels given, the share expected, and minutes left at the own pace.

    `last_saved` and `last_item` tell when the annotator last labelled, and the number of what.
    """

    done: int
    share: int
    minutes_left: int | None
    last_saved: datetime | None = None
    last_item: int | None = None


def progress_of(annotator: Annotator) -> OwnProgress:
    """Count the annotator's own labels and estimate the time that the rest takes."""
    return progress_in(read_seat(annotator))


def progress_in(seat: Seat) -> OwnProgress:
    """Do the same with a seat that was read already."""
    done = count_labelled(seat.pk)
    recent = last_labelled(seat.pk, LABELS_FOR_PACE)
    share = max(done, expected_share(seat))
    minutes = minutes_left([moment for moment, _ in recent], share - done)
    return OwnProgress(done, share, minutes, *(recent[0] if recent else ()))


def expected_share(seat: Seat) -> int:
    """Return how many labels an annotator gives when all give equally many, up to the limit."""
    share = min(seat.item_count, ceil(seat.item_count * seat.overlap / max(seat.active_seats, 1)))
    return min(share, seat.label_limit or share)


def minutes_left(times: Sequence[datetime], labels_left: int) -> int | None:
    """Estimate minutes for the rest from the median gap between labels, newest first; pauses do not count.

    Returns `None` where nothing is left or fewer than three labels tell of the pace.
    """
    gaps = [later - earlier for later, earlier in pairwise(times)]
    working = [gap.total_seconds() for gap in gaps if gap <= LONGEST_THOUGHT]
    if labels_left < 1 or len(working) < 2:
        return None
    return max(1, round(median(working) * labels_left / 60))


def labelled_before(assignment: Assignment) -> int | None:
    """Return the number of what the annotator labelled before a labelled item, in the own order."""
    same_moment = Q(changed_at=assignment.changed_at, pk__lt=assignment.pk)
    earlier = Assignment.objects.filter(Q(changed_at__lt=assignment.changed_at) | same_moment)
    own = earlier.filter(annotator=assignment.annotator_id, state=Assignment.State.LABELLED)
    return own.order_by("-changed_at", "-pk").values_list("item__number", flat=True).first()


def own_label(seat: Annotator, item: Item) -> Label | None:
    """Return the annotator's present answer on an item."""
    return Label.objects.filter(annotator=seat, item=item).first()


def own_labels(seat: Annotator) -> QuerySet[Label]:
    """Return the annotator's labels, the latest first."""
    labels = Label.objects.filter(annotator=seat).select_related("item__context", "item__preference")
    return labels.order_by("-changed_at", "-pk")
