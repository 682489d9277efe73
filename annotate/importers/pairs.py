"""Contrast pairs and companions: how one is read, and what every file of pairs must keep to."""

from collections.abc import Callable, Sequence

from annotate.importers.corpus import CompanionRow, PairRow
from annotate.importers.fields import Fields
from annotate.importers.limits import KEY, PREFERENCE
from annotate.importers.reading import describe
from annotate.pairs import CATEGORIES, COMPANIONS, ROLES, SIDES, TIERS

FURTHEST = 1_000


def read_pair(fields: Fields) -> PairRow:
    """Read a line of kind *pair*."""
    fields.only(
        "kind", "id", "preference", "category", "tier", "distance", "request", "situations", "replies"
    )
    situations, replies = inner_texts(fields, "situations", SIDES), inner_texts(fields, "replies", ROLES)
    return PairRow(
        id=read_identifier(fields),
        preference=fields.text("preference", KEY),
        category=one_of(fields, "category", CATEGORIES),
        tier=one_of(fields, "tier", TIERS),
        distance=read_distance(fields),
        request=fields.text("request"),
        **situations,
        **replies,
    )


def read_identifier(fields: Fields) -> str:
    """Read the identifier of a pair, which is part of addresses."""
    identifier = fields.text("id", KEY)
    if "/" in identifier or identifier in (".", ".."):
        raise fields.problem("id", describe(identifier), "an identifier without '/' that is no '.' or '..'")
    return identifier


def inner_texts(fields: Fields, name: str, names: Sequence[str]) -> dict[str, str]:
    """Read an object of just these texts, no two of them the same."""
    inner = Fields(fields.get(name), fields.place, fields.inner(name))
    inner.only(*names)
    texts = {each: inner.text(each) for each in names}
    refuse_same_text(texts, inner.problem)
    return texts


def refuse_same_text(texts: dict[str, str], problem: Callable[[str, str, str], Exception]) -> None:
    """Refuse one text under two of the names."""
    first: dict[str, str] = {}
    for name, text in texts.items():
        if text in first:
            raise problem(name, f"{describe(text)} as in {first[text]}", "another text")
        first[text] = name


def one_of(fields: Fields, name: str, known: Sequence[str]) -> str:
    """Read a name among those known; capitals, spaces and hyphens may be as people write them."""
    value = fields.text(name)
    found = "_".join(value.strip().lower().replace("-", " ").split())
    if found not in known:
        raise fields.problem(name, describe(value), f"one of {', '.join(known)}")
    return found


def read_distance(fields: Fields) -> int:
    """Read a number of rounds, 1 or more."""
    value = fields.get("distance")
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= FURTHEST:
        raise fields.problem("distance", describe(value), f"a whole number from 1 to {FURTHEST:,}")
    return value


def read_companions(fields: Fields) -> tuple[CompanionRow, ...]:
    """Read the companions by kind, none where the field is missing; no text stands twice."""
    if "companions" not in fields.values:
        return ()
    inner = Fields(fields.get("companions"), fields.place, fields.inner("companions"))
    inner.only(*COMPANIONS)
    rows = [
        (kind, CompanionRow(kind, text))
        for kind in COMPANIONS
        if kind in inner.values
        for text in inner.texts(kind, PREFERENCE)
    ]
    first: dict[str, str] = {}
    for kind, row in rows:
        if row.text in first:
            raise inner.problem(kind, f"{describe(row.text)}, also {first[row.text]}", "each companion once")
        first[row.text] = kind
    return tuple(row for _, row in rows)
