"""One call with its attempts, in virtual time."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from evaluation.llm.call import (
    Caller,
    EndpointRestsError,
    EndpointStoppedError,
    HaltedError,
    UnitFailedError,
    World,
)
from evaluation.llm.capabilities import Request
from evaluation.llm.concurrency import Limit
from evaluation.llm.errors import Action, HttpAnswer, TransportError, Trouble
from evaluation.llm.retry import Patience
from evaluation.llm.scripted import ScriptedClient, completion

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HELLO = Request([{"role": "user", "content": "hello"}], {"max_tokens": 50}, temperature=0.7)


class VirtualTime:
    """Sleeping moves the clock and nothing else."""

    def __init__(self):
        self.seconds = 0.0
        self.slept = []

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.seconds += seconds

    def world(self):
        return World(
            clock=lambda: self.seconds,
            now=lambda: NOW + timedelta(seconds=self.seconds),
            sleep=self.sleep,
            chance=lambda: 1.0,
        )


class Exchange:
    """A caller whose endpoint gives these answers in turn, and what came of asking it once."""

    def __init__(self, *answers, key="", capabilities=None, **patience):
        self.time = VirtualTime()
        script = iter(answers)
        self.client = ScriptedClient(lambda body: next(script))
        self.attempts = []
        world = self.time.world()
        self.caller = Caller(
            name="subject",
            client=self.client,
            model="m",
            limit=Limit(8, world.clock),
            capabilities=dict(capabilities or {}),
            deadline=30,
            key=key,
            patience=Patience(**patience),
            world=world,
        )

    def ask(self, request=HELLO):
        return asyncio.run(self.caller.ask(request, self.attempts.append))

    @property
    def outcomes(self):
        return [(attempt.number, attempt.status, str(attempt.outcome)) for attempt in self.attempts]


def refuses(status, message="no", headers=None, **error):
    return HttpAnswer(status, json.dumps({"error": {"message": message, **error}}), headers or {})


def test_every_attempt_is_noted_with_what_was_sent_and_what_it_cost():
    exchange = Exchange(refuses(500, "oops"), completion("hi"))
    assert exchange.ask()["choices"][0]["message"]["content"] == "hi"
    assert exchange.outcomes == [(1, 500, "retry"), (2, 200, "answered")]
    failed, answered = exchange.attempts
    assert (failed.error, failed.usage.input_tokens) == ("HTTP 500: oops", None)
    assert answered.parameters == {"model": "m", "temperature": 0.7, "max_tokens": 50}
    assert (answered.usage.input_tokens, answered.usage.output_tokens) == (10, 5)


@pytest.mark.parametrize(
    ("headers", "slept"),
    [
        ({"retry-after": "7"}, [7.0]),
        ({"retry-after-ms": "250"}, [0.25]),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:09 GMT"}, [9.0]),
        ({"retry-after": "soon"}, [0.5]),
        ({"retry-after": "-3"}, [0.5]),
        ({}, [0.5]),
    ],
)
def test_wait_is_the_one_asked_for_or_our_own(headers, slept):
    exchange = Exchange(refuses(429, headers=headers), completion("hi"))
    exchange.ask()
    assert exchange.time.slept == slept


def test_calls_that_wait_for_their_turn_wait_with_the_one_that_was_refused():
    exchange = Exchange(refuses(429, headers={"retry-after": "7"}), *[completion("hi")] * 3)
    exchange.caller.limit = Limit(1, exchange.caller.world.clock)
    exchange.caller.capabilities.update(temperature=True, token_limit="max_tokens")

    async def ask_three():
        await asyncio.gather(*(exchange.caller.ask(HELLO, exchange.attempts.append) for _ in range(3)))

    asyncio.run(ask_three())
    starts = [(attempt.started_at - NOW).total_seconds() for attempt in exchange.attempts]
    assert starts == [0, 7, 7, 7]


def test_very_long_wait_releases_the_worker_and_states_its_clamp():
    exchange = Exchange(refuses(429, headers={"retry-after": "Wed, 21 Oct 2037 07:28:00 GMT"}))
    with pytest.raises(EndpointRestsError, match="which is cut to 3600") as raised:
        exchange.ask()
    assert raised.value.seconds == 3600
    assert exchange.time.slept == []
    assert exchange.caller.capabilities["rests_until"] == (NOW + timedelta(hours=1)).isoformat()


def test_attempts_end_and_the_unit_fails_in_the_endpoints_words():
    exchange = Exchange(*[refuses(503, "overloaded")] * 3, attempts=3)
    with pytest.raises(UnitFailedError, match=r"overloaded \(after 3 attempts"):
        exchange.ask()
    assert len(exchange.attempts) == 3


@pytest.mark.parametrize(
    "answer",
    [
        HttpAnswer(200, "<html>busy</html>"),
        HttpAnswer(200, '{"choices": [{"mess'),
        refuses(200, "Too Many Requests", code=429),
        TransportError(Trouble.DROPPED, "Server disconnected"),
    ],
)
def test_answer_that_is_none_is_asked_for_again(answer):
    exchange = Exchange(answer, completion("hi"))
    exchange.ask()
    assert [outcome for *_, outcome in exchange.outcomes] == ["retry", "answered"]


@pytest.mark.parametrize("answer", [refuses(401), refuses(429, code="insufficient_quota"), refuses(404)])
def test_endpoint_that_refuses_everybody_is_stopped_at_once(answer):
    exchange = Exchange(answer)
    with pytest.raises(EndpointStoppedError, match="Endpoint subject: HTTP"):
        exchange.ask()
    assert exchange.attempts[0].outcome is Action.STOP_ENDPOINT


def test_endpoint_that_cannot_be_reached_is_stopped_after_some_attempts():
    exchange = Exchange(*[TransportError(Trouble.UNREACHABLE, "refused")] * 2, attempts=2)
    with pytest.raises(EndpointStoppedError, match="refused"):
        exchange.ask()


def test_prompt_that_is_too_long_fails_its_unit_only():
    exchange = Exchange(refuses(400, "too long", code="context_length_exceeded"))
    with pytest.raises(UnitFailedError, match="too long"):
        exchange.ask()


def test_retry_after_a_timeout_may_be_billed_twice_and_timeouts_end_sooner():
    slow = TransportError(Trouble.TIMED_OUT, "no answer within 30 seconds")
    exchange = Exchange(slow, completion("hi"))
    exchange.ask()
    assert [attempt.may_be_billed_twice for attempt in exchange.attempts] == [False, True]
    exchange = Exchange(*[slow] * 9, timeouts=2)
    with pytest.raises(UnitFailedError):
        exchange.ask()
    assert len(exchange.attempts) == 2


def test_refused_parameters_are_learnt_one_by_one_and_never_sent_again():
    exchange = Exchange(
        refuses(
            400, "Only the default (1) value is supported.", code="unsupported_value", param="temperature"
        ),
        refuses(400, "Use max_completion_tokens", code="unsupported_parameter", param="max_tokens"),
        completion("hi"),
        completion("hi"),
    )
    exchange.ask()
    exchange.ask()
    sent = [attempt.parameters for attempt in exchange.attempts]
    assert sent[2] == sent[3] == {"model": "m", "max_completion_tokens": 50}
    assert [outcome for *_, outcome in exchange.outcomes] == ["retry", "retry", "answered", "answered"]
    assert exchange.caller.capabilities == {"temperature": False, "token_limit": "max_completion_tokens"}
    assert exchange.time.slept == []


def test_parameter_that_is_refused_under_both_names_fails_the_unit():
    both = [refuses(400, f"{name} is not supported") for name in ("max_tokens", "max_completion_tokens")]
    exchange = Exchange(*both)
    with pytest.raises(UnitFailedError):
        exchange.ask()


def test_json_schema_falls_back_to_json_object_and_to_neither():
    exchange = Exchange(
        refuses(400, "response_format json_schema is unsupported"),
        refuses(400, "response_format json_object is unsupported"),
        completion("{}"),
    )
    exchange.ask(Request([], {}, schema={"type": "object"}))
    kinds = [attempt.parameters.get("response_format", {}).get("type") for attempt in exchange.attempts]
    assert kinds == ["json_schema", "json_object", None]
    assert exchange.caller.capabilities == {"response_format": "none"}


def test_unknown_endpoint_is_asked_by_one_call_ahead_of_the_others():
    under_way = []

    class OneAhead:
        calls = 0

        async def complete(self, body, deadline):
            OneAhead.calls += 1
            under_way.append(OneAhead.calls)
            await asyncio.sleep(0)
            if "temperature" in body:
                return refuses(400, "temperature is not supported")
            return completion("hi")

        async def close(self):
            pass

    exchange = Exchange()
    exchange.caller.client = OneAhead()

    async def ask_many():
        await asyncio.gather(*(exchange.caller.ask(HELLO, exchange.attempts.append) for _ in range(8)))

    asyncio.run(ask_many())
    assert sum(attempt.status == 400 for attempt in exchange.attempts) == 1
    assert len(exchange.attempts) == 9


def test_key_is_in_no_error_and_no_reply():
    echo = refuses(500, "bad key sk-secret-123")
    exchange = Exchange(echo, completion("your key is sk-secret-123"), key="sk-secret-123")
    body = exchange.ask()
    assert "sk-secret-123" not in json.dumps(body) + repr(exchange.attempts)
    assert body["choices"][0]["message"]["content"] == "your key is [key]"


def test_halted_caller_sends_nothing_more():
    exchange = Exchange(refuses(500))
    exchange.caller.is_halted = True
    with pytest.raises(HaltedError):
        exchange.ask()
    assert exchange.client.bodies == []
