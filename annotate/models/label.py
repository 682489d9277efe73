"""Labels with their whole history, and flags, which are no labels."""

from django.conf import settings
from django.core.validators import MinLengthValidator
from django.db import models

from annotate.models.campaign import Annotator, Guideline, Item


class Label(models.Model):
    """An annotator's present answer on an item: apply (1) or suppress (0).

    `version` grows with every change; the revisions hold every earlier answer.
    """

    class Value(models.IntegerChoices):
        SUPPRESS = 0, "suppress"
        APPLY = 1, "apply"

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="labels", db_index=False)
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="labels", db_index=False)
    value = models.PositiveSmallIntegerField(choices=Value)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="one_label_per_item_and_annotator"),
            models.CheckConstraint(condition=models.Q(value__in=(0, 1)), name="label_is_apply_or_suppress"),
        ]
        indexes = [models.Index(fields=["annotator", "changed_at"], name="labels_of_annotator_by_time")]

    def __str__(self) -> str:
        return f"{self.item}, {self.annotator}: {self.get_value_display()}"


class LabelRevision(models.Model):
    """One saved answer. The token of the form that brought it makes a repeat harmless."""

    label = models.ForeignKey(Label, on_delete=models.PROTECT, related_name="revisions", db_index=False)
    version = models.PositiveIntegerField()
    value = models.PositiveSmallIntegerField(choices=Label.Value)
    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, related_name="+")
    token = models.UUIDField(unique=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    saved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["label", "version"]
        constraints = [
            models.UniqueConstraint(fields=["label", "version"], name="label_version_once"),
            models.CheckConstraint(
                condition=models.Q(value__in=(0, 1)), name="revision_is_apply_or_suppress"
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.label}"


class Flag(models.Model):
    """*Cannot decide*, with the annotator's comment, until a lead answers it."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="flags")
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="flags")
    comment = models.TextField(validators=[MinLengthValidator(1)])
    token = models.UUIDField(unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    resolution = models.TextField(blank=True, help_text="The lead's answer, shown to the annotator.")
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.annotator} cannot decide {self.item}"
