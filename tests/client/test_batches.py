"""Items of several callers that share a request."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import httpx2 as httpx
import msgspec
from tests.client.examples import ADDRESS, RIGHT, TOKEN, finished, number, over, scored

import palaestra
from palaestra import Score, client
from palaestra.client import (
    AsyncClient,
    Client,
    InvalidRequest,
    batches,
)


def test_thousands_of_waiting_callers_make_a_few_requests(service):
    replies = [RIGHT if n % 3 else "no" for n in range(2_000)]

    async def run():
        async with AsyncClient(service.url, TOKEN) as made:
            return await asyncio.gather(*(made.score(ADDRESS, reply) for reply in replies))

    service.asked.clear()
    service.ports.clear()
    scores = finished(run())
    assert [score.value for score in scores] == [float(reply == RIGHT) for reply in replies]
    assert len(service.asked) <= 12
    assert len(service.ports) <= client.CONNECTIONS


def test_one_caller_waits_for_nobody(there, service):
    service.asked.clear()
    there.score(ADDRESS, RIGHT)
    there.score(ADDRESS, "no")
    assert service.asked == [("POST", "/v1/score")] * 2


def test_a_failing_item_fails_for_its_caller_alone(service):
    items = [
        (ADDRESS, RIGHT),
        ("nothing/here", RIGHT),
        (ADDRESS, ["x"] * 501),  # for which a service refuses the whole batch
        (ADDRESS, [RIGHT, RIGHT]),
        ("x" * 2_001, RIGHT),
        *[(ADDRESS, RIGHT)] * 20,
    ]
    kinds = [Score, palaestra.UnknownEnvironment, InvalidRequest, palaestra.EpisodeOver]
    kinds += [InvalidRequest, *[Score] * 20]

    async def run():
        async with AsyncClient(service.url, TOKEN) as made:
            jobs = (made.score(*item) for item in items)
            return await asyncio.gather(*jobs, return_exceptions=True)

    assert [type(one) for one in finished(run())] == kinds
    with Client(service.url, TOKEN) as made, ThreadPoolExecutor(len(items)) as threads:
        jobs = [threads.submit(made.score, *item) for item in items]
        assert [type(job.exception() or job.result()) for job in jobs] == kinds
        assert [one.value for one in made.score_many(items)] == [
            1.0 if kind is Score else None for kind in kinds
        ]


def test_threads_go_together():
    gate, sizes = Event(), []

    def handler(request):
        sizes.append(number(request))
        assert gate.wait(120)
        return scored(request)

    with over(handler) as made, ThreadPoolExecutor(64) as threads:
        jobs = [threads.submit(made.score, ADDRESS, RIGHT) for _ in range(64)]
        while sum(sizes) + len(made._slow.waiting) < 64:
            sleep(0.001)
        gate.set()
        assert [job.result() for job in jobs] == [Score(1)] * 64
    assert sum(sizes) == 64
    assert len(sizes) <= 1 + batches.SLOW.at_once + 1


def test_tasks_wait_for_each_other_while_requests_are_under_way(monkeypatch):
    monkeypatch.setattr(batches, "GATHERING_S", 0.3)

    async def run():
        gate, started, sizes = asyncio.Event(), asyncio.Event(), []

        async def handler(request):
            sizes.append(number(request))
            started.set()
            await gate.wait()
            return scored(request)

        async with over(handler, AsyncClient) as made:
            jobs = [asyncio.create_task(made.score(ADDRESS, RIGHT))]
            await started.wait()
            for _ in range(20):
                jobs.append(asyncio.create_task(made.score(ADDRESS, RIGHT)))
                await asyncio.sleep(0)
            while sum(sizes) < len(jobs):
                await asyncio.sleep(0.001)
            assert sizes == [1, 20]
            # Whatever their number, only so many requests are under way.
            jobs += [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(4_000)]
            await asyncio.sleep(0.01)
            assert len(sizes) == batches.SLOW.at_once
            gate.set()
            assert await asyncio.gather(*jobs) == [Score(1)] * 4_021
            assert len(sizes) <= batches.SLOW.at_once + 4_000 // 256 + 2

    finished(run())


def test_batches_are_cut_by_number_and_by_size():
    sizes = []

    def handler(request):
        sizes.append(number(request))
        return scored(request)

    with over(handler) as made:
        made.score(ADDRESS, RIGHT)  # so that it is known to be quick
        assert made.score_many([(ADDRESS, RIGHT)] * 600) == [Score(1)] * 600
        assert sorted(sizes) == [1, 88, 256, 256]
        long = "x" * (client.BATCH_BYTES // 3)
        assert made.score_many([(ADDRESS, long)] * 5) == [Score(1)] * 5
        assert sorted(sizes[4:]) == [1, 2, 2]


def test_slow_verdicts_do_not_hold_up_quick_ones():
    """Of environments that are slow, or not known yet, each answer comes when it is there."""

    async def run():
        gate = asyncio.Event()

        async def lines():
            yield b'{"value": 1, "micros": 10, "index": 1}\n{"value": 0.5, "mic'
            await gate.wait()
            yield b'ros": 9000000, "index": 0}\n'

        def handler(request):
            if "items" in msgspec.msgpack.decode(request.content) and not gate.is_set():
                return httpx.Response(200, content=lines())
            return scored(request)

        async with over(handler, AsyncClient) as made:
            slow = asyncio.create_task(made.score("a/b@1?seed=1", "x"))
            quick = asyncio.create_task(made.score("c/d@1?seed=1", "x"))
            assert (await quick).value == 1
            assert not slow.done()
            gate.set()
            assert (await slow).value == 0.5
            quick = made._latencies.quick
            return quick("c/d"), quick("a/b"), quick("e/f")

    assert finished(run()) == (True, False, False)


def test_a_caller_that_is_cancelled_takes_nobody_along():
    async def run():
        gate, started, requests, ended = asyncio.Event(), asyncio.Event(), [], []

        async def handler(request):
            requests.append(number(request))
            started.set()
            try:
                await gate.wait()
            except asyncio.CancelledError:
                ended.append("given up")
                raise
            return scored(request)

        async with over(handler, AsyncClient) as made:
            jobs = [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(5)]
            await started.wait()
            late = [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(2)]
            await asyncio.sleep(0)
            jobs[0].cancel()
            jobs[4].cancel()
            late[0].cancel()  # it waits to be sent, and never is
            await asyncio.wait([jobs[0], jobs[4], late[0]])
            gate.set()
            results = await asyncio.gather(*jobs, *late, return_exceptions=True)
            left = [isinstance(one, asyncio.CancelledError) for one in results]
            assert left == [True, False, False, False, True, True, False]
            assert {type(one) for one in results} == {asyncio.CancelledError, Score}
            assert requests == [5, 1]
            # When all are cancelled, so is the request; before it began, too.
            gate.clear()
            started.clear()
            jobs = [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(3)]
            await started.wait()
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            while not ended:
                await asyncio.sleep(0)
            for _ in range(2 * batches.SLOW.at_once):
                job = asyncio.create_task(made.score(ADDRESS, RIGHT))
                while not (made._slow.tasks or made._quick.tasks):
                    await asyncio.sleep(0)
                job.cancel()
                await asyncio.gather(job, return_exceptions=True)
                while made._slow.tasks or made._quick.tasks:
                    await asyncio.sleep(0)
            gate.set()
            assert await made.score(ADDRESS, RIGHT) == Score(1)

    finished(run())
