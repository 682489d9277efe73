"""Results as plain data for JSON."""

from dataclasses import fields, is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """Return dataclasses, at any depth, as dictionaries; the keys of a dictionary become text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value
