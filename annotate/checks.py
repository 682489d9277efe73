"""Mistakes in the settings, found at start: each with an id, what it leads to, and what to do."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps.config import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

SQLITE = "django.db.backends.sqlite3"
POSTGRESQL = "django.db.backends.postgresql"
Apps = Sequence[AppConfig] | None


@register(Tags.compatibility)
def check_database_engine(app_configs: Apps, **options: Any) -> list[CheckMessage]:
    """Only two databases are known to hold the rules that Tact leaves to its database."""
    engine = settings.DATABASES["default"]["ENGINE"]
    if engine in {SQLITE, POSTGRESQL}:
        return []
    return [
        Error(
            f"DATABASE_URL names a database of the kind {engine}, on which Tact is not tested.",
            hint="Use sqlite:////path/to/file or postgres://user:password@host/name.",
            id="annotate.E001",
        )
    ]


@register(Tags.compatibility)
def check_database_folder(app_configs: Apps, **options: Any) -> list[CheckMessage]:
    """SQLite makes its file, but not the folder."""
    database = settings.DATABASES["default"]
    folder = Path(database["NAME"]).parent
    if database["ENGINE"] != SQLITE or folder.is_dir():
        return []
    return [
        Error(
            f"The folder {folder} of the SQLite database does not exist.",
            hint="Make it, or correct DATABASE_URL (an absolute path has four slashes: sqlite:////path).",
            id="annotate.E002",
        )
    ]


@register(Tags.compatibility)
def check_web_workers(app_configs: Apps, **options: Any) -> list[CheckMessage]:
    """One process that writes to SQLite is faster than two that wait for each other."""
    if settings.DATABASES["default"]["ENGINE"] != SQLITE or settings.WEB_WORKERS == 1:
        return []
    return [
        Warning(
            f"WEB_WORKERS is {settings.WEB_WORKERS}, on SQLite, which has one writer at a time: "
            "saving a label will take longer than with one worker.",
            hint="Leave WEB_WORKERS out, or set DATABASE_URL to a PostgreSQL database.",
            id="annotate.W001",
        )
    ]


@register(Tags.security, deploy=True)
def check_https_at_the_proxy(app_configs: Apps, **options: Any) -> list[CheckMessage]:
    """Tact itself speaks plain HTTP: a redirect to HTTPS needs a proxy that says how the visitor came."""
    if not settings.SECURE_SSL_REDIRECT or settings.SECURE_PROXY_SSL_HEADER:
        return []
    return [
        Warning(
            "Visitors are sent to HTTPS, but BEHIND_PROXY is not set: behind a proxy that ends HTTPS, "
            "every page would be redirected to itself for ever.",
            hint="Set BEHIND_PROXY=true where a proxy ends HTTPS and sets X-Forwarded-Proto itself.",
            id="annotate.W002",
        )
    ]


@register(Tags.security, deploy=True)
def check_allowed_hosts(app_configs: Apps, **options: Any) -> list[CheckMessage]:
    """A star lets anybody choose the host name that password links carry."""
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    return [
        Warning(
            "ALLOWED_HOSTS contains *, so that Tact answers under any name.",
            hint="List the names under which Tact is reached.",
            id="annotate.W003",
        )
    ]
