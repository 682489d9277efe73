"""What a construction run found."""

from typing import Any

from evaluation.records import RunRecord


def construction_sections(record: RunRecord) -> dict[str, Any]:
    """Return the sections of the report that construction has of its own."""
    return {}
