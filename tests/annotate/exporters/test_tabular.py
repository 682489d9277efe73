"""Rows come out of each form as they went in, streamed, and harmless to a spreadsheet."""

import csv
import io
import json
import tracemalloc

import pandas
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotate.exporters.tabular import encode_rows, write_rows
from annotate.formulas import neutral
from annotate.problems import Problem

COLUMNS = {"text": str, "domains": list, "label": int, "rate": float, "certain": bool}
ROWS = [
    ("Ends every answer with a pun", ["finance", "housing"], 1, 0.5, True),
    ("Schreibt „Grüße“, 日本語", [], 0, None, False),
    (None, None, None, None, None),
]


def written(suffix, rows, columns=COLUMNS):
    file = io.BytesIO()
    assert write_rows(file, suffix, columns, rows) == len(rows)
    return file


def test_json_lines_hold_one_object_a_row():
    lines = written(".jsonl", ROWS).getvalue().decode().splitlines()
    assert [tuple(json.loads(line).values()) for line in lines] == ROWS
    assert list(json.loads(lines[0])) == list(COLUMNS)


def test_parquet_holds_typed_columns_that_pyarrow_and_pandas_read():
    file = written(".parquet", ROWS)
    table = pq.read_table(file)
    assert [tuple(row.values()) for row in table.to_pylist()] == ROWS
    assert [str(kind) for kind in table.schema.types] == [
        "string", "list<element: string>", "int64", "double", "bool",
    ]  # fmt: skip
    assert list(pandas.read_parquet(file)["domains"][0]) == ["finance", "housing"]


def test_csv_has_a_header_lists_as_json_and_nothing_for_none():
    lines = list(csv.reader(io.StringIO(written(".csv", ROWS).getvalue().decode(), newline="")))
    assert lines == [
        ["text", "domains", "label", "rate", "certain"],
        ["Ends every answer with a pun", '["finance", "housing"]', "1", "0.5", "true"],
        ["Schreibt „Grüße“, 日本語", "[]", "0", "", "false"],
        ["", "", "", "", ""],
    ]


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_no_rows_still_make_a_readable_file(suffix):
    content = written(suffix, []).getvalue()
    if suffix == ".parquet":
        assert pq.read_table(io.BytesIO(content)).column_names == list(COLUMNS)
    else:
        assert content.decode().splitlines() == ([] if suffix == ".jsonl" else [",".join(COLUMNS)])


def test_more_rows_than_one_batch_keep_their_order():
    rows = [(str(number),) for number in range(25_001)]
    table = pq.read_table(written(".parquet", rows, {"text": str}))
    assert table["text"].to_pylist() == [str(number) for number in range(25_001)]


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "  =1",
        "|calc",
        "%x",
        "＝1",
        "＋1",
        "－1",
        "＠a",
    ],
)
def test_a_formula_is_neutralised_in_csv_only(text):
    lines = list(
        csv.reader(io.StringIO(written(".csv", [(text,)], {"text": str}).getvalue().decode(), newline=""))
    )
    assert lines[1] == [f"'{text}"]
    assert json.loads(written(".jsonl", [(text,)], {"text": str}).getvalue()) == {"text": text}


def test_a_number_is_no_formula_and_an_apostrophe_alone_stays():
    assert written(".csv", [(-1,)], {"label": int}).getvalue().decode().split() == ["label", "-1"]
    assert neutral("'tis the season") == "'tis the season"


tricky_texts = st.text("'=\t a")


@given(tricky_texts, tricky_texts)
@example("\ta", "'\ta")
def test_neutralising_never_makes_two_texts_one(one, other):
    assert (neutral(one) == neutral(other)) == (one == other)


def test_an_unknown_suffix_is_a_problem_that_names_the_known_ones():
    with pytest.raises(Problem, match=r"'\.xlsx'; expected one of \.jsonl, \.csv, \.parquet"):
        encode_rows(".xlsx", COLUMNS, [])


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    def breaks_off():
        yield ("kept",)
        raise RuntimeError

    path = tmp_path / "rows.jsonl"
    path.write_text("before")
    with pytest.raises(RuntimeError):
        write_rows(path, ".jsonl", {"text": str}, breaks_off())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(Problem, match="No such file or directory"):
        write_rows(tmp_path / "nowhere" / "rows.csv", ".csv", {"text": str}, [])


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_ten_times_the_rows_take_no_more_memory(suffix):
    def peak(number):
        tracemalloc.start()
        for _ in encode_rows(suffix, {"text": str}, (("a preference",) for _ in range(number))):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    assert peak(200_000) < 1.5 * peak(20_000)
