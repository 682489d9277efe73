"""A verdict: is the preference reflected in the message?"""

from django.db import models
from django.db.models import Q

from annotate.models import Preference
from evaluation.models.generation import Generation, Outcome
from evaluation.models.run import RunJudge


class Verdict(models.Model):
    """z(message, preference): 1 follows, 0 does not; by a judge, or by exact match where `judge` is empty."""

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="verdicts")
    preference = models.ForeignKey(Preference, on_delete=models.PROTECT, related_name="+")
    judge = models.ForeignKey(
        RunJudge, null=True, blank=True, on_delete=models.CASCADE, related_name="verdicts"
    )
    key = models.CharField(max_length=64, help_text="SHA-256 of everything that changes what is asked.")
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PLANNED)
    reason = models.TextField(blank=True)
    value = models.PositiveSmallIntegerField(null=True, blank=True)
    raw_match = models.BooleanField(
        null=True, blank=True, help_text="Plain substring comparison, kept beside the nickname match."
    )
    reply = models.JSONField(null=True, blank=True, help_text="The raw reply, stored before it is read.")

    class Meta:
        ordering = ["generation", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "preference", "judge"], name="one_verdict_per_judge"
            ),
            models.UniqueConstraint(
                fields=["generation", "preference"],
                condition=Q(judge__isnull=True),
                name="one_exact_match_per_preference",
            ),
            models.CheckConstraint(
                condition=Q(outcome="done", value__in=(0, 1)) | (~Q(outcome="done") & Q(value__isnull=True)),
                name="only_a_read_verdict_has_a_value",
            ),
        ]
        indexes = [models.Index(fields=["outcome"], name="verdicts_by_outcome")]

    def __str__(self) -> str:
        return f"{self.outcome}: {self.preference}"
