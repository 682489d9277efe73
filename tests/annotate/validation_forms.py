"""A rater's page as its HTML has it, and the form that a browser would send from it."""

import html
import re
from dataclasses import dataclass
from typing import Any

from django.test import Client

ADDRESS, OWN = "/validation/sample-1/label/", "/validation/sample-1/own/"
HTMX = {"HX-Request": "true"}
HIDDEN = re.compile(r'name="(place|version|token)" value="([^"]*)"')
BUTTON = re.compile(r'<button name="answer" value="([^"]*)"[^>]*>([^<]*)<')
BESIDE = re.compile(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>")
MESSAGE = re.compile(r'<div id="message" class="verbatim">([^<]*)</div>')


@dataclass(frozen=True)
class Shown:
    """What a page shows: hidden fields, texts by their names, the message, answers by their keys."""

    hidden: dict[str, str]
    beside: dict[str, str]
    message: str
    answers: dict[str, str]


def shown_on(page: Any) -> Shown:
    """Read a page that shows an item."""
    content = page.content.decode()
    work = content.partition('class="foot"')[0]
    return Shown(
        dict(HIDDEN.findall(work)),
        {name: html.unescape(text) for name, text in BESIDE.findall(work)},
        html.unescape(MESSAGE.search(work)[1]),
        {key: html.unescape(words) for key, words in BUTTON.findall(work)},
    )


def send(client: Client, key: str, page: Any = None, change: Any = None, **options: Any) -> Any:
    """Press an answer's button on a page, which is opened first where none is given."""
    shown = shown_on(page or client.get(ADDRESS))
    return client.post(ADDRESS, {**shown.hidden, "answer": key, **(change or {})}, **options)
