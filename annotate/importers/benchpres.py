"""Read the released rows of BenchPreS, from JSON lines or Parquet, labels included.

A row is a profile in a context: `prompt` (sent as it is), `name`, `task`, `recipient`, `domain` (a text
or a list of texts), `preference_attribute` (a list of texts), `preference_label` (a list as long, of
booleans; true = apply). The rows give no categories and nicknames; a preferences file can.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from annotate.importers.corpus import (
    ContextRow,
    Corpus,
    GoldRow,
    HeldPreference,
    PreferenceRow,
    ProfileRow,
    PromptRow,
)
from annotate.importers.fields import Fields, Seen, shown
from annotate.importers.limits import DOMAIN, KEY, PREFERENCE, RECIPIENT, TASK
from annotate.importers.preferences import read_preferences_file
from annotate.importers.reading import Place, describe, read_json_lines

SOURCE = "BenchPreS, huggingface.co/datasets/sangyon/BenchPreS, split test, arXiv 2603.16557"
LICENCE = "CC BY-NC 4.0"
PARQUET_MAGIC = b"PAR1"
ROWS_AT_ONCE = 64
VALUES = {True: 1, False: 0}


@dataclass(frozen=True, slots=True)
class ReleasedRow:
    """One row: a profile in a context, its preferences there with their labels."""

    name: str
    context: ContextRow
    prompt: str
    labels: dict[str, int]


def parse_benchpres(
    file: BinaryIO, name: str, preferences_file: BinaryIO | None = None, preferences_name: str = ""
) -> Corpus:
    """Parse released rows into profiles without statements, prompts as supplied, and gold.

    Raises `BadInput`, also where two rows disagree about a context's domains or about a label.
    """
    gathered = _Gathered()
    for place, value in read_rows(file, name):
        gathered.add(read_released_row(Fields(value, place)), place)
    if not gathered.contexts:
        Place(name).refuse("", "an empty file", "at least one row")
    named = named_preferences(preferences_file, preferences_name, gathered.preferences)
    return Corpus(
        name="BenchPreS",
        source=SOURCE,
        licence=LICENCE,
        contexts=tuple(row for row, _ in gathered.contexts.values()),
        preferences=tuple(named.get(text, PreferenceRow("", text)) for text in gathered.preferences),
        profiles=gathered.profiles(),
        gold=tuple(GoldRow(*key, value) for key, (value, _) in gathered.labels.items()),
    )


def read_rows(file: BinaryIO, name: str) -> Iterator[tuple[Place, Any]]:
    """Yield the rows of a Parquet file or of JSON lines, whichever the file is."""
    magic = file.read(len(PARQUET_MAGIC))
    file.seek(0)
    return (read_parquet if magic == PARQUET_MAGIC else read_json_lines)(file, name)


def read_parquet(file: BinaryIO, name: str) -> Iterator[tuple[Place, Any]]:
    """Yield the rows of a Parquet file, a few at a time; raises `BadInput` where it is broken."""
    number = 0
    try:
        for batch in pq.ParquetFile(file).iter_batches(ROWS_AT_ONCE):
            for row in batch.to_pylist():
                number += 1
                yield Place(name, number, "row"), row
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        found = f"broken Parquet ({describe(str(error))})"
        Place(name, number + 1, "row").refuse("", found, "a whole Parquet file")


def read_released_row(fields: Fields) -> ReleasedRow:
    """Read one row."""
    return ReleasedRow(
        name=fields.text("name", KEY),
        context=ContextRow(
            fields.text("recipient", RECIPIENT),
            fields.text("task", TASK),
            read_domains(fields),
        ),
        prompt=fields.text("prompt"),
        labels=dict(zip(fields.texts("preference_attribute", PREFERENCE), read_labels(fields), strict=True)),
    )


def read_domains(fields: Fields) -> tuple[str, ...]:
    """Read one domain or a list of them."""
    match fields.get("domain"):
        case str():
            return (fields.text("domain", DOMAIN),)
        case list():
            return fields.texts("domain", DOMAIN)
        case other:
            raise fields.problem("domain", describe(other), "a text or a list of texts")


def read_labels(fields: Fields) -> list[int]:
    """Read the labels: as many as there are preferences, each true or false."""
    labels = fields.entries("preference_label")
    wanted = len(fields.entries("preference_attribute"))
    if len(labels) != wanted:
        expected = f"{wanted}, one for each entry of preference_attribute"
        raise fields.problem("preference_label", describe(labels), expected)
    for at, label in enumerate(labels):
        if not isinstance(label, bool):
            raise fields.problem(f"preference_label[{at}]", describe(label), "true or false")
    return [VALUES[label] for label in labels]


def named_preferences(file: BinaryIO | None, name: str, known: dict[str, Place]) -> dict[str, PreferenceRow]:
    """Read categories and nicknames by text; refuse a text that no row has."""
    if file is None:
        return {}
    shared = read_preferences_file(file, name, with_profiles=False).shared
    for text, place in shared.places.items():
        if text not in known:
            place.refuse("field text", describe(text), "a preference of the released rows")
    return shared.rows


@dataclass
class _Gathered:
    """What the rows say together, each with the place that said it first."""

    contexts: dict[tuple[str, str], tuple[ContextRow, Place]] = field(default_factory=dict)
    preferences: dict[str, Place] = field(default_factory=dict)
    held: dict[str, dict[str, None]] = field(default_factory=dict)
    prompts: dict[str, list[PromptRow]] = field(default_factory=dict)
    labels: dict[tuple[str, str, str], tuple[int, Place]] = field(default_factory=dict)
    seen: Seen[tuple[str, ...]] = field(default_factory=lambda: Seen("profile in a context", shown))

    def add(self, row: ReleasedRow, place: Place) -> None:
        """Join one row with the others."""
        recipient, task = row.context.recipient, row.context.task
        self.seen.add((row.name, recipient, task), place)
        self.add_context(row.context, place)
        self.prompts.setdefault(row.name, []).append(PromptRow(recipient, task, row.prompt))
        for text, value in row.labels.items():
            self.preferences.setdefault(text, place)
            self.add_label((recipient, task, text), value, place)
        self.held.setdefault(row.name, {}).update(dict.fromkeys(row.labels))

    def add_context(self, row: ContextRow, place: Place) -> None:
        """Note a context; the same one must have the same domains in every row."""
        first, where = self.contexts.setdefault((row.recipient, row.task), (row, place))
        if row.domains != first.domains:
            found, expected = (describe(", ".join(each.domains)) for each in (row, first))
            place.refuse("field domain", found, f"{expected} as in {where}, for it is the same context")

    def add_label(self, key: tuple[str, str, str], value: int, place: Place) -> None:
        """Note a label; it belongs to context and preference, whichever profile the row is of."""
        first, where = self.labels.setdefault(key, (value, place))
        if value != first:
            found = f"{describe(bool(value))} for {describe(key[2])}"
            expected = f"{describe(bool(first))} as in {where}, for context and preference are the same"
            place.refuse("field preference_label", found, expected)

    def profiles(self) -> tuple[ProfileRow, ...]:
        """Return a profile for each name."""
        return tuple(
            ProfileRow(
                key=name,
                name=name,
                memory=tuple(HeldPreference(text) for text in held),
                prompts=tuple(self.prompts[name]),
            )
            for name, held in self.held.items()
        )
