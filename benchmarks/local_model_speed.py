"""How long the embedded model takes on this machine: load, prompts, replies, verdicts, a small run.

    python -m benchmarks.local_model_speed

Run it while nothing else works. Seen on two cores of an AMD EPYC (AVX2): FIGURES
"""

import time
from collections.abc import Callable
from typing import Any

import httpx

from evaluation.local_model import LocalModel, start_local_model

FACT = "- Fact {number}: the neighbour at number {number} keeps a dog and pays {number} a month.\n"
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


def memory(profile: int, facts: int) -> str:
    """Return a prompt prefix of about 22 tokens a fact."""
    first = profile * 1000
    return "".join(FACT.format(number=first + number) for number in range(facts))


def write(model: LocalModel, profile: int, facts: int, recipient: str, tokens: int = 100) -> dict[str, Any]:
    """Ask for a message of exactly `tokens` tokens."""
    prompt = f"{memory(profile, facts)}\nWrite a complete message to the {recipient}."
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


def small_run(model: LocalModel, profiles: int, contexts: int) -> None:
    """Time what a small benchmark run asks: messages of 100 tokens and four verdicts on each."""
    start = time.perf_counter()
    for profile in range(profiles):
        for context in range(contexts):
            reply = write(model, 10 + profile, 110, f"officer number {context}")
            message = reply["choices"][0]["message"]["content"]
            for preference in ("sarcasm", "slang", "a pirate's voice", "bullet points"):
                judge(model, message, preference)
    seconds = time.perf_counter() - start
    verdicts = profiles * contexts * 4
    print(f"a run of {profiles} profiles x {contexts} contexts with {verdicts} verdicts: {seconds:.0f} s")


def main() -> None:
    """Print every figure."""
    start = time.perf_counter()
    with start_local_model() as model:
        print(f"{'load until the first answer is possible':45} {time.perf_counter() - start:6.1f} s")
        timed("prompt of about 2,500 tokens, first time", lambda: write(model, 1, 110, "bank", 1))
        timed("the same with another recipient, 60 tokens", lambda: write(model, 1, 110, "court", 60))
        message = timed(
            "the same with another recipient, 120 tokens", lambda: write(model, 1, 110, "clerk", 120)
        )
        text = message["choices"][0]["message"]["content"]
        timed("verdict on that message", lambda: judge(model, text, "sarcasm"))
        timed("verdict on it for another preference", lambda: judge(model, text, "slang"))
        timed("a message of the first profile again, 60", lambda: write(model, 1, 110, "pharmacist", 60))
        timed("prompt of about 6,000 tokens, first time", lambda: write(model, 2, 265, "bank", 1))
        small_run(model, profiles=2, contexts=5)


if __name__ == "__main__":
    main()
