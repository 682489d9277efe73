"""Figures of people's judgements, drawn on the server as SVG."""

from typing import Any

import altair as alt

from annotate.figures import Theme, svg
from annotate.pairs import words_of
from annotate.review_reports import QUESTION_WORDS
from annotate.wording import counts_text

Rates = dict[str, dict[str, dict[str, Any]]]

LETTER = 6.5  # the width of a letter of a name, in pixels


def disagreement_figure(rates: Rates, part: str, theme: Theme) -> str:
    """Draw how often reviewers differed, a row a category or preference and a column a question, as SVG.

    `rates` are those of `review_reports.disagreements` by `part`.
    """
    rows = disagreement_rows(rates, part)
    # Browsers may set the names wider than the server measures them.
    room = LETTER * max((len(row["part"]) for row in rows), default=0)
    shares = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "question:N", sort=list(QUESTION_WORDS), title=None, axis=alt.Axis(labelAngle=0, orient="top")
        ),
        y=alt.Y(
            "part:N",
            sort=[row["part"] for row in rows],
            title=None,
            axis=alt.Axis(labelLimit=240, minExtent=room),
        ),
    )
    colours = alt.Scale(domain=[0, 100], range=[theme.paper, theme.two[0]], interpolate="rgb")
    # Half as strong at most, so that the counts can be read on every box.
    boxes = shares.mark_rect(stroke=theme.line, fillOpacity=0.5).encode(
        color=alt.Color("share:Q", scale=colours, legend=None)
    )
    words = shares.mark_text(fontSize=11, color=theme.ink).encode(text="counts:N")
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
