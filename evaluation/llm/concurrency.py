"""How many calls of an endpoint are under way at once, and which waiting call goes next."""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class Limit:
    """A limit that halves once per episode of refusals and then recovers call by call.

    Waiting calls go by priority (smaller first), then in order of arrival. `clock` returns seconds.
    """

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self.most = most
        self.allowed = most
        self.under_way = 0
        self._clock = clock
        self._last_cut = -1.0
        self._answered = 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()

    @property
    def waiting(self) -> int:
        """Return how many calls wait for their turn."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, priority: int) -> AsyncIterator[None]:
        """Wait for a turn, and hold it inside of the block."""
        if self.under_way < self.allowed and not self._waiting:
            self.under_way += 1
        else:
            await self._wait(priority)
        try:
            yield
        finally:
            self.under_way -= 1
            self._let_in()

    def share(self, most: int) -> None:
        """Take another share of the endpoint: at once where nothing was refused, else by recovering to it."""
        if most == self.most:
            return
        is_cut = self.allowed < self.most
        self.most = most
        self.allowed = min(self.allowed, most) if is_cut else most
        self._let_in()

    def refused(self, started: float) -> None:
        """Note that the endpoint refused a call begun at `started`: one cut per episode.

        Calls that were already under way at the last cut belong to the same episode.
        """
        if started > self._last_cut:
            self.allowed = max(1, self.allowed // 2)
            self._last_cut = self._clock()
        self._answered = 0

    def answered(self) -> None:
        """Note an answer: after as many answers as calls are allowed, one more is allowed."""
        self._answered += 1
        if self.allowed < self.most and self._answered >= self.allowed:
            self.allowed += 1
            self._answered = 0
            self._let_in()

    async def _wait(self, priority: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (priority, next(self._order), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.under_way -= 1
                self._let_in()
            raise

    def _let_in(self) -> None:
        while self._waiting and self.under_way < self.allowed:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self.under_way += 1
                turn.set_result(None)
