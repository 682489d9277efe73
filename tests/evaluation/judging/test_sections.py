"""The parts of an answer are found by their marks, and nothing of them is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.answers import NotRead
from evaluation.judging.reading import read_after_mark, read_word
from evaluation.judging.sections import after_mark, word_after_mark
from evaluation.llm.reply import Reply

DECISIONS = ("apply", "set_aside")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ANSWER: Tea.", "Tea."),
        ("answer: Tea.", "Tea."),
        ("ANSWER:\nTea.\n\nGreen tea.\n", "Tea.\n\nGreen tea."),
        ("ANSWER\nTea.", "Tea."),
        ("**ANSWER:** Tea.", "Tea."),
        ("**ANSWER**: Tea.", "Tea."),
        ("## ANSWER\n\nTea.", "Tea."),
        ("> ANSWER: Tea.", "Tea."),
        ("__Answer:__\nTea.", "Tea."),
        ("STEPS: It is cold.\nANSWER: Tea.", "Tea."),
        ("ANSWER: Juice.\nNo, wait.\nANSWER: Tea.", "Tea."),
        ("ANSWER:\n\n- tea\n- juice", "- tea\n- juice"),
        ("ANSWER: Note: hot.\nANSWERS: none", "Note: hot.\nANSWERS: none"),
        ("ANSWER: My ANSWER: is tea.", "My ANSWER: is tea."),
    ],
)
def test_the_part_is_what_stands_after_the_last_line_that_begins_with_the_mark(text, expected):
    assert after_mark(text, "ANSWER") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Tea.",
        "ANSWER",
        "ANSWER:",
        "ANSWER:\n \n",
        "The ANSWER: tea",
        "ANSWERS: tea",
        "ANSWER is tea",
        "MY ANSWER:",
    ],
)
def test_without_the_mark_or_with_nothing_after_it_there_is_no_part(text):
    assert after_mark(text, "ANSWER") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ANSWER: *Always* take water.", "*Always* take water."),
        ("ANSWER: **Tea** it is.", "**Tea** it is."),
        ("ANSWER: #1 is tea.", "#1 is tea."),
        ("ANSWER\n# Tea\nGreen.", "# Tea\nGreen."),
    ],
)
def test_signs_with_which_the_part_itself_begins_stay(text, expected):
    assert after_mark(text, "ANSWER") == expected


WORDS = st.lists(st.sampled_from(["tea", "answer", "ANSWER", "ANSWER:", "x: y", "Choice:", "1"]), max_size=4)
LINES = st.lists(WORDS.map(" ".join), max_size=8)


def slowly(lines, mark):
    """The part after the last marked line, line by line: the second version."""
    found = ""
    for place, line in enumerate(lines):
        head, colon, rest = line.partition(":")
        is_marked = head.strip().lower() == mark.lower() and (colon or place + 1 < len(lines))
        if is_marked:
            found = "\n".join([rest, *lines[place + 1 :]]).strip()
    return found


@given(LINES)
def test_a_part_is_the_one_that_is_found_line_by_line(lines):
    for mark in ("ANSWER", "CHOICE"):
        assert after_mark("\n".join(lines), mark) == slowly(lines, mark)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DECISION: apply", "apply"),
        ("DECISION: Apply.", "apply"),
        ("DECISION: set aside", "set_aside"),
        ("DECISION: set-aside\nANSWER: Juice.", "set_aside"),
        ("**DECISION:** **set aside**", "set_aside"),
        ("DECISION:\nSET_ASIDE", "set_aside"),
        ("DECISION: set aside\n\nDECISION: apply", "set_aside"),
        ("DECISION: apply, or set aside", ""),
        ("DECISION: do not apply", ""),
        ("DECISION: don't apply", ""),
        ("DECISION: applying", ""),
        ("DECISION:\n\nANSWER: apply", ""),
        ("I apply it.", ""),
        ("", ""),
    ],
)
def test_a_decision_is_read_only_where_it_is_all_that_its_line_says(text, expected):
    assert word_after_mark(text, "DECISION", DECISIONS) == expected


def test_reasoning_is_no_place_for_a_mark():
    reply = Reply("<think>\nDECISION: apply\nANSWER: Tea.\n</think>\nDECISION: set aside\nANSWER: Juice.")
    assert read_after_mark(reply, "ANSWER").value == "Juice."
    assert read_word(reply, "DECISION", DECISIONS) == "set_aside"
    only = Reply("<think>\nANSWER: Tea.\n</think>\nJuice.")
    assert read_after_mark(only, "ANSWER").reason == NotRead.MALFORMED


@pytest.mark.parametrize(
    ("reply", "value", "reason", "is_cut"),
    [
        (Reply("ANSWER: Tea."), "Tea.", None, False),
        (Reply("ANSWER: Te", "length"), "Te", None, True),
        (Reply("STEPS: It is", "length"), None, NotRead.TRUNCATED, False),
        (Reply("Tea."), None, NotRead.MALFORMED, False),
        (Reply(None, refusal="No."), None, NotRead.REFUSED, False),
        (Reply("ANSWER: Tea.", "content_filter"), None, NotRead.FILTERED, False),
    ],
)
def test_a_reply_has_its_part_or_the_reason_why_not(reply, value, reason, is_cut):
    found = read_after_mark(reply, "ANSWER")
    assert (found.value, found.reason, found.is_cut) == (value, reason, is_cut)


@given(st.text(max_size=40))
def test_no_text_breaks_the_search_for_a_part_or_makes_one_up(text):
    found = after_mark(text, "ANSWER")
    assert found in text
    assert not found or "answer" in text.casefold()
    assert word_after_mark(text, "DECISION", DECISIONS) in {"", *DECISIONS}


def test_a_long_run_of_spaces_is_searched_once():
    # Trying every way to divide the run would not end.
    assert after_mark("x\n" + " " * 1_000_000 + "y", "ANSWER") == ""
