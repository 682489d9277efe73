"""PairPref and construction runs against an endpoint that answers by reading what it is asked."""

import json
import re
from collections.abc import Callable
from typing import Any

from annotate.pairs import ROLES
from evaluation.actions import create_run
from evaluation.models import Run
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.factories import make_endpoint
from tests.evaluation.fake_endpoint import Answer, Asked, says

JUDGES = {
    "how far an answer relies": "uptake",
    "suits the situation": "fit",
    "commits itself": "hedge",
    "Is the preference about the same matter": "relevant",
    "say enough to decide": "sufficient",
    "guide the answer in this situation": "apply",
    "Should the preference guide the assistant": "preference_only",
}


def kind_of(asked: Asked) -> str:
    """Tell what is asked by the words of the prompt."""
    found = [kind for words, kind in JUDGES.items() if words in asked.prompt]
    if found:
        return found[0]
    return "selection" if "Which of these replies" in asked.prompt else "answer"


def side_of(asked: Asked) -> str:
    """Tell the side by the situation (see `make_pair`), or by the answer that is judged."""
    whole = json.dumps(asked.body["messages"])
    return "positive" if re.search(r"situation \d+x|positive answer", whole) else "negative"


def letter_of(asked: Asked, role: str) -> str:
    """Return the letter under which the reply of a role is shown."""
    mark = dict(zip(ROLES, "pqrs", strict=True))[role]
    return re.search(rf"^([A-D])\. Advice \d+{mark}\.", asked.prompt, re.MULTILINE)[1]


def perfect(asked: Asked, times: int) -> Answer:
    """Use the preference on the positive side, set it aside and say so on the negative one."""
    kind, is_positive = kind_of(asked), side_of(asked) == "positive"
    if kind == "selection":
        return says(f"**{letter_of(asked, 'memory' if is_positive else 'acknowledged')}**")
    if kind == "answer":
        return says("The positive answer." if is_positive else "The negative answer.")
    values: dict[str, Any] = {
        "uptake": float(is_positive),
        "fit": 1,
        "hedge": False,
        "relevant": True,
        "sufficient": True,
        "apply": is_positive,
        "preference_only": True,
    }
    key = "apply" if kind == "preference_only" else kind
    return says(json.dumps({key: values[kind]}))


def planned_pair_run(url: str, **plan: Any) -> Run:
    """Plan a run over three preferences with two pairs each."""
    dataset = make_pair_dataset()
    subject = make_endpoint("subject", url, concurrency=4, deadline=20)
    judge = make_endpoint("judge", url, concurrency=4, deadline=20)
    plan = {"judges": [(judge, "")], "tracks": ["selection", "generation"], **plan}
    return create_run(benchmark="pairpref", dataset=dataset, endpoint=subject, **plan)


def planned_construction(url: str, **plan: Any) -> Run:
    """Plan a construction of one preference's pairs."""
    dataset = make_pair_dataset(preferences=1, pairs=1)
    endpoints = [
        make_endpoint(name, url, concurrency=2, deadline=20) for name in ("writer", "verifier", "screener")
    ]
    plan = {"categories": ["occasion"], "tiers": ["clean"], **plan}
    return create_run(
        benchmark="construction",
        dataset=dataset,
        endpoint=endpoints[0],
        verifier=endpoints[1],
        screener=endpoints[2],
        **plan,
    )


Behave = Callable[[Asked, int], Answer]
