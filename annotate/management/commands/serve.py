"""Serve the site."""

import multiprocessing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from annotate.management.command import TactCommand
from annotate.problems import Problem


class Command(TactCommand):
    """`serve --port 8000` answers until it is stopped."""

    help = (
        "Serve the site until stopped with Ctrl-C: WEB_WORKERS processes of WEB_THREADS threads each. "
        "In the production profile run `manage.py collectstatic` first."
    )
    requires_migrations_checks = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen."""
        parser.add_argument("--host", default="127.0.0.1", help="127.0.0.1 by default: this machine only")
        parser.add_argument("--port", type=int, default=8000, help="8000 by default")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        """Check what serving needs, then serve."""
        check_static_files()
        self.check(databases=["default"])
        self.stdout.write(f"Tact is served on http://{host}:{port} (stop it with Ctrl-C).")
        self.stdout.flush()
        # A worker that were a copy of this process would share its open files and connections.
        multiprocessing.set_start_method("spawn", force=True)
        Granian(
            "config.wsgi:application",
            address=host,
            port=port,
            interface=Interfaces.WSGI,
            workers=settings.WEB_WORKERS,
            blocking_threads=settings.WEB_THREADS,
            respawn_failed_workers=True,
            log_level=LogLevels.warning,
        ).serve()


def check_static_files() -> None:
    """In production every stylesheet is served from where `collectstatic` puts it."""
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if settings.IS_PRODUCTION and not manifest.is_file():
        raise Problem(f"{manifest} is missing. Run `manage.py collectstatic --no-input` before serving.")
