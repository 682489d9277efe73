"""Replies come in many shapes and are read into one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.reply import Reply, Usage


def body(**message):
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    ("message", "content", "reasoning"),
    [
        ({"content": "yes"}, "yes", ""),
        ({"content": None, "reasoning_content": "hm"}, None, "hm"),
        ({"content": "yes", "reasoning": "hm"}, "yes", "hm"),
        ({"content": "yes", "reasoning": "hm", "reasoning_content": "hm"}, "yes", "hm"),
        ({"content": [{"type": "text", "text": "y"}, {"type": "text", "text": "es"}]}, "yes", ""),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"text": "yes"},
                ]
            },
            "yes",
            "hm",
        ),
        ({"content": ["yes"]}, "yes", ""),
        ({"content": 7}, None, ""),
        ({}, None, ""),
    ],
)
def test_content_and_reasoning_are_kept_apart(message, content, reasoning):
    reply = Reply.from_body(body(**message))
    assert (reply.content, reply.reasoning) == (content, reasoning)


@pytest.mark.parametrize(
    ("finish", "expected"),
    [("stop", "stop"), ("MAX_TOKENS", "length"), ("SAFETY", "content_filter"), (None, None), (3, None)],
)
def test_ways_to_finish_have_one_name_each(finish, expected):
    choice = {"message": {"content": ""}, "finish_reason": finish}
    assert Reply.from_body({"choices": [choice]}).finish_reason == expected


def test_tokens_are_counted_once_and_unknown_ones_stay_unknown():
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 60},
        "completion_tokens_details": None,
    }
    assert Usage.from_body(usage) == Usage(100, 60, 20, None)
    assert Usage.from_body({"prompt_tokens": -1, "completion_tokens": "many"}) == Usage()
    assert Usage.from_body(None) == Usage()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["type", "text", "content"]), inner),
)


@given(JSON, JSON)
def test_no_content_breaks_the_reading(content, usage):
    reply = Reply.from_body({**body(content=content, refusal=content), "usage": usage})
    assert reply.content is None or isinstance(reply.content, str)
