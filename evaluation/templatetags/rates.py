"""How pages write rates, intervals and durations."""

from django import template

from evaluation.exporters.report import interval_text, percent

register = template.Library()
register.filter("percent", percent)
register.filter("interval", interval_text)


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
