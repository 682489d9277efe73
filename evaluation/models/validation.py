"""Where a validation sample came from: the run, how it was drawn, and what each item is.

What people see of an item is frozen in `annotate`; what they must not see (gold label, side, verdict,
condition) stands here alone.
"""

from typing import Any

from django.db import models
from django.db.models import Q

from annotate.models import Preference, ValidationItem, ValidationSample
from evaluation.models.generation import Generation
from evaluation.models.run import Run
from evaluation.targets import VALIDATED


class RunSample(models.Model):
    """A sample of a run's answers, drawn once. It stays as drawn, whatever becomes of the run's verdicts."""

    sample = models.OneToOneField(ValidationSample, on_delete=models.PROTECT, related_name="run_sample")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="validation_samples")
    target = models.CharField(max_length=20, choices=[(name, name) for name in VALIDATED])
    seed = models.PositiveBigIntegerField()
    conditions = models.JSONField(help_text="The arms of the run that it was drawn from.")
    over = models.JSONField(help_text="What it is spread evenly over: part, category, domain, verdict.")
    strata = models.JSONField(
        help_text="Each stratum in order: its name, how many could be drawn, how many were."
    )

    class Meta:
        ordering = ["-sample__created_at", "-pk"]
        constraints = [models.CheckConstraint(condition=Q(target__in=VALIDATED), name="sample_target_known")]

    def __str__(self) -> str:
        return str(self.sample)


class SampledUnit(models.Model):
    """What an item of a sample is: an answer of the run and, for labels, the preference it is judged by.

    `part` is what rates are kept apart by: the gold label (suppress, apply), the side of a pair, or nothing.
    Two answers with one `together` were drawn as one. `stratum` is a place in the sample's `strata`.
    """

    run_sample = models.ForeignKey(RunSample, on_delete=models.PROTECT, related_name="units")
    item = models.OneToOneField(ValidationItem, on_delete=models.PROTECT, related_name="sampled_unit")
    generation = models.ForeignKey(Generation, on_delete=models.PROTECT, related_name="sampled_units")
    preference = models.ForeignKey(
        Preference, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    part = models.CharField(max_length=20, blank=True)
    stratum = models.PositiveIntegerField()
    together = models.CharField(max_length=200)
    category = models.CharField(max_length=100, blank=True)
    domains = models.JSONField(default=list)

    class Meta:
        ordering = ["run_sample", "item__number"]
        constraints = [
            models.UniqueConstraint(
                fields=["run_sample", "generation", "preference"], name="preference_once_per_sample"
            ),
            models.UniqueConstraint(
                fields=["run_sample", "generation"],
                condition=Q(preference__isnull=True),
                name="whole_answer_once_per_sample",
            ),
        ]

    def __str__(self) -> str:
        return f"what is {self.item}"

    @property
    def about(self) -> dict[str, Any]:
        """Return what of the corpus the item is about."""
        named = self.preference.text if self.preference else ""
        return {**self.generation.about(), **({"preference": named} if named else {})}
