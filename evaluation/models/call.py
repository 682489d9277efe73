"""The ledger: one row per HTTP attempt."""

from django.db import models

from evaluation.models.generation import Generation
from evaluation.models.run import Run
from evaluation.models.verdict import Verdict


class Call(models.Model):
    """What was sent, what came of it, and what it cost. Unknown token counts are empty, not zero."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="calls")
    generation = models.ForeignKey(
        Generation, null=True, blank=True, on_delete=models.CASCADE, related_name="calls"
    )
    verdict = models.ForeignKey(
        Verdict, null=True, blank=True, on_delete=models.CASCADE, related_name="calls"
    )
    attempt = models.PositiveSmallIntegerField()
    parameters = models.JSONField(help_text="The parameters that were really sent.")
    status = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="HTTP status; empty where none came."
    )
    outcome = models.CharField(max_length=20, help_text="answered, retry, fail_unit or stop_endpoint")
    error = models.TextField(blank=True, help_text="The endpoint's words.")
    started_at = models.DateTimeField()
    seconds = models.FloatField()
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(null=True, blank=True, help_text="Part of the input.")
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveIntegerField(null=True, blank=True, help_text="Part of the output.")
    may_be_billed_twice = models.BooleanField(default=False, help_text="A retry after a call that timed out.")

    class Meta:
        ordering = ["run", "id"]

    def __str__(self) -> str:
        return f"attempt {self.attempt}: {self.outcome}"
