"""What a lead settles: answered flags, and items left out as borderline."""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import Assignment, Campaign, Context, Exclusion, Flag, Item, Preference
from annotate.problems import Problem

LONGEST_REASON = Item._meta.get_field("set_aside").max_length or 0


@transaction.atomic
def resolve_flag(flag: Flag, answer: str, resolved_by: User | None = None) -> Flag:
    """Answer an annotator's *cannot decide*; the item comes back to that annotator with the answer.

    Raises `Problem` if the answer is empty or the flag was answered before.
    """
    answer = answer.strip()
    if not answer:
        raise Problem("The answer to a flag is empty; write what the annotator should go by.")
    resolution = {"resolution": answer, "resolved_by": resolved_by, "resolved_at": timezone.now()}
    if not Flag.objects.filter(pk=flag.pk, resolved_at=None).update(**resolution):
        raise Problem(
            f"The flag on {flag.item} has been answered already; reload the page to see the answer."
        )
    Assignment.objects.filter(
        item=flag.item, annotator=flag.annotator, state=Assignment.State.FLAGGED
    ).update(state=Assignment.State.SKIPPED, changed_at=timezone.now())
    flag.refresh_from_db()
    return flag


def set_aside_item(item: Item, reason: str, decided_by: User | None = None) -> None:
    """Leave one item out of gold as borderline; its labels stay."""
    if not _set_aside(Item.objects.filter(pk=item.pk), reason, decided_by):
        item.refresh_from_db(fields=["set_aside"])
        raise Problem(f"{item} is set aside already, for this reason: {item.set_aside}")


def set_aside_context(
    campaign: Campaign, context: Context, reason: str, decided_by: User | None = None
) -> int:
    """Leave a whole context out of gold as borderline; return how many items that added."""
    return _set_aside(campaign.items.filter(context=context), reason, decided_by)


def set_aside_preference(
    campaign: Campaign, preference: Preference, reason: str, decided_by: User | None = None
) -> int:
    """Leave a whole preference out of gold as borderline; return how many items that added."""
    return _set_aside(campaign.items.filter(preference=preference), reason, decided_by)


@transaction.atomic
def take_back_item(item: Item, decided_by: User | None = None) -> None:
    """Let an item that was set aside count again."""
    if not Item.objects.filter(pk=item.pk).exclude(set_aside="").update(set_aside=""):
        raise Problem(f"{item} is not set aside; there is nothing to take back.")
    Exclusion.objects.create(item=item, decided_by=decided_by)


@transaction.atomic
def _set_aside(items: QuerySet[Item], reason: str, decided_by: User | None) -> int:
    """Set aside those of `items` that are not yet, with a line of history each; return their number."""
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise Problem(
            f"The reason has {len(reason)} characters; expected 1 to {LONGEST_REASON} that say why "
            "the item is borderline."
        )
    locked = items.select_for_update().values_list("pk", "set_aside")
    new = [pk for pk, earlier_reason in locked if not earlier_reason]
    items.filter(set_aside="").update(set_aside=reason)
    Exclusion.objects.bulk_create(
        (Exclusion(item_id=pk, reason=reason, decided_by=decided_by) for pk in new), batch_size=10_000
    )
    return len(new)
