"""Every answer is classified once: answered, retry, fail the unit, stop the endpoint."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.errors import Action, HttpAnswer, classify, redact
from evaluation.llm.scripted import completion

RETRY, FAIL, STOP = Action.RETRY, Action.FAIL_UNIT, Action.STOP_ENDPOINT


def error(status, message="no", **fields):
    return HttpAnswer(status, json.dumps({"error": {"message": message, **fields}}))


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        *[(error(status), RETRY) for status in (408, 409, 429, 500, 502, 503, 504, 524, 529)],
        *[(error(status), STOP) for status in (401, 402, 403, 404)],
        *[(error(status), FAIL) for status in (400, 413, 422)],
        (error(500, "The engine is overloaded"), RETRY),
        (error(400, "maximum context length is 8192 tokens", code="context_length_exceeded"), FAIL),
        (error(400, "x is not a valid model ID"), STOP),
        (error(400, "The model `x` does not exist"), STOP),
        (error(429, code="insufficient_quota"), STOP),
        (error(429, "You exceeded your current quota, check your plan"), STOP),
        (error(500, "Incorrect API key provided"), STOP),
        (error(403, "Your input was flagged by moderation"), FAIL),
        (error(200, "Too Many Requests", code=429), RETRY),
        (error(200, "No auth credentials found", code=401), STOP),
        (error(200, "too long", code=400), FAIL),
        (error(200, "something odd"), RETRY),
        (HttpAnswer(200, json.dumps({"choices": None, "error": {"code": 429, "message": "busy"}})), RETRY),
        (HttpAnswer(200, json.dumps({"choices": [{"error": {"code": 502, "message": "upstream"}}]})), RETRY),
        (HttpAnswer(200, json.dumps({"choices": [{"finish_reason": "error", "message": {}}]})), RETRY),
        (HttpAnswer(200, "<html>busy</html>"), RETRY),
        (HttpAnswer(200, '{"choices": [{"mess'), RETRY),
        (HttpAnswer(200, ""), RETRY),
        (HttpAnswer(200, '"a string"'), RETRY),
        (HttpAnswer(200, '{"choices": []}'), RETRY),
        (HttpAnswer(200, '{"choices": [{}]}'), RETRY),
        (HttpAnswer(500, "<html>502 Bad Gateway</html>"), RETRY),
        (HttpAnswer(422, '{"detail": [{"loc": ["body"], "msg": "field required"}]}'), FAIL),
        (HttpAnswer(301, ""), STOP),
        (completion("hello"), Action.ANSWERED),
        (completion(None, "length"), Action.ANSWERED),
    ],
)
def test_answer_leads_to(answer, action):
    assert classify(answer).action is action


def test_words_of_the_endpoint_are_kept_and_bounded():
    assert "<html>busy</html>" in classify(HttpAnswer(200, "<html>busy</html>")).words
    assert classify(error(429, "Slow down, please")).words == "HTTP 429: Slow down, please"
    assert len(classify(HttpAnswer(500, "x" * 10_000)).words) < 600


@given(st.text(max_size=60) | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps))
def test_no_body_breaks_the_classification(text):
    assert classify(HttpAnswer(200, text)).action in {RETRY, STOP, FAIL}


@given(
    st.dictionaries(
        st.sampled_from(["error", "choices", "code", "message", "detail"]), st.integers() | st.text()
    )
)
def test_no_object_breaks_the_classification(body):
    assert classify(HttpAnswer(200, json.dumps(body))).action is not Action.ANSWERED


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=8, max_size=40), st.text())
def test_key_is_taken_out_however_json_writes_it(key, around):
    text = around + key + json.dumps({"key": key})
    assert key not in redact(text, key) or key in "[key]"


def test_characters_that_no_database_takes_are_replaced():
    answer = HttpAnswer(200, r'{"choices": [{"message": {"content": "a\u0000b\ud800c\ud83d\ude00"}}]}')
    assert classify(answer).body == {"choices": [{"message": {"content": "a\ufffdb\ufffdc😀"}}]}
    assert classify(error(500, "\x00 and \ud800")).words == "HTTP 500: \ufffd and \ufffd"


def test_numbers_that_no_database_takes_are_unknown():
    answer = HttpAnswer(200, '{"choices": [{"message": {}, "logprob": NaN, "x": 1e999, "y": 0.5}]}')
    assert classify(answer).body == {"choices": [{"message": {}, "logprob": None, "x": None, "y": 0.5}]}
