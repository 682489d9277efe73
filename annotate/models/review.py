"""A review: which pairs are judged, by whom, and every answer, each kept as it was given."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate import judgements, pairs
from annotate.models.campaign import EXAMPLE_NOTICE
from annotate.models.corpus import Dataset
from annotate.models.pair import ContrastPair, choices

ANSWER_IS_KNOWN = Q(question=judgements.ACCEPTABILITY, answer__in=judgements.ACCEPTABLE) | Q(
    ~Q(question=judgements.ACCEPTABILITY), question__in=judgements.QUESTIONS, answer__in=judgements.YES_NO
)
SIDE_FITS_QUESTION = Q(question=judgements.CONTROL, side="") | Q(
    ~Q(question=judgements.CONTROL), side__in=pairs.SIDES
)


class Review(models.Model):
    """People judge a sample of a dataset's contrast pairs in two passes, each on their own."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    class Stratum(models.TextChoices):
        CATEGORY = "category", "situation category"
        DOMAIN = "domain", "domain"
        PREFERENCE = "preference", "preference"

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="reviews")
    corpus_version = models.PositiveIntegerField()
    corpus_hash = models.CharField(max_length=64)
    stratum = models.CharField(max_length=20, choices=Stratum, default=Stratum.CATEGORY)
    seed = models.PositiveBigIntegerField(help_text="From it come the sample and the numbers of its pairs.")
    guideline = models.TextField(blank=True, help_text="Instructions in Markdown.")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    is_example = models.BooleanField(
        default=False, help_text="Answers were written as examples; no recruited person gave them."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.slug

    @property
    def example_notice(self) -> str:
        """Say so where the answers are examples; empty otherwise."""
        return EXAMPLE_NOTICE if self.is_example else ""


# Where each stratum stands, seen from a pair.
STRATA = {
    Review.Stratum.CATEGORY: "category",
    Review.Stratum.DOMAIN: "preference__domain",
    Review.Stratum.PREFERENCE: "preference__key",
}


class ReviewedPair(models.Model):
    """A pair in the sample of a review."""

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="reviewed_pairs")
    pair = models.ForeignKey(ContrastPair, on_delete=models.PROTECT, related_name="reviewed")
    number = models.PositiveIntegerField(help_text="0, 1, 2, ... in an order shuffled by the review's seed.")

    class Meta:
        ordering = ["review", "number"]
        constraints = [
            models.UniqueConstraint(fields=["review", "pair"], name="pair_once_per_review"),
            models.UniqueConstraint(fields=["review", "number"], name="pair_number_once_per_review"),
        ]

    def __str__(self) -> str:
        return f"{self.pair} in {self.review}"


class Reviewer(models.Model):
    """An annotator's seat in a review. It outlives the account, and so do its answers."""

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="reviewers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reviewer_seats",
    )
    pseudonym = models.CharField(max_length=40, help_text="Shown in reports instead of the name.")
    seed = models.PositiveBigIntegerField(help_text="From it come this reviewer's orders.")
    second_pass_at = models.DateTimeField(
        null=True, blank=True, help_text="When the second pass was opened; from then on the first stays."
    )
    is_active = models.BooleanField(
        default=True, help_text="Answers of an ended seat stay, but reports and adjudication do without them."
    )

    class Meta:
        ordering = ["review", "pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["review", "user"], name="one_seat_per_user_and_review"),
            models.UniqueConstraint(fields=["review", "pseudonym"], name="pseudonym_once_per_review"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} in {self.review}"


class Sheet(models.Model):
    """One page of a reviewer: a situation of the first pass, or a pair of the second, which has no side.

    `version` grows with every save; the revisions hold every earlier answer. `place` and `shown` keep the
    orders in which the reviewer met it.
    """

    reviewer = models.ForeignKey(Reviewer, on_delete=models.PROTECT, related_name="sheets")
    pair = models.ForeignKey(ReviewedPair, on_delete=models.PROTECT, related_name="sheets")
    side = models.CharField(max_length=10, blank=True, choices=choices(pairs.SIDES))
    place = models.PositiveIntegerField(null=True, help_text="In the reviewer's order of that pass, from 0.")
    shown = models.JSONField(
        default=dict, help_text="Orders on the page: `sides`, and by side the roles of the replies."
    )
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reviewer", "pair", "side"], name="one_sheet_per_reviewer"),
            models.UniqueConstraint(
                fields=["reviewer", "place"], condition=Q(side=""), name="pair_place_once_per_reviewer"
            ),
            models.UniqueConstraint(
                fields=["reviewer", "place"], condition=~Q(side=""), name="situation_place_once_per_reviewer"
            ),
            models.CheckConstraint(condition=Q(side__in=("", *pairs.SIDES)), name="sheet_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.side or 'whole pair'} of {self.pair}, {self.reviewer}"


class SheetRevision(models.Model):
    """One saved page. The token of the form that brought it makes a repeat harmless. Never edited."""

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="revisions")
    version = models.PositiveIntegerField()
    token = models.UUIDField(unique=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["sheet", "version"]
        constraints = [models.UniqueConstraint(fields=["sheet", "version"], name="sheet_version_once")]

    def __str__(self) -> str:
        return f"version {self.version} of {self.sheet}"


class Judgement(models.Model):
    """One answer to one question, with the comment on it. Never edited."""

    revision = models.ForeignKey(SheetRevision, on_delete=models.PROTECT, related_name="judgements")
    question = models.CharField(max_length=20)
    side = models.CharField(max_length=10, blank=True, help_text="Empty for pair control.")
    answer = models.CharField(max_length=50)
    comment = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "question", "side"], name="one_answer_per_question_and_save"
            ),
            models.CheckConstraint(condition=ANSWER_IS_KNOWN, name="judgement_answer_known"),
            models.CheckConstraint(condition=SIDE_FITS_QUESTION, name="judgement_side_fits_question"),
        ]

    def __str__(self) -> str:
        return f"{self.question} {self.side}: {self.answer}"


class Adjudication(models.Model):
    """A lead's decision on a question that reviewers answered differently. Never edited; the latest holds."""

    pair = models.ForeignKey(ReviewedPair, on_delete=models.PROTECT, related_name="adjudications")
    question = models.CharField(max_length=20)
    side = models.CharField(max_length=10, blank=True, help_text="Empty for pair control.")
    answer = models.CharField(max_length=50)
    reason = models.TextField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["decided_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=ANSWER_IS_KNOWN, name="adjudication_answer_known"),
            models.CheckConstraint(condition=SIDE_FITS_QUESTION, name="adjudication_side_fits_question"),
        ]

    def __str__(self) -> str:
        return f"{self.pair}, {self.question} {self.side}: {self.answer}"
