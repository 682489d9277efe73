"""Add a model endpoint."""

import json
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from annotate.problems import Problem
from evaluation.models import Endpoint


class Command(TactCommand):
    """`add_endpoint NAME --base-url URL --model MODEL --key-env VARIABLE`."""

    help = "Add an OpenAI-compatible endpoint. The key stays in the environment; only its name is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the address, the model, the name of the key's variable, and the parameters."""
        parser.add_argument("name", help="what commands and pages call it")
        parser.add_argument("--base-url", required=True, help="for example https://models.example.org/v1")
        parser.add_argument("--model", required=True, help="the model's name at that address")
        parser.add_argument("--key-env", default="", help="environment variable that holds the key")
        parser.add_argument("--parameters", default="{}", help="JSON object, e.g. '{\"max_tokens\": 400}'")
        parser.add_argument(
            "--reasoning-switch", default="{}", help='JSON: {"on": {parameters}, "off": {parameters}}'
        )
        parser.add_argument(
            "--prices",
            default="{}",
            help='JSON, US dollars per million tokens: {"input": 0.5, "output": 1.5}',
        )
        parser.add_argument(
            "--concurrency", type=int, default=8, help="calls under way, of all workers (default 8)"
        )
        parser.add_argument("--deadline", type=int, default=120, help="seconds that a call may take")
        parser.add_argument("--embedded", action="store_true", help="it is the small model that Tact brings")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Check every field, then save."""
        endpoint = Endpoint(
            name=options["name"],
            base_url=options["base_url"],
            model=options["model"],
            key_env=options["key_env"],
            parameters=_json_object("--parameters", options["parameters"]),
            reasoning_switch=_json_object("--reasoning-switch", options["reasoning_switch"]),
            prices=_json_object("--prices", options["prices"]),
            concurrency=options["concurrency"],
            deadline=options["deadline"],
            is_embedded=options["embedded"],
        )
        try:
            endpoint.full_clean()
        except ValidationError as error:
            raise Problem(_in_words(error)) from error
        endpoint.save()
        if options["format"] == "json":
            return self.write_json(endpoint.snapshot())
        self.stdout.write(f"Endpoint {endpoint.name}: model {endpoint.model} at {endpoint.base_url}.")


def _json_object(option: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Problem(
            f'{option} is no JSON ({error}); expected an object such as {{"max_tokens": 400}}.'
        ) from error


def _in_words(error: ValidationError) -> str:
    fields = error.message_dict if hasattr(error, "error_dict") else {"endpoint": error.messages}
    return " ".join(f"{field}: {' '.join(words)}" for field, words in fields.items())
