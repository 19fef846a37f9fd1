"""Deadlines of calls."""

import asyncio

import httpx2 as httpx
import pytest
from tests.client.examples import ADDRESS, KNIGHTS, RIGHT, Steps, finished, over, scored

from palaestra import JudgeError, Score
from palaestra.client import (
    AsyncClient,
    DeadlinePassed,
    effects,
)


def test_the_service_is_told_the_deadline():
    handler = Steps(scored, scored, lambda _: httpx.Response(200, json={"tasks": []}))
    made = over(handler)
    made.score(ADDRESS, RIGHT)
    made.score(ADDRESS, RIGHT, deadline_s=20)
    made.tasks(KNIGHTS, deadline_s=1e9)
    deadlines = [request.headers.get("x-deadline-ms") for request in handler.requests]
    assert deadlines[0] is None
    assert 15_000 < int(deadlines[1]) <= 20_000
    assert deadlines[2] == "999999999"
    assert handler.requests[1].extensions["timeout"]["read"] <= 20


def test_there_are_no_tries_after_the_deadline(pauses):
    handler = Steps((503, {"retry-after": "2"}))
    with pytest.raises(TimeoutError, match="gave up after 1 tries"):
        over(handler).score(ADDRESS, RIGHT, deadline_s=1)
    with pytest.raises(DeadlinePassed, match="the deadline passed"):
        over(Steps()).score_group(ADDRESS, [RIGHT], deadline_s=0)
    # With a longer one, it is the deadline that counts, and not the usual patience.
    handler = Steps((503, {"retry-after": "40"}), scored)
    assert over(handler).score(ADDRESS, RIGHT, deadline_s=60) == Score(1)


def test_each_caller_has_a_deadline_of_his_own():
    async def run():
        gate = asyncio.Event()
        deadlines = []

        async def handler(request):
            deadlines.append(request.headers.get("x-deadline-ms"))
            await gate.wait()
            return scored(request)

        async with over(handler, AsyncClient) as made:
            hurried = asyncio.create_task(made.score(ADDRESS, RIGHT, deadline_s=0.01))
            patient = asyncio.create_task(made.score(ADDRESS, RIGHT))
            with pytest.raises(DeadlinePassed):
                await hurried
            assert not patient.done()
            gate.set()
            assert await patient == Score(1)
            # Where all have one, the service is told the latest.
            jobs = [made.score(ADDRESS, RIGHT, deadline_s=wait) for wait in (5, 50)]
            assert await asyncio.gather(*jobs) == [Score(1)] * 2
        assert deadlines[0] is None
        assert 40_000 < int(deadlines[1]) <= 50_000

    finished(run())


def test_scores_that_came_before_the_deadline_are_kept(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(effects, "monotonic", lambda: now[0])
    line = b'{"value": 1, "index": 1}\n'

    def hanging(request):
        def lines():
            yield line
            now[0] += 9
            raise httpx.ReadTimeout("too late")

        return httpx.Response(200, content=lines())

    with over(Steps(hanging)) as made:
        first, second = made.score_many([(ADDRESS, RIGHT)] * 2, deadline_s=5)
        assert isinstance(first, JudgeError)
        assert "deadline" in first.reason.casefold()
        assert second == Score(1)

    async def run():
        async def lines():
            yield line
            await asyncio.Event().wait()

        def handler(request):
            return httpx.Response(200, content=lines())

        async with over(handler, AsyncClient) as made:
            return await made.score_many([(ADDRESS, RIGHT)] * 2, deadline_s=0.1)

    first, second = finished(run())
    assert isinstance(first, JudgeError)
    assert second == Score(1)
