"""Corpora for tests: a strategy for any valid one, and small files that look like the public data."""

import io
import json
import unicodedata

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from annotate.importers.corpus import (
    CompanionRow,
    ContextRow,
    Corpus,
    Fact,
    HeldPreference,
    PairRow,
    PreferenceRow,
    ProfileRow,
    PromptRow,
    lines_of,
)
from annotate.pairs import CATEGORIES, COMPANIONS, ROLES, SIDES, TIERS

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


def texts(most):
    return st.text(CHARACTERS, min_size=1, max_size=min(most, 12)).filter(str.strip)


nicknames = texts(100).map(lambda text: unicodedata.normalize("NFC", text).strip())
domains = st.lists(texts(100), unique=True, max_size=2).map(tuple)


@st.composite
def corpora(draw):
    """Draw any corpus that the tact form can hold."""
    contexts = draw(
        st.lists(
            st.builds(ContextRow, texts(200), texts(500), domains),
            unique_by=lambda row: (row.recipient, row.task),
            max_size=3,
        )
    )
    preferences = draw(
        st.lists(
            st.builds(
                PreferenceRow,
                st.just("") | texts(100),
                texts(650),
                st.just("") | nicknames,
                st.just("") | texts(100),
                st.just("") | texts(100),
                companions(),
            ),
            unique_by=(lambda row: row.text, lambda row: row.key or row.text),
            max_size=3,
        ).filter(lambda rows: len({row.key for row in rows if row.key}) == sum(bool(row.key) for row in rows))
    )
    profiles = st.lists(
        st.builds(ProfileRow, texts(100), texts(200), memories(preferences), supplied_prompts(contexts)),
        unique_by=lambda row: row.key,
        max_size=3,
    )
    return Corpus(
        name=draw(texts(200)),
        source=draw(st.text(CHARACTERS, max_size=9)),
        licence=draw(st.text(CHARACTERS, max_size=9)),
        contexts=tuple(contexts),
        preferences=tuple(preferences),
        profiles=tuple(draw(profiles)),
        pairs=tuple(draw(pairs_of([row.key for row in preferences if row.key]))),
    )


@st.composite
def companions(draw):
    given = draw(st.lists(texts(650), unique=True, max_size=3))
    kinds = sorted((draw(st.sampled_from(list(COMPANIONS))) for _ in given), key=list(COMPANIONS).index)
    return tuple(map(CompanionRow, kinds, given))


def pairs_of(keys):
    """Draw contrast pairs of preferences with these keys."""
    if not keys:
        return st.just([])
    situations, replies = (
        st.lists(texts(99), unique=True, min_size=len(names), max_size=len(names)) for names in (SIDES, ROLES)
    )
    return st.lists(
        st.builds(
            lambda *fields, situations, replies: PairRow(*fields, *situations, *replies),
            texts(100).filter(lambda text: "/" not in text and text not in (".", "..")),
            st.sampled_from(keys),
            st.sampled_from(CATEGORIES),
            st.sampled_from(TIERS),
            st.integers(1, 9),
            texts(99),
            situations=situations,
            replies=replies,
        ),
        unique_by=lambda row: row.id,
        max_size=3,
    )


@st.composite
def memories(draw, preferences):
    facts = draw(st.lists(st.builds(Fact, texts(99), st.just("") | texts(100)), max_size=3))
    held = [HeldPreference(row.text) for row in preferences if draw(st.booleans())]
    return tuple(draw(st.permutations(facts + held)))


@st.composite
def supplied_prompts(draw, contexts):
    chosen = [row for row in contexts if draw(st.booleans())]
    return tuple(PromptRow(row.recipient, row.task, draw(texts(99))) for row in chosen)


def tact_file(corpus):
    return io.BytesIO("".join(lines_of(corpus)).encode())


def json_lines(*rows):
    return io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


SMALL = Corpus(
    name="Small",
    source="Written for the tests",
    licence="CC0",
    contexts=(
        ContextRow("Landlord", "Ask for a repair", ("housing",)),
        ContextRow("Tax Office", "Ask for more time", ("finance", "legal")),
    ),
    preferences=(
        PreferenceRow("tone", "Enjoys dry humour."),
        PreferenceRow("nickname", "Wants to be called Captain.", "Captain"),
    ),
    profiles=(
        ProfileRow(
            "p1",
            "Ada",
            (Fact("Rents a flat.", "housing"), HeldPreference("Enjoys dry humour."), Fact("Is 40.")),
        ),
        ProfileRow(
            "p2",
            "Ben",
            (HeldPreference("Wants to be called Captain."), HeldPreference("Enjoys dry humour.")),
            (PromptRow("Landlord", "Ask for a repair", "Write to the landlord."),),
        ),
    ),
)


def cimemories_profile(name="Ada", facts=("Rents a flat.", "Is 40."), contexts=(("Landlord", "Ask"),)):
    return {
        "bio": {"name": name, "sex": "F", "address": "1 Road\nTown", "age": 40},
        "information_attributes": {
            f"fact_{number}": {
                "value": number,
                "information_domain": "housing",
                "event": "move",
                "memory_statement": text,
            }
            for number, text in enumerate(facts)
        },
        "contexts": [{"recipient": recipient, "task": task} for recipient, task in contexts],
    }


def cimemories_file(*profiles):
    return io.BytesIO(json.dumps(profiles, indent=2).encode())


def released_row(name="Ada", recipient="Landlord", labels=(True, False), **fields):
    row = {
        "prompt": f"# User Knowledge Memories\nWrite to the {recipient} for {name}.",
        "name": name,
        "task": "Ask for a repair",
        "recipient": recipient,
        "domain": "housing",
        "preference_attribute": ["Enjoys dry humour.", "Wants to be called Captain."],
        "preference_label": list(labels),
    }
    return {**row, **fields}


RELEASED = (
    released_row(),
    released_row(recipient="Tax Office", labels=(False, False), domain=["finance", "legal"]),
    released_row(name="Ben"),
)


def parquet_file(*rows):
    """Write rows the way pyarrow does."""
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), file)
    file.seek(0)
    return file


def pandas_parquet_file(*rows):
    """Write rows the way pandas does, with list columns as arrays of objects."""
    file = io.BytesIO()
    pandas.DataFrame(list(rows)).to_parquet(file)
    file.seek(0)
    return file
