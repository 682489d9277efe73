"""What a construction run asks about its rows: for a candidate, to verify it, to screen it."""

import json
from collections.abc import Sequence

from evaluation.judging.reading import Reading
from evaluation.llm.reply import Reply
from evaluation.models.generation import Generation, Outcome
from evaluation.models.run import Run
from evaluation.models.verdict import Verdict
from evaluation.pairpref.construction import (
    CONSTRUCT_SCHEMA,
    MOST_MEMORY,
    TEXTS,
    VERIFY_SCHEMA,
    Wanted,
    construct_messages,
    read_candidate,
    read_screening,
    read_verification,
    rule_findings,
    screen_messages,
    shown_replies,
    verify_messages,
)
from evaluation.questions import Question, Read, Values, into
from evaluation.targets import Target

TEMPERATURE = 1.0
read_texts = into("message", read_candidate, lambda texts: json.dumps(texts, ensure_ascii=False))


class AskingConstruction:
    """The questions of one construction run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def prepare(self, generation: Generation) -> None:
        """Read nothing: a row comes with its preference."""

    def question(self, generation: Generation) -> Question:
        """Ask for a candidate."""
        messages = construct_messages(self.wanted(generation))
        return Question(messages, read_texts, CONSTRUCT_SCHEMA, temperature=TEMPERATURE)

    def verdict_question(self, verdict: Verdict, generation: Generation, message: str) -> Question:
        """Ask for every check of the candidate, or for the reply that fits without any context."""
        texts = texts_of(message)
        if verdict.target == Target.VERIFICATION:
            messages = verify_messages(self.wanted(generation), texts)
            return Question(messages, _read_checks, VERIFY_SCHEMA, temperature=0.0)
        key = verdict.key
        messages = screen_messages(texts["request"], texts, key)
        shown = shown_replies(key).order
        return Question(messages, _screening_reader(key, shown), temperature=TEMPERATURE, shown=shown)

    def needless(self, generation: Generation, message: str, verdicts: Sequence[Verdict]) -> str:
        """Return why nothing more needs to be asked about a candidate; empty where it does."""
        if rule_findings(self.wanted(generation), texts_of(message), ""):
            return "dropped by the rule checks"
        for verdict in verdicts:
            if (
                verdict.target == Target.VERIFICATION
                and verdict.outcome != Outcome.PLANNED
                and not verdict.value
            ):
                return "dropped by verification"
        memory = sum(verdict.value or 0 for verdict in verdicts if verdict.target == Target.SCREENING)
        return "dropped by screening" if memory > MOST_MEMORY else ""

    def wanted(self, generation: Generation) -> Wanted:
        """Return what is asked for: the arm's kind of pair, of the row's preference."""
        preference, arm = generation.preference, self.run.arm(generation.condition)
        if preference is None:
            raise ValueError("a candidate lacks its preference")
        return Wanted(preference.text, arm["category"], arm["tier"], preference.domain, generation.sample)


def texts_of(message: str) -> dict[str, str]:
    """Return the texts of a stored candidate; placeholders where a plan has none yet."""
    try:
        return dict(json.loads(message))
    except ValueError:
        return dict.fromkeys(TEXTS, message)


def _read_checks(reply: Reply) -> Reading[Values]:
    return read_verification(reply).then(
        lambda checks: {"value": float(all(checks.values())), "details": checks}
    )


def _screening_reader(key: str, shown: Sequence[str]) -> Read:
    return lambda reply: read_screening(reply, key).then(
        lambda role: {"value": float(role == "memory"), "details": {"chosen": role, "shown": list(shown)}}
    )
