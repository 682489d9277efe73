import csv
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.importers.labels import FIELDS, LabelRow, read_labels
from annotate.problems import Problem

GOOD = {"annotator": "ana", "recipient": "Clerk", "task": "Ask", "preference": "Be curt.", "label": "apply"}
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(str.strip)
labels = st.sampled_from([("apply", 1), ("suppress", 0), ("1", 1), ("0", 0), ("TRUE", 1), ("False", 0)])


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""

    def write(name: str, content: str | bytes):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def as_csv(rows, path):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize(
    ("label", "value"), [("apply", 1), ("Suppress", 0), (1, 1), (0, 0), (True, 1), (False, 0), ("1", 1)]
)
def test_each_way_to_write_a_label(write, label, value):
    path = write("labels.jsonl", json.dumps(GOOD | {"label": label}))
    assert read_labels(path) == [LabelRow("ana", "Clerk", "Ask", "Be curt.", value, line=1)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(rows=st.lists(st.tuples(texts, texts, texts, texts, labels), min_size=1, max_size=5))
def test_both_forms_carry_the_same_rows(tmp_path, rows):
    written = [dict(zip(FIELDS, (*row[:4], row[4][0]), strict=True)) for row in rows]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, written)), encoding="utf-8")
    as_csv(written, tmp_path / "a.csv")
    expected = [(*row[:4], row[4][1]) for row in rows]
    for name in ("a.jsonl", "a.csv"):
        found = read_labels(tmp_path / name)
        assert [
            (row.annotator, row.recipient, row.task, row.preference, row.value) for row in found
        ] == expected


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(content=st.binary(max_size=200), suffix=st.sampled_from([".jsonl", ".csv"]))
def test_whatever_the_file_holds_the_only_error_is_one_for_the_user(tmp_path, content, suffix):
    path = tmp_path / f"labels{suffix}"
    path.write_bytes(content)
    with pytest.raises(Problem):
        read_labels(path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "", "expected .jsonl or .csv"),
        ("a.jsonl", "", "no labels"),
        ("a.csv", ",".join(FIELDS), "no labels"),
        ("a.jsonl", '{"annotator": ', "line 1: found broken JSON"),
        ("a.jsonl", json.dumps(GOOD) + "\n\n[1]", "line 3: found a list of 1"),
        ("a.jsonl", json.dumps(GOOD | {"label": "maybe"}), "line 1, field label: found 'maybe'"),
        ("a.jsonl", json.dumps(GOOD | {"label": 0.5}), "field label: found the number 0.5"),
        ("a.jsonl", json.dumps(GOOD | {"label": None}), "field label: found null"),
        ("a.jsonl", json.dumps(GOOD | {"task": " "}), "field task: found white space only"),
        ("a.jsonl", json.dumps({"annotator": "ana"}), "field recipient: found no such field"),
        ("a.jsonl", json.dumps(GOOD | {"lable": 1}), "an unknown field"),
        ("a.jsonl", json.dumps(GOOD).encode("utf-16"), "UTF-16"),
        ("a.csv", f"{','.join(FIELDS)}\nana,Clerk,Ask,Be curt.\n", "line 2: found more or fewer columns"),
        ("a.csv", f"{','.join(FIELDS)}\nana,Clerk,Ask,Be curt.,apply,1\n", "more or fewer columns"),
        ("a.csv", f"{','.join(FIELDS)}\nana,Clerk,Ask,Be curt.,\n", "line 2, field label: found ''"),
        ("a.csv", f'{",".join(FIELDS)}\n"ana,Clerk', "no CSV"),
        ("a.csv", ",".join(FIELDS).encode() + b"\n\xff\xfe", "found byte 0xff"),
    ],
)
def test_bad_input_is_told_with_line_and_field(write, name, content, words):
    with pytest.raises(Problem, match=f"{name}.*") as problem:
        read_labels(write(name, content))
    assert words in str(problem.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Problem, match=r"nowhere\.csv cannot be read"):
        read_labels(tmp_path / "nowhere.csv")


def test_a_byte_order_mark_is_passed_over(write):
    row = ",".join(GOOD.values())
    for name, content in [("a.csv", f"{','.join(FIELDS)}\n{row}"), ("a.jsonl", json.dumps(GOOD))]:
        assert len(read_labels(write(name, b"\xef\xbb\xbf" + content.encode()))) == 1
