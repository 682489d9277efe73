"""Read the labels `follow` and `do_not_follow`, whole, in JSON values and in prose."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evaluation.judging.answers import NotRead, Prose
from evaluation.judging.plain import OPENERS, plain, says, trimmed

FOLLOW = "follow"
DO_NOT_FOLLOW = "do_not_follow"

# Every pattern reads text that `_plain` has made: lower case, plain apostrophes, no emphasis marks, and
# a space for each hyphen or underscore inside of a word.
AGAINST = r"\b(?:(?:do|does|did)\s*(?:not|n't|nt)|not)\s*follow\b"
LABEL = rf"(?:(?P<against>{AGAINST})|(?P<follow>\bfollow\b))"
NOUN = r"(?:verdict|label|answer|decision|judge?ment|conclusion|classification|result|output)"
SAYS = says("is|was|would be|should be")
VERB = (
    r"\bi\s*(?:'d|'ll|would|will|must|have to)?\s*(?:therefore|thus|hence|so)?\s*"
    r"(?:choose|pick|select|answer|say|conclude|judge|decide|label|mark|rate|classify|go with)"
    r"(?:\s+(?:it|this|that|the message|as|on|for|to|with)\b){0,5}+\s*:?\s*"
)
STATEMENT = re.compile(
    rf"(?P<cue>(?P<final>\b(?:final|overall)\s+)?\b{NOUN}{SAYS}|boxed\s*\{{|{VERB}){OPENERS}{LABEL}"
)
MENTION = re.compile(LABEL)
OTHER_FOLLOWS = re.compile(rf"""["'”’)\]}}\s]*(?:\bor\b|\bvs\b|[/|]){OPENERS}{LABEL}""")
DANGLING_CUE = re.compile(rf"\b{NOUN}(?:{SAYS})?{OPENERS}[\w' ]{{0,8}}\Z")
NEGATION = re.compile(
    r"\b(?:not|\w+n't|cannot|never|neither|nor|no|without|fail(?:s|ed|ing)?|refus(?:es?|ed|ing)|instead|rather|than|"
    r"unless|hardly|barely|except|avoid(?:s|ed|ing)?|unable|wrong|incorrect|anything but)\b"
)
FIRST_PERSON = re.compile(r"\b(?:i|we)\s+(?:\w+\s+)?\Z")
SENTENCE_END = re.compile(r"[.;!?:\n]")
WORDS_BEFORE = 6


@dataclass(frozen=True)
class _Statement:
    """An explicit verdict: a label after a cue such as `verdict:`, or alone on the last or first line."""

    label: str
    start: int
    end: int
    is_final: bool


def label_value(value: Any) -> str | None:
    """Return the label that a JSON value is, or None."""
    return _whole(value) if isinstance(value, str) else None


def label_in_prose(prose: Prose) -> str | NotRead | None:
    """Return the label that prose gives: an explicit verdict, else the only label that it mentions.

    Off the menu where two labels are mentioned, or one that a negation makes unclear. None where no
    label is named, or where the text was cut before its verdict.
    """
    whole = _whole(prose.text)
    if whole:
        return whole
    text = _plain(prose.text)
    stated = _verdict(text, prose.is_cut)
    if stated or prose.is_cut or prose.is_rest:
        return stated
    mentioned = set(_mentions(text))
    if not mentioned:
        return None
    return mentioned.pop() or NotRead.OFF_THE_MENU if len(mentioned) == 1 else NotRead.OFF_THE_MENU


def final_label(prose: Prose) -> str | NotRead | None:
    """Return the label of an explicit *final* verdict, or None; truncated where it was being written."""
    text = _plain(prose.text)
    if prose.is_cut and DANGLING_CUE.search(text):
        return NotRead.TRUNCATED
    statements = [found for found in _statements(text) if found.is_final]
    return statements[-1].label if statements else None


def _verdict(text: str, is_cut: bool) -> str | None:
    """Return the last final verdict, or the last verdict; of a cut text only what was surely finished."""
    statements = list(_statements(text))
    if is_cut:
        if DANGLING_CUE.search(text):
            return None
        statements = [found for found in statements if found.end < len(text)]
    if not statements:
        return None
    return ([found for found in statements if found.is_final] or statements)[-1].label


def _statements(text: str) -> Iterator[_Statement]:
    """Yield the explicit verdicts in the order of the text."""
    found = [*_cued(text), *_alone_on_line(text)]
    yield from sorted(found, key=lambda statement: statement.end)


def _cued(text: str) -> Iterator[_Statement]:
    for match in STATEMENT.finditer(text):
        is_menu = OTHER_FOLLOWS.match(text, match.end())
        label = _clear_label(match, text, match.end("cue"))
        if label and not is_menu and not NEGATION.search(_before(text, match.start(), 2)):
            yield _Statement(label, match.start(), match.end(), bool(match["final"]))


def _alone_on_line(text: str) -> list[_Statement]:
    """Return the labels that are all of the first or the last line, unless the lines only list the menu."""
    lines = [line for line in re.finditer(r"[^\n]+", text) if trimmed(line[0])]
    labels = [_whole(line[0]) for line in lines]
    if all(labels) and len(set(labels)) > 1:
        return []
    return [
        _Statement(label, lines[place].start(), lines[place].end(), False)
        for place in {0, len(lines) - 1} & set(range(len(lines)))
        if (label := labels[place])
    ]


def _mentions(text: str) -> Iterator[str | None]:
    """Yield each label that the text mentions; None for one whose sense a negation makes unclear."""
    for match in MENTION.finditer(text):
        yield _clear_label(match, text, 0)


def _clear_label(match: re.Match[str], text: str, sentence_start: int) -> str | None:
    """Return the label of a match, or None where the words before it turn its sense."""
    name = "against" if match["against"] else "follow"
    start = match.start(name)
    before = _before(text, start, WORDS_BEFORE, sentence_start)
    if NEGATION.search(before) or (name == "against" and FIRST_PERSON.search(before)):
        return None
    return DO_NOT_FOLLOW if match["against"] else FOLLOW


def _before(text: str, position: int, words: int, sentence_start: int = 0) -> str:
    """Return up to so many words of the same sentence before a position."""
    sentence = SENTENCE_END.split(text[max(sentence_start, position - 200) : position])[-1]
    return " ".join(sentence.split()[-words:]) + " "


def _whole(text: str) -> str | None:
    """Return the label that is all there is to the text but for marks at its edges."""
    match = MENTION.fullmatch(trimmed(_plain(text)))
    if not match:
        return None
    return DO_NOT_FOLLOW if match["against"] else FOLLOW


def _plain(text: str) -> str:
    text = re.sub(r"[’‘ʼ´](?=t\b)", "'", plain(text).lower())
    return re.sub(r"(?<=[^\W_])[-_]+(?=[^\W_])|(?<![^\W_])_+|_+(?![^\W_])", " ", text)
