"""Read which letter of those shown was chosen."""

import re
from typing import Any

from evaluation.judging.answers import NotRead, Prose
from evaluation.judging.plain import OPENERS, plain, says

LETTER_KEYS = ("answer", "choice", "letter", "option", "selection")

NOUN = r"\b(?:answer|choice|option|selection|pick|letter|reply|response|verdict|decision)"
SAYS = says(r"\bis\b|\bwould be\b")
VERB = (
    r"\b(?:choose|chose|pick|picked|select|selected|prefer|take|"
    r"go with|going with|went with|opt for|opted for)\s+"
)
KIND = r"(?:(?:the\s+)?(?:option|choice|reply|response|letter|candidate|answer)\s+)?"
# A letter stands alone: no letter, digit, apostrophe, hyphen or plus sign touches it.
ALONE = r"(?<![\w'’+#&/-])(?P<letter>[A-Za-z])(?![\w+#&-]|['’]\w|\.\w)"
STATEMENT = re.compile(rf"(?P<cue>{NOUN}{SAYS}|{VERB}|boxed\s*\{{){KIND}{OPENERS}{ALONE}", re.IGNORECASE)
DANGLING_CUE = re.compile(rf"(?:{NOUN}(?:{SAYS})?|{VERB}){KIND}{OPENERS}\Z", re.IGNORECASE)
LINE = re.compile(r"[^\n]+")
BARE = re.compile(r"[\W_]*(?P<letter>[A-Za-z])[\W_]*")
MENTION = re.compile(
    rf"(?:(?:option|choice|reply|response|letter|candidate|answer)\s+[(\[\"']?{ALONE}"
    rf"|[(\[](?P<bracketed>[A-Za-z])[)\]]|(?-i:(?<![\w'’+#&/-])(?P<capital>[A-Z])(?![\w+#&-]|['’](?!s\b)\w|\.\w)))",
    re.IGNORECASE,
)
ANOTHER = re.compile(
    rf"""["'”’)\]}}\s]*(?:\bor\b|\band\b|[/&,|]){KIND}{OPENERS}(?P<letter>[A-Z])(?![\w'’])"""
)
BEFORE_NEGATION = re.compile(
    r"(?:\bnot|\w+n['’]t|\bcannot|\bnever|\bneither|\bnor|\bno|\brather than|\binstead of|\bthan|\bexcept|"
    r"\bbut not|\banything but|\bagainst|\bavoid|\bunlike|\bover|\brule out|\breject)"
    r"\s+(?:\w+\s+){0,3}[(\[\"']?\Z",
    re.IGNORECASE,
)
AFTER_NEGATION = re.compile(
    r"""["'”’)\]]*\s+(?:is|was|seems|looks|would be|feels)?\s*"""
    r"(?:n['’]t|not|wrong|incorrect|worse|bad|never)\b",
    re.IGNORECASE,
)
# The article "a" is followed by the rest of its phrase; the answer A by one of these, a mark, or nothing.
AFTER_ANSWER = re.compile(
    r"""\s*(?:[^\w\s'’]|\Z|\n)|\s+(?:because|since|as|is|for|due|it|given|would|seems|fits|best|and|or|over|rather|"""
    r"""but|here|please|with|than|not|makes|was|if|by|on)\b""",
    re.IGNORECASE,
)


def letter_value(value: Any, letters: str) -> str | None:
    """Return the letter that a JSON value is, or None."""
    if not isinstance(value, str):
        return None
    match = BARE.fullmatch(_plain(value)) or re.fullmatch(
        rf"\s*{KIND}[(\[]?(?P<letter>[A-Za-z])[)\]]?\W*", _plain(value), re.IGNORECASE
    )
    return _on_menu(match["letter"], letters) if match else None


def letter_in_prose(prose: Prose, letters: str) -> str | NotRead | None:
    """Return the chosen letter: from the last answer line, else the only letter that is named.

    Off the menu where the answer names a letter that was not shown, or where several are named. None
    where none is, or where the text was cut before its answer.
    """
    text = _plain(prose.text)
    bare = BARE.fullmatch(text)
    if bare:
        return _on_menu(bare["letter"], letters) or NotRead.OFF_THE_MENU
    stated = _stated(text, prose.is_cut)
    if stated == "":
        return NotRead.OFF_THE_MENU
    if stated:
        return _on_menu(stated, letters) or NotRead.OFF_THE_MENU
    if prose.is_cut or prose.is_rest:
        return None
    named = _named(text) & set(letters.upper())
    return named.pop() if len(named) == 1 else NotRead.OFF_THE_MENU if named else None


def _stated(text: str, is_cut: bool) -> str | None:
    """Return the letter of the last answer line; "" where that line names two, None without one."""
    if is_cut and DANGLING_CUE.search(text):
        return None
    found: list[tuple[int, str]] = []
    for match in STATEMENT.finditer(text):
        letter = match["letter"]
        is_article = letter in "aAiI" and not AFTER_ANSWER.match(text, match.end())
        is_negated = BEFORE_NEGATION.search(text[max(0, match.start() - 60) : match.start()])
        is_last_word = is_cut and match.end() == len(text)
        if not (is_article or is_negated or is_last_word):
            found.append((match.end(), "" if ANOTHER.match(text, match.end()) else letter))
    found += _alone_on_line(text, is_cut)
    return max(found)[1] if found else None


def _alone_on_line(text: str, is_cut: bool) -> list[tuple[int, str]]:
    """Return the letter that is all of the last line, or all of the first; "" for a list of several."""
    lines = [line for line in LINE.finditer(text) if re.search(r"\w", line[0])]
    bare = [(line, match["letter"]) for line in lines if (match := BARE.fullmatch(line[0]))]
    if len({letter.upper() for _, letter in bare}) > 1:
        return [(bare[-1][0].end(), "")] if bare[-1][0] is lines[-1] else []
    return [
        (line.end(), letter)
        for line, letter in bare
        if line in (lines[0], lines[-1]) and not (is_cut and line.end() == len(text))
    ]


def _named(text: str) -> set[str]:
    """Return the letters that the text names without turning them down."""
    named = set()
    for match in MENTION.finditer(text):
        group = match.lastgroup or "letter"
        letter, end = match[group], match.end(group)
        is_article = group == "capital" and letter in "AI" and not AFTER_ANSWER.match(text, end)
        if group == "letter" and letter in "ai" and not AFTER_ANSWER.match(text, end):
            is_article = True
        is_negated = BEFORE_NEGATION.search(
            text[max(0, match.start() - 60) : match.start()]
        ) or AFTER_NEGATION.match(text, end)
        if not (is_article or is_negated):
            named.add(letter.upper())
    return named


def _on_menu(letter: str, letters: str) -> str | None:
    return letter.upper() if letter.upper() in letters.upper() else None


def _plain(text: str) -> str:
    return plain(text).replace("_", "")
