"""Bodies, connections and closing."""

import asyncio
import gzip
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import anyio
import httpx2 as httpx
import msgspec
import pytest
from tests.client.examples import ADDRESS, RIGHT, TOKEN, Steps, finished, over, scored

from palaestra import Score, client
from palaestra.client import (
    AsyncClient,
    Client,
    ServiceError,
)
from palaestra.zstd import ZstdDecompressor


def test_large_bodies_are_compressed_on_their_way_to_other_machines(service):
    answer = lambda _: httpx.Response(200, json={"value": 1})  # noqa: E731
    handler = Steps(answer, answer)
    made = over(handler, url="http://example.org")
    made.score(ADDRESS, RIGHT)
    made.score(ADDRESS, "x" * client.COMPRESSED)
    sent = handler.requests
    assert [request.headers.get("content-encoding") for request in sent] == [None, "zstd"]
    assert msgspec.msgpack.decode(ZstdDecompressor().decompress(sent[1].content))["address"] == str(
        ADDRESS
    )
    for url in ("http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"):
        assert not Client(url)._compress
    with Client(service.url, TOKEN, compress=True) as made:
        assert made.score(ADDRESS, "x" * client.COMPRESSED + RIGHT) == Score(1)


def test_large_bodies_are_compressed_without_zstandard(service, monkeypatch):
    monkeypatch.delitem(sys.modules, "palaestra.zstd", raising=False)
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    answer = lambda _: httpx.Response(200, json={"value": 1})  # noqa: E731
    handler = Steps(answer)
    over(handler, url="http://example.org").score(ADDRESS, "x" * client.COMPRESSED)
    (request,) = handler.requests
    assert request.headers["content-encoding"] == "gzip"
    assert msgspec.msgpack.decode(gzip.decompress(request.content))["address"] == str(ADDRESS)


def test_what_no_service_of_ours_answers():
    page = lambda _: httpx.Response(200, text="<h1>Log in")  # noqa: E731
    for call in (
        lambda made: made.score(ADDRESS, RIGHT),
        lambda made: made.score_many([(ADDRESS, RIGHT)] * 2),
        lambda made: made.environments(),
    ):
        with pytest.raises(ServiceError, match="cannot be read"):
            call(over(page))


def test_an_answer_that_leaves_items_out_is_no_answer(pauses):
    empty = lambda _: httpx.Response(200, content=b"")  # noqa: E731
    short = lambda _: httpx.Response(200, json={"results": []})  # noqa: E731
    made = over(Steps(empty, scored, short), patience_s=0)
    for first in (True, False):  # from an environment that is not known yet, and from a quick one
        with pytest.raises(ServiceError, match="leaves out answers"):
            made.score_many([(ADDRESS, RIGHT)] * 2)
        if first:
            assert made.score(ADDRESS, RIGHT) == Score(1)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x", ""])
def test_a_service_has_a_url(url):
    with pytest.raises(ValueError, match="such as http://host:8000"):
        Client(url)


def test_a_closed_client_says_so():
    gate, sent, jobs = Event(), [], []

    def handler(request):
        sent.append(request)
        assert gate.wait(120)
        return scored(request)

    made = over(handler)
    with ThreadPoolExecutor(40) as threads:
        senders = 1 + made._slow.route.at_once  # the thread of the first request is one of them
        for number in range(senders + 1):
            jobs.append(threads.submit(made.score, ADDRESS, RIGHT))
            while len(sent) <= number and not (number == senders and made._slow.waiting):
                sleep(0.001)
        made.close()
        gate.set()
        errors = [job.exception() for job in jobs]
    assert any(isinstance(one, ServiceError) and "closed" in str(one) for one in errors)
    with pytest.raises(ServiceError, match="closed"):
        made.score(ADDRESS, RIGHT)

    async def run():
        started = asyncio.Event()

        async def handler(request):
            started.set()
            await asyncio.Event().wait()

        made = over(handler, AsyncClient)
        job = asyncio.create_task(made.score(ADDRESS, RIGHT))
        await started.wait()
        waiting = asyncio.create_task(made.score(ADDRESS, RIGHT))
        await asyncio.sleep(0)
        await made.close()
        return await asyncio.gather(job, waiting, return_exceptions=True)

    for fault in finished(run()):
        assert isinstance(fault, ServiceError)
        assert "closed" in str(fault)


def test_a_connection_that_is_being_opened_when_a_client_closes_is_closed(service, monkeypatch):
    opening, gate, sockets, connect = Event(), Event(), [], socket.create_connection

    def connect_late(*args, **named):
        opening.set()
        assert gate.wait(120)
        sockets.append(connect(*args, **named))
        return sockets[-1]

    monkeypatch.setattr(socket, "create_connection", connect_late)
    made = Client(service.url, TOKEN)
    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(made.environment, "games/mastermind")
        assert opening.wait(120)
        made.close()
        gate.set()
        assert job.exception() is None
    assert [one.fileno() for one in sockets] == [-1]
    with pytest.raises(ServiceError, match="closed"):
        made.environments()


def test_the_same_of_an_asynchronous_client(service, monkeypatch):
    streams, connect = [], anyio.connect_tcp

    async def run():
        opening, gate = asyncio.Event(), asyncio.Event()

        async def connect_late(*args, **named):
            opening.set()
            await gate.wait()
            streams.append(await connect(*args, **named))
            return streams[-1]

        monkeypatch.setattr(anyio, "connect_tcp", connect_late)
        made = AsyncClient(service.url, TOKEN)
        job = asyncio.create_task(made.environment("games/mastermind"))
        await opening.wait()
        await made.close()
        gate.set()
        assert await job
        with pytest.raises(anyio.ClosedResourceError):
            await streams[0].send(b"")
        with pytest.raises(ServiceError, match="closed"):
            await made.environments()

    asyncio.run(run())
    assert len(streams) == 1


def test_an_asynchronous_client_belongs_to_one_loop(service):
    made = AsyncClient(service.url, TOKEN)

    async def score():
        return await made.score(ADDRESS, RIGHT)

    with asyncio.Runner() as runner:
        assert runner.run(score()) == Score(1)
        with pytest.raises(RuntimeError, match="one event loop"):
            asyncio.run(score())
        runner.run(made.close())
