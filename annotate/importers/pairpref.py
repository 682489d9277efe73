"""Read released rows of PairPref: JSON lines, one flat object a contrast pair.

The names that a row has by default are `FIELDS`. A file that calls them otherwise is read with a field map,
a JSON object from our name to the path of theirs, such as {"positive": "context.plus", "plain": "texts[0]"};
in it, "ignored" lists fields of theirs to pass over. A preferences file can add domain and companions.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from annotate.importers.corpus import Corpus, PairRow, PreferenceRow
from annotate.importers.fields import Fields, Seen
from annotate.importers.limits import DOMAIN, KEY, PREFERENCE
from annotate.importers.pairs import (
    one_of,
    read_companions,
    read_distance,
    read_identifier,
    refuse_same_text,
)
from annotate.importers.reading import BadInput, Place, describe, read_json_lines
from annotate.pairs import CATEGORIES, ROLES, SIDES, TIERS
from annotate.problems import Problem

SOURCE = "PairPref, released rows"
NEEDED = ("id", "preference", "category", "tier", "distance", "request", *SIDES, *ROLES)
OPTIONAL = ("preference_key", "domain", "companions")
FIELDS = (*NEEDED, *OPTIONAL)
IGNORED = "ignored"
STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d{1,9})\]")


@dataclass(frozen=True)
class FieldMap:
    """Where each of our fields stands in a row, as steps into it, and which fields are passed over."""

    paths: dict[str, tuple[str | int, ...]] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()

    def steps(self, name: str) -> tuple[str | int, ...]:
        """Return the steps to a field, by default its own name."""
        return self.paths.get(name, (name,))

    def known(self) -> set[str]:
        """Return the fields of a row that are read or passed over."""
        return {str(self.steps(name)[0]) for name in FIELDS} | self.ignored


def read_field_map(text: str) -> FieldMap:
    """Read a field map from JSON text; an empty text is the default. Raises `Problem`."""
    if not text.strip():
        return FieldMap()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Problem(
            f"The field map is no JSON ({error}); expected an object such as {example()}."
        ) from error
    if not isinstance(found, dict):
        raise Problem(f"The field map is {describe(found)}; expected an object such as {example()}.")
    ignored = found.pop(IGNORED, [])
    if not isinstance(ignored, list) or not all(isinstance(name, str) for name in ignored):
        raise Problem(f"The field map's {IGNORED!r} is {describe(ignored)}; expected a list of field names.")
    return FieldMap({name: read_path(name, path) for name, path in found.items()}, frozenset(ignored))


def example() -> str:
    """Show what a field map looks like."""
    return '{"positive": "context.plus", "memory": "options[0].text", "ignored": ["verdicts"]}'


def read_path(name: str, path: Any) -> tuple[str | int, ...]:
    """Read a path such as `options[0].text` into the steps that it takes."""
    if name not in FIELDS:
        raise Problem(f"The field map names {name!r}; expected some of {', '.join(FIELDS)}, {IGNORED}.")
    steps = list(STEP.finditer(path)) if isinstance(path, str) else []
    if not steps or "".join(step[0] for step in steps) != path:
        raise Problem(f"The field map has {describe(path)} for {name!r}; expected a path, as in {example()}.")
    return tuple(int(step[2]) if step[2] else step[1] for step in steps)


def parse_pairpref(
    file: BinaryIO,
    name: str,
    preferences_file: BinaryIO | None = None,
    preferences_name: str = "",
    field_map: str = "",
) -> Corpus:
    """Parse released rows into preferences with their companions, and pairs.

    Raises `BadInput`, also where two rows of one preference say different things about it, and `Problem`
    for a field map that is none.
    """
    gathered, fields_of = _Gathered(), read_field_map(field_map)
    for place, value in read_json_lines(file, name):
        gathered.add(*read_row(value, place, fields_of), place)
    if not gathered.pairs:
        Place(name).refuse("", "an empty file", "at least one row")
    if preferences_file is not None:
        gathered.complete(read_companions_file(preferences_file, preferences_name))
    return Corpus(
        name="PairPref",
        source=SOURCE,
        preferences=tuple(gathered.preferences.values()),
        pairs=tuple(gathered.pairs),
    )


def read_row(value: Any, place: Place, fields_of: FieldMap) -> tuple[PreferenceRow, PairRow]:
    """Read one row: a pair, and what it says of its preference."""
    fields = mapped(Fields(value, place), fields_of)
    identifier = read_identifier(fields)
    key = (
        fields.text("preference_key", KEY)
        if "preference_key" in fields.values
        else key_of(fields, identifier)
    )
    texts = {each: fields.text(each) for each in (*SIDES, *ROLES)}
    for names in (SIDES, ROLES):
        refuse_same_text({each: texts[each] for each in names}, fields.problem)
    preference = PreferenceRow(
        category="",
        text=fields.text("preference", PREFERENCE),
        key=key,
        domain=fields.optional_text("domain", DOMAIN),
        companions=read_companions(fields),
    )
    pair = PairRow(
        id=identifier,
        preference=key,
        category=one_of(fields, "category", CATEGORIES),
        tier=one_of(fields, "tier", TIERS),
        distance=read_distance(fields),
        request=fields.text("request"),
        **texts,
    )
    return preference, pair


def mapped(row: Fields, fields_of: FieldMap) -> Fields:
    """Return the row under our names; refuse what no name reads and nothing passes over."""
    for name in row.values:
        if name not in fields_of.known():
            expected = f"one of {', '.join(FIELDS)}, or a field map that reads it or lists it as {IGNORED}"
            raise BadInput(row.place, f"field {describe(name)}", "an unknown field", expected)
    values = {
        name: found for name in FIELDS if (found := at(row.values, fields_of.steps(name))) is not MISSING
    }
    for name in NEEDED:
        if name not in values:
            path = "".join(
                f"[{step}]" if isinstance(step, int) else f".{step}" for step in fields_of.steps(name)
            )
            raise row.problem(name, f"nothing at {path.removeprefix('.')}", "a value there, or a field map")
    return Fields(values, row.place)


MISSING = object()


def at(value: Any, steps: Iterable[str | int]) -> Any:
    """Follow the steps into a value; `MISSING` where they lead nowhere."""
    for step in steps:
        match value, step:
            case dict(), str() if step in value:
                value = value[step]
            case list(), int() if step < len(value):
                value = value[step]
            case _:
                return MISSING
    return value


def key_of(fields: Fields, identifier: str) -> str:
    """Return the key of the preference that an identifier begins with: M07 of M07-C6-c26634."""
    key, hyphen, _ = identifier.partition("-")
    if not key or not hyphen:
        expected = "an identifier such as M07-C6-c26634, or a field preference_key"
        raise fields.problem("id", describe(identifier), expected)
    return key


def read_companions_file(file: BinaryIO, name: str) -> dict[str, tuple[PreferenceRow, Place]]:
    """Read lines of {preference_key, domain, companions}, by key."""
    seen, found = Seen[str]("preference_key"), {}
    for place, value in read_json_lines(file, name):
        fields = Fields(value, place)
        fields.only("preference_key", "domain", "companions")
        key = fields.text("preference_key", KEY)
        seen.add(key, place)
        companions = read_companions(fields)
        row = PreferenceRow(
            "", "", key=key, domain=fields.optional_text("domain", DOMAIN), companions=companions
        )
        found[key] = (row, place)
    return found


@dataclass
class _Gathered:
    """The pairs read so far, and their preferences, each with the place that named it first."""

    preferences: dict[str, PreferenceRow] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    pairs: list[PairRow] = field(default_factory=list)
    seen: Seen[str] = field(default_factory=lambda: Seen("id"))

    def add(self, preference: PreferenceRow, pair: PairRow, place: Place) -> None:
        """Join one row with the others."""
        self.seen.add(pair.id, place)
        first = self.preferences.setdefault(preference.key, preference)
        where = self.places.setdefault(preference.key, place)
        for name in ("text", "domain", "companions"):
            if getattr(preference, name) != getattr(first, name):
                shown = "preference" if name == "text" else name
                found, expected = (_shown(getattr(row, name)) for row in (preference, first))
                expected = f"{expected} as in {where}, for the preference is {preference.key} there too"
                place.refuse(f"field {shown}", found, expected)
        other = self.texts.setdefault(preference.text, preference.key)
        if other != preference.key:
            found = f"{describe(preference.text)} for {preference.key}"
            place.refuse(
                "field preference", found, f"another text than that of {other} in {self.places[other]}"
            )
        self.pairs.append(pair)

    def complete(self, added: dict[str, tuple[PreferenceRow, Place]]) -> None:
        """Add domain and companions from a file of their own, to rows that bring none."""
        for key, (row, place) in added.items():
            if key not in self.preferences:
                place.refuse("field preference_key", describe(key), "the key of a preference in the rows")
            known = self.preferences[key]
            for name in ("domain", "companions"):
                given, there = getattr(row, name), getattr(known, name)
                if given and there and given != there:
                    place.refuse(f"field {name}", _shown(given), f"{_shown(there)} as in {self.places[key]}")
            self.preferences[key] = replace(
                known, domain=known.domain or row.domain, companions=known.companions or row.companions
            )


def _shown(value: Any) -> str:
    return describe(value) if isinstance(value, str) else f"{len(value)} companions"
