"""What will not work as the environment stands, found at start."""

import os
from collections.abc import Sequence
from typing import Any

from django.apps.config import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import connections

from evaluation.models import Endpoint


@register(Tags.database)
def check_keys_are_set(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **options: Any
) -> list[CheckMessage]:
    """An endpoint names the variable that holds its key: this process should have that variable."""
    return [warning for name in databases or () for warning in _missing_keys(name)]


def _missing_keys(database: str) -> list[CheckMessage]:
    """Return a warning for each endpoint without its key; none before the first migration."""
    if Endpoint._meta.db_table not in connections[database].introspection.table_names():
        return []
    endpoints = Endpoint.objects.using(database).exclude(key_env="").only("name", "key_env")
    return [
        Warning(
            f"Endpoint {endpoint.name} takes its key from {endpoint.key_env}, which is not set here.",
            hint=f"Set {endpoint.key_env} in the environment of the worker, or correct the endpoint.",
            obj=endpoint,
            id="evaluation.W001",
        )
        for endpoint in endpoints
        if not os.environ.get(endpoint.key_env)
    ]


@register(Tags.compatibility)
def check_broker_has_a_database_for_all(
    app_configs: Sequence[AppConfig] | None, **options: Any
) -> list[CheckMessage]:
    """A broker is there for workers on several machines, which a file of one of them does not serve."""
    if not settings.CELERY_BROKER_URL or not settings.ON_SQLITE:
        return []
    return [
        Warning(
            "CELERY_BROKER_URL is set, and the database is SQLite, a file of this machine: workers on other "
            "machines would look into files of their own and find no runs.",
            hint="Set DATABASE_URL to a PostgreSQL database, or leave CELERY_BROKER_URL out.",
            id="evaluation.W002",
        )
    ]
