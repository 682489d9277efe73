"""Add a prompt to be laid beside those that Tact brings."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from annotate.problems import Problem
from evaluation.actions import add_prompt


class Command(TactCommand):
    """`add_prompt NAME FILE`: the condition is called NAME-1, NAME-2, ..."""

    help = (
        "Add a wording of the generation prompt of BenchPreS from a text file with the places $memory, "
        "$recipient and $task. It becomes a condition of its own, NAME-NUMBER, and never changes: a new "
        "wording under the same name gets the next number."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the name and the file."""
        parser.add_argument("name", help="letters, digits, hyphens and underscores")
        parser.add_argument("path", type=Path)
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Add it, or say which condition has this text already."""
        try:
            text = options["path"].read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Problem(f"The prompt cannot be read from {options['path']}: {error}.") from error
        try:
            prompt = add_prompt(options["name"], text.removesuffix("\n"))
        except ValidationError as error:
            raise Problem(" ".join(error.messages)) from error
        if options["format"] == "json":
            return self.write_json({"condition": str(prompt), "sha256": prompt.sha256})
        self.stdout.write(f"The condition is {prompt}, SHA-256 {prompt.sha256}.")
