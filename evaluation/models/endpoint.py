"""Where a model is asked."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models

from evaluation.endpoint_rules import (
    check_address,
    check_key_variable,
    check_parameters,
    check_prices,
    check_switch,
)


class Endpoint(models.Model):
    """A model behind an OpenAI-compatible address. Its key stays in the environment; we keep the name."""

    name = models.SlugField(unique=True)
    base_url = models.CharField(
        max_length=500, validators=[check_address], help_text="For example https://models.example.org/v1"
    )
    model = models.CharField(max_length=200)
    key_env = models.CharField(
        "key variable",
        max_length=100,
        blank=True,
        validators=[check_key_variable],
        help_text="Name of the environment variable that holds the key; empty where no key is needed.",
    )
    parameters = models.JSONField(
        default=dict,
        blank=True,
        validators=[check_parameters],
        help_text='Sent with every call, e.g. {"max_tokens": 400}.',
    )
    concurrency = models.PositiveSmallIntegerField(
        default=8,
        validators=[MinValueValidator(1)],
        help_text="Calls under way at most, those of all workers together.",
    )
    deadline = models.PositiveIntegerField(default=120, help_text="Seconds that one call may take in all.")
    reasoning_switch = models.JSONField(
        default=dict,
        blank=True,
        validators=[check_switch],
        help_text='How reasoning is switched, where it can be: {"on": {parameters}, "off": {parameters}}.',
    )
    prices = models.JSONField(
        default=dict,
        blank=True,
        validators=[check_prices],
        help_text="US dollars per million tokens, such as "
        '{"input": 0.5, "cached": 0.05, "output": 1.5}; empty: the published price, where one is known.',
    )
    capabilities = models.JSONField(
        default=dict, blank=True, help_text="What was found out about the endpoint, and is remembered."
    )
    is_embedded = models.BooleanField(
        default=False, help_text="The small model that Tact brings: it shows that the path works, no more."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        """Save; what was found out about another address or model is forgotten."""
        moved = Endpoint.objects.filter(pk=self.pk).exclude(base_url=self.base_url, model=self.model)
        if moved.update(capabilities={}):
            self.capabilities = {}
        super().save(*args, **options)

    def clean(self) -> None:
        """Check empty parameters too, which Django's validators pass over: `[]` is no object."""
        try:
            check_parameters(self.parameters)
        except ValidationError as error:
            raise ValidationError({"parameters": error.messages}) from error

    def snapshot(self) -> dict[str, Any]:
        """Return what a run keeps of the endpoint, so that later edits do not change its story."""
        return {
            "name": self.name,
            "base_url": self.base_url,
            "model": self.model,
            "key_env": self.key_env,
            "parameters": self.parameters,
            "concurrency": self.concurrency,
            "deadline": self.deadline,
            "is_embedded": self.is_embedded,
            "reasoning_switch": self.reasoning_switch,
            "prices": self.prices,
        }
