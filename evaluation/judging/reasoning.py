"""Take reasoning out of a reply: it is never read as an answer."""

import json
import re

NAMES = r"(?:[a-z]+:)?(?:ant)?(?:think(?:ing)?|thoughts?|reason(?:ing)?(?:_content)?|reflection|scratchpad)"
TAG = re.compile(
    rf"(?P<opens>"
    rf"<\s*{NAMES}(?:\s[^<>]{{0,200}})?>|◁\s*{NAMES}\s*▷|\[\s*think\s*\]"
    rf"|<\|\s*begin_of_thought\s*\|>|<\|\s*channel\s*\|>\s*(?:analysis|commentary)\s*<\|\s*message\s*\|>"
    rf")|(?P<closes>"
    rf"<\s*/\s*{NAMES}\s*>|◁\s*/\s*{NAMES}\s*▷|\[\s*/\s*think\s*\]"
    rf"|<\|\s*end_of_thought\s*\|>|<\|\s*channel\s*\|>\s*final\s*<\|\s*message\s*\|>"
    rf")",
    re.IGNORECASE,
)
FIRST_OF_TAG = re.compile(r"[<◁\[]")


def strip_reasoning(text: str) -> tuple[str, bool]:
    """Return the text outside of reasoning blocks, and whether a block was left open.

    Blocks may nest. A closing mark without an opening one ends a block that began with the text. A mark
    inside a reply that is JSON as a whole is quoted, and no block.
    """
    if not FIRST_OF_TAG.search(text) or _is_json(text):
        return text, False
    kept: list[str] = []
    depth = position = 0
    for tag in TAG.finditer(text):
        if depth == 0:
            kept.append(text[position : tag.start()])
        if tag["opens"]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            kept.clear()
        position = tag.end()
    if depth == 0:
        kept.append(text[position:])
    return "".join(kept), depth > 0


def _is_json(text: str) -> bool:
    inside = text.strip()
    if inside.startswith("```") and inside.endswith("```"):
        inside = inside.removesuffix("```").partition("\n")[2]
    try:
        return isinstance(json.loads(inside, strict=False), dict)
    except (ValueError, RecursionError):
        return False
