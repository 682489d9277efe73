"""Figures of people's judgements, drawn on the server as SVG."""

from typing import Any

import altair as alt

from annotate.figures import Theme, svg
from annotate.pairs import words_of
from annotate.review_reports import QUESTION_WORDS
from annotate.wording import counts_text

Rates = dict[str, dict[str, dict[str, Any]]]


def disagreement_figure(rates: Rates, part: str, theme: Theme) -> str:
    """Draw how often reviewers differed, a row a category or preference and a column a question, as SVG.

    `rates` are those of `review_reports.disagreements` by `part`.
    """
    rows = disagreement_rows(rates, part)
    dark = theme.two[0]
    shares = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "question:N", sort=list(QUESTION_WORDS), title=None, axis=alt.Axis(labelAngle=0, orient="top")
        ),
        y=alt.Y("part:N", sort=[row["part"] for row in rows], title=None, axis=alt.Axis(labelLimit=240)),
    )
    colour = alt.Color("share:Q", scale=alt.Scale(domain=[0, 100], range=[theme.paper, dark]), legend=None)
    boxes = shares.mark_rect(stroke=theme.line).encode(color=colour)
    ink = alt.condition("datum.share > 55", alt.value(theme.paper), alt.value(theme.ink))
    words = shares.mark_text(fontSize=11).encode(text="counts:N", color=ink)
    return svg((boxes + words).properties(width=560, height=alt.Step(22)), theme)


def disagreement_rows(rates: Rates, part: str) -> list[dict[str, Any]]:
    """Return what the figure shows: one row a part and question, the share in per cent."""
    return [
        {
            "part": words_of(name) if part == "category" else name,
            "question": question,
            "share": 100 * (rate["value"] or 0),
            "counts": counts_text(rate),
        }
        for name, questions in rates.items()
        for question, rate in questions.items()
    ]
