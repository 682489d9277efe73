"""Run the embedded model in the foreground."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from evaluation import local_model


class Command(TactCommand):
    """Run the embedded model in the foreground."""

    help = (
        "Run the small embedded model behind an OpenAI-compatible address of this machine, until stopped "
        "with Ctrl-C. It shows that the path works; its answers are not good."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--port`."""
        parser.add_argument("--port", type=int, default=8001, help="0 for any free one; 8001 by default.")

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        """Serve until stopped."""
        local_model.serve_until_interrupted(port, self.announce)

    def announce(self, base_url: str) -> None:
        """Tell where the model answers and how to make an endpoint of it."""
        self.stdout.write(
            f"The embedded model answers on {base_url}\n"
            f"Make it an endpoint: manage.py add_endpoint local --base-url {base_url} "
            f"--model {local_model.NAME}\nStop with Ctrl-C."
        )
        self.stdout.flush()
