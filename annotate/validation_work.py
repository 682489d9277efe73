"""What a lead sees of a validation sample: how far each rater is."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from annotate.models import Rater, ValidationItem, ValidationSample


@dataclass(frozen=True)
class RaterProgress:
    """How far one rater is; `cannot_tell` counts those of the labelled items on which they could not."""

    rater: Rater
    labelled: int
    cannot_tell: int
    items: int
    last_saved: datetime | None


def progress(sample: ValidationSample) -> list[RaterProgress]:
    """Return how far each rater of a sample is, those whose seat ended too."""
    return progress_of([sample])[sample.pk]


def progress_of(samples: Iterable[ValidationSample]) -> dict[int, list[RaterProgress]]:
    """Return how far the raters of each sample are, by its key, in two queries for all."""
    found: dict[int, list[RaterProgress]] = {sample.pk: [] for sample in samples}
    items = ValidationItem.objects.filter(sample__in=found).order_by()
    sizes = dict(items.values("sample").annotate(number=Count("pk")).values_list("sample", "number"))
    raters = Rater.objects.filter(sample__in=found).select_related("user").order_by("pk")
    for rater in raters.annotate(
        labelled=Count("labels"),
        cannot_tell=Count("labels", filter=Q(labels__value=None)),
        last=Max("labels__changed_at"),
    ):
        total = sizes.get(rater.sample_id, 0)
        row = RaterProgress(rater, rater.labelled, rater.cannot_tell, total, rater.last)
        found[rater.sample_id].append(row)
    return found
