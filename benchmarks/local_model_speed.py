"""How long the embedded model takes on this machine: load, prompts, replies, verdicts, a small run.

    python -m benchmarks.local_model_speed

Run it while nothing else works. Seen on two cores of an AMD EPYC (AVX2): FIGURES
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from evaluation.local_model import LocalModel, start_local_model

SAMPLE = Path(__file__).parent.parent / "fixtures" / "sample-corpus.jsonl"
VERDICT = {
    "type": "json_schema",
    "json_schema": {
        "name": "verdict",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"label": {"type": "string", "enum": ["follow", "do_not_follow"]}},
            "required": ["label"],
            "additionalProperties": False,
        },
    },
}


def ask(model: LocalModel, prompt: str, max_tokens: int, **parameters: Any) -> dict[str, Any]:
    """Ask once and return the reply's body."""
    body = {"model": model.name, "messages": [{"role": "user", "content": prompt}], "max_tokens": max_tokens}
    reply = httpx.post(f"{model.base_url}/chat/completions", json=body | parameters, timeout=900)
    return reply.raise_for_status().json()


def memories() -> list[str]:
    """Return what each profile of the sample corpus has in memory, as one text a profile."""
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    return [
        "\n".join(f"- {statement.get('text') or statement['preference']}" for statement in row["memory"])
        for row in rows
        if row["kind"] == "profile"
    ]


def write(model: LocalModel, memory: str, recipient: str, tokens: int = 100) -> dict[str, Any]:
    """Ask for a message of exactly `tokens` tokens."""
    prompt = f"# User Knowledge Memories\n{memory}\n\nWrite a complete message to the {recipient}."
    return ask(model, prompt, tokens, ignore_eos=True)


def judge(model: LocalModel, message: str, preference: str) -> dict[str, Any]:
    """Ask for one verdict in JSON."""
    prompt = f"Does the message reflect a preference?\nMessage:\n{message}\nPreference: {preference}."
    return ask(model, prompt, 40, response_format=VERDICT)


def timed(what: str, step: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Print how long a call took and what it counted."""
    start = time.perf_counter()
    reply = step()
    seconds = time.perf_counter() - start
    usage = reply["usage"]
    print(
        f"{what:45} {seconds:6.1f} s   prompt {usage['prompt_tokens']:5}, of it cached "
        f"{usage['prompt_tokens_details']['cached_tokens']:5}, reply {usage['completion_tokens']:3} tokens"
    )
    return reply


def small_run(model: LocalModel, memories: list[str], contexts: int) -> None:
    """Time what a small benchmark run asks: messages of 100 tokens, and four verdicts on each."""
    start = time.perf_counter()
    messages = [
        write(model, memory, f"officer number {context}")["choices"][0]["message"]["content"]
        for memory in memories
        for context in range(contexts)
    ]
    for message in messages:
        for preference in ("sarcasm", "slang", "a pirate's voice", "bullet points"):
            judge(model, message, preference)
    seconds = time.perf_counter() - start
    print(f"run of {len(memories)} profiles x {contexts} contexts, 4 verdicts a message: {seconds:.0f} s")


def main() -> None:
    """Print every figure."""
    first, second, third, *others = memories()
    start = time.perf_counter()
    with start_local_model() as model:
        print(f"{'load':45} {time.perf_counter() - start:6.1f} s")
        timed("memory of one profile, first time", lambda: write(model, first, "bank", 1))
        timed("another recipient, 60 tokens", lambda: write(model, first, "court", 60))
        reply = timed("another recipient, 120 tokens", lambda: write(model, first, "clerk", 120))
        message = reply["choices"][0]["message"]["content"]
        timed("verdict on that message", lambda: judge(model, message, "sarcasm"))
        timed("verdict on it for another preference", lambda: judge(model, message, "slang"))
        timed("the first profile again, 60 tokens", lambda: write(model, first, "pharmacist", 60))
        timed("memory of two profiles, first time", lambda: write(model, f"{second}\n{third}", "bank", 1))
        small_run(model, others[:2], contexts=5)


if __name__ == "__main__":
    main()
