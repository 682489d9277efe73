"""Gold releases: numbered, hashed, never changed."""

from typing import Any, Never

from django.db import models

from annotate.models.campaign import EXAMPLE_NOTICE, Campaign, Guideline
from annotate.models.corpus import Context, Dataset, Preference


class ImmutableError(Exception):
    """Raised where something would change or remove a gold release."""


class ImmutableQuerySet(models.QuerySet):
    """Refuses the bulk operations that would pass by `save` and `delete`."""

    def _refuse(self, *args: Any, **kwargs: Any) -> Never:
        raise ImmutableError("A gold release is immutable; freeze a new one instead.")

    update = delete = bulk_update = _refuse

    def bulk_create(self, *args: Any, update_conflicts: bool = False, **kwargs: Any) -> Any:
        """Insert; refuse to update rows that are there."""
        if update_conflicts:
            self._refuse()
        return super().bulk_create(*args, **kwargs)


class ImmutableModel(models.Model):
    """A row that is written once."""

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert; refuse to update."""
        if not self._state.adding:
            raise ImmutableError("A gold release is immutable; freeze a new one instead.")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        """Refuse."""
        raise ImmutableError("A gold release is immutable; it cannot be removed.")


class GoldRelease(ImmutableModel):
    """The labels on which all annotators agreed, as of one moment, with what was left out and why."""

    class Origin(models.TextChoices):
        CAMPAIGN = "campaign", "frozen from a campaign"
        IMPORTED = "imported", "imported with its corpus"

    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="gold_releases")
    number = models.PositiveIntegerField()
    origin = models.CharField(max_length=10, choices=Origin)
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.PROTECT, related_name="gold_releases"
    )
    guideline = models.ForeignKey(
        Guideline, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    corpus_version = models.PositiveIntegerField()
    corpus_hash = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the labels in canonical form.")
    counts = models.JSONField(help_text="Items kept, and left out by reason.")
    agreement = models.JSONField(default=dict, help_text="The agreement report when it was frozen.")
    is_example = models.BooleanField(default=False)
    created_by = models.CharField(max_length=150, blank=True, help_text="Name of the account that froze it.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["dataset", "-number"]
        constraints = [models.UniqueConstraint(fields=["dataset", "number"], name="gold_release_number_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Return the name that commands take: `sample-1` is the first release of dataset `sample`."""
        return f"{self.dataset.slug}-{self.number}"

    @property
    def example_notice(self) -> str:
        """Say so where the labels are examples; empty otherwise."""
        return EXAMPLE_NOTICE if self.is_example else ""


class GoldLabel(ImmutableModel):
    """g(context, preference): 1 apply, 0 suppress."""

    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="labels")
    context = models.ForeignKey(Context, on_delete=models.PROTECT, related_name="+")
    preference = models.ForeignKey(Preference, on_delete=models.PROTECT, related_name="+")
    value = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "context", "preference"], name="one_gold_label_per_instance"
            ),
            models.CheckConstraint(condition=models.Q(value__in=(0, 1)), name="gold_is_apply_or_suppress"),
        ]

    def __str__(self) -> str:
        return f"{self.release}: {self.context}, {self.preference}: {self.value}"
