"""Small campaigns in the database, for tests of what happens after labelling."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from django.contrib.auth.models import Group, User

from annotate.models import (
    Annotator,
    Assignment,
    Campaign,
    Context,
    CorpusVersion,
    Dataset,
    Flag,
    Guideline,
    Item,
    Label,
    LabelRevision,
    Preference,
)

GIVEN_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def make_user(name: str, group: str = "") -> User:
    """Make an account, in the group *annotator* or *lead* if named."""
    user = User.objects.create_user(name, password="a long enough password")
    if group:
        user.groups.add(Group.objects.get_or_create(name=group)[0])
    return user


def make_dataset(contexts: int = 2, preferences: int = 3, slug: str = "small") -> Dataset:
    """Make a dataset `slug` of contexts and preferences, without profiles."""
    dataset = Dataset.objects.create(slug=slug, name=slug.title(), content_hash="c" * 64)
    CorpusVersion.objects.create(dataset=dataset, version=1, content_hash="c" * 64, file_hash="f" * 64)
    Context.objects.bulk_create(
        Context(
            dataset=dataset,
            recipient=f"Recipient {n}",
            task=f"Task {n}",
            domains=["finance", "legal"] if n % 2 else ["health"],
            position=n,
        )
        for n in range(contexts)
    )
    Preference.objects.bulk_create(
        Preference(dataset=dataset, category="tone", text=f"Preference {n}", position=n)
        for n in range(preferences)
    )
    return dataset


def make_campaign(
    contexts: int = 2,
    preferences: int = 3,
    *,
    overlap: int = 3,
    annotators: int = 3,
    slug: str = "round-1",
    dataset: Dataset | None = None,
) -> Campaign:
    """Make a campaign over every (context, preference), with annotators `A1`, `A2`, ... and guideline 1."""
    dataset = dataset or make_dataset(contexts, preferences)
    campaign = Campaign.objects.create(slug=slug, name=slug, dataset=dataset, overlap=overlap, seed=1)
    Guideline.objects.create(campaign=campaign, version=1, text="Label what *fits*.")
    pairs = [(c, p) for c in dataset.contexts.all() for p in dataset.preferences.all()]
    Item.objects.bulk_create(
        Item(campaign=campaign, number=n, context=c, preference=p, overlap=overlap, open_slots=overlap)
        for n, (c, p) in enumerate(pairs)
    )
    for n in range(1, annotators + 1):
        user = User.objects.filter(username=f"person-{n}").first() or make_user(f"person-{n}", "annotator")
        Annotator.objects.create(campaign=campaign, user=user, pseudonym=f"A{n}", seed=n)
    return campaign


def give_label(campaign: Campaign, item_number: int, pseudonym: str, value: int) -> Label:
    """Save one label with its first revision, assignment and slot, as the annotator's page would."""
    item = campaign.items.get(number=item_number)
    annotator = campaign.annotators.get(pseudonym=pseudonym)
    label = Label.objects.create(item=item, annotator=annotator, value=value)
    LabelRevision.objects.create(
        label=label, version=1, value=value, guideline=campaign.guideline, token=uuid4()
    )
    Assignment.objects.update_or_create(
        item=item, annotator=annotator, defaults={"state": "labelled", "changed_at": GIVEN_AT}
    )
    item.open_slots -= 1
    item.save(update_fields=["open_slots"])
    return label


def give_labels(campaign: Campaign, rows: Sequence[str]) -> None:
    """Label item 0, 1, ... by one row each: `110` is A1 apply, A2 apply, A3 suppress; `-` is no label."""
    for number, row in enumerate(rows):
        for place, mark in enumerate(row, start=1):
            if mark != "-":
                give_label(campaign, number, f"A{place}", int(mark))


def raise_flag(campaign: Campaign, item_number: int, pseudonym: str, comment: str = "Unsure.") -> Flag:
    """Let an annotator say that they cannot decide an item."""
    item = campaign.items.get(number=item_number)
    annotator = campaign.annotators.get(pseudonym=pseudonym)
    Assignment.objects.update_or_create(
        item=item, annotator=annotator, defaults={"state": "flagged", "changed_at": GIVEN_AT}
    )
    return Flag.objects.create(item=item, annotator=annotator, comment=comment, token=uuid4())
