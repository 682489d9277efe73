"""A run: one endpoint measured against one gold release, under a plan that does not change."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Dataset, GoldRelease
from evaluation.models.endpoint import Endpoint


class Run(models.Model):
    """The plan of a run and how far it has come."""

    class State(models.TextChoices):
        PLANNED = "planned", "planned"
        RUNNING = "running", "running"
        PAUSED = "paused", "paused"
        STOPPED = "stopped", "stopped"
        CANCELLED = "cancelled", "cancelled"
        DONE = "done", "done"

    benchmark = models.CharField(max_length=20, default="benchpres")
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="runs")
    corpus_version = models.PositiveIntegerField()
    corpus_hash = models.CharField(max_length=64)
    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="runs")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="runs")
    endpoint_snapshot = models.JSONField()
    conditions = models.JSONField(help_text="List of condition names.")
    samples = models.PositiveSmallIntegerField(help_text="Messages per profile, context and condition.")
    seed = models.PositiveBigIntegerField()
    temperature = models.FloatField(default=1.0)
    prompt_hashes = models.JSONField(help_text="SHA-256 of each prompt file that the plan uses.")
    code_version = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    state_reason = models.TextField(blank=True, help_text="Why it stopped, in the endpoint's words.")
    calls_perhaps_lost = models.PositiveIntegerField(
        default=0, help_text="Calls that were perhaps under way when a worker was killed, at most."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(samples__gte=1), name="a_run_has_samples"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"


class RunJudge(models.Model):
    """A judge of a run, for one category or, with none named, for all that no other judge has."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="judges")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="judged_runs")
    endpoint_snapshot = models.JSONField()
    category = models.CharField(max_length=100, blank=True)
    is_subject = models.BooleanField(default=False, help_text="The judge is the model that it judges.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "endpoint", "category"], name="judge_once_per_category")
        ]

    def __str__(self) -> str:
        return f"{self.endpoint} judges {self.category or 'every category'} of {self.run}"


class Shard(models.Model):
    """A small part of a run: one background task, safe to deliver twice."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="shards")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    worker = models.CharField(max_length=100, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["run", "number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="shard_number_once_per_run")]

    def __str__(self) -> str:
        return f"shard {self.number} of {self.run}"
