"""A file of answers is read whole, in every form and spelling, or refused with line and field."""

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotate.exporters.tabular import encode_rows
from annotate.importers.reading import BadInput
from annotate.importers.validation_labels import read_validation_labels
from annotate.problems import Problem
from annotate.validation import QUESTIONS
from tests.annotate.validation_samples import read

GOOD = {"item": 1, "annotator": "C", "value": 1}
HEADING = b"item,annotator,value,comment\n"
# What each question's answers are called, written down once more.
WORDS = {
    "label": {"Follows": 1, "Does not follow": 0},
    "completeness": {"Not at all": 1, "Barely": 2, "In part": 3, "Well, with small faults": 4, "Fully": 5},
    "uptake": {"Not at all": 0, "In part, or silently": 0.5, "Plainly or centrally": 1},
    "fit": {"Fits": 1, "Does not fit": 0},
    "hedging": {"Hedges": 1, "Commits itself": 0},
}


def read_bytes(content: bytes, name: str = "labels.csv", question: str = "label"):
    return read_validation_labels(io.BytesIO(content), name, question)


def as_csv(rows: list[dict]) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def spellings():
    for question, words in WORDS.items():
        for word, value in words.items():
            for given_as in (
                word,
                word.upper(),
                f" {word} ",
                value,
                float(value),
                str(value),
                f"{value:.1f}",
            ):
                yield question, given_as, value
        for given_as in ("cannot_tell", "Cannot tell", "CANNOT TELL"):
            yield question, given_as, None


def test_every_question_is_tried():
    assert set(WORDS) == set(QUESTIONS)


@pytest.mark.parametrize(("question", "given_as", "value"), list(spellings()))
def test_each_way_to_write_a_value(question, given_as, value):
    [row] = read([GOOD | {"value": given_as}], question)
    assert (row.value, type(row.value)) == (value, type(None) if value is None else float)
    [row] = read_bytes(as_csv([GOOD | {"value": given_as}]), question=question)
    assert row.value == value


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | st.text("'=+-@ \t\r\n\",x")
names = st.text("abc äÅ'=-", min_size=1, max_size=40).filter(str.strip)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@given(
    rows=st.lists(
        st.tuples(st.integers(1, 2**31 - 1), names, st.sampled_from([None, 0.0, 0.5, 1.0]), texts, texts),
        min_size=1,
        max_size=5,
        unique_by=lambda row: (row[0], row[1].strip()),
    )
)
@example(rows=[(1, "'=C", None, "'=1+1", "=cmd|' /C calc'!A0"), (1, "=C", 0.5, "\r\n=1", "''=1")])
def test_every_form_carries_the_same_rows_whatever_the_texts(suffix, rows):
    columns = {"item": int, "annotator": str, "value": str, "comment": str, "message": str}
    written = [
        (item, name, "cannot_tell" if value is None else f"{value:g}", comment, message)
        for item, name, value, comment, message in rows
    ]
    content = b"".join(encode_rows(suffix, columns, written))
    found = read_bytes(content, f"labels{suffix}", "uptake")
    assert [(row.item, row.annotator, row.value, row.comment, row.texts) for row in found] == [
        (item, name.strip(), value, comment.strip(), {"message": message})
        for item, name, value, comment, message in rows
    ]


@given(content=st.binary(max_size=200), suffix=st.sampled_from([".jsonl", ".csv", ".parquet"]))
@example(content=HEADING + b"1,C,nan,", suffix=".csv")
@example(content=HEADING + b"1,C,1_0,", suffix=".csv")
@example(content=HEADING + b"\xc2\xb2,C,1,", suffix=".csv")
@example(content=b'{"item": 1, "annotator": "C", "value": ' + b"9" * 400 + b"}", suffix=".jsonl")
def test_whatever_the_file_holds_the_only_error_is_one_for_the_user(content, suffix):
    with pytest.raises(Problem):
        read_bytes(content, f"labels{suffix}")


