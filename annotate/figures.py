"""How every figure looks, and how it becomes SVG on the server, for light and for dark pages."""

from dataclasses import dataclass
from typing import Any

import altair as alt
import vl_convert


@dataclass(frozen=True)
class Theme:
    """Colours of a figure, those of the pages it stands on; `two` are for two things side by side."""

    paper: str
    ink: str
    line: str
    two: tuple[str, str]


THEMES = {
    "light": Theme("#fcfcfa", "#1c1f23", "#d9dbd7", ("#a3282b", "#1d5c8f")),
    "dark": Theme("#16181b", "#e6e7e9", "#363b41", ("#f29a94", "#8cc2ee")),
}


def svg(chart: alt.TopLevelMixin, theme: Theme) -> str:
    """Draw a chart in the colours of a theme."""
    return str(vl_convert.vegalite_to_svg(_themed(chart, theme)))


def png(chart: alt.TopLevelMixin, theme: Theme, scale: float = 2.0) -> bytes:
    """Draw a chart in the colours of a theme as PNG, larger than on a page by `scale`."""
    return bytes(vl_convert.vegalite_to_png(_themed(chart, theme), scale=scale))


def _themed(chart: alt.TopLevelMixin, theme: Theme) -> dict[str, Any]:
    themed = (
        chart.configure(background=theme.paper, font="system-ui, sans-serif")
        .configure_view(stroke=theme.line)
        .configure_axis(
            labelColor=theme.ink,
            titleColor=theme.ink,
            gridColor=theme.line,
            domainColor=theme.line,
            tickColor=theme.line,
        )
    )
    return dict(themed.to_dict())
