"""One call of an endpoint, with its attempts: the only retry layer there is."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from evaluation.llm.capabilities import Capabilities, Request, confirmed, fitted, lesson
from evaluation.llm.client import Client
from evaluation.llm.concurrency import Limit
from evaluation.llm.errors import (
    Action,
    Finding,
    HttpAnswer,
    TransportError,
    Trouble,
    classify,
    redact,
)
from evaluation.llm.reply import Usage
from evaluation.llm.retry import Patience, retry_after


class UnitFailedError(Exception):
    """This unit cannot be answered; others may."""


class EndpointStoppedError(Exception):
    """The endpoint answers nobody until somebody changes something."""


class HaltedError(Exception):
    """No further call is wanted."""


class EndpointRestsError(Exception):
    """The endpoint asks for a wait too long to sit out."""

    def __init__(self, words: str, seconds: float) -> None:
        super().__init__(words)
        self.seconds = seconds


@dataclass(frozen=True)
class Attempt:
    """One HTTP attempt, for the ledger."""

    number: int
    parameters: dict[str, Any]
    status: int | None
    outcome: Action
    error: str
    started_at: datetime
    seconds: float
    usage: Usage
    may_be_billed_twice: bool


@dataclass(frozen=True)
class World:
    """Clocks, sleep and chance, so that tests need not wait."""

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


@dataclass
class Caller:
    """Calls one endpoint. It keeps the limit, what is known of the endpoint, and until when it rests.

    An endpoint of which something is not known yet is asked by one call ahead of the others.
    """

    name: str
    client: Client
    model: str
    limit: Limit
    capabilities: Capabilities
    deadline: float
    key: str = ""
    patience: Patience = field(default_factory=Patience)
    world: World = field(default_factory=World)
    rests_until: float = 0.0
    is_halted: bool = False
    sending: set[asyncio.Task[Any] | None] = field(default_factory=set)
    _ahead: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def ask(
        self, request: Request, note: Callable[[Attempt], None], first_number: int = 1
    ) -> dict[str, Any]:
        """Return the body of an answer. Every attempt is noted before anything follows from it.

        UnitFailedError, EndpointStoppedError or EndpointRestsError, in the endpoint's words; HaltedError
        before a further attempt once the caller is halted.
        """
        if not confirmed(fitted(request, self.capabilities), self.capabilities):
            return await self._try(request, note, first_number)
        async with self._ahead:
            return await self._try(request, note, first_number)

    async def _try(self, request: Request, note: Callable[[Attempt], None], number: int) -> dict[str, Any]:
        failures = timeouts = 0
        while True:
            sent, attempt, finding, headers = await self._attempt(request, number, timeouts > 0)
            learns = self._learns(attempt, finding, request, sent)
            note(replace(attempt, outcome=Action.RETRY) if learns else attempt)
            number += 1
            if finding.body is not None:
                self.limit.answered()
                self.capabilities.update(confirmed(sent, self.capabilities))
                return finding.body
            if learns:
                continue
            failures += 1
            timeouts += attempt.status is None and finding.error.get("trouble") == Trouble.TIMED_OUT
            self._give_up_if_hopeless(finding, failures, timeouts)
            await self._wait(headers, failures, finding.words)

    async def _attempt(
        self, request: Request, number: int, may_be_billed_twice: bool
    ) -> tuple[dict[str, Any], Attempt, Finding, dict[str, str]]:
        """Send once, when it is this call's turn and the endpoint does not rest; classify what comes."""
        async with self.limit.turn(request.priority):
            await self._rest()
            if self.is_halted:
                raise HaltedError
            sent = fitted(request, self.capabilities)
            started, started_at = self.world.clock(), self.world.now()
            try:
                answer = await self._send({"model": self.model, "messages": request.messages, **sent})
                status, headers, finding = answer.status, dict(answer.headers), classify(answer)
            except TransportError as error:
                status, headers, finding = None, {}, self._of_transport(error)
            seconds = self.world.clock() - started
        if finding.is_refusal:
            self.limit.refused(started)
        attempt = Attempt(
            number=number,
            parameters={"model": self.model, **sent},
            status=status,
            outcome=finding.action,
            error=finding.words,
            started_at=started_at,
            seconds=seconds,
            usage=Usage.from_body(finding.body.get("usage")) if finding.body else Usage(),
            may_be_billed_twice=may_be_billed_twice,
        )
        return sent, attempt, finding, headers

    async def _send(self, body: dict[str, Any]) -> HttpAnswer:
        """Send once within the total deadline; the key is taken out of whatever comes back."""
        task = asyncio.current_task()
        self.sending.add(task)
        try:
            answer = await self.client.complete(body, self.deadline)
        finally:
            self.sending.discard(task)
        if not self.key:
            return answer
        return HttpAnswer(answer.status, redact(answer.text, self.key), answer.headers)

    def _of_transport(self, error: TransportError) -> Finding:
        return Finding(Action.RETRY, redact(str(error), self.key), error={"trouble": error.trouble})

    def _learns(self, attempt: Attempt, finding: Finding, request: Request, sent: dict[str, Any]) -> bool:
        """Take a refused parameter as something learnt, here or by another call since this one was sent."""
        learnt = lesson(attempt.status, finding.words, finding.error, sent)
        if not learnt:
            return False
        if fitted(request, self.capabilities) == sent:
            if "token_limit" in learnt and "token_limit" in self.capabilities:
                return False
            self.capabilities.update(learnt)
        return fitted(request, self.capabilities) != sent

    def _give_up_if_hopeless(self, finding: Finding, failures: int, timeouts: int) -> None:
        if finding.action is Action.STOP_ENDPOINT:
            raise self._stopped(finding.words)
        if finding.action is Action.FAIL_UNIT:
            raise UnitFailedError(finding.words)
        if failures >= self.patience.attempts or timeouts >= self.patience.timeouts:
            if finding.error.get("trouble") == Trouble.UNREACHABLE:
                raise self._stopped(finding.words)
            raise UnitFailedError(f"{finding.words} (after {failures} attempts)")

    def _stopped(self, words: str) -> EndpointStoppedError:
        """Halt the calls that wait behind this one, too."""
        self.is_halted = True
        return EndpointStoppedError(f"Endpoint {self.name}: {words}")

    async def _wait(self, headers: dict[str, str], failures: int, words: str) -> None:
        """Wait as the endpoint asks, all of its calls together, or by this call's own back-off."""
        asked = retry_after(headers, self.world.now())
        if asked is None:
            await self.world.sleep(self.patience.back_off(failures, self.world.chance()))
        elif asked > self.patience.longest_wait:
            wait = min(asked, self.patience.clamp)
            self.capabilities["rests_until"] = (self.world.now() + timedelta(seconds=wait)).isoformat()
            self.is_halted = True
            raise EndpointRestsError(f"Endpoint {self.name}: {_resting(words, asked, wait)}", wait)
        else:
            self.rests_until = max(self.rests_until, self.world.clock() + asked)

    async def _rest(self) -> None:
        while (wait := self.rests_until - self.world.clock()) > 0:
            await self.world.sleep(wait)


def _resting(words: str, asked: float, wait: float) -> str:
    clamped = f", which is cut to {wait:.0f}" if wait < asked else ""
    return f"{words}. It asks to wait {asked:.0f} seconds{clamped}; the run goes on by itself then."
