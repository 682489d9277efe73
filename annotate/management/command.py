"""What every command of Tact shares."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.problems import Problem


class TactCommand(BaseCommand):
    """A command whose problems end in one clear line and exit status 1."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; a `Problem` becomes a `CommandError` in the same words."""
        try:
            return super().execute(*args, **options)
        except Problem as problem:
            raise CommandError(str(problem)) from problem

    def add_format(self, parser: CommandParser, *others: str) -> None:
        """Add `--format text|json` and any other formats."""
        parser.add_argument("--format", choices=["text", "json", *others], default="text")

    def write_json(self, value: Any) -> None:
        """Write a report as JSON, keys in their own order."""
        self.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, default=str))
