"""What stands in a run archive: its files, and the kind of each field that a reader needs."""

from collections.abc import Mapping
from typing import Any

from annotate.importers.fields import Fields
from annotate.importers.reading import describe

FORMAT = "tact-run/1"
README, RUN, CORPUS = "README.txt", "run.json", "corpus.json"
GENERATIONS, VERDICTS, CALLS = "generations.jsonl", "verdicts.jsonl", "calls.jsonl"

Kind = tuple[type, ...]
Kinds = Mapping[str, Kind]
NONE = type(None)
TEXT, WHOLE, NUMBER, TRUTH, LIST, OBJECT = (str,), (int,), (int, float), (bool,), (list,), (dict,)
WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    NONE: "null",
}

HEAD: Kinds = {
    "versions": OBJECT,
    "plan": OBJECT,
    "judges": LIST,
    "spending": LIST,
    "calls": OBJECT,
    "lines": OBJECT,
}
PLAN: Kinds = {
    "run": WHOLE,
    "benchmark": TEXT,
    "state": TEXT,
    "state_reason": TEXT,
    "dataset": TEXT,
    "corpus_version": WHOLE,
    "corpus_hash": TEXT,
    "newest_corpus_version": WHOLE,
    "gold_release": (*TEXT, NONE),
    "gold_hash": (*TEXT, NONE),
    "review": (*TEXT, NONE),
    "example_labels": TEXT,
    "endpoint": OBJECT,
    "arms": LIST,
    "samples": WHOLE,
    "seed": WHOLE,
    "prompt_hashes": OBJECT,
    "code_version": TEXT,
    "duration_seconds": (*NUMBER, NONE),
}
SAMPLE: Kinds = {
    **dict.fromkeys(("sample", "name", "question", "model"), TEXT),
    "run": WHOLE,
    "judges_itself": TRUTH,
}
TIMES = ("created_at", "started_at", "finished_at")
ENDPOINT: Kinds = {"name": TEXT, "model": TEXT}
JUDGE: Kinds = {"number": WHOLE, "endpoint": OBJECT, "duty": TEXT, "category": TEXT, "is_subject": TRUTH}
COUNT = (*WHOLE, NONE)
SPENT: Kinds = {
    "who": TEXT,
    "name": TEXT,
    "calls": WHOLE,
    "tokens": OBJECT,
    "without_count": WHOLE,
    "cost": (*TEXT, NONE),
    "price": TEXT,
}
TOKENS: Kinds = dict.fromkeys(("input", "cached", "output", "reasoning"), COUNT)
CALLS_MADE: Kinds = dict.fromkeys(
    ("subject", "judges", "repeated", "may_be_billed_twice", "perhaps_lost"), WHOLE
)
LINES: Kinds = dict.fromkeys((GENERATIONS, VERDICTS, CALLS), WHOLE)

CORPUS_PARTS: Kinds = {"contexts": LIST, "preferences": LIST, "pairs": LIST, "gold": LIST}
CONTEXT: Kinds = {"recipient": TEXT, "task": TEXT}
PREFERENCE: Kinds = dict.fromkeys(("text", "category", "key", "domain"), TEXT)
GOLD: Kinds = {**CONTEXT, "preference": TEXT, "value": WHOLE}
PAIR: Kinds = {
    **dict.fromkeys(("identifier", "preference", "category", "domain", "tier"), TEXT),
    "distance": WHOLE,
}

GENERATION: Kinds = {
    **dict.fromkeys(("key", "task", "arm", "profile", "preference", "pair", "side"), TEXT),
    **dict.fromkeys(("outcome", "reason", "message", "choice"), TEXT),
    "id": WHOLE,
    "sample": WHOLE,
    "context": (*OBJECT, NONE),
    "shown": (*LIST, NONE),
}
VERDICT: Kinds = {
    **dict.fromkeys(("key", "target", "preference", "outcome", "reason"), TEXT),
    "id": WHOLE,
    "generation": WHOLE,
    "judge": COUNT,
    "number": WHOLE,
    "value": (*NUMBER, NONE),
    "details": (*OBJECT, NONE),
    "raw_match": (*TRUTH, NONE),
}
CALL: Kinds = {
    **dict.fromkeys(("generation", "verdict", "status"), COUNT),
    **dict.fromkeys(("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens"), COUNT),
    **dict.fromkeys(("outcome", "error", "started_at"), TEXT),
    "attempt": WHOLE,
    "parameters": OBJECT,
    "seconds": NUMBER,
    "may_be_billed_twice": TRUTH,
}


def prompt_file(name: str) -> str:
    """Return the place of a prompt in an archive; the file's SHA-256 is the hash that the run keeps."""
    return f"prompts/{name}.txt"


def checked(found: Fields, kinds: Kinds) -> dict[str, Any]:
    """Return the named fields of an object, each of its kind. Raises `BadInput`."""
    for name, kind in kinds.items():
        value = found.get(name)
        # To Python true is the number 1; to JSON it is not.
        if not isinstance(value, kind) or (isinstance(value, bool) and bool not in kind):
            words = " or ".join(WORDS[one] for one in kind if one is not int or float not in kind)
            raise found.problem(name, describe(value), words)
    return {name: found.values[name] for name in kinds}
