"""Endpoints that cannot be asked as the environment stands, found at start."""

import os
from collections.abc import Sequence
from typing import Any

from django.apps.config import AppConfig
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
