"""What a rater may know of a validation sample: the own answers, by their places in the own order.

An address holds a place in that order and nothing else, so that it tells nothing of an item.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.contrib.auth.models import User

from annotate.allocation import RandomOrder
from annotate.models import Rater, ValidationItem, ValidationLabel, ValidationSample
from annotate.own_work import LABELS_FOR_PACE, minutes_left
from annotate.validation import TEXTS, words_of

MESSAGE = "message"


@dataclass(frozen=True)
class OwnSample:
    """How far a rater is; places count from 0. `answered` holds places, the lowest first."""

    rater: Rater
    total: int
    answered: tuple[int, ...]
    minutes_left: int | None
    last_saved: datetime | None

    @property
    def done(self) -> int:
        """Return the number of items answered."""
        return len(self.answered)

    @property
    def next_place(self) -> int | None:
        """Return the first place without an answer, None where every item has one."""
        answered = set(self.answered)
        return next((place for place in range(self.total) if place not in answered), None)

    @property
    def is_over(self) -> bool:
        """Tell whether the sample is closed or the seat ended."""
        return self.rater.sample.state == ValidationSample.State.CLOSED or not self.rater.is_active

    def before(self, place: int | None) -> int | None:
        """Return the last answered place before one, or before the end."""
        earlier = [each for each in self.answered if place is None or each < place]
        return max(earlier, default=None)

    def item_number(self, place: int) -> int:
        """Return the number of the item that the rater meets at a place."""
        return RandomOrder(self.rater.seed, self.total).number_at(place) + 1


def own_sample(rater: Rater) -> OwnSample:
    """Read how far a rater is."""
    total = rater.sample.items.count()
    rows = list(rater.labels.order_by("-changed_at").values_list("item__number", "changed_at"))
    numbers = np.array([number for number, _ in rows], dtype=np.int64)
    times = [changed_at for _, changed_at in rows[:LABELS_FOR_PACE]]
    return OwnSample(
        rater=rater,
        total=total,
        answered=tuple(sorted(RandomOrder(rater.seed, total).places_of(numbers - 1).tolist())),
        minutes_left=minutes_left(times, total - len(rows)),
        last_saved=times[0] if times else None,
    )


def validation_work(user: User) -> list[OwnSample]:
    """Return how far a user is in each of the own validation samples."""
    seats = user.rater_seats.filter(is_active=True).select_related("sample").order_by("-sample__created_at")
    return [own_sample(seat) for seat in seats]


def item_at(own: OwnSample, place: int) -> ValidationItem:
    """Return the item that the rater meets at a place."""
    items = ValidationItem.objects.select_related("sample")
    return items.get(sample=own.rater.sample_id, number=own.item_number(place))


def own_label(rater: Rater, item: ValidationItem) -> ValidationLabel | None:
    """Return the rater's present answer on an item."""
    return rater.labels.filter(item=item).first()


def texts_beside(item: ValidationItem) -> list[tuple[str, str]]:
    """Return what the message is judged by, each text under its name on pages, in the question's order."""
    return [(TEXTS[name], item.texts[name]) for name in item.sample.asked.texts if name != MESSAGE]


def own_labels(own: OwnSample, places: Sequence[int]) -> Iterator[tuple[int, ValidationLabel]]:
    """Yield what the rater answered at places, each with its place, in their order."""
    numbers = {own.item_number(place): place for place in places}
    labels = own.rater.labels.filter(item__number__in=numbers).select_related("item__sample")
    by_place = {numbers[label.item.number]: label for label in labels}
    yield from ((place, by_place[place]) for place in places)


def own_rows(own: OwnSample, places: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield what the rater answered at places, in their order, as the page shows it."""
    for place, label in own_labels(own, places):
        yield {
            "place": place + 1,
            "beside": [text for _, text in texts_beside(label.item)],
            "message": label.item.texts[MESSAGE],
            "answer": words_of(label.question, label.value),
            "comment": label.comment,
            "saved_at": label.changed_at,
        }
