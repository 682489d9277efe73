"""A generation: one answer that the model under test is asked for."""

from typing import Any

from django.db import models
from django.db.models import Q

from annotate.models import Context, ContrastPair, Preference, Profile
from annotate.models.pair import choices
from annotate.pairs import SIDES
from evaluation.judging.reasoning import strip_reasoning
from evaluation.llm.reply import Reply
from evaluation.models.run import Run, Shard


class Outcome(models.TextChoices):
    """How a unit ended. `done`, `not_read`, `failed` and `skipped` add up to the plan."""

    PLANNED = "planned", "planned"
    DONE = "done", "done"
    NOT_READ = "not_read", "answered, not read"
    FAILED = "failed", "failed"
    SKIPPED = "skipped", "skipped"


class Task(models.TextChoices):
    """What the model is asked to do."""

    MESSAGE = "message", "write a message"
    PROBE = "probe", "say whether a preference applies"
    SELECTION = "selection", "choose a reply"
    ANSWER = "answer", "answer a request"
    PREFERENCE_ONLY = "preference_only", "decide from preference and request"
    RELEVANT = "relevant", "decide whether the preference is relevant"
    SUFFICIENT = "sufficient", "decide whether the situation is sufficient"
    APPLY = "apply", "decide whether the preference applies"
    CANDIDATE = "candidate", "write a contrast pair"
    JUDGEMENT = "judgement", "judge an answer"


class Generation(models.Model):
    """One answer of the model under test, in one arm of the run. Verdicts are on what was read from it.

    BenchPreS asks about (profile, context), the probe about (context, preference); PairPref about one side
    of a pair, or about both where no side is named; construction about a preference; a judging run about
    one item of a validation sample.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="generations")
    shard = models.ForeignKey(Shard, on_delete=models.CASCADE, related_name="generations")
    key = models.CharField(max_length=64, help_text="SHA-256 of everything that changes what is asked.")
    task = models.CharField(max_length=20, choices=Task, default=Task.MESSAGE)
    profile = models.ForeignKey(Profile, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    context = models.ForeignKey(Context, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    preference = models.ForeignKey(
        Preference, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    pair = models.ForeignKey(
        ContrastPair, null=True, blank=True, on_delete=models.PROTECT, related_name="generations"
    )
    side = models.CharField(max_length=10, blank=True, choices=choices(SIDES))
    sampled = models.ForeignKey(
        "evaluation.SampledUnit", null=True, blank=True, on_delete=models.PROTECT, related_name="judgements"
    )
    condition = models.CharField(max_length=200, help_text="Name of the arm of the run.")
    sample = models.PositiveSmallIntegerField(help_text="1, 2, 3, ...")
    shown = models.JSONField(null=True, blank=True, help_text="Roles of the replies in the order shown.")
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PLANNED)
    reason = models.TextField(blank=True, help_text="Why it was not read, failed or was skipped.")
    reply = models.JSONField(null=True, blank=True, help_text="The raw replies, stored before they are read.")
    message = models.TextField(blank=True, help_text="The text that was read; only this is judged.")
    choice = models.CharField(
        max_length=20, blank=True, help_text="What was read from a closed question, such as a role."
    )

    class Meta:
        ordering = ["run", "id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "key"], name="generation_key_once_per_run"),
            models.CheckConstraint(
                condition=Q(context__isnull=False) | Q(pair__isnull=False) | Q(preference__isnull=False),
                name="generation_is_about_something",
            ),
            models.CheckConstraint(
                condition=~Q(task="message") | Q(profile__isnull=False, context__isnull=False),
                name="message_is_of_a_profile_in_a_context",
            ),
            models.CheckConstraint(
                condition=Q(task="judgement", sampled__isnull=False)
                | (~Q(task="judgement") & Q(sampled__isnull=True)),
                name="only_a_judgement_is_of_a_sample",
            ),
        ]
        indexes = [models.Index(fields=["run", "outcome"], name="generations_by_outcome")]

    def __str__(self) -> str:
        item = self.sampled and f"item {self.sampled.item.number}"
        parts = [item, self.profile, self.context, self.preference, self.pair, self.side]
        return " / ".join([self.condition, *(str(part) for part in parts if part), str(self.sample)])

    @property
    def reasoning(self) -> str:
        """Return what the model thought beside its answer, as far as it told; it is never judged."""
        if not isinstance(self.reply, list) or not self.reply:
            return ""
        reply = Reply.from_body(self.reply[-1])
        content = reply.content or ""
        answer, _ = strip_reasoning(content)
        inside = content.replace(answer, "", 1).strip() if answer.strip() != content.strip() else ""
        return "\n".join(part for part in (reply.reasoning, inside) if part)

    def about(self) -> dict[str, Any]:
        """Return what the generation is about, in the corpus' own names."""
        named = {
            "item": self.sampled and self.sampled.item.number,
            "profile": self.profile and self.profile.key,
            "recipient": self.context and self.context.recipient,
            "task": self.context and self.context.task,
            "preference": self.preference and self.preference.text,
            "pair": self.pair and self.pair.identifier,
            "side": self.side,
        }
        return {name: value for name, value in named.items() if value}
