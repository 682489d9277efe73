"""Working on a run: one loop that keeps its endpoints busy, shard after shard.

1. A shard is claimed; its units are begun as long as there is room.
2. A unit is an answer and, once that is read, the verdicts on it.
3. What comes is written in small batches, a few times a second, beside the calls.
4. When no shard is left, or something halts the work, the calls under way end and the rest is given back.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.db import OperationalError
from django.utils import timezone

from evaluation.asking import asking
from evaluation.llm.call import EndpointRestsError, EndpointStoppedError, HaltedError
from evaluation.llm.client import OpenAIClient
from evaluation.llm.retry import Patience
from evaluation.models import Run, Shard
from evaluation.models.generation import Outcome
from evaluation.running.answering import NO_MESSAGE, Answering
from evaluation.running.callers import Callers, MakeClient
from evaluation.running.endings import corpus_change, end_if_complete, explain_state, stop_run
from evaluation.running.results import Batch, Results
from evaluation.running.shards import beat, claim, claim_next, release
from evaluation.running.units import AnswerUnit, VerdictUnit, load_units
from evaluation.spending import beyond_limits

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_BATCHES = 0.25
SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_BETWEEN_BEATS = 5.0
MOST_FAILED_WRITES = 5

# Set when this process was asked to end: the calls under way end, the rest is left to others.
STOPPING = threading.Event()


class Why(StrEnum):
    """Why work halted before every shard was done."""

    HELD = "the run no longer runs"
    ENDPOINT_STOPPED = "an endpoint refuses every call"
    ENDPOINT_RESTS = "an endpoint asks for a long wait"
    PROCESS_ENDS = "this process was asked to end"
    LIMIT_REACHED = "the run has spent what it may"
    CORPUS_CHANGED = "the corpus is no longer the one that the run was planned on"
    BROKEN = "an error in the program"


STOPPING_REASONS = {Why.ENDPOINT_STOPPED, Why.LIMIT_REACHED, Why.CORPUS_CHANGED, Why.BROKEN}


@dataclass(frozen=True)
class Halt:
    """Why work halted, in whose words, and for how long."""

    why: Why
    words: str = ""
    seconds: float = 0.0
    error: BaseException | None = None
    has_worked: bool = True


def run_shard(
    shard_id: int, make_client: MakeClient = OpenAIClient, patience: Patience | None = None
) -> Halt | None:
    """Work on a shard and on whatever else of its run waits; nothing where another worker has the shard.

    Returns what halted the work, or None.
    """
    run = Run.objects.select_related("endpoint").get(shards=shard_id)
    if run.state != Run.State.RUNNING:
        return None
    try:
        callers = Callers(run, make_client, patience)
    except EndpointStoppedError as error:
        stop_run(run, str(error))
        return Halt(Why.ENDPOINT_STOPPED, str(error))
    resting = callers.seconds_to_rest(timezone.now())
    if resting > 0:
        return Halt(Why.ENDPOINT_RESTS, seconds=resting, has_worked=False)
    if reason := beyond_limits(run):
        stop_run(run, reason)
        return Halt(Why.LIMIT_REACHED, reason, has_worked=False)
    shard = claim(shard_id)
    if shard is None:
        return None
    halt = async_to_sync(Work(run, callers).do)(shard)
    _conclude(run, halt)
    return halt


def _conclude(run: Run, halt: Halt | None) -> None:
    """Give the run the state that follows from how the work ended."""
    if halt and halt.why in STOPPING_REASONS:
        stop_run(run, halt.words)
    elif halt and halt.why is Why.ENDPOINT_RESTS:
        explain_state(run, halt.words)
    else:
        end_if_complete(run)
    if halt and halt.error:
        raise halt.error


class Work:
    """The work of one process on one run."""

    def __init__(self, run: Run, callers: Callers) -> None:
        self.run = run
        self.callers = callers
        self.results = Results(run.pk)
        self.answering = Answering(run, callers, self.results)
        self.halt: Halt | None = None
        self.held: set[int] = set()
        self.units_left: dict[int, int] = {}
        self.open_units = 0
        self.most_open = callers.subject.limit.most + sum(
            caller.limit.most for caller in callers.by_endpoint.values()
        )
        self.tasks: set[asyncio.Task[None]] = set()
        self.change = asyncio.Event()
        self.is_over = asyncio.Event()
        self.failed_writes = 0
        self.looked_at = self.beaten_at = time.monotonic()

    async def do(self, shard: Shard) -> Halt | None:
        """Work until no shard is left or something halts the work."""
        self.held.add(shard.pk)
        books = asyncio.create_task(self._keep_books(), name="the writing of results")
        books.add_done_callback(self._note_end)
        try:
            await sync_to_async(explain_state)(self.run, "")
            await sync_to_async(self.callers.share_limits)()
            await self._feed(shard)
            while self.tasks:
                await asyncio.wait(self.tasks)
        finally:
            self.is_over.set()
            await asyncio.wait([books])
            await self._close()
        return self.halt

    # -- beginning and ending units

    async def _feed(self, shard: Shard | None) -> None:
        """Begin unit after unit, as long as there is room, until no shard is left."""
        questions = asking(self.run)
        while shard:
            self.held.add(shard.pk)
            if self.halt:
                return
            units = await sync_to_async(load_units)(shard, questions)
            # Only after reading: what was read before a change was written is as it was planned.
            if reason := await sync_to_async(corpus_change)(self.run):
                self._stop(Halt(Why.CORPUS_CHANGED, reason))
                return
            self.units_left[shard.pk] = len(units)
            self._note_done(shard.pk)
            for unit in units:
                await self._find_room()
                self._begin(self._answer(unit), f"generation {unit.pk}")
                self.open_units += 1
            shard = await sync_to_async(claim_next)(self.run.pk)

    async def _find_room(self) -> None:
        while self.open_units >= self.most_open and not self.halt:
            self.change.clear()
            await self.change.wait()

    async def _answer(self, unit: AnswerUnit) -> None:
        """Bring an answer to its end, then begin its verdicts."""
        if unit.row.outcome == Outcome.PLANNED:
            await self.answering.answer(unit)
        if unit.row.outcome != Outcome.DONE:
            self._skip(unit.verdicts)
        elif unit.is_judged_in_turn:
            await self._judge_in_turn(unit)
        else:
            for verdict in unit.verdicts:
                self._begin(self._judge(unit, verdict), f"verdict {verdict.pk}")
        self._note_unit(unit)

    async def _judge(self, unit: AnswerUnit, verdict: VerdictUnit) -> None:
        await self.answering.judge(unit, verdict)
        verdict.has_ended = True
        self._note_unit(unit)

    async def _judge_in_turn(self, unit: AnswerUnit) -> None:
        """Judge one thing after the other, until nothing more needs to be asked."""
        for verdict in unit.verdicts:
            if reason := unit.needless():
                self._skip([left for left in unit.verdicts if not left.has_ended], reason)
                return
            await self.answering.judge(unit, verdict)
            verdict.has_ended = True

    def _skip(self, verdicts: list[VerdictUnit], reason: str = NO_MESSAGE) -> None:
        for verdict in verdicts:
            self.answering.skip(verdict, reason)
            verdict.has_ended = True

    def _begin(self, work: Coroutine[Any, Any, None], unit: str) -> None:
        if self.halt:
            work.close()
            return
        task = asyncio.create_task(work, name=unit)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(self._note_end)

    def _note_unit(self, unit: AnswerUnit) -> None:
        """Note a unit whose last part has ended."""
        if all(verdict.has_ended for verdict in unit.verdicts):
            self.open_units -= 1
            self.units_left[unit.row.shard_id] -= 1
            self._note_done(unit.row.shard_id)
            self.change.set()

    def _note_done(self, shard_id: int) -> None:
        if self.units_left[shard_id] == 0:
            self.held.discard(shard_id)
            self.results.batch.done_shards.append(shard_id)

    def _note_end(self, task: asyncio.Task[None]) -> None:
        """Halt the work where a task ended with an error that concerns more than its unit."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, EndpointStoppedError):
            self._stop(Halt(Why.ENDPOINT_STOPPED, str(error)))
        elif isinstance(error, EndpointRestsError):
            self._stop(Halt(Why.ENDPOINT_RESTS, str(error), error.seconds))
        elif error is not None and not isinstance(error, HaltedError):
            logger.error("Run %s broke at %s", self.run.pk, task.get_name(), exc_info=error)
            self._stop(Halt(Why.BROKEN, f"{type(error).__name__}: {error}", error=error))

    def _stop(self, halt: Halt) -> None:
        """Begin nothing more; the calls under way go on to their end, what only waits is dropped."""
        if self.halt:
            return
        self.halt = halt
        sending: set[asyncio.Task[Any] | None] = set()
        for caller in self.callers.by_endpoint.values():
            caller.is_halted = True
            sending |= caller.sending
        for task in self.tasks - sending:
            task.cancel()
        self.change.set()

    # -- writing, and looking at the world outside

    async def _keep_books(self) -> None:
        """Write batches, tell that this worker is alive, and halt where the run or the process ends."""
        while not self.is_over.is_set():
            await self._pause()
            await self._write()
            await self._hold_limits()
            now = time.monotonic()
            if STOPPING.is_set():
                self._stop(Halt(Why.PROCESS_ENDS))
            if now - self.looked_at >= SECONDS_BETWEEN_LOOKS:
                self.looked_at = now
                await self._look()
            if now - self.beaten_at >= SECONDS_BETWEEN_BEATS:
                self.beaten_at = now
                await sync_to_async(beat)(list(self.held))

    async def _pause(self) -> None:
        """Wait for the next batch, or for the end. A write is never cut off: it would be done twice."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_BETWEEN_BATCHES):
                await self.is_over.wait()

    async def _look(self) -> None:
        state = await Run.objects.filter(pk=self.run.pk).values_list("state", flat=True).afirst()
        if state != Run.State.RUNNING:
            self._stop(Halt(Why.HELD))
        await sync_to_async(self.callers.share_limits)()

    async def _hold_limits(self) -> None:
        """Halt once what was written has cost more than the run may: only calls under way come on top."""
        if reason := await sync_to_async(beyond_limits)(self.run):
            self._stop(Halt(Why.LIMIT_REACHED, reason))

    async def _write(self) -> None:
        """Write what has come; a database that is busy gets it with the next batch."""
        batch = self.results.take()
        try:
            await sync_to_async(self._save)(batch)
            self.failed_writes = 0
        except BaseException as error:
            self.results.put_back(batch)
            self.failed_writes += 1
            if not isinstance(error, OperationalError) or self.failed_writes >= MOST_FAILED_WRITES:
                raise

    def _save(self, batch: Batch) -> None:
        if batch:
            batch.write(is_held=self.halt is not None and self.halt.why is Why.HELD)
        self.callers.save_lessons()

    async def _close(self) -> None:
        """Write the last batch, give back what is not done, let go of the connections."""
        await self._write()
        await sync_to_async(release)(self.held)
        for caller in self.callers.by_endpoint.values():
            await caller.client.close()
