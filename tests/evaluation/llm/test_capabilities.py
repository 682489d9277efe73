"""What an endpoint refuses is learnt, and left out or said in its words from then on."""

import pytest

from evaluation.llm.capabilities import Request, confirmed, fitted, lesson

SCHEMA = {"type": "object"}
REQUEST = Request([], {"max_tokens": 9, "top_p": 0.5}, temperature=0.0, seed=3, schema=SCHEMA)


def test_everything_is_sent_while_nothing_is_known():
    sent = fitted(REQUEST, {})
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
    assert {name: sent[name] for name in ("temperature", "seed", "max_tokens", "top_p")} == {
        "temperature": 0.0,
        "seed": 3,
        "max_tokens": 9,
        "top_p": 0.5,
    }


def test_what_is_refused_is_left_out_or_renamed():
    known = {"temperature": False, "seed": False, "token_limit": "max_completion_tokens"}
    assert fitted(REQUEST, known | {"response_format": "none"}) == {"max_completion_tokens": 9, "top_p": 0.5}
    assert fitted(REQUEST, {"response_format": "json_object"})["response_format"] == {"type": "json_object"}


def test_parameters_of_the_endpoint_win():
    assert fitted(Request([], {"temperature": 0.6}, temperature=0.0), {}) == {"temperature": 0.6}


@pytest.mark.parametrize(
    ("words", "error", "learnt"),
    [
        (
            "Only the default (1) value is supported.",
            {"code": "unsupported_value", "param": "temperature"},
            {"temperature": False},
        ),
        (
            "Unsupported parameter: 'temperature' is not supported with this model.",
            {},
            {"temperature": False},
        ),
        (
            "Use max_completion_tokens",
            {"code": "unsupported_parameter", "param": "max_tokens"},
            {"token_limit": "max_completion_tokens"},
        ),
        ('[{"type": "extra_forbidden", "loc": ["body", "seed"]}]', {}, {"seed": False}),
        ("'response_format.type' : json_schema is not supported", {}, {"response_format": "json_object"}),
        ("max_tokens is too large: 9 with this prompt", {}, None),
        ("the prompt mentions temperature", {}, None),
    ],
)
def test_refusal_teaches(words, error, learnt):
    assert lesson(400, words, error, fitted(REQUEST, {})) == learnt


def test_only_refusals_of_a_request_teach():
    assert lesson(500, "temperature is not supported", {}, fitted(REQUEST, {})) is None


def test_answer_confirms_what_was_sent():
    sent = fitted(REQUEST, {})
    known = confirmed(sent, {})
    assert known == {
        "temperature": True,
        "seed": True,
        "token_limit": "max_tokens",
        "response_format": "json_schema",
    }
    assert confirmed(sent, known) == {}
