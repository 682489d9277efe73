"""Answering a unit: ask, keep the raw reply, read it, end the unit. What was answered is not asked again."""

import hashlib
from dataclasses import replace
from typing import Any

from evaluation.judging.answers import NotRead
from evaluation.judging.reading import Reading
from evaluation.llm.call import Caller, UnitFailedError
from evaluation.llm.capabilities import Request
from evaluation.llm.reply import Reply
from evaluation.models import Run
from evaluation.models.generation import Outcome, Task
from evaluation.questions import Question, Values
from evaluation.running.callers import Callers
from evaluation.running.columns import match_columns, read_columns
from evaluation.running.results import Results
from evaluation.running.units import AnswerUnit, VerdictUnit

# Verdicts go before answers: an answer that waits for its verdicts is work half done.
VERDICTS_FIRST, ANSWERS_SECOND = 0, 1
NO_MESSAGE = "no message"


class Answering:
    """Answers the units of one run."""

    def __init__(self, run: Run, callers: Callers, results: Results) -> None:
        self.run = run
        self.callers = callers
        self.results = results

    async def answer(self, unit: AnswerUnit) -> None:
        """Bring an answer to its end: done, not read, or failed."""
        question = unit.question()
        request = self._request(question, self.run.parameters_of(unit.row.condition), ANSWERS_SECOND)
        # A judgement is asked for as it is inside a run, where a judge's first answer has no seed.
        seed = None if unit.row.task == Task.JUDGEMENT else seed_of(self.run.seed, unit.row.key)
        reading = await self._read(unit, self.callers.subject, question, request, seed)
        if reading is None:
            return
        self.results.end(unit, **read_columns(reading))

    async def judge(self, unit: AnswerUnit, verdict: VerdictUnit) -> None:
        """Bring a verdict to its end."""
        if verdict.row.judge_id is None:
            return self.match(unit, verdict)
        judge = self.callers.judges[verdict.row.judge_id]
        question = unit.verdict_question(verdict)
        request = self._request(question, judge.endpoint_snapshot["parameters"], VERDICTS_FIRST)
        caller = self.callers.judge(judge.pk)
        # Where a judge is asked several times for one thing, its answers should differ.
        seed = None if verdict.row.number == 1 else seed_of(self.run.seed, verdict.row.key)
        reading = await self._read(verdict, caller, question, request, seed)
        if reading is not None:
            self.results.end(verdict, **read_columns(reading))
        return None

    def match(self, unit: AnswerUnit, verdict: VerdictUnit) -> None:
        """Judge a nickname by exact match."""
        found = match_columns(verdict.row.preference, unit.row.message)
        self.results.end(verdict, Outcome.DONE, **found)

    def skip(self, verdict: VerdictUnit, reason: str = NO_MESSAGE) -> None:
        """End a verdict that is not needed, above all one on a message that there is not."""
        self.results.end(verdict, Outcome.SKIPPED, reason)

    async def _read(
        self,
        unit: AnswerUnit | VerdictUnit,
        caller: Caller,
        question: Question,
        request: Request,
        seed: int | None,
    ) -> Reading[Values] | None:
        """Ask until a reply can be read, a few times at most; None where the unit failed and has ended so.

        A reply that is there already is read before anything is asked.
        """
        reading: Reading[Values] | None = None
        while reading is None or (reading.may_ask_again and len(unit.replies) < question.tries):
            is_new = reading is not None or not unit.replies
            if is_new and not await self._ask(unit, caller, _seeded(request, seed, len(unit.replies))):
                return None
            reading = question.read(Reply.from_body(unit.replies[-1]))
            self._flag(caller, reading)
        return reading

    async def _ask(self, unit: AnswerUnit | VerdictUnit, caller: Caller, request: Request) -> bool:
        """Ask, and keep the raw reply; False where the unit failed and has ended so."""
        try:
            body = await caller.ask(request, self.results.ledger(unit), first_number=len(unit.replies) + 1)
        except UnitFailedError as error:
            self.results.end(unit, Outcome.FAILED, str(error))
            return False
        self.results.keep_reply(unit, body)
        return True

    def _request(self, question: Question, parameters: dict[str, Any], priority: int) -> Request:
        return Request(
            question.messages,
            parameters,
            temperature=question.temperature,
            schema=question.schema,
            priority=priority,
        )

    def _flag(self, caller: Caller, reading: Reading[Any]) -> None:
        """Note of an endpoint that it puts answers where reasoning belongs."""
        if reading.reason is NotRead.IN_REASONING:
            caller.capabilities["answers_in_reasoning"] = True


def _seeded(request: Request, seed: int | None, asked: int) -> Request:
    """Return the request with its seed; each further time with the next, for another answer."""
    return request if seed is None else replace(request, seed=(seed + asked) % 2**31)


def seed_of(run_seed: int, key: str) -> int:
    """Return a seed of a unit's own, the same whenever it is asked for: 0 to 2**31 - 1."""
    digest = hashlib.sha256(f"{run_seed} {key}".encode()).digest()
    return int.from_bytes(digest[:4]) >> 1
