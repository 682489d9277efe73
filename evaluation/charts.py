"""Figures of a run, drawn on the server, for light and for dark pages. Each shows what a table holds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import altair as alt

from annotate.figures import Theme
from evaluation.pairpref.arms import GENERATION, SELECTION
from evaluation.reporting.pairpref_tables import settings_name

Report = dict[str, Any]
Rows = list[dict[str, Any]]

RATES = {"mr": "MR", "aar": "AAR"}
PARTS = ("domain", "category")


@dataclass(frozen=True)
class Figure:
    """A figure: what it is called, what it shows in words, its rows, and how they are drawn."""

    title: str
    words: str
    rows: Callable[[Report], Rows]
    draw: Callable[[Rows, Theme], alt.TopLevelMixin]


def rate_rows(report: Report) -> Rows:
    """Return MR and AAR in per cent of each arm, of the whole and by domain and category."""
    return [
        {"condition": arm, "part": part, **_point(words, rates[metric])}
        for arm, found in report["conditions"].items()
        for part, rates in _parts(found)
        for metric, words in RATES.items()
        if rates[metric]["value"] is not None
    ]


def draw_rates(rows: Rows, theme: Theme) -> alt.TopLevelMixin:
    """Draw rates with their intervals, a row a part and a column an arm."""
    legend = alt.Legend(title=None, orient="top", labelColor=theme.ink)
    names = list(RATES.values())
    chart = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("metric:N", sort=names, axis=None),
        color=alt.Color("metric:N", legend=legend).scale(domain=names, range=list(theme.two)),
    )
    intervals = chart.mark_rule(strokeWidth=2).encode(x=_per_cent("low", alt.X), x2="high:Q")
    points = chart.mark_point(filled=True, size=70, opacity=1).encode(
        x=_per_cent("value", alt.X), shape=alt.Shape("metric:N", legend=legend).scale(domain=names)
    )
    return _facets(intervals + points, rows, theme)


def plane_rows(report: Report) -> Rows:
    """Return MR and AAR of each arm with both intervals, in per cent."""
    rows = []
    for arm, found in report["conditions"].items():
        mr, aar = (_point(words, found[metric]) for metric, words in RATES.items())
        if mr["value"] is not None and aar["value"] is not None:
            rows.append(_crossed(arm, mr, aar))
    return rows


def draw_plane(rows: Rows, theme: Theme) -> alt.TopLevelMixin:
    """Draw the MR-AAR plane: the diagonal, on which nothing is told apart, and the ideal corner."""
    diagonal = (
        alt.Chart(alt.Data(values=[{"x": 0, "y": 0}, {"x": 100, "y": 100}]))
        .mark_line(color=theme.line, strokeDash=[4, 4])
        .encode(x="x:Q", y="y:Q")
    )
    corner = alt.Chart(alt.Data(values=[{"x": 0, "y": 100, "name": "ideal"}])).encode(x="x:Q", y="y:Q")
    ideal = corner.mark_point(shape="diamond", size=90, color=theme.two[1]) + corner.mark_text(
        align="left", dx=8, dy=8, color=theme.ink
    ).encode(text="name:N")
    return (diagonal + ideal + _crosses(rows, theme, "MR, per cent", "AAR, per cent")).properties(
        width=420, height=420
    )


def use_rows(report: Report) -> Rows:
    """Return use of both sides in generation and Delta in selection of each setting, in per cent."""
    rows = []
    for row in report["main"]:
        arms = report["arms"]
        if SELECTION in row and GENERATION in row:
            delta = _point("Delta", arms[row[SELECTION]]["delta"])
            both = _point("use both", arms[row[GENERATION]]["use_both"])
            if delta["value"] is not None and both["value"] is not None:
                rows.append(_crossed(settings_name(row["settings"]), delta, both))
    return rows


def draw_use(rows: Rows, theme: Theme) -> alt.TopLevelMixin:
    """Draw how often both sides use the preference in generation against what selection tells apart."""
    return _crosses(
        rows, theme, "Delta in selection, points", "Use both in generation, per cent", least=-20
    ).properties(width=420, height=420)


FIGURES: dict[str, dict[str, Figure]] = {
    "benchpres": {
        "rates": Figure(
            "Rates with their intervals",
            "MR (circles): the lower the better. AAR (squares): the higher the better. With 95 % intervals, "
            "of the whole and by domain and category.",
            rate_rows,
            draw_rates,
        ),
        "plane": Figure(
            "MR and AAR in one plane",
            "On the diagonal a model follows preferences as often where it should not as where it should; "
            "the ideal is the corner at the top left.",
            plane_rows,
            draw_plane,
        ),
    },
    "pairpref": {
        "use": Figure(
            "Use of both sides against Delta",
            "Up: answers use the preference in both situations. To the right: choices tell them apart.",
            use_rows,
            draw_use,
        ),
    },
}


def figures_of(report: Report) -> dict[str, Figure]:
    """Return the figures of a report that have something to show."""
    figures = FIGURES.get(report["benchmark"], {})
    return {name: figure for name, figure in figures.items() if figure.rows(report)}


def _parts(found: Report) -> list[tuple[str, Report]]:
    parts = [(f"{kind} {name}", rates) for kind in PARTS for name, rates in found[f"by_{kind}"].items()]
    return [("all", found), *parts]


def _point(metric: str, estimate: Report) -> dict[str, Any]:
    value, interval = estimate["value"], estimate["interval"]
    return {
        "metric": metric,
        "value": None if value is None else 100 * value,
        "low": 100 * interval["low"] if interval else None,
        "high": 100 * interval["high"] if interval else None,
    }


def _crossed(name: str, across: Report, up: Report) -> dict[str, Any]:
    """Return a point of a plane with an interval in each direction."""
    return {
        "name": name,
        **{f"x_{key}": across[key] for key in ("value", "low", "high")},
        **{f"y_{key}": up[key] for key in ("value", "low", "high")},
    }


def _crosses(rows: Rows, theme: Theme, across: str, up: str, least: float = 0) -> alt.LayerChart:
    """Draw named points with an interval in each direction."""
    chart = alt.Chart(alt.Data(values=rows))
    x, y = alt.Scale(domain=[least, 100]), alt.Scale(domain=[0, 100])
    wide = chart.mark_rule(color=theme.two[0]).encode(
        x=alt.X("x_low:Q", title=across, scale=x), x2="x_high:Q", y=alt.Y("y_value:Q", title=up, scale=y)
    )
    high = chart.mark_rule(color=theme.two[0]).encode(
        x=alt.X("x_value:Q", scale=x), y=alt.Y("y_low:Q", scale=y), y2="y_high:Q"
    )
    points = chart.mark_point(filled=True, size=80, opacity=1, color=theme.two[0]).encode(
        x=alt.X("x_value:Q", scale=x), y=alt.Y("y_value:Q", scale=y)
    )
    names = chart.mark_text(align="left", dx=7, dy=-8, color=theme.ink).encode(
        x=alt.X("x_value:Q", scale=x), y=alt.Y("y_value:Q", scale=y), text="name:N"
    )
    return wide + high + points + names


def _per_cent(field: str, channel: Any) -> Any:
    return channel(f"{field}:Q", title="per cent", scale=alt.Scale(domain=[0, 100]))


def _facets(layers: alt.LayerChart, rows: Rows, theme: Theme) -> alt.FacetChart:
    """Set one row a part and one column an arm."""
    parts = list(dict.fromkeys(row["part"] for row in rows))
    arms = list(dict.fromkeys(row["condition"] for row in rows))
    return layers.properties(width=max(220, 440 // max(1, len(arms))), height=28).facet(
        row=alt.Row(
            "part:N",
            sort=parts,
            title=None,
            header=alt.Header(labelAngle=0, labelAlign="left", labelColor=theme.ink, labelLimit=160),
        ),
        column=alt.Column("condition:N", sort=arms, title=None, header=alt.Header(labelColor=theme.ink)),
        spacing=4,
    )
