"""A reviewer's page as its HTML has it, and the form that a browser would send from it."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.test import Client

HIDDEN = re.compile(r'name="(place|version|token)" value="([^"]*)"')
CHOICE = re.compile(r'<input type="(\w+)" name="(q\d)" value="([^"]*)"([^>]*)> <span>(.*?)</span>', re.DOTALL)
CASE = re.compile(r"<dd>(.*?)</dd>", re.DOTALL)

SITUATIONS, PAIRS = "/reviews/review-1/situations/", "/reviews/review-1/pairs/"
BEGIN = "/reviews/review-1/begin-pairs/"
ALL_YES = {"q1": "yes", "q2": "yes", "q3": "yes"}
FIRST_REPLIES = {"q1": "yes", "q2": "1", "q3": ["1", "2"]}

Choices = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class Shown:
    """What a page shows: hidden fields, the texts of the case, choices by question, and what is chosen."""

    hidden: dict[str, str]
    case: list[str]
    texts: dict[str, dict[str, str]]
    chosen: dict[str, list[str]]


def shown_on(page: Any) -> Shown:
    """Read a page."""
    content = page.content.decode()
    shown = Shown(dict(HIDDEN.findall(content)), list(map(html.unescape, CASE.findall(content))), {}, {})
    for _, name, value, attributes, text in CHOICE.findall(content):
        shown.texts.setdefault(name, {})[value] = html.unescape(text)
        shown.chosen.setdefault(name, []).extend([value] if " checked" in attributes else [])
    return shown


def send(client: Client, address: str, choices: Choices, page: Any = None, **options: Any) -> Any:
    """Send choices from a page, which is opened first where none is given."""
    shown = shown_on(page or client.get(address))
    return client.post(address, {**shown.hidden, **choices}, **options)


def begin_pairs(client: Client) -> None:
    """Open the second pass, as its button does."""
    answer = client.post(BEGIN)
    assert (answer.status_code, answer.url) == (302, PAIRS)


def send_first_pass(client: Client, situations: int) -> None:
    """Answer every situation with yes."""
    for _ in range(situations):
        assert send(client, SITUATIONS, ALL_YES).status_code == 302
