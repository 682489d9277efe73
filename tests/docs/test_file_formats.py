"""The documented examples are read by the code that reads such files, and hold the fields it writes."""

import io
import json
import re
from pathlib import Path

import pytest

from annotate.exporters.gold import GOLD_COLUMNS
from annotate.exporters.labels import LABEL_COLUMNS
from annotate.exporters.reviews import ANSWER_COLUMNS, SETTLED_COLUMNS
from annotate.exporters.validation import LABEL_COLUMNS as VALIDATION_COLUMNS
from annotate.importers.benchpres import parse_benchpres
from annotate.importers.cimemories import parse_cimemories
from annotate.importers.corpus import lines_of
from annotate.importers.formats import FORMATS
from annotate.importers.labels import read_labels
from annotate.importers.pairpref import parse_pairpref, read_field_map
from annotate.importers.reviews import read_answers
from annotate.importers.tact import parse_tact
from annotate.importers.validation_labels import read_validation_labels
from annotate.validation import QUESTIONS
from tests.annotate.validation_samples import exported, make_sample

PAGE = (Path(__file__).parents[2] / "docs" / "file-formats.md").read_text()
EXAMPLES = dict(re.findall(r"```jsonl? (\w+)\n(.*?)```", PAGE, re.DOTALL))


def example(name):
    return io.BytesIO(EXAMPLES[name].encode())


def test_every_format_of_the_importer_has_an_example():
    assert set(FORMATS) <= set(EXAMPLES)


def test_the_tact_example_is_in_canonical_form():
    corpus = parse_tact(example("tact"), "docs")
    assert "".join(lines_of(corpus)) == EXAMPLES["tact"]


def test_the_pairs_example_is_in_canonical_form():
    corpus = parse_tact(example("pairs"), "docs")
    assert "".join(lines_of(corpus)) == EXAMPLES["pairs"]
    assert len(corpus.pairs) == 1


def test_the_pairpref_example_takes_the_companions_example():
    row = json.loads(EXAMPLES["pairpref"])
    whole = parse_pairpref(example("pairpref"), "docs")
    bare = json.dumps({name: value for name, value in row.items() if name not in {"domain", "companions"}})
    assert parse_pairpref(io.BytesIO(bare.encode()), "docs", example("companions"), "docs") == whole


def test_the_field_map_example_is_one():
    assert read_field_map(EXAMPLES["field_map"]).paths["memory"] == ("options", 0, "text")


def test_the_cimemories_example_takes_the_preferences_example():
    corpus = parse_cimemories(example("cimemories"), "docs", example("preferences"), "docs")
    assert [row.nickname for row in corpus.preferences] == ["", "Captain"]
    assert len(corpus.profiles[0].memory) == 3


def test_the_benchpres_example_takes_the_preferences_example():
    corpus = parse_benchpres(example("benchpres"), "docs", example("preferences"), "docs")
    assert [row.value for row in corpus.gold] == [1, 0]
    assert [row.category for row in corpus.preferences] == ["tone", "nickname"]


def test_the_labels_example_is_read(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text(EXAMPLES["labels"])
    [row] = read_labels(path)
    assert (row.annotator, row.value) == ("ana", 1)


def test_the_answers_example_is_read(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(EXAMPLES["answers"])
    [row] = read_answers(path)
    assert (row.annotator, row.answer, row.shown[0], row.place) == ("A1", "memory+plain", "plain", 7)


def test_the_validation_example_is_read():
    rows = read_validation_labels(example("validation"), "docs.jsonl", "label")
    answers = [(row.item, row.annotator, row.value) for row in rows]
    assert answers == [(1, "C", 1), (2, "C", 0), (3, "C", None)]


@pytest.mark.django_db
def test_the_items_example_is_what_is_written():
    row = json.loads(EXAMPLES["items"])
    sample = make_sample(messages=[row["message"]], slug=row["sample"])
    assert exported(sample, "items") == [row | {"preference": "preference 1"}]


def test_every_question_of_a_validation_sample_is_documented_with_its_answers_and_texts():
    for question, asked in QUESTIONS.items():
        numbered = ", ".join(f"{option.value:g} {option.words}" for option in asked.options)
        texts = ", ".join(f"`{name}`" for name in asked.texts)
        assert f"| `{question}` | {numbered} | {texts} |" in PAGE


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("gold", GOLD_COLUMNS),
        ("campaign", LABEL_COLUMNS),
        ("answers", ANSWER_COLUMNS),
        ("settled", SETTLED_COLUMNS),
        ("validated", VALIDATION_COLUMNS),
    ],
)
def test_the_examples_of_exports_have_the_columns_that_are_written(name, columns):
    row = json.loads(EXAMPLES[name])
    assert list(row) == list(columns)
    assert {key: type(value) for key, value in row.items()} == dict(columns)
