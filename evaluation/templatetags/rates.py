"""How pages write the cells of tables, counts and durations."""

from typing import Any

from django import template

from evaluation.cost import dollars
from evaluation.reporting import tables

register = template.Library()
register.filter("dollars", dollars)


@register.filter
def cell(row: tables.Row, column: tables.Column) -> dict[str, Any]:
    """Return what a cell shows: its value, what it rests on, its interval, or why it has none."""
    found = row.cells.get(column.key)
    return {
        "is_estimate": isinstance(found, dict),
        "is_words": isinstance(found, str),
        "value": tables.written(found, column.unit),
        "counts": tables.counts(found),
        "interval": tables.interval(found, column.unit),
        "undefined": tables.why_undefined(found),
    }


@register.filter
def is_number(column: tables.Column) -> bool:
    """Tell whether a column stands to the right, as numbers do."""
    return column.unit == tables.Unit.COUNT


@register.filter
def grouped(value: int | None) -> str:
    """Write a count with its thousands apart; a count that nobody knows is *unknown*."""
    return "unknown" if value is None else f"{value:,}"


@register.filter
def seconds(value: float | None) -> str:
    """Write a number of seconds as `4 s`, `3 min 20 s` or `2 h 5 min`."""
    if value is None:
        return ""
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
