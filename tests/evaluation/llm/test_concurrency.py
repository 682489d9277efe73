"""The limit of an endpoint: never exceeded, halved once per episode, recovered call by call."""

import asyncio

from evaluation.llm.concurrency import Limit


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_never_more_than_allowed_and_the_urgent_go_first():
    async def scenario():
        limit, most, order = Limit(2, Clock()), 0, []

        async def call(name, priority):
            nonlocal most
            async with limit.turn(priority):
                most = max(most, limit.under_way)
                order.append(name)
                await asyncio.sleep(0)

        await asyncio.gather(*(call(n, 1) for n in "abcde"), call("urgent", 0))
        return most, order, limit.under_way

    most, order, under_way = asyncio.run(scenario())
    assert (most, under_way) == (2, 0)
    assert order == ["a", "b", "urgent", "c", "d", "e"]


def test_one_cut_per_episode_of_refusals():
    clock = Clock()
    limit = Limit(64, clock)
    clock.now = 10
    for _ in range(64):
        limit.refused(started=5)
    assert limit.allowed == 32
    clock.now = 20
    limit.refused(started=15)
    assert limit.allowed == 16


def test_recovery_goes_step_by_step_up_to_the_most():
    clock = Clock()
    limit = Limit(4, clock)
    limit.refused(started=0)
    assert limit.allowed == 2
    for _ in range(2):
        limit.answered()
    assert limit.allowed == 3
    for _ in range(100):
        limit.answered()
    assert limit.allowed == 4


def test_limit_never_falls_below_one():
    clock = Clock()
    limit = Limit(1, clock)
    for moment in range(1, 9):
        clock.now = moment
        limit.refused(started=moment)
    assert limit.allowed == 1


def test_dropped_waiter_leaves_its_turn_to_the_next():
    async def scenario():
        limit, order = Limit(1, Clock()), []

        async def call(name):
            async with limit.turn(1):
                order.append(name)
                await asyncio.sleep(0)

        first, dropped, last = (asyncio.create_task(call(name)) for name in ("first", "dropped", "last"))
        await asyncio.sleep(0)
        dropped.cancel()
        await asyncio.gather(first, dropped, last, return_exceptions=True)
        return order, limit.under_way

    assert asyncio.run(scenario()) == (["first", "last"], 0)


def test_another_share_is_taken_at_once_where_nothing_was_refused():
    limit = Limit(8, lambda: 0.0)
    limit.share(4)
    assert (limit.most, limit.allowed) == (4, 4)
    limit.share(6)
    assert limit.allowed == 6


def test_a_larger_share_after_a_refusal_is_come_to_call_by_call():
    limit = Limit(8, lambda: 1.0)
    limit.refused(0.0)
    assert limit.allowed == 4
    limit.share(16)
    assert (limit.most, limit.allowed) == (16, 4)
    for _ in range(4):
        limit.answered()
    assert limit.allowed == 5
    limit.share(2)
    assert limit.allowed == 2
