"""Finished runs with all that a report can rest on, ended by a seed: arms, judges, gaps, replies, calls."""

import random
from typing import Any

from annotate.pairs import ROLES
from evaluation.actions import create_run
from evaluation.models import Generation, Run
from evaluation.targets import MENUS, Target
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.factories import STARTED, add_call, make_corpus, make_endpoint, make_release

# Line ends, separators that some take for line ends, quotes, escapes, marks of JSON, letters of any length.
HOSTILE = [
    "Dear all,\n\nthe end.\r\n",
    "one\u2028two\u2029three\x85four\x0bfive\x1csix",
    '"}\n{"id": 1}\n\\u0041 \\n \'',
    "\ufeffBOM, \U0001f600, e\u0301, \u05e9\u05dc\u05d5\u05dd, \u202eabc\x7f\x1b[31m",
    " ",
]
CHOICES = {
    "probe": ("apply", "suppress"),
    "selection": ROLES,
    **dict.fromkeys(("preference_only", "relevant", "sufficient", "apply"), ("yes", "no")),
}


def body(content: str | None, finish_reason: str = "stop") -> dict[str, Any]:
    """Return a chat completion as it is stored."""
    return {
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}]
    }


def whole_benchpres_run() -> Run:
    """Make a run of four conditions, the probe among them, two judges of labels and one of completeness."""
    release = make_release(make_corpus())
    prices = {"input": 0.5, "cached": 0.05, "output": 1.5}
    judges = [make_endpoint("judge", prices=prices), make_endpoint("second")]
    run = create_run(
        dataset=release.dataset,
        release=release,
        endpoint=make_endpoint(prices=prices, parameters={"max_tokens": 400}),
        judges=[(judge, "") for judge in judges],
        completeness_judges=[make_endpoint("third")],
        conditions=["default", "mitigation", "no_preferences", "probe"],
        samples=2,
        seed=3,
        cost_limit="2.50",
    )
    return end_whole(run)


def whole_pairpref_run() -> Run:
    """Make a run of all four tracks, with two judges of answers and two procedures."""
    run = create_run(
        benchmark="pairpref",
        dataset=make_pair_dataset(preferences=3, pairs=2),
        endpoint=make_endpoint(),
        judges=[(make_endpoint("judge"), ""), (make_endpoint("second"), "")],
        tracks=["selection", "generation", "preference_only", "relevance_gate"],
        procedures=["direct", "applicability_first"],
        seed=3,
    )
    return end_whole(run)


def end_whole(run: Run) -> Run:
    """End every unit, most of them done, some not read and failed, with replies and calls."""
    chance = random.Random(2)
    for row in run.generations.order_by("pk"):
        row.outcome = chance.choices(("done", "not_read", "failed"), (8, 1, 1))[0]
        row.reply = [body(None), body(chance.choice(HOSTILE))]
        if row.outcome == "done":
            _read(row, chance)
        else:
            row.reason = "empty" if row.outcome == "not_read" else "HTTP 400: \u201cno\u201d"
        row.save()
        add_call(row, attempt=chance.choice((1, 2)), seconds=chance.random(), parameters={"temperature": 1.0})
        for verdict in row.verdicts.order_by("pk"):
            verdict.outcome = chance.choices(("done", "not_read", "failed"), (8, 1, 1))[0]
            if row.outcome != "done":
                verdict.outcome, verdict.reason = "skipped", "no message"
            elif verdict.outcome == "done":
                verdict.value = chance.choice(MENUS[Target(verdict.target)])
                verdict.raw_match = None if verdict.judge else bool(verdict.value)
                verdict.details = chance.choice((None, {"b": [1, None], "a": "\u2028"}))
            else:
                verdict.reason = "off the menu"
            if verdict.judge and row.outcome == "done":
                verdict.reply = [body(chance.choice(HOSTILE))]
                add_call(row, verdict, input_tokens=chance.choice((None, 7)), error="\u2028\n")
            verdict.save()
    run.state, run.started_at, run.finished_at = "done", STARTED, STARTED.replace(hour=13, microsecond=120)
    run.save()
    return run


def _read(row: Generation, chance: random.Random) -> None:
    if row.task in CHOICES:
        row.choice = chance.choice(CHOICES[row.task])
        return
    row.message = chance.choice(HOSTILE)
    row.reason = chance.choice(("", "cut by the length limit"))
    if "applicability" in row.condition:
        row.choice = chance.choice(("apply", "set_aside", ""))
