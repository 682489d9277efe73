"""A run: one model asked under a plan that does not change, and measured against people's judgements."""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from annotate.models import Dataset, GoldRelease, Review
from evaluation.models.endpoint import Endpoint
from evaluation.targets import Duty


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
    release = models.ForeignKey(
        GoldRelease, null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    review = models.ForeignKey(
        Review,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="runs",
        help_text="Only pairs whose original direction every reviewer confirmed.",
    )
    validation = models.ForeignKey(
        "evaluation.RunSample",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="judging_runs",
        help_text="The sample of another run's answers that this run's endpoint judges.",
    )
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="runs")
    endpoint_snapshot = models.JSONField()
    arms = models.JSONField(
        default=list, help_text="What is varied: each arm with its name, settings, prompts."
    )
    samples = models.PositiveSmallIntegerField(help_text="Answers to each prompt.")
    seed = models.PositiveBigIntegerField()
    prompt_hashes = models.JSONField(help_text="SHA-256 of each prompt that the plan uses.")
    expected = models.JSONField(default=list, help_text="Calls and their size as planned, by who is asked.")
    cost_limit = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="US dollars that the run may cost in all.",
    )
    token_limit = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Tokens, input and output, that the run may use in all."
    )
    code_version = models.CharField(max_length=64)
    reader_version = models.PositiveSmallIntegerField(
        default=1, help_text="Version of the reading of replies that the stored values come from."
    )
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
            models.CheckConstraint(
                condition=~Q(benchmark="benchpres") | Q(release__isnull=False),
                name="benchpres_is_measured_against_gold",
            ),
            models.CheckConstraint(
                condition=Q(benchmark="validation", validation__isnull=False)
                | (~Q(benchmark="validation") & Q(validation__isnull=True)),
                name="only_a_judging_run_has_a_sample",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"

    @property
    def conditions(self) -> list[str]:
        """Return the names of the arms, in the order of the plan."""
        return [arm["name"] for arm in self.arms]

    def parameters_of(self, arm: str) -> dict[str, Any]:
        """Return what goes with every call of an arm, beside the temperature, which the question names.

        A judge is sent all that its endpoint names, as inside of a run.
        """
        snapshot, switch = self.endpoint_snapshot, self.arm(arm).get("reasoning")
        if self.validation_id is not None:
            return dict(snapshot["parameters"])
        parameters = {name: value for name, value in snapshot["parameters"].items() if name != "temperature"}
        if switch is None:
            return parameters
        return parameters | snapshot["reasoning_switch"]["on" if switch else "off"]

    def arm(self, name: str) -> dict[str, Any]:
        """Return the settings of an arm; KeyError where the run has none of that name."""
        return {arm["name"]: arm for arm in self.arms}[name]


class RunJudge(models.Model):
    """A judge of a run and what it is named for.

    A judge of labels has one category or, with none named, all that no other judge has.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="judges")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="judged_runs")
    endpoint_snapshot = models.JSONField()
    duty = models.CharField(max_length=20, choices=[(name, name) for name in Duty], default=Duty.LABELS)
    category = models.CharField(max_length=100, blank=True)
    is_subject = models.BooleanField(default=False, help_text="The judge is the model that it judges.")

    class Meta:
        ordering = ["run", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "endpoint", "duty", "category"], name="judge_once_per_category"
            )
        ]

    def __str__(self) -> str:
        return f"{self.endpoint} judges {self.category or self.duty} of {self.run}"


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
