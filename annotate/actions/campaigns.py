"""Opening a campaign, seating its annotators, revising its guideline, closing and reopening it."""

import random
import secrets
from collections.abc import Iterator, Sequence
from itertools import batched

from django.contrib.auth.models import User
from django.db import transaction

from annotate.actions.seating import SEED_BITS, refuse_bad_slug, refuse_long, seat_all, seat_user
from annotate.actions.slots import release_item
from annotate.models import Annotator, Assignment, Campaign, Dataset, Guideline, Item
from annotate.problems import Problem

BATCH = 5_000
LONGEST_SLUG = Campaign._meta.get_field("slug").max_length or 0
LONGEST_NAME = Campaign._meta.get_field("name").max_length or 0
HIGHEST_OVERLAP = 100
HIGHEST_LIMIT = 2**31 - 1
HIGHEST_SEED = 2**SEED_BITS


@transaction.atomic
def create_campaign(
    *,
    slug: str,
    dataset: Dataset,
    users: Sequence[User] = (),
    label_sets: Sequence[str] = (),
    overlap: int = 3,
    name: str = "",
    guideline: str = "",
    label_limit: int | None = None,
    seed: int | None = None,
    is_example: bool = False,
    created_by: User | None = None,
) -> Campaign:
    """Open a campaign over every (context, preference) of a dataset.

    From the seed come the numbers of the items, the seeds of the annotators and which pseudonym each gets,
    so that neither numbers nor pseudonyms follow the order of the corpus or of `users`. A label set is a
    seat without an account, under its own name, for labels that come by a file.
    """
    refuse_bad_slug(Campaign, slug)
    refuse_long("title", name, LONGEST_NAME)
    _refuse_outside("overlap", overlap, 1, HIGHEST_OVERLAP)
    _refuse_outside("label limit", label_limit, 1, HIGHEST_LIMIT)
    _refuse_outside("seed", seed, 0, HIGHEST_SEED)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    campaign = Campaign.objects.create(
        slug=slug,
        name=name or slug,
        dataset=dataset,
        overlap=overlap,
        label_limit=label_limit,
        seed=seed,
        is_example=is_example,
        created_by=created_by,
    )
    chance = random.Random(seed)  # noqa: S311 (a repeatable order, no secret)
    revise_guideline(campaign, guideline, created_by)
    _create_items(campaign, chance)
    seat_all(campaign, campaign.annotators, users, label_sets, chance)
    return campaign


@transaction.atomic
def add_annotator(campaign: Campaign, user: User) -> Annotator:
    """Give a user a seat in an open campaign, with an order of items of their own."""
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    _refuse_if_closed(campaign)
    return seat_user(campaign, campaign.annotators, user, secrets.randbits(SEED_BITS))


@transaction.atomic
def end_seat(seat: Annotator) -> None:
    """Let an annotator label no more in this campaign; labels stay, and what they hold is given back."""
    Annotator.objects.select_for_update(no_key=True).get(pk=seat.pk)
    Annotator.objects.filter(pk=seat.pk).update(is_active=False)
    for assignment in seat.assignments.filter(state=Assignment.State.HELD):
        release_item(assignment)


def take_up_seat(seat: Annotator) -> None:
    """Let an annotator whose seat was ended label again."""
    Annotator.objects.filter(pk=seat.pk).update(is_active=True)


@transaction.atomic
def revise_guideline(campaign: Campaign, text: str, created_by: User | None = None) -> Guideline:
    """Put a new text of the guideline in force; the earlier versions stay."""
    last = campaign.guidelines.order_by("version").last()
    if last and last.text == text:
        return last
    version = last.version + 1 if last else 1
    return Guideline.objects.create(campaign=campaign, version=version, text=text, created_by=created_by)


def close_campaign(campaign: Campaign) -> None:
    """End labelling. Labels stay; none can be given or changed any more."""
    _refuse_if_closed(campaign)
    campaign.state = Campaign.State.CLOSED
    campaign.save(update_fields=["state"])


def reopen_campaign(campaign: Campaign) -> None:
    """Let labelling go on. What was frozen meanwhile stays as it is."""
    if not Campaign.objects.filter(pk=campaign.pk, state=Campaign.State.CLOSED).exists():
        raise Problem(f"Campaign {campaign} is open.")
    campaign.state = Campaign.State.OPEN
    campaign.save(update_fields=["state"])


def _refuse_outside(what: str, number: int | None, lowest: int, highest: int) -> None:
    if number is not None and not lowest <= number <= highest:
        raise Problem(f"The {what} is {number}; expected {lowest} to {highest}.")


def _refuse_if_closed(campaign: Campaign) -> None:
    if Campaign.objects.filter(pk=campaign.pk, state=Campaign.State.CLOSED).exists():
        raise Problem(f"Campaign {campaign} is closed.")


def _create_items(campaign: Campaign, chance: random.Random) -> None:
    contexts = list(campaign.dataset.contexts.order_by("position").values_list("pk", flat=True))
    preferences = list(campaign.dataset.preferences.order_by("position").values_list("pk", flat=True))
    if not contexts or not preferences:
        has_pairs = campaign.dataset.pairs.exists()
        advice = "It has contrast pairs: open a review instead." if has_pairs else "Import them first."
        raise Problem(
            f"Dataset {campaign.dataset} has {len(contexts)} contexts and {len(preferences)} preferences; "
            f"a campaign needs at least one of each. {advice}"
        )
    places = list(range(len(contexts) * len(preferences)))
    chance.shuffle(places)
    for batch in batched(_items(campaign, places, contexts, preferences), BATCH):
        Item.objects.bulk_create(batch)


def _items(
    campaign: Campaign, places: Sequence[int], contexts: Sequence[int], preferences: Sequence[int]
) -> Iterator[Item]:
    for number, place in enumerate(places):
        yield Item(
            campaign_id=campaign.pk,
            number=number,
            context_id=contexts[place // len(preferences)],
            preference_id=preferences[place % len(preferences)],
            overlap=campaign.overlap,
            open_slots=campaign.overlap,
        )
