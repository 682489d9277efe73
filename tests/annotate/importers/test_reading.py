"""JSON is read strictly, in pieces, and every fault is named with its line."""

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.importers import reading
from annotate.importers.reading import BadInput, read_json_array, read_json_lines


def lines(content):
    return [(place.line, value) for place, value in read_json_lines(io.BytesIO(content), "f.jsonl")]


def array(content):
    return [(place.line, value) for place, value in read_json_array(io.BytesIO(content), "f.json")]


def refusal(read, content):
    with pytest.raises(BadInput) as caught:
        read(content)
    return caught.value


def test_lines_are_numbered_from_one_and_empty_ones_passed_over():
    assert lines(b'{"a": 1}\r\n\n  \n[2]') == [(1, {"a": 1}), (4, [2])]


def test_elements_of_a_list_have_the_line_they_start_on():
    assert array(b'[\n{"a":\n1},\n\n 2 , "x"\n]\n') == [(2, {"a": 1}), (5, 2), (5, "x")]
    assert array(b" [ ] ") == []


def test_a_byte_order_mark_is_passed_over():
    assert lines(b"\xef\xbb\xbf[1]\n") == [(1, [1])]
    assert array(b"\xef\xbb\xbf[1]") == [(1, 1)]


@pytest.mark.parametrize("read", [lines, array])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_named(read, encoding):
    refused = refusal(read, '["text"]'.encode(encoding))
    assert "UTF-16" in refused.found
    assert refused.expected == "UTF-8 text"
    assert refused.line == 1


def test_latin_1_is_refused_at_its_line_with_the_byte():
    refused = refusal(lines, '["a"]\n["café"]\n'.encode("latin-1"))
    assert (refused.file, refused.line) == ("f.jsonl", 2)
    assert refused.found == "byte 0xe9 at place 6"
    refused = refusal(array, '[\n"a",\n"café"]'.encode("latin-1"))
    assert (refused.line, refused.found) == (3, "byte 0xe9")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"[\n1,\n2", 3),
        (b"[\n1\n2]", 3),
        (b'[\n"open', 2),
        (b'[\n{"a": 1,\n "b"}]', 3),
        (b"[\n1,\n]", 3),
        (b"[1]\n[2]", 2),
        (b'[{"a":\ntru', 2),
        (b'{"a": 1}', 1),
    ],
)
def test_broken_lists_are_refused_at_the_line_of_the_fault(content, line):
    assert refusal(array, content).line == line


@pytest.mark.parametrize("read", [lines, array])
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(read, number):
    assert refusal(read, f"[{number}]".encode()).found == number


@pytest.mark.parametrize("read", [lines, array])
def test_a_key_given_twice_in_one_object_is_refused(read):
    refused = refusal(read, b'[{"task": 1, "x": {}, "task": 2}]')
    assert refused.field == "field 'task'"
    assert "twice" in refused.found


@pytest.mark.parametrize("read", [lines, array])
def test_deep_nesting_and_endless_numbers_are_refused(read):
    assert "nested" in refusal(read, b"[" * 200_000).found
    assert "digits" in refusal(read, b"[" + b"9" * 10_000 + b"]").found


def test_an_empty_list_file_is_refused():
    assert refusal(array, b" \n").found == "an empty file"


@pytest.mark.parametrize("piece", [1, 2, 3, 7])
@given(
    value=st.lists(
        st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5)
    )
)
def test_a_list_read_in_pieces_is_what_the_standard_library_reads(piece, value):
    content = json.dumps(value, indent=1, ensure_ascii=len(value) % 2 == 0).encode(errors="replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "PIECE", piece)
        assert [element for _, element in array(content)] == json.loads(content)


def test_memory_does_not_grow_with_the_file():
    def peak(elements):
        element = json.dumps({"text": "x" * 20_000}).encode()
        file = io.BytesIO(b"[" + b",\n".join([element] * elements) + b"]")
        tracemalloc.start()
        assert sum(1 for _ in read_json_array(file, "f.json")) == elements
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    assert peak(1_000) < 1.2 * peak(200)


def test_what_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(reading, "LONGEST", 1_000)
    monkeypatch.setattr(reading, "PIECE", 100)
    assert "longer than" in refusal(array, b'["' + b"x" * 5_000).found
    assert "longer than" in refusal(lines, b'"' + b"x" * 5_000).found
