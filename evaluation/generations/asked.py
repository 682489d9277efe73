"""What is sent for one unit, to the model and to each judge, and what the ledger says of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from annotate.problems import Problem
from evaluation.asking import Asking, asking
from evaluation.generations.shown import about_words, judge_name, verdict_words
from evaluation.models import Call, Generation, Verdict
from evaluation.questions import Messages
from evaluation.running.units import replies_of

# What stands in a judge's messages in place of an answer that there is not.
PLACEHOLDER = "(the answer)"


@dataclass(frozen=True)
class Asked:
    """What one model is asked, exactly, and its raw replies as JSON, oldest first.

    `problem` says why the question cannot be made any more. `found` is what was read, in words.
    """

    who: str
    about: str
    messages: Messages
    replies: list[str]
    found: str = ""
    problem: str = ""


def asked_of_model(row: Generation) -> Asked:
    """Return what the model under test is asked."""
    questions = asking(row.run)
    messages, problem = _messages(lambda: questions.question(row).messages)
    return Asked(row.run.endpoint_snapshot["name"], "", messages, pretty(row.reply), problem=problem)


def asked_of_judges(row: Generation) -> list[Asked]:
    """Return what each judge is asked; `PLACEHOLDER` stands for a missing answer."""
    questions = asking(row.run)
    verdicts = [verdict for verdict in row.verdicts.all() if verdict.judge_id]
    return [_asked_of_judge(questions, verdict, row) for verdict in sorted(verdicts, key=lambda one: one.pk)]


def calls_of(row: Generation) -> QuerySet[Call]:
    """Return the attempts for a unit and for the verdicts on it, in the order of the ledger."""
    calls = Call.objects.filter(Q(generation=row) | Q(verdict__generation=row))
    return calls.select_related("verdict__judge", "verdict__preference").order_by("id")


def pretty(replies: Any) -> list[str]:
    """Return raw replies as JSON that people can read."""
    return [json.dumps(reply, indent=2, ensure_ascii=False) for reply in replies_of(replies)]


def _asked_of_judge(questions: Asking, verdict: Verdict, row: Generation) -> Asked:
    message = row.message or PLACEHOLDER
    messages, problem = _messages(lambda: questions.verdict_question(verdict, row, message).messages)
    return Asked(
        who=judge_name(verdict.judge),
        about=about_words(verdict),
        messages=messages,
        replies=pretty(verdict.reply),
        found=verdict_words(verdict),
        problem=problem,
    )


def _messages(make: Callable[[], Messages]) -> tuple[Messages, str]:
    try:
        return make(), ""
    except Problem as problem:
        return [], str(problem)
