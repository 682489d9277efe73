"""Answering a unit: ask, keep the raw reply, read it, end the unit. What was answered is not asked again."""

import hashlib
from typing import Any

from evaluation.benchpres.matching import nickname_match, raw_match
from evaluation.benchpres.prompting import JUDGE_SCHEMA, judge_messages
from evaluation.judging.answers import NotRead
from evaluation.judging.labels import FOLLOW
from evaluation.judging.reading import Reading, read_label, read_message
from evaluation.llm.call import Caller, UnitFailedError
from evaluation.llm.capabilities import Request
from evaluation.llm.reply import Reply
from evaluation.models import Run
from evaluation.models.generation import Outcome
from evaluation.running.callers import Callers, subject_parameters
from evaluation.running.results import Results
from evaluation.running.units import MessageUnit, VerdictUnit

# Verdicts go before messages: a message that waits for its verdicts is work half done.
VERDICTS_FIRST, MESSAGES_SECOND = 0, 1
MOST_ASKED = 3
NO_MESSAGE = "no message"
CUT = "cut by the length limit"


class Answering:
    """Answers the units of one run."""

    def __init__(self, run: Run, callers: Callers, results: Results) -> None:
        self.run = run
        self.callers = callers
        self.results = results

    async def write_message(self, unit: MessageUnit) -> None:
        """Bring a message to its end: done, not read, or failed."""
        caller = self.callers.subject
        if not unit.replies and not await self._ask(unit, caller, self._message_request(unit)):
            unit.outcome = Outcome.FAILED
            return
        reading = read_message(Reply.from_body(unit.replies[-1]))
        self._flag(caller, reading)
        unit.outcome = Outcome.DONE if reading.value is not None else Outcome.NOT_READ
        unit.message = reading.value or ""
        reason = CUT if reading.is_cut else str(reading.reason or "")
        self.results.end(unit, unit.outcome, reason, message=unit.message)

    async def judge(self, unit: MessageUnit, verdict: VerdictUnit) -> None:
        """Bring a verdict to its end; one that cannot be read is asked for again, a few times."""
        if verdict.judge_id is None:
            return self.match(unit, verdict)
        caller = self.callers.judge(verdict.judge_id)
        request = self._verdict_request(unit.message, verdict.preference, verdict.judge_id)
        reading: Reading[str] | None = None
        while reading is None or self._may_ask_again(verdict, reading):
            is_new = reading is not None or not verdict.replies
            if is_new and not await self._ask(verdict, caller, request):
                return None
            reading = read_label(Reply.from_body(verdict.replies[-1]))
            self._flag(caller, reading)
        if reading.value is None:
            return self.results.end(verdict, Outcome.NOT_READ, str(reading.reason))
        return self.results.end(verdict, Outcome.DONE, value=int(reading.value == FOLLOW))

    def match(self, unit: MessageUnit, verdict: VerdictUnit) -> None:
        """Judge a nickname by exact match."""
        self.results.end(
            verdict,
            Outcome.DONE,
            value=int(nickname_match(verdict.nickname, unit.message)),
            raw_match=raw_match(verdict.nickname, unit.message),
        )

    def skip(self, verdict: VerdictUnit) -> None:
        """End a verdict on a message that there is not."""
        self.results.end(verdict, Outcome.SKIPPED, NO_MESSAGE)

    async def _ask(self, unit: MessageUnit | VerdictUnit, caller: Caller, request: Request) -> bool:
        """Ask, and keep the raw reply; False where the unit failed and has ended so."""
        try:
            body = await caller.ask(request, self.results.ledger(unit), first_number=len(unit.replies) + 1)
        except UnitFailedError as error:
            self.results.end(unit, Outcome.FAILED, str(error))
            return False
        self.results.keep_reply(unit, body)
        return True

    def _message_request(self, unit: MessageUnit) -> Request:
        return Request(
            unit.prompt(),
            subject_parameters(self.run),
            temperature=self.run.temperature,
            seed=_seed(self.run.seed, unit.key),
            priority=MESSAGES_SECOND,
        )

    def _verdict_request(self, message: str, preference: str, judge_id: int) -> Request:
        return Request(
            judge_messages(preference, message),
            self.callers.judges[judge_id].endpoint_snapshot["parameters"],
            temperature=0.0,
            schema=JUDGE_SCHEMA,
            priority=VERDICTS_FIRST,
        )

    def _may_ask_again(self, verdict: VerdictUnit, reading: Reading[str]) -> bool:
        return reading.may_ask_again and len(verdict.replies) < MOST_ASKED

    def _flag(self, caller: Caller, reading: Reading[Any]) -> None:
        """Note of an endpoint that it puts answers where reasoning belongs."""
        if reading.reason is NotRead.IN_REASONING:
            caller.capabilities["answers_in_reasoning"] = True


def _seed(run_seed: int, key: str) -> int:
    """Return a seed of a message's own, the same whenever it is asked for: 0 to 2**31 - 1."""
    digest = hashlib.sha256(f"{run_seed} {key}".encode()).digest()
    return int.from_bytes(digest[:4]) >> 1
