"""A validation sample: answers of models that people label, so that judges can be checked against them.

Nothing here tells a gold label, a verdict, a model or a condition: what an annotator may reach cannot show
them. `evaluation` keeps where an item came from.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.campaign import EXAMPLE_NOTICE
from annotate.validation import QUESTIONS, Asked, Question, words_of

QUESTION_NAMES = [question.value for question in Question]
QUESTION_CHOICES = [(name, name) for name in QUESTION_NAMES]
VALUE_FITS_QUESTION = Q(value=None) | Q(
    *(Q(question=name.value, value__in=asked.values) for name, asked in QUESTIONS.items()), _connector=Q.OR
)


class ValidationSample(models.Model):
    """Answers that are labelled for one question. The items stay as they were drawn."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    question = models.CharField(max_length=20, choices=QUESTION_CHOICES)
    guideline = models.TextField(blank=True, help_text="Instructions in Markdown.")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    is_example = models.BooleanField(
        default=False, help_text="Labels were written as examples; no recruited person gave them."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(question__in=QUESTION_NAMES), name="sample_question_known")
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def asked(self) -> Asked:
        """Return the question with its answers."""
        return QUESTIONS[Question(self.question)]

    @property
    def example_notice(self) -> str:
        """Say so where the labels are examples; empty otherwise."""
        return EXAMPLE_NOTICE if self.is_example else ""


class ValidationItem(models.Model):
    """One answer to label, with all that a person sees of it, as it was when it was drawn."""

    sample = models.ForeignKey(ValidationSample, on_delete=models.PROTECT, related_name="items")
    number = models.PositiveIntegerField(help_text="1, 2, 3, ... in an order shuffled by the sample's seed.")
    texts = models.JSONField(help_text="What is shown, by name: the `message` and what it is judged by.")

    class Meta:
        ordering = ["sample", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "number"], name="item_number_once_per_sample")
        ]

    def __str__(self) -> str:
        return f"item {self.number} of {self.sample}"


class Rater(models.Model):
    """A person's seat in a validation sample. It outlives the account, and so do its labels."""

    sample = models.ForeignKey(ValidationSample, on_delete=models.PROTECT, related_name="raters")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="rater_seats"
    )
    pseudonym = models.CharField(max_length=40, help_text="Shown in reports instead of the name.")
    seed = models.PositiveBigIntegerField(help_text="From it comes this rater's order of the items.")
    is_active = models.BooleanField(
        default=True, help_text="Labels of an ended seat stay, but reports do without them."
    )

    class Meta:
        ordering = ["sample", "pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "user"], name="one_seat_per_user_and_sample"),
            models.UniqueConstraint(fields=["sample", "pseudonym"], name="pseudonym_once_per_sample"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} in {self.sample}"


class ValidationLabel(models.Model):
    """A rater's present answer on an item; no value means *cannot tell*.

    `version` grows with every change; the revisions hold every earlier answer.
    """

    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="labels")
    item = models.ForeignKey(ValidationItem, on_delete=models.PROTECT, related_name="labels")
    question = models.CharField(max_length=20, choices=QUESTION_CHOICES, help_text="That of the sample.")
    value = models.FloatField(null=True, blank=True)
    comment = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rater", "item"], name="one_validation_label_per_rater"),
            models.CheckConstraint(condition=VALUE_FITS_QUESTION, name="validation_label_on_the_menu"),
        ]

    def __str__(self) -> str:
        return f"{self.item}, {self.rater}: {words_of(self.question, self.value)}"


class ValidationLabelRevision(models.Model):
    """One saved answer. The token of the form that brought it makes a repeat harmless. Never edited."""

    label = models.ForeignKey(ValidationLabel, on_delete=models.PROTECT, related_name="revisions")
    version = models.PositiveIntegerField()
    token = models.UUIDField(unique=True)
    value = models.FloatField(null=True, blank=True)
    comment = models.TextField(blank=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["label", "version"]
        constraints = [
            models.UniqueConstraint(fields=["label", "version"], name="validation_label_version_once")
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.label}"
