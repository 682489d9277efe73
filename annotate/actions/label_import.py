"""Labels that were given elsewhere, brought in by a file: all of them or none."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import batched
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.importers.labels import LabelRow
from annotate.models import Assignment, Campaign, Context, Item, Label, LabelRevision, Preference
from annotate.problems import Problem

BATCH = 2_000
Key = tuple[int, int]  # (item id, annotator id)


@dataclass(frozen=True)
class LabelImport:
    """What an import of labels did."""

    added: int
    changed: int
    unchanged: int


@transaction.atomic
def import_labels(
    campaign: Campaign,
    rows: Iterable[LabelRow],
    saved_by: User | None = None,
    *,
    accept_changes: bool = False,
) -> LabelImport:
    """Save the labels of a file in the campaign; the same file again changes nothing.

    1. The annotators of the campaign wait until the import is done, and so does another import.
    2. Every row must name a seat and an item of the campaign, each pair once.
    3. Labels that differ from what is saved are refused unless `accept_changes`; then they are changes
       with the earlier answer kept.
    4. New labels take slots; more labels than the overlap are refused.
    """
    if campaign.state == Campaign.State.CLOSED:
        raise Problem(f"Campaign {campaign} is closed; labels can no longer be given or changed.")
    _lock_seats(campaign)
    answers = _answers(campaign, list(rows))
    saved = _saved_labels(campaign)
    new = {key: row for key, row in answers.items() if key not in saved}
    differing = {key: row for key, row in answers.items() if key in saved and saved[key].value != row.value}
    if differing and not accept_changes:
        _refuse_changes(differing)
    now = timezone.now()
    _take_slots(campaign, new, now)
    labels = [Label(item_id=item, annotator_id=seat, value=row.value) for (item, seat), row in new.items()]
    Label.objects.bulk_create(labels, batch_size=BATCH)
    changed = [_changed(saved[key], row, now) for key, row in differing.items()]
    Label.objects.bulk_update(changed, ["value", "version", "changed_at"], batch_size=500)
    _append_revisions(campaign, [*labels, *changed], saved_by)
    return LabelImport(len(new), len(differing), len(answers) - len(new) - len(differing))


def _lock_seats(campaign: Campaign) -> None:
    """Let annotators of the campaign wait: seats before assignments before items, as `slots` has it."""
    list(campaign.annotators.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _answers(campaign: Campaign, rows: Sequence[LabelRow]) -> dict[Key, LabelRow]:
    """Find the seat and the item of each row."""
    seats, items = _seats(campaign), _items(campaign)
    answers: dict[Key, LabelRow] = {}
    for row in rows:
        if row.annotator not in seats:
            raise Problem(
                f"Line {row.line}, field 'annotator': found {row.annotator!r}; expected an annotator of "
                f"campaign {campaign}: {', '.join(sorted(seats))}."
            )
        item = items.get((row.recipient, row.task, row.preference))
        if item is None:
            raise Problem(
                f"Line {row.line}: campaign {campaign} has no item with recipient {row.recipient!r}, task "
                f"{row.task!r} and preference {row.preference!r}; expected texts as in the dataset."
            )
        key = (item, seats[row.annotator])
        if key in answers:
            raise Problem(f"Line {row.line}: the same annotator and item stand in line {answers[key].line}.")
        answers[key] = row
    return answers


def _seats(campaign: Campaign) -> dict[str, int]:
    """Map both the account's name and the pseudonym to the seat; the account's name goes first."""
    rows = list(campaign.annotators.values_list("pseudonym", "user__username", "pk"))
    return {name: pk for name, _, pk in rows} | {user: pk for _, user, pk in rows if user}


def _items(campaign: Campaign) -> dict[tuple[str, str, str], int]:
    dataset = campaign.dataset_id
    contexts = {context.pk: context for context in Context.objects.filter(dataset=dataset)}
    preferences = dict(Preference.objects.filter(dataset=dataset).values_list("pk", "text"))
    items = campaign.items.order_by().values_list("pk", "context_id", "preference_id")
    return {
        (contexts[context].recipient, contexts[context].task, preferences[preference]): pk
        for pk, context, preference in items.iterator(chunk_size=10_000)
    }


def _saved_labels(campaign: Campaign) -> dict[Key, Label]:
    labels = Label.objects.filter(annotator__campaign=campaign)
    return {(label.item_id, label.annotator_id): label for label in labels.iterator(chunk_size=10_000)}


def _refuse_changes(differing: dict[Key, LabelRow]) -> None:
    first = next(iter(differing.values()))
    raise Problem(
        f"{len(differing)} labels differ from those saved, the first in line {first.line} "
        f"({first.annotator}, {first.recipient}, {first.preference!r}). Nothing was written. "
        "Accept the changes (--accept-changes) to save them; the earlier answers are kept."
    )


def _take_slots(campaign: Campaign, new: dict[Key, LabelRow], now: datetime) -> None:
    """Make the new labels' assignments, each with a slot unless the annotator held it already."""
    in_hand = Assignment.objects.filter(annotator__in={seat for _, seat in new}, state=Assignment.State.HELD)
    locked = in_hand.select_for_update(no_key=True).order_by("pk")
    held = set(locked.values_list("item_id", "annotator_id"))
    _take_counted_slots(campaign, Counter(item for item, seat in new if (item, seat) not in held))
    Assignment.objects.bulk_create(
        (
            Assignment(item_id=item, annotator_id=seat, state=Assignment.State.LABELLED, changed_at=now)
            for item, seat in new
        ),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["item", "annotator"],
        update_fields=["state", "held_until", "changed_at"],
    )


def _take_counted_slots(campaign: Campaign, wanted: Counter[int]) -> None:
    for slots in sorted(set(wanted.values())):
        items = sorted(item for item, count in wanted.items() if count == slots)
        for batch in batched(items, BATCH):
            _refuse_beyond_overlap(campaign, batch, slots)
            open_items = Item.objects.filter(pk__in=batch, open_slots__gte=slots)
            if open_items.update(open_slots=F("open_slots") - slots) != len(batch):
                raise Problem(f"Items of campaign {campaign} were taken at this very moment; import again.")


def _refuse_beyond_overlap(campaign: Campaign, batch: Sequence[int], slots: int) -> None:
    full = Item.objects.filter(pk__in=batch, open_slots__lt=slots).select_related("context", "preference")
    if item := full.first():
        raise Problem(
            f"With these labels the item {str(item.context)!r}, {str(item.preference)!r} would have more "
            f"than the {campaign.overlap} labels of campaign {campaign}; found {slots} new ones where "
            f"{item.open_slots} may still be given. Nothing was written."
        )


def _changed(label: Label, row: LabelRow, now: datetime) -> Label:
    label.value, label.version, label.changed_at = row.value, label.version + 1, now
    return label


def _append_revisions(campaign: Campaign, labels: Sequence[Label], saved_by: User | None) -> None:
    guideline = campaign.guideline
    LabelRevision.objects.bulk_create(
        (
            LabelRevision(
                label=label,
                version=label.version,
                value=label.value,
                guideline=guideline,
                token=uuid4(),
                saved_by=saved_by,
            )
            for label in labels
        ),
        batch_size=BATCH,
    )
