"""A generation: one message that a model is asked for."""

from django.db import models

from annotate.models import Context, Profile
from evaluation.models.run import Run, Shard


class Outcome(models.TextChoices):
    """How a unit ended. `done`, `not_read`, `failed` and `skipped` add up to the plan."""

    PLANNED = "planned", "planned"
    DONE = "done", "done"
    NOT_READ = "not_read", "answered, not read"
    FAILED = "failed", "failed"
    SKIPPED = "skipped", "skipped"


class Generation(models.Model):
    """The message y(profile, context, sample) under a condition. All verdicts are on this one message."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="generations")
    shard = models.ForeignKey(Shard, on_delete=models.CASCADE, related_name="generations")
    key = models.CharField(max_length=64, help_text="SHA-256 of everything that changes what is asked.")
    profile = models.ForeignKey(Profile, on_delete=models.PROTECT, related_name="+")
    context = models.ForeignKey(Context, on_delete=models.PROTECT, related_name="+")
    condition = models.CharField(max_length=40)
    sample = models.PositiveSmallIntegerField(help_text="1, 2, 3, ...")
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PLANNED)
    reason = models.TextField(blank=True, help_text="Why it was not read, failed or was skipped.")
    reply = models.JSONField(null=True, blank=True, help_text="The raw reply, stored before it is read.")
    message = models.TextField(blank=True, help_text="What was read from the reply; only this is judged.")

    class Meta:
        ordering = ["run", "id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "key"], name="generation_key_once_per_run"),
            models.UniqueConstraint(
                fields=["run", "profile", "context", "condition", "sample"], name="generation_once_per_plan"
            ),
        ]
        indexes = [models.Index(fields=["run", "outcome"], name="generations_by_outcome")]

    def __str__(self) -> str:
        return f"{self.condition} {self.profile} / {self.context} / {self.sample}"
