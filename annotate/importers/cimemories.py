"""Read the profiles of CIMemories: one JSON list, to which a lead adds preferences in a file of its own.

A profile of the file is {bio: {name}, information_attributes: {key: {memory_statement,
information_domain}}, contexts: [{recipient, task}]}; other fields are passed over. The contexts of all
profiles together are those of the dataset. A profile's preferences come after its facts, in the order of
the preferences file.
"""

from typing import BinaryIO

from annotate.importers.corpus import ContextRow, Corpus, Fact, HeldPreference, ProfileRow
from annotate.importers.fields import Fields, Seen, shown
from annotate.importers.limits import DOMAIN, KEY, RECIPIENT, TASK
from annotate.importers.preferences import PreferencesFile, read_preferences_file
from annotate.importers.reading import Place, describe, read_json_array

SOURCE = "CIMemories, github.com/facebookresearch/CIMemories, arXiv 2511.14937"
LICENCE = "CC BY-NC 4.0"


def parse_cimemories(
    file: BinaryIO, name: str, preferences_file: BinaryIO | None = None, preferences_name: str = ""
) -> Corpus:
    """Parse CIMemories JSON, one profile at a time; raises `BadInput`."""
    contexts: dict[tuple[str, str], ContextRow] = {}
    facts: dict[str, tuple[Fact, ...]] = {}
    seen = Seen[str]("profile")
    for number, (place, value) in enumerate(read_json_array(file, name)):
        profile = Fields(value, place, f"[{number}]")
        key = read_name(profile)
        seen.add(key, place)
        contexts.update(read_contexts(profile))
        facts[key] = read_facts(profile)
    if not facts:
        Place(name).refuse("", "an empty list", "at least one profile")
    added = added_preferences(preferences_file, preferences_name, facts)
    return Corpus(
        name="CIMemories",
        source=SOURCE,
        licence=LICENCE,
        contexts=tuple(contexts.values()),
        preferences=tuple(added.shared.rows.values()),
        profiles=profiles(facts, added),
    )


def read_name(profile: Fields) -> str:
    """Return the name by which a profile is known."""
    return Fields(profile.get("bio"), profile.place, profile.inner("bio")).text("name", KEY)


def read_contexts(profile: Fields) -> dict[tuple[str, str], ContextRow]:
    """Return the contexts of a profile by recipient and task; the data give them no domains."""
    contexts: dict[tuple[str, str], ContextRow] = {}
    for fields in profile.objects("contexts"):
        row = ContextRow(fields.text("recipient", RECIPIENT), fields.text("task", TASK))
        key = (row.recipient, row.task)
        if key in contexts:
            raise fields.problem("task", f"the context {describe(shown(key))} again", "each context once")
        contexts[key] = row
    return contexts


def read_facts(profile: Fields) -> tuple[Fact, ...]:
    """Return the memory statements with their information domain, in the order of the file."""
    path = profile.inner("information_attributes")
    attributes = Fields(profile.get("information_attributes"), profile.place, path)
    return tuple(
        read_fact(Fields(value, profile.place, attributes.inner(key)))
        for key, value in attributes.values.items()
    )


def read_fact(attribute: Fields) -> Fact:
    """Return one statement."""
    return Fact(attribute.text("memory_statement"), attribute.text("information_domain", DOMAIN))


def added_preferences(
    file: BinaryIO | None, name: str, facts: dict[str, tuple[Fact, ...]]
) -> PreferencesFile:
    """Read the preferences file, if there is one; refuse a profile that the data do not have."""
    if file is None:
        return PreferencesFile()
    added = read_preferences_file(file, name, with_profiles=True)
    for profile, _, place in added.held:
        if profile not in facts:
            place.refuse("field profile", describe(profile), "the name of a profile in the data")
    return added


def profiles(facts: dict[str, tuple[Fact, ...]], added: PreferencesFile) -> tuple[ProfileRow, ...]:
    """Join each profile's facts with its preferences."""
    held: dict[str, list[HeldPreference]] = {}
    for profile, text, _ in added.held:
        held.setdefault(profile, []).append(HeldPreference(text))
    return tuple(
        ProfileRow(key=name, name=name, memory=(*statements, *held.get(name, ())))
        for name, statements in facts.items()
    )
