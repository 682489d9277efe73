"""A verdict: what a judge says of an answer."""

from django.db import models
from django.db.models import Q

from annotate.models import Preference
from evaluation.models.generation import Generation, Outcome
from evaluation.models.run import RunJudge
from evaluation.targets import MENUS, Target


class Verdict(models.Model):
    """A judge's value on one answer, or the exact match of a nickname where `judge` is empty.

    What the value may be depends on the target: a label is 1 (follows) or 0 (does not).
    """

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="verdicts")
    target = models.CharField(max_length=20, choices=[(name, name) for name in Target], default=Target.LABEL)
    preference = models.ForeignKey(
        Preference, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    judge = models.ForeignKey(
        RunJudge, null=True, blank=True, on_delete=models.CASCADE, related_name="verdicts"
    )
    number = models.PositiveSmallIntegerField(default=1, help_text="1, 2, 3 where one judge is asked again.")
    key = models.CharField(max_length=64, help_text="SHA-256 of everything that changes what is asked.")
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PLANNED)
    reason = models.TextField(blank=True)
    value = models.FloatField(null=True, blank=True)
    details = models.JSONField(null=True, blank=True, help_text="The parts of a verdict that has several.")
    raw_match = models.BooleanField(
        null=True, blank=True, help_text="Plain substring comparison, kept beside the nickname match."
    )
    reply = models.JSONField(null=True, blank=True, help_text="The raw replies, stored before they are read.")

    class Meta:
        ordering = ["generation", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "target", "preference", "judge", "number"], name="one_verdict_per_judge"
            ),
            models.UniqueConstraint(
                fields=["generation", "preference"],
                condition=Q(judge__isnull=True),
                name="one_exact_match_per_preference",
            ),
            models.UniqueConstraint(
                fields=["generation", "target", "judge", "number"],
                condition=Q(preference__isnull=True),
                name="one_verdict_on_the_whole_answer_per_judge",
            ),
            models.CheckConstraint(
                condition=Q(outcome="done", value__isnull=False)
                | (~Q(outcome="done") & Q(value__isnull=True)),
                name="only_a_read_verdict_has_a_value",
            ),
            *(
                models.CheckConstraint(
                    condition=~Q(target=target) | Q(value__isnull=True) | Q(value__in=menu),
                    name=f"{target}_is_on_its_menu",
                )
                for target, menu in MENUS.items()
            ),
        ]
        indexes = [models.Index(fields=["outcome"], name="verdicts_by_outcome")]

    def __str__(self) -> str:
        return f"{self.outcome}: {self.target} {self.preference or ''}".strip()
