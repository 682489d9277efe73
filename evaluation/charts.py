"""Figures of a run, drawn on the server as SVG, for light and for dark pages."""

from typing import Any

import altair as alt

from annotate.figures import Theme, svg
from evaluation.exporters.report import METRICS, report_parts
from evaluation.reports import Report

RATES = ("mr", "aar")
KINDS = ("all", "domain", "category")


def rates_figure(report: Report, theme: Theme) -> str:
    """Draw MR and AAR with their intervals, of the whole and by domain and category, as SVG."""
    rows = [row for row in figure_rows(report) if row["value"] is not None]
    legend = alt.Legend(title=None, orient="top", labelColor=theme.ink)
    names = [METRICS[metric] for metric in RATES]
    chart = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("metric:N", sort=names, axis=None),
        color=alt.Color("metric:N", legend=legend).scale(domain=names, range=list(theme.two)),
    )
    intervals = chart.mark_rule(strokeWidth=2).encode(x=_rate_axis("low"), x2="high:Q")
    points = chart.mark_point(filled=True, size=70, opacity=1).encode(
        x=_rate_axis("value"), shape=alt.Shape("metric:N", legend=legend).scale(domain=names)
    )
    return svg(_facets(intervals + points, rows, theme), theme)


def figure_rows(report: Report) -> list[dict[str, Any]]:
    """Return what the figure shows: one row a condition, part and rate, in per cent."""
    rows = []
    for condition, found in report["conditions"].items():
        for kind, name, rates in report_parts(found):
            if kind in KINDS:
                rows += [
                    {
                        "condition": condition,
                        "part": f"{kind} {name}".strip(),
                        **_point(metric, rates[metric]),
                    }
                    for metric in RATES
                ]
    return rows


def _point(metric: str, estimate: Report) -> dict[str, Any]:
    value, interval = estimate["value"], estimate["interval"]
    return {
        "metric": METRICS[metric],
        "value": None if value is None else 100 * value,
        "low": 100 * interval["low"] if interval else None,
        "high": 100 * interval["high"] if interval else None,
    }


def _rate_axis(field: str) -> alt.X:
    return alt.X(f"{field}:Q", title="per cent", scale=alt.Scale(domain=[0, 100]))


def _facets(layers: alt.LayerChart, rows: list[dict[str, Any]], theme: Theme) -> alt.FacetChart:
    """Set one row a part and one column a condition."""
    parts = list(dict.fromkeys(row["part"] for row in rows))
    conditions = list(dict.fromkeys(row["condition"] for row in rows))
    return layers.properties(width=max(220, 440 // max(1, len(conditions))), height=28).facet(
        row=alt.Row(
            "part:N",
            sort=parts,
            title=None,
            header=alt.Header(labelAngle=0, labelAlign="left", labelColor=theme.ink, labelLimit=160),
        ),
        column=alt.Column(
            "condition:N", sort=conditions, title=None, header=alt.Header(labelColor=theme.ink)
        ),
        spacing=4,
    )
