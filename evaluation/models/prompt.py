"""Prompts that leads add beside those that Tact brings: named, numbered, never changed once made."""

from typing import Any

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models

from evaluation.prompts import Prompt


class AddedPrompt(models.Model):
    """A wording of the generation prompt of BenchPreS; a new wording is a new number under the name."""

    name = models.SlugField(max_length=60)
    number = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])
    text = models.TextField(help_text="With the places $memory, $recipient and $task.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "number"]
        verbose_name = "prompt"
        constraints = [models.UniqueConstraint(fields=["name", "number"], name="one_prompt_per_number")]

    def __str__(self) -> str:
        return f"{self.name}-{self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        """Save a new prompt; one that is there stays as it is."""
        if self.pk:
            raise ValueError(f"Prompt {self} exists; a new wording is a new number.")
        super().save(*args, **options)

    def as_prompt(self) -> Prompt:
        """Return the prompt as those that Tact brings."""
        return Prompt.of(str(self), self.text)

    @property
    def sha256(self) -> str:
        """Return the hash that a run keeps of it."""
        return self.as_prompt().sha256
