"""How pages write estimates, counts and the words for reasons."""

from itertools import accumulate
from typing import Any

from django import template

from annotate.pairs import words_of
from annotate.wording import (
    LEFT_OUT_WORDS,
    EstimateData,
    counts_text,
    interval_method,
    interval_text,
    number_text,
    rate_text,
)

register = template.Library()
register.filter("rate", rate_text)
register.filter("spaced", words_of)
register.filter("number", number_text)
register.filter("counts", counts_text)
register.filter("method", interval_method)


@register.filter
def rate_interval(rate: EstimateData, digits: int = 1) -> str:
    """Write a rate's interval in per cent."""
    return interval_text(rate, rate=True, digits=digits)


@register.filter
def number_interval(estimate: EstimateData) -> str:
    """Write a coefficient's interval."""
    return interval_text(estimate, rate=False)


@register.filter
def reason_words(reason: str) -> str:
    """Say why an item does not enter gold."""
    return LEFT_OUT_WORDS[reason]


@register.filter
def grouped(count: int) -> str:
    """Write a count with its thousands apart."""
    return f"{count:,}"


@register.inclusion_tag("annotate/bar.html")
def bar(description: str, **parts: int) -> dict[str, Any]:
    """Draw counts side by side, in per cent of their sum; the keywords name their colours."""
    total = sum(parts.values())
    shares = [100 * count / total if total else 0 for count in parts.values()]
    starts = accumulate(shares, initial=0.0)
    return {"description": description, "parts": zip(parts, starts, shares, strict=False), "total": total}
