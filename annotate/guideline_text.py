"""A guideline's Markdown as HTML for pages."""

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

# Pages have their own h1 and h2, so a guideline's headings start below them.
PAGE_LEVELS = 2


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + PAGE_LEVELS)}"


MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
MARKDOWN.core.ruler.push("lower_headings", _lower_headings)


@lru_cache(maxsize=64)
def guideline_html(text: str) -> SafeString:
    """Render Markdown; HTML in it is shown as text and addresses of scripts are not linked."""
    return mark_safe(MARKDOWN.render(text))  # noqa: S308 (the renderer escapes everything of the text)
