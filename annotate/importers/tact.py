"""Read the project's own corpus form: JSON lines, the dataset first, then its rows in any order."""

from dataclasses import replace
from typing import BinaryIO

from annotate.importers.corpus import (
    FORMAT,
    ContextRow,
    Corpus,
    Fact,
    HeldPreference,
    PairRow,
    PreferenceRow,
    ProfileRow,
    PromptRow,
)
from annotate.importers.fields import Fields, Seen, shown
from annotate.importers.limits import DOMAIN, KEY, LICENCE, NAME, PREFERENCE, RECIPIENT, TASK
from annotate.importers.pairs import read_companions, read_pair
from annotate.importers.preferences import read_preference
from annotate.importers.reading import Place, describe, read_json_lines

KINDS = "context, preference, profile or pair"


def parse_tact(file: BinaryIO, name: str) -> Corpus:
    """Parse a file of the form tact-corpus/1.

    Raises `BadInput` for anything that is not exactly of that form: an unknown field, a row given twice,
    a profile or a pair that mentions a context or preference which no line gives.
    """
    reader = _TactReader()
    for place, value in read_json_lines(file, name):
        reader.read(Fields(value, place))
    if reader.head is None:
        Place(name).refuse("", "an empty file", 'a first line {"kind": "dataset", ...}')
    reader.check_mentions()
    return Corpus(
        name=reader.head.name,
        source=reader.head.source,
        licence=reader.head.licence,
        contexts=tuple(reader.contexts),
        preferences=tuple(reader.preferences),
        profiles=tuple(reader.profiles),
        pairs=tuple(reader.pairs),
    )


def read_head(fields: Fields) -> Corpus:
    """Read the first line: which form the file has, and what the dataset is called."""
    fields.only("kind", "format", "name", "source", "licence")
    if fields.get("format") != FORMAT:
        raise fields.problem("format", describe(fields.get("format")), f'"{FORMAT}"')
    return Corpus(
        name=fields.text("name", NAME),
        source=fields.optional_text("source"),
        licence=fields.optional_text("licence", LICENCE),
    )


def read_context(fields: Fields) -> ContextRow:
    """Read a recipient, a task and a list of domains, which may be empty."""
    fields.only("kind", "recipient", "task", "domains")
    return ContextRow(
        fields.text("recipient", RECIPIENT), fields.text("task", TASK), fields.texts("domains", DOMAIN)
    )


def read_whole_preference(fields: Fields) -> PreferenceRow:
    """Read a preference with key, domain and companions, which contrast pairs need."""
    fields.only("kind", "category", "text", "nickname", "key", "domain", "companions")
    return replace(
        read_preference(fields),
        key=fields.text("key", KEY) if "key" in fields.values else "",
        domain=fields.optional_text("domain", DOMAIN),
        companions=read_companions(fields),
    )


def read_memory_entry(fields: Fields) -> Fact | HeldPreference:
    """Read a fact {text, domain} or the text of a preference {preference}."""
    if "preference" in fields.values:
        fields.only("preference")
        return HeldPreference(fields.text("preference", PREFERENCE))
    fields.only("text", "domain")
    return Fact(fields.text("text"), fields.optional_text("domain", DOMAIN))


def read_prompt(fields: Fields) -> PromptRow:
    """Read the prompt that the corpus brings for one context."""
    fields.only("recipient", "task", "text")
    return PromptRow(fields.text("recipient", RECIPIENT), fields.text("task", TASK), fields.text("text"))


class _TactReader:
    """The rows read so far, with what must be unique and what must be found at the end."""

    def __init__(self) -> None:
        self.head: Corpus | None = None
        self.contexts: list[ContextRow] = []
        self.preferences: list[PreferenceRow] = []
        self.profiles: list[ProfileRow] = []
        self.pairs: list[PairRow] = []
        self.seen_contexts = Seen[tuple[str, ...]]("context", shown)
        self.seen_preferences = Seen[str]("preference")
        self.seen_keys = Seen[str]("preference key")
        self.seen_profiles = Seen[str]("profile")
        self.seen_pairs = Seen[str]("pair")
        self.mentioned_preferences: list[tuple[Place, str, str]] = []
        self.mentioned_contexts: list[tuple[Place, str, tuple[str, str]]] = []

    def read(self, fields: Fields) -> None:
        """Read one line, as its kind says."""
        kind = fields.get("kind")
        if (kind == "dataset") != (self.head is None):
            expected = KINDS if self.head else '"dataset" in the first line'
            raise fields.problem("kind", describe(kind), expected)
        match kind:
            case "dataset":
                self.head = read_head(fields)
            case "context":
                self.add_context(read_context(fields), fields.place)
            case "preference":
                self.add_preference(read_whole_preference(fields), fields.place)
            case "profile":
                self.add_profile(fields)
            case "pair":
                self.add_pair(read_pair(fields), fields.place)
            case _:
                raise fields.problem("kind", describe(kind), KINDS)

    def add_context(self, row: ContextRow, place: Place) -> None:
        self.seen_contexts.add((row.recipient, row.task), place)
        self.contexts.append(row)

    def add_preference(self, row: PreferenceRow, place: Place) -> None:
        self.seen_preferences.add(row.text, place)
        if row.key:
            self.seen_keys.add(row.key, place)
        self.preferences.append(row)

    def add_pair(self, row: PairRow, place: Place) -> None:
        self.seen_pairs.add(row.id, place)
        self.pairs.append(row)

    def add_profile(self, fields: Fields) -> None:
        fields.only("kind", "key", "name", "memory", "prompts")
        row = ProfileRow(
            key=fields.text("key", KEY),
            name=fields.text("name", NAME),
            memory=self.memory(fields),
            prompts=self.prompts(fields) if "prompts" in fields.values else (),
        )
        self.seen_profiles.add(row.key, fields.place)
        self.profiles.append(row)

    def memory(self, fields: Fields) -> tuple[Fact | HeldPreference, ...]:
        entries = fields.objects("memory")
        memory = tuple(read_memory_entry(entry) for entry in entries)
        held: set[str] = set()
        for entry, row in zip(entries, memory, strict=True):
            if isinstance(row, HeldPreference):
                if row.text in held:
                    raise entry.problem("preference", f"{describe(row.text)} again", "each preference once")
                held.add(row.text)
                self.mentioned_preferences.append((entry.place, entry.path, row.text))
        return memory

    def prompts(self, fields: Fields) -> tuple[PromptRow, ...]:
        entries = fields.objects("prompts")
        prompts = tuple(read_prompt(entry) for entry in entries)
        given: set[tuple[str, str]] = set()
        for entry, row in zip(entries, prompts, strict=True):
            context = (row.recipient, row.task)
            if context in given:
                raise entry.problem("task", f"the context {describe(shown(context))} again", "a context once")
            given.add(context)
            self.mentioned_contexts.append((entry.place, entry.path, context))
        return prompts

    def check_mentions(self) -> None:
        """Refuse what profiles and pairs mention and no line gives."""
        for pair in self.pairs:
            if pair.preference not in self.seen_keys.places:
                place = self.seen_pairs.places[pair.id]
                place.refuse("field preference", describe(pair.preference), "the key of a preference line")
        for place, path, text in self.mentioned_preferences:
            if text not in self.seen_preferences.places:
                place.refuse(f"field {path}.preference", describe(text), "the text of a preference line")
        for place, path, context in self.mentioned_contexts:
            if context not in self.seen_contexts.places:
                place.refuse(
                    f"field {path}", describe(shown(context)), "recipient and task of a context line"
                )
