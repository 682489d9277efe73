"""Mistakes in the settings, found at start: each with an id, what it leads to, and what to do."""

from collections.abc import Sequence
from typing import Any

from django.apps.config import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

Apps = Sequence[AppConfig] | None


@register(Tags.compatibility)
def check_web_workers(app_configs: Apps, **options: Any) -> list[CheckMessage]:
    """One process that writes to SQLite is faster than two that wait for each other."""
    if not settings.ON_SQLITE or settings.WEB_WORKERS == 1:
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