def test_a_number_that_is_none_is_refused_in_parquet_too():
    file = io.BytesIO()
    pq.write_table(pa.table({"item": [1], "annotator": ["C"], "value": [float("nan")]}), file)
    with pytest.raises(Problem, match="row 1, field value: found the number nan; expected one of 1 "):
        read_bytes(file.getvalue(), "labels.parquet")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"value": 2},
            "field value: found the number 2; expected one of 1 (Follows), 0 (Does not follow), or",
        ),
        ({"value": 0.5}, "field value: found the number 0.5; expected one of 1 (Follows)"),
        ({"value": "perhaps"}, "field value: found 'perhaps'; expected one of 1 (Follows)"),
        ({"value": "Fits"}, "field value: found 'Fits'"),
        ({"value": "0,5"}, "field value: found '0,5'"),
        ({"value": True}, "field value: found true"),
        ({"value": [1]}, "field value: found a list of 1"),
        ({"value": {}}, "field value: found an object"),
        ({"item": 0}, "field item: found the number 0; expected a whole number from 1 on"),
        ({"item": 1.0}, "field item: found the number 1.0; expected a whole number from 1 on"),
        ({"item": True}, "field item: found true; expected a whole number from 1 on"),
        ({"item": None}, "field item: found null; expected a whole number from 1 on"),
        ({"item": "1"}, "field item: found '1'; expected a whole number from 1 on"),
        ({"annotator": None}, "field annotator: found null; expected a text"),
        ({"annotator": 7}, "field annotator: found the number 7; expected a text"),
        ({"annotator": "C\nD"}, "field annotator: found 'C\\nD'; expected a name without line breaks"),
        ({"annotator": "C" * 41}, "field annotator: found a text of 41 characters; expected at most 40"),
        ({"annotator": " "}, "field annotator: found an empty text beside an answer; expected whose"),
        ({"comment": None}, "field comment: found null; expected a text"),
        ({"comment": "x" * 5001}, "field comment: found a text of 5001 characters; expected at most 5000"),
        ({"comment": "a\0b"}, "field comment: found a NUL character"),
        ({"message": 1}, "field message: found the number 1; expected a text"),
        (
            {"situation": "Here."},
            "field 'situation': found an unknown field; expected sample, item, preference",
        ),
        ({"words": "Follows"}, "field 'words': found an unknown field"),
    ],
)
def test_a_bad_row_is_told_with_line_and_field(change, words):
    with pytest.raises(BadInput) as problem:
        read([GOOD, GOOD | {"item": 2} | change])
    assert str(problem.value).startswith(f"labels.jsonl, line 2, {words}")
    assert str(problem.value).endswith("Nothing was imported.")


@pytest.mark.parametrize("name", list(GOOD))
def test_a_row_needs_item_annotator_and_value(name):
    row = {key: value for key, value in GOOD.items() if key != name}
    with pytest.raises(BadInput, match=f"line 1, field {name}: found no such field; expected a field named"):
        read([row])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEADING, "found no answers; expected one row an answer"),
        (b"item;annotator;value\n1;C;0,5\n", "line 1: found columns parted by semicolons; expected columns"),
        (b"item\tannotator\tvalue\n1\tC\t1\n", "line 1: found columns parted by tabs; expected columns"),
        (b"item,annotator,value,value\n1,C,1,0\n", "line 1, column 'value': found it twice"),
        (HEADING + b"1,C,1\n", "line 2: found more or fewer columns"),
        (HEADING + b"one,C,1,\n", "line 2, field item: found 'one'; expected a whole number"),
        (HEADING + b",C,1,\n", "line 2, field item: found ''; expected a whole number"),
        (HEADING + b"1,,1,sure\n", "line 2, field annotator: found an empty text beside an answer"),
        (HEADING + b"1,C,1,\n2,C,maybe,\n", "line 3, field value: found 'maybe'"),
        (HEADING + b"1,C,1,\n2,D,1,\n1, C ,0,\n", "line 4, answer: found the answer 'item 1 of C', already"),
    ],
)
def test_a_bad_csv_file_is_told_with_line_and_field(content, words):
    with pytest.raises(BadInput) as problem:
        read_bytes(content)
    assert words in str(problem.value)


def test_a_file_without_any_answer_is_refused():
    with pytest.raises(BadInput, match=r"labels\.csv: found no answers"):
        read_bytes(HEADING + b"1,,,\n2,C,,\n")


def test_a_file_without_comments_is_known_from_one_with_empty_ones():
    assert read([GOOD])[0].comment is None
    assert read([GOOD | {"comment": " "}])[0].comment == ""


@pytest.mark.parametrize("name", ["labels.xlsx", "labels"])
def test_another_kind_of_file_is_refused_by_its_name(name):
    with pytest.raises(Problem, match=r"expected one of \.jsonl, \.csv, \.parquet"):
        read_bytes(json.dumps(GOOD).encode(), name)


def test_the_name_of_a_file_may_be_in_capitals():
    assert len(read_bytes(HEADING + b"1,C,1,\n", "LABELS.CSV")) == 1


@pytest.mark.parametrize("value", [None, "", "  "])
@pytest.mark.parametrize("annotator", ["", "C"])
def test_a_value_left_empty_is_no_answer_whoever_the_row_names(annotator, value):
    empty, given = read([{"item": 2, "annotator": annotator, "value": value}, GOOD])
    assert (empty.is_answered, given.is_answered) == (False, True)


def test_a_comment_without_an_answer_is_refused():
    with pytest.raises(BadInput, match=r"line 1.*value.*a comment.*cannot_tell"):
        read([{"item": 2, "annotator": "C", "value": "", "comment": "Hard."}])
