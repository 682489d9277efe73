"""What an annotator may know of a campaign: the own work, and nothing that others' labels could shift."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import ceil
from statistics import median

from django.db.models import Q, QuerySet

from annotate.actions.assigning import item_count, labelled
from annotate.models import Annotator, Assignment, Flag, Item, Label

LONGEST_THOUGHT = timedelta(minutes=5)
LABELS_FOR_PACE = 21


@dataclass(frozen=True)
class OwnProgress:
    """How far the annotator is: labels given, the share expected, and minutes left at the own pace."""

    done: int
    share: int
    minutes_left: int | None
    last: Assignment | None

    @property
    def last_saved(self) -> datetime | None:
        """Return when the latest first label was saved."""
        return self.last.changed_at if self.last else None


def progress_of(seat: Annotator) -> OwnProgress:
    """Count the annotator's own labels and estimate the time that the rest takes."""
    done = labelled(seat).count()
    recent = list(labelled(seat).select_related("item").order_by("-changed_at")[:LABELS_FOR_PACE])
    share = max(done, expected_share(seat))
    minutes = minutes_left([assignment.changed_at for assignment in recent], share - done)
    return OwnProgress(done, share, minutes, recent[0] if recent else None)


def expected_share(seat: Annotator) -> int:
    """Return how many labels an annotator gives when all give equally many, up to the limit."""
    campaign = seat.campaign
    items, seats = item_count(campaign.pk), campaign.annotators.filter(is_active=True).count()
    share = min(items, ceil(items * campaign.overlap / max(seats, 1)))
    return min(share, campaign.label_limit or share)


def minutes_left(times: Sequence[datetime], labels_left: int) -> int | None:
    """Estimate minutes for the rest from the median gap between labels, newest first; pauses do not count.

    Returns `None` where nothing is left or fewer than three labels tell of the pace.
    """
    gaps = [later - earlier for later, earlier in pairwise(times)]
    working = [gap.total_seconds() for gap in gaps if gap <= LONGEST_THOUGHT]
    if labels_left < 1 or len(working) < 2:
        return None
    return max(1, round(median(working) * labels_left / 60))


def item_met(seat: Annotator, number: int) -> Assignment | None:
    """Return the annotator's assignment of an item; `None` where they have not met it."""
    met = seat.assignments.select_related("item__context", "item__preference")
    return met.filter(item__number=number, item__campaign=seat.campaign_id).first()


def labelled_before(assignment: Assignment) -> Assignment | None:
    """Return what the annotator labelled before an item, in the order of the own labelling."""
    earlier = labelled(assignment.annotator).select_related("item").order_by("-changed_at", "-pk")
    if assignment.state != Assignment.State.LABELLED:
        return earlier.first()
    same_moment = Q(changed_at=assignment.changed_at, pk__lt=assignment.pk)
    return earlier.filter(Q(changed_at__lt=assignment.changed_at) | same_moment).first()


def own_label(seat: Annotator, item: Item) -> Label | None:
    """Return the annotator's present answer on an item."""
    return Label.objects.filter(annotator=seat, item=item).first()


def own_flag(seat: Annotator, item: Item) -> Flag | None:
    """Return the annotator's latest *cannot decide* on an item, with the lead's answer if there is one."""
    return Flag.objects.filter(annotator=seat, item=item).last()


def own_labels(seat: Annotator) -> QuerySet[Label]:
    """Return the annotator's labels, the latest first."""
    labels = Label.objects.filter(annotator=seat).select_related("item__context", "item__preference")
    return labels.order_by("-changed_at", "-pk")


def order_of(seat: Annotator) -> list[int]:
    """Return the numbers of the items in the order in which the annotator first met them."""
    return list(seat.assignments.order_by("pk").values_list("item__number", flat=True))
