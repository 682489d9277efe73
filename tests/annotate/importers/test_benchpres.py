"""The released rows become profiles with supplied prompts, shared preferences and gold labels."""

import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.importers.benchpres import parse_benchpres
from annotate.importers.corpus import (
    ContextRow,
    Corpus,
    GoldRow,
    HeldPreference,
    PreferenceRow,
    ProfileRow,
    PromptRow,
)
from annotate.importers.reading import BadInput
from tests.annotate.importers.corpora import (
    RELEASED,
    json_lines,
    pandas_parquet_file,
    parquet_file,
    released_row,
)

ALL_LISTS = tuple({**row, "domain": [row["domain"]] if isinstance(row["domain"], str) else row["domain"]}
                  for row in RELEASED)  # fmt: skip
DRY, CAPTAIN = "Enjoys dry humour.", "Wants to be called Captain."
REPAIR = "Ask for a repair"


def refusal(*rows, preferences=None, file_of=json_lines):
    added = json_lines(*preferences) if preferences is not None else None
    with pytest.raises(BadInput) as caught:
        parse_benchpres(file_of(*rows), "rows", added, "preferences.jsonl")
    return caught.value


def test_rows_become_profiles_prompts_and_gold():
    held = (HeldPreference(DRY), HeldPreference(CAPTAIN))
    landlord, tax = "Landlord", "Tax Office"
    prompts = {row["name"] + row["recipient"]: row["prompt"] for row in RELEASED}
    assert parse_benchpres(json_lines(*RELEASED), "rows") == Corpus(
        name="BenchPreS",
        source="BenchPreS, huggingface.co/datasets/sangyon/BenchPreS, split test, arXiv 2603.16557",
        licence="CC BY-NC 4.0",
        contexts=(
            ContextRow(landlord, REPAIR, ("housing",)),
            ContextRow(tax, REPAIR, ("finance", "legal")),
        ),
        preferences=(PreferenceRow("", DRY), PreferenceRow("", CAPTAIN)),
        profiles=(
            ProfileRow(
                "Ada",
                "Ada",
                held,
                (
                    PromptRow(landlord, REPAIR, prompts["AdaLandlord"]),
                    PromptRow(tax, REPAIR, prompts["AdaTax Office"]),
                ),
            ),
            ProfileRow("Ben", "Ben", held, (PromptRow(landlord, REPAIR, prompts["BenLandlord"]),)),
        ),
        gold=(
            GoldRow(landlord, REPAIR, DRY, 1),
            GoldRow(landlord, REPAIR, CAPTAIN, 0),
            GoldRow(tax, REPAIR, DRY, 0),
            GoldRow(tax, REPAIR, CAPTAIN, 0),
        ),
    )


@pytest.mark.parametrize("file_of", [parquet_file, pandas_parquet_file])
def test_parquet_of_pyarrow_and_of_pandas_reads_like_json_lines(file_of):
    lines = parse_benchpres(json_lines(*ALL_LISTS), "rows")
    assert parse_benchpres(file_of(*ALL_LISTS), "rows") == lines
    one = parse_benchpres(file_of(RELEASED[0], RELEASED[2]), "rows")
    assert one == parse_benchpres(json_lines(RELEASED[0], RELEASED[2]), "rows")


def test_a_preferences_file_gives_categories_and_nicknames():
    named = [
        {"category": "nickname", "text": CAPTAIN, "nickname": "Captain"},
        {"profile": "Ada", "category": "tone", "text": DRY},
    ]
    corpus = parse_benchpres(json_lines(*RELEASED), "rows", json_lines(*named), "p")
    assert corpus.preferences == (
        PreferenceRow("tone", DRY),
        PreferenceRow("nickname", CAPTAIN, "Captain"),
    )
    refused = refusal(*RELEASED, preferences=[{"category": "tone", "text": "Enjoys dry humor."}])
    assert (refused.file, refused.line, refused.field) == ("preferences.jsonl", 1, "field text")


@pytest.mark.parametrize(
    ("fields", "field", "found"),
    [
        ({"preference_label": [True]}, "field preference_label", "a list of 1"),
        ({"preference_label": [True, "no"]}, "field preference_label[1]", "'no'"),
        ({"preference_label": [True, 1]}, "field preference_label[1]", "the number 1"),
        ({"preference_label": [None, True]}, "field preference_label[0]", "null"),
        ({"preference_label": None}, "field preference_label", "null"),
        ({"preference_attribute": [DRY, DRY]}, "field preference_attribute[1]", f"'{DRY}' again"),
        ({"preference_attribute": [DRY, 7]}, "field preference_attribute[1]", "the number 7"),
        ({"domain": None}, "field domain", "null"),
        ({"domain": 3}, "field domain", "the number 3"),
        ({"name": ""}, "field name", "an empty text"),
        ({"prompt": None}, "field prompt", "null"),
        ({"recipient": ["x"]}, "field recipient", "a list of 1"),
    ],
)
def test_a_fault_is_named_by_line_and_field(fields, field, found):
    refused = refusal(RELEASED[1], {**RELEASED[0], **fields})
    assert (refused.file, refused.line, refused.field, refused.found) == ("rows", 2, field, found)


@pytest.mark.parametrize("missing", list(RELEASED[0]))
def test_a_missing_column_is_named(missing):
    row = {name: value for name, value in RELEASED[0].items() if name != missing}
    assert refusal(row).field == f"field {missing}"
    refused = refusal(row, file_of=parquet_file)
    assert refused.field == f"field {missing}"
    assert str(refused).startswith("rows, row 1, ")


def test_rows_that_disagree_are_refused_naming_both_lines():
    refused = refusal(RELEASED[0], released_row(name="Ben", labels=(True, True)))
    assert (refused.line, refused.found) == (2, f"true for '{CAPTAIN}'")
    assert refused.expected.startswith("false as in rows, line 1")
    refused = refusal(RELEASED[0], released_row(name="Ben", domain="health"))
    assert (refused.line, refused.field) == (2, "field domain")
    assert "'housing' as in rows, line 1" in refused.expected
    refused = refusal(RELEASED[0], RELEASED[0])
    assert "already given in rows, line 1" in refused.found


def test_an_empty_file_and_a_cut_parquet_file_are_refused():
    assert refusal().found == "an empty file"
    with pytest.raises(BadInput, match="broken Parquet"):
        parse_benchpres(io.BytesIO(parquet_file(*ALL_LISTS).getvalue()[:-20]), "cut.parquet")
    with pytest.raises(BadInput, match="an empty file"):
        parse_benchpres(parquet_file(), "no rows.parquet")


@given(st.binary(), st.booleans())
def test_no_bytes_raise_anything_but_bad_input(content, looks_like_parquet):
    with pytest.raises(BadInput):
        parse_benchpres(io.BytesIO(b"PAR1" * looks_like_parquet + content), "any")


@given(st.sampled_from([json_lines, parquet_file]), st.data())
def test_damaged_files_raise_bad_input_or_are_whole_corpora(file_of, data):
    content = bytearray(file_of(*ALL_LISTS).getvalue())
    start = data.draw(st.integers(0, len(content) - 1))
    content[start : start + data.draw(st.integers(1, 9))] = data.draw(st.binary(max_size=9))
    with suppress(BadInput):
        assert parse_benchpres(io.BytesIO(bytes(content)), "damaged").gold
