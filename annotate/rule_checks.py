"""Rule checks of contrast pairs: what can be told about their wording without understanding them.

They run over pairs that people wrote and over pairs that a model wrote. Passing them says that the form is
right, nothing about whether the preference flips.

- `check_pair(pair, preference)`: lengths, minimal pair, repeated wording, telling cues of one pair
- `check_collection(pairs)`: texts used twice, and reply roles that their length gives away
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from annotate.importers.corpus import PairRow
from annotate.pairs import ROLES, SIDES

REQUEST_WORDS = (3, 20)
SITUATION_WORDS = (14, 40)
REPLY_WORDS = (14, 34)
# The longer of two situations, and the longest of four replies, as a multiple of the shortest.
SITUATION_RATIO = 1.4
REPLY_RATIO = 1.5
# Words that both situations share, of all the words of the shorter one.
SHARED_SHARE = 0.5
# Longest runs of words that may return: a preference's in another text, a reply's in another text.
PREFERENCE_RUN = 3
REPLY_RUN = 5
# No role is the longest, or the shortest, of its four replies in a larger share of pairs than this.
LENGTH_RANK_SHARE = 0.4
FEWEST_FOR_RANKS = 20

TELLING = re.compile(
    r"\b(prefer\w*|favou?rites?|usual(ly)?|always|normally|my tastes?|i (like|love|hate|want)|ignor\w+|should"
    r"|must|instead|this time|exception\w*|suitable|appropriate\w*|not for me|(doesn.t|does not|don.t) like"
    r"|remember\w*|memory|as (i|you) know)\b",
    re.IGNORECASE,
)
TELLING_REPLY = re.compile(
    r"\b(since you (like|love|prefer|enjoy|said)|as you (like|prefer|said|told)|your preference"
    r"|your memory|remember(ed)? that you|knowing (that )?you)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[\w']+")


@dataclass(frozen=True)
class Finding:
    """What a rule found wrong, in which text of which pair."""

    rule: str
    pair: str
    text: str
    found: str

    def __str__(self) -> str:
        return f"{self.pair}, {self.text}: {self.found} ({self.rule})"


class Text(NamedTuple):
    """One text of a pair under the name that messages give it."""

    name: str
    text: str


def check_pair(pair: PairRow, preference: str) -> list[Finding]:
    """Return what the rules find in one pair; empty where it passes."""
    return [
        Finding(rule.__name__.removeprefix("_").replace("_", " "), pair.id, name, found)
        for rule in RULES
        for name, found in rule(pair, preference)
    ]


def check_collection(pairs: Sequence[PairRow]) -> list[Finding]:
    """Return what the rules find across pairs: texts used twice, roles that their length gives away."""
    return [*_texts_used_twice(pairs), *_roles_told_by_length(pairs)]


def situations_of(pair: PairRow) -> list[Text]:
    """Return both situations under their names."""
    return [Text(f"{side} situation", getattr(pair, side)) for side in SIDES]


def replies_of(pair: PairRow) -> list[Text]:
    """Return the four replies under their names."""
    return [Text(f"reply {role}", getattr(pair, role)) for role in ROLES]


def _length(pair: PairRow, preference: str) -> Iterator[Text]:
    yield from _outside([Text("request", pair.request)], REQUEST_WORDS)
    for texts, bounds, ratio in (
        (situations_of(pair), SITUATION_WORDS, SITUATION_RATIO),
        (replies_of(pair), REPLY_WORDS, REPLY_RATIO),
    ):
        yield from _outside(texts, bounds)
        by_length = sorted(texts, key=lambda text: len(words(text.text)))
        shortest, longest = (len(words(by_length[at].text)) for at in (0, -1))
        if longest > ratio * shortest:
            found = f"{longest} words beside {shortest}; expected at most {ratio} times as many"
            yield Text(by_length[-1].name, found)


def _outside(texts: Sequence[Text], bounds: tuple[int, int]) -> Iterator[Text]:
    for name, text in texts:
        if not bounds[0] <= (count := len(words(text))) <= bounds[1]:
            yield Text(name, f"{count} words; expected {bounds[0]} to {bounds[1]}")


def _minimal_pair(pair: PairRow, preference: str) -> Iterator[Text]:
    counts = [Counter(words(text.text)) for text in situations_of(pair)]
    shared, shorter = (counts[0] & counts[1]).total(), min(count.total() for count in counts)
    if shared < SHARED_SHARE * shorter:
        yield Text("situations", f"{shared} of {shorter} words shared; expected at least {SHARED_SHARE:.0%}")
    if pair.positive == pair.negative:
        yield Text("situations", "the same text twice")


def _repeated_wording(pair: PairRow, preference: str) -> Iterator[Text]:
    stated = Text("preference", preference)
    replies, situations = replies_of(pair), situations_of(pair)
    for text in (Text("request", pair.request), *situations, *replies):
        yield from _shared_run(text, stated, PREFERENCE_RUN)
    for one, other in (*combinations(replies, 2), *((one, other) for one in replies for other in situations)):
        yield from _shared_run(one, other, REPLY_RUN)


def _shared_run(one: Text, other: Text, most: int) -> Iterator[Text]:
    shared = _runs(one.text, most + 1) & _runs(other.text, most + 1)
    if shared:
        yield Text(
            one.name, f"{min(shared)!r} also stands in the {other.name}; expected runs of {most} at most"
        )


def _runs(text: str, length: int) -> set[str]:
    found = words(text)
    return {" ".join(found[at : at + length]) for at in range(len(found) - length + 1)}


def _telling_cue(pair: PairRow, preference: str) -> Iterator[Text]:
    for texts, cues in ((situations_of(pair), TELLING), (replies_of(pair), TELLING_REPLY)):
        for name, text in texts:
            if cue := cues.search(text):
                yield Text(name, f"{cue.group()!r} tells outright whether to follow the preference")


RULES: tuple[Callable[[PairRow, str], Iterator[Text]], ...] = (
    _length,
    _minimal_pair,
    _repeated_wording,
    _telling_cue,
)


def _texts_used_twice(pairs: Sequence[PairRow]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for pair in pairs:
        for name, text in (*situations_of(pair), *replies_of(pair)):
            key = " ".join(words(text))
            if earlier := first.get(key):
                yield Finding("texts used twice", pair.id, name, f"the same text as {earlier}")
            first.setdefault(key, f"{pair.id}, {name}")


def _roles_told_by_length(pairs: Sequence[PairRow]) -> Iterator[Finding]:
    if len(pairs) < FEWEST_FOR_RANKS:
        return
    for extreme, pick in (("longest", max), ("shortest", min)):
        winners = Counter(pick(ROLES, key=lambda role: len(words(getattr(pair, role)))) for pair in pairs)
        for role, count in winners.items():
            if count > LENGTH_RANK_SHARE * len(pairs):
                found = f"the {extreme} of its four in {count} of {len(pairs)} pairs; expected at most "
                yield Finding(
                    "roles told by length", "all pairs", f"reply {role}", f"{found}{LENGTH_RANK_SHARE:.0%}"
                )


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return WORD.findall(text.lower().replace("’", "'"))
