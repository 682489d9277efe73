"""How reports write estimates, on pages, in a terminal and in datasheets: rates in per cent, the rest plain.

All take an estimate as plain data (`Estimate.as_dict()`).
"""

from typing import Any

type EstimateData = dict[str, Any]

LEFT_OUT_WORDS = {
    "set_aside": "set aside as borderline",
    "flagged": "flagged, not yet answered",
    "incomplete": "incomplete",
    "split": "split",
}
COEFFICIENT_WORDS = {
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
    "gwet_ac1": "Gwet's AC1",
}


def rate_text(rate: EstimateData, digits: int = 1) -> str:
    """Write a rate, such as `76.0 %`."""
    return "undefined" if rate["value"] is None else f"{100 * rate['value']:.{digits}f} %"


def number_text(estimate: EstimateData, digits: int = 3) -> str:
    """Write a coefficient, such as `0.655`, or with fewer digits a mean."""
    return "undefined" if estimate["value"] is None else f"{estimate['value']:.{digits}f}"


def counts_text(estimate: EstimateData) -> str:
    """Write what went in, such as `13 of 15`."""
    numerator, denominator = estimate["numerator"], estimate["denominator"]
    if numerator is None:
        return f"{denominator:,} items"
    return f"{numerator:,.1f} of {denominator:,}" if numerator % 1 else f"{numerator:,} of {denominator:,}"


def interval_text(estimate: EstimateData, *, rate: bool, digits: int = 1) -> str:
    """Write an interval's ends, a rate's in per cent with `digits`, or why there is none."""
    interval = estimate["interval"]
    if interval is None:
        return estimate["undefined_reason"] or estimate["no_interval_reason"] or "none"
    low, high = interval["low"], interval["high"]
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f} %" if rate else f"{low:.3f} to {high:.3f}"


def interval_method(estimate: EstimateData) -> str:
    """Say how an interval was made, and what is to be said about it."""
    interval = estimate["interval"]
    return "; ".join(filter(None, (interval["method"], interval["note"]))) if interval else ""


def estimate_line(name: str, estimate: EstimateData, *, rate: bool, digits: int = 1) -> str:
    """Write one estimate as a line of text; a rate's in per cent with `digits`."""
    value = rate_text(estimate, digits) if rate else number_text(estimate)
    if estimate["value"] is None:
        return f"{name}: undefined, {estimate['undefined_reason']}"
    line = f"{name}: {value} ({counts_text(estimate)})"
    if estimate["interval"]:
        interval = interval_text(estimate, rate=rate, digits=digits)
        return f"{line}; 95 % interval {interval} ({interval_method(estimate)})"
    return f"{line}; no interval: {reason}" if (reason := estimate["no_interval_reason"]) else line
