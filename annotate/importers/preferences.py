"""Preferences: how one is read, how they are shared by text, and the file that adds them to other data."""

import unicodedata
from dataclasses import dataclass, field
from typing import BinaryIO

from annotate.importers.corpus import PreferenceRow
from annotate.importers.fields import Fields, Seen, shown
from annotate.importers.limits import CATEGORY, NICKNAME, PREFERENCE
from annotate.importers.reading import BadInput, Place, describe, read_json_lines


def read_preference(fields: Fields) -> PreferenceRow:
    """Read category (may be empty: unknown), text, and the nickname where there is one."""
    return PreferenceRow(
        category=fields.optional_text("category", CATEGORY),
        text=fields.text("text", PREFERENCE),
        nickname=read_nickname(fields) if "nickname" in fields.values else "",
    )


def read_nickname(fields: Fields) -> str:
    """Read a nickname as it is matched: composed Unicode (NFC), nothing around it."""
    nickname = fields.text("nickname", NICKNAME)
    if nickname != nickname.strip():
        raise fields.problem("nickname", describe(nickname), "a nickname without white space around it")
    if not unicodedata.is_normalized("NFC", nickname):
        raise fields.problem("nickname", f"{nickname!a}, which is not in NFC", "Unicode in the form NFC")
    return nickname


@dataclass
class SharedPreferences:
    """The preferences of a dataset in order of appearance; one text has one category and nickname."""

    rows: dict[str, PreferenceRow] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)

    def add(self, row: PreferenceRow, place: Place) -> None:
        """Note a preference; refuse a text that stands elsewhere with another category or nickname."""
        first = self.rows.setdefault(row.text, row)
        where = self.places.setdefault(row.text, place)
        for name in ("category", "nickname"):
            here, there = getattr(row, name), getattr(first, name)
            if here != there:
                expected = (
                    f"{describe(there)} as in {where}, for it is the same preference {describe(row.text)}"
                )
                raise BadInput(place, f"field {name}", describe(here), expected)


@dataclass
class PreferencesFile:
    """What a preferences file says: the preferences, and who holds them (profile, text, place)."""

    shared: SharedPreferences = field(default_factory=SharedPreferences)
    held: list[tuple[str, str, Place]] = field(default_factory=list)


def read_preferences_file(file: BinaryIO, name: str, with_profiles: bool) -> PreferencesFile:
    """Read lines of {profile, category, text, nickname}; `profile` may be missing unless `with_profiles`."""
    found = PreferencesFile()
    seen = Seen[tuple[str, ...]]("preference of a profile", shown)
    for place, value in read_json_lines(file, name):
        fields = Fields(value, place)
        fields.only("profile", "category", "text", "nickname")
        row = read_preference(fields)
        profile = fields.text("profile") if with_profiles else fields.optional_text("profile")
        seen.add((profile, row.text), place)
        found.shared.add(row, place)
        found.held.append((profile, row.text, place))
    if not found.held:
        Place(name).refuse("", "no preference", "a JSON object a line, one for each preference")
    return found
