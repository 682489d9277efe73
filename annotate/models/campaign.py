"""A campaign: which items are labelled, by whom, how often, under which guideline."""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q

from annotate.models.corpus import Context, Dataset, Preference

EXAMPLE_LABELS = "example labels that no recruited person gave"
EXAMPLE_NOTICE = f"{EXAMPLE_LABELS.capitalize()}."


class Campaign(models.Model):
    """One round of labelling every (context, preference) of a dataset, `overlap` times each."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="campaigns")
    overlap = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1)])
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    label_limit = models.PositiveIntegerField(
        null=True, blank=True, help_text="Most labels that one annotator gives; empty for no limit."
    )
    seed = models.PositiveBigIntegerField(
        help_text="From it come the item numbers and each annotator's order."
    )
    is_example = models.BooleanField(
        default=False, help_text="Labels were written as examples; no recruited person gave them."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=1), name="overlap_is_at_least_one"),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def example_notice(self) -> str:
        """Say so where the labels are examples; empty otherwise."""
        return EXAMPLE_NOTICE if self.is_example else ""

    @property
    def guideline(self) -> "Guideline":
        """Return the guideline in force, the newest."""
        return self.guidelines.latest("version")


class Guideline(models.Model):
    """A numbered text of the instructions, in Markdown. A new text is a new version."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign", "version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="guideline_version_once")]

    def __str__(self) -> str:
        return f"guideline {self.version} of {self.campaign}"


class Annotator(models.Model):
    """A person's seat in a campaign. It outlives the account, and so do its labels."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="annotators")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="annotator_seats",
    )
    pseudonym = models.CharField(max_length=40, help_text="Shown in exports instead of the name.")
    seed = models.PositiveBigIntegerField(help_text="From it comes this annotator's order of the items.")
    cursor = models.PositiveIntegerField(default=0, help_text="Place in that order reached so far.")
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["campaign", "pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="one_seat_per_user_and_campaign"),
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="pseudonym_once_per_campaign"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} in {self.campaign}"


class Item(models.Model):
    """What one label answers: should this preference guide a message in this context?

    `open_slots` counts the labels that may still be begun. Taking a slot is a conditional update;
    the constraint makes a label beyond the overlap impossible.
    """

    # Here and in the tables of labels, an index over several columns serves the foreign key that begins it.
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="items", db_index=False)
    number = models.PositiveIntegerField(
        help_text="0, 1, 2, ... in an order shuffled by the campaign's seed."
    )
    context = models.ForeignKey(Context, on_delete=models.PROTECT, related_name="items")
    preference = models.ForeignKey(Preference, on_delete=models.PROTECT, related_name="items")
    overlap = models.PositiveSmallIntegerField(help_text="The campaign's overlap.")
    open_slots = models.PositiveSmallIntegerField()
    set_aside = models.CharField(
        max_length=200, blank=True, help_text="Why a lead left this item out as borderline; empty if not."
    )

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "context", "preference"], name="item_once_per_campaign"
            ),
            models.UniqueConstraint(fields=["campaign", "number"], name="item_number_once_per_campaign"),
            models.CheckConstraint(
                condition=Q(open_slots__gte=0) & Q(open_slots__lte=F("overlap")),
                name="never_more_labels_than_overlap",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "number"], condition=Q(open_slots__gt=0), name="open_items_of_campaign"
            )
        ]

    def __str__(self) -> str:
        return f"item {self.number} of {self.campaign}"


class Exclusion(models.Model):
    """A lead's decision to set an item aside, or with an empty reason to take it back. Never edited."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="exclusions")
    reason = models.CharField(max_length=200, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["decided_at", "pk"]

    def __str__(self) -> str:
        return f"{self.item}: {self.reason or 'taken back'}"


class Assignment(models.Model):
    """What an annotator has to do with an item. *Held* and *labelled* take one of the item's slots."""

    class State(models.TextChoices):
        HELD = "held", "held until the lease ends"
        LABELLED = "labelled", "labelled"
        SKIPPED = "skipped", "skipped for now, or the lease ran out"
        FLAGGED = "flagged", "cannot decide"

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="assignments", db_index=False)
    annotator = models.ForeignKey(
        Annotator, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    state = models.CharField(max_length=10, choices=State, default=State.HELD)
    held_until = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="annotator_meets_item_once"),
            models.UniqueConstraint(
                fields=["annotator"], condition=Q(state="held"), name="annotator_holds_one_item"
            ),
            models.CheckConstraint(
                condition=Q(state="held", held_until__isnull=False)
                | (~Q(state="held") & Q(held_until__isnull=True)),
                name="only_a_held_item_has_a_lease",
            ),
        ]
        indexes = [
            models.Index(fields=["annotator", "state", "changed_at"], name="work_of_annotator"),
            models.Index(fields=["held_until"], condition=Q(state="held"), name="leases_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.item}, {self.annotator}: {self.state}"
