"""What a score costs its client: ours beside plain loops of single requests, in one run.

Each asks the same service, in a process of its own on loopback, for the same scores: by many
callers of one event loop at the same time, or by a pool of threads. What is printed is the median
of a few rounds, in which all of them take turns; opening a client, and its first request, do not
count. The requests are bounded in number. aiohttp is left out where it is not installed.

    python benchmarks/client.py
"""

import asyncio
import multiprocessing
import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any

import httpx2 as httpx
import uvicorn

import palaestra
from palaestra.client import AsyncClient, Client
from palaestra.episode import TAGS

try:
    import aiohttp
except ImportError:
    aiohttp = None  # type: ignore[assignment]

ROUNDS, THREADS = 5, 64
ADDRESS = str(palaestra.Address.of("logic/knights_and_knaves", seed=7, level=1))
ANSWER = palaestra.Address.parse(ADDRESS).task().answer()
REPLY = "Suppose that Ada lies. " * 40 + TAGS.write(ANSWER)
BODY = {"address": ADDRESS, "replies": REPLY}


def cpu_s() -> float:
    """The CPU seconds of this process so far."""
    return process_time()


def serve(port: int) -> None:
    """Run the service, with a way to ask for its CPU time."""
    from palaestra.server.app import build

    app = build()
    app.get("/cpu")(cpu_s)
    uvicorn.run(app, port=port, log_level="error")


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Meter:
    """What scores have taken, each: of the wall clock, of this process and of the service."""

    def __init__(self, url: str, number: int) -> None:
        self.url, self.number = url, number
        self.costs: list[tuple[float, ...]] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measures what is done meanwhile."""
        before = self._seen()
        yield
        self.costs.append(tuple((b - a) / self.number for a, b in zip(before, self._seen())))

    def _seen(self) -> tuple[float, float, float]:
        theirs = httpx.get(f"{self.url}/cpu").json()
        return perf_counter(), process_time(), theirs


# ------------------------------------------------------------------ who asks


async def together(meter: Meter, one: Callable[[], Awaitable[float]]) -> None:
    """Has all callers wait at the same time."""
    await one()
    with meter.running():
        values = await asyncio.gather(*(one() for _ in range(meter.number)))
    assert sum(values) == meter.number


async def ours(meter: Meter) -> None:
    """Callers of our asynchronous client."""
    async with AsyncClient(meter.url) as client:

        async def one() -> float:
            return (await client.score(ADDRESS, REPLY)).value

        await together(meter, one)


async def with_aiohttp(meter: Meter) -> None:
    """As many of aiohttp, which keeps at most 100 connections, a request each."""
    async with aiohttp.ClientSession(meter.url) as session:

        async def one() -> float:
            async with session.post("/v1/score", json=BODY) as response:
                return float((await response.json())["value"])

        await together(meter, one)


async def with_httpx(meter: Meter) -> None:
    """As many of httpx, which keeps as many, a request each."""
    async with httpx.AsyncClient(base_url=meter.url, timeout=120) as session:

        async def one() -> float:
            return float((await session.post("/v1/score", json=BODY)).json()["value"])

        await together(meter, one)


async def in_threads(meter: Meter) -> None:
    """Threads with our synchronous client."""
    with Client(meter.url) as client, ThreadPoolExecutor(THREADS) as pool:
        client.score(ADDRESS, REPLY)
        with meter.running():
            values = pool.map(lambda _: client.score(ADDRESS, REPLY).value, range(meter.number))
            assert sum(values) == meter.number


ASKERS: dict[str, tuple[Callable[[Meter], Any], int]] = {
    "palaestra.AsyncClient": (ours, 8_192),
    f"palaestra.Client, {THREADS} threads": (in_threads, 2_048),
    "aiohttp, a request each": (with_aiohttp, 1_024),
    "httpx, a request each": (with_httpx, 256),
}


def wait(url: str) -> None:
    """Wait until the service answers."""
    for _ in range(400):
        try:
            httpx.get(f"{url}/cpu").raise_for_status()
        except httpx.TransportError:
            sleep(0.05)
        else:
            return
    raise RuntimeError("the service did not start")


def main() -> None:
    """Print the table."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(port,), daemon=True)
    process.start()
    wait(url)
    meters = {
        name: Meter(url, number)
        for name, (_, number) in ASKERS.items()
        if aiohttp is not None or "aiohttp" not in name
    }
    for _ in range(ROUNDS):
        for name, meter in meters.items():
            asyncio.run(ASKERS[name][0](meter))
    process.terminate()
    print(f"{os.cpu_count()} cores, {ROUNDS} rounds, {len(REPLY)} characters a reply")
    print(f"{'':32}{'scores':>8}{'scores/s':>10}{'client CPU µs':>15}{'service CPU µs':>16}")
    for name, meter in meters.items():
        wall, mine, theirs = (median(each) for each in zip(*meter.costs))
        row = f"{1 / wall:10,.0f}{mine * 1e6:15,.0f}{theirs * 1e6:16,.0f}"
        print(f"{name:32}{meter.number:8,}{row}")


if __name__ == "__main__":
    main()
