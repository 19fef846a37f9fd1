"""What the service costs and how soon it answers, beside a bare echo: scores, batches, steps, and
the opening of sessions.

Both run as processes of their own on loopback, with the same server, event loop and parser, and are
asked in turn by one loader with connections that stay open. Their CPU time is the system's count
for the process, all its threads included, so what the loader spends does not count. Everything is
bounded in number or in time. What is aimed at: a score costs no more than the echo, and an item of
a batch 20 microseconds at most.

    python benchmarks/service.py [--seconds 10] [--minute] [--against FOLDER] [--json]

With ``--against``, what is asked of the service is asked in turn of that of another checkout, with
the packages of this one, and the ratio of each cost to the other's is told, so that a busy machine
is busy for both.

With ``--minute``, scores, batches and steps then come mixed, over 64 connections for a minute, and
what is not answered with 200 or 201 is counted.
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice, repeat
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, perf_counter, sleep
from typing import Any

import httpx2 as httpx

import palaestra
from palaestra.episode import TAGS

ROUNDS, WARM = 7, 300
AT_ONCE = 8
"""How many requests are under way at a time where the cost of one is measured."""

REQUESTS = {"echo": 2_000, "score": 2_000, "batch": 150, "step": 2_000, "open": 1_000}
CONNECTIONS, ITEMS = 64, 64
ADDRESS = palaestra.Address.of("logic/knights_and_knaves", seed=7, level=1)
WORLD = palaestra.Address.of("games/mastermind", seed=1, level=2)
MOVES = [TAGS.write(move) for move in ("0123", "1234", "2345", "3450", "4501", "5012")]
LAP = 24_000
"""How many steps are made ready at a time, since sessions are opened for them first."""

MINUTE_S = 60.0
SCORE, ITEM_US = 1.0, 20.0
"""What is aimed at: the cost of a score beside the echo's, and that of an item of a batch."""


def serve_echo(port: int) -> None:
    """The least that FastAPI and pydantic can do, run as the service is."""
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Echo(BaseModel):
        address: str
        replies: str
        answer_format: str = "tags"

    app = FastAPI()

    @app.post("/v1/score")
    async def echo(body: Echo) -> Echo:
        return body

    uvicorn.run(
        app, port=port, log_level="error", access_log=False, loop="uvloop", http="httptools"
    )


class Server:
    """A server as a process, and the CPU time that it has spent."""

    def __init__(
        self, command: list[str], port: int, ready: str, checkout: Path | None = None
    ) -> None:
        self.port = port
        path = {} if checkout is None else {"PYTHONPATH": str(checkout.resolve() / "src")}
        self.process = subprocess.Popen(
            [*command, str(port)], stderr=subprocess.DEVNULL, env=os.environ | path
        )
        url = f"http://127.0.0.1:{port}{ready}"
        for _ in range(1_200):
            with suppress(httpx.TransportError):
                if httpx.get(url).status_code < 500:
                    break
            if self.process.poll() is not None:
                raise RuntimeError("the server did not start")
            sleep(0.05)
        else:
            raise RuntimeError("the server did not start")

    def cpu_s(self) -> float:
        """Its CPU seconds so far, those of all its threads."""
        nanoseconds = 0
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            nanoseconds += int((task / "schedstat").read_text().split()[0])
        return nanoseconds / 1e9

    def stop(self) -> None:
        """Ends it."""
        self.process.terminate()
        self.process.wait(60)


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


# ------------------------------------------------------------------ the loader


@dataclass
class Load:
    """Requests for one connection after another to make, and what came of them."""

    requests: Iterator[bytes]
    left: float
    until: float = float("inf")
    seconds: list[float] = field(default_factory=list)
    errors: int = 0

    def next(self) -> bytes | None:
        """The next request, if there is to be one."""
        if self.left <= 0 or monotonic() > self.until:
            return None
        self.left -= 1
        return next(self.requests, None)


class Line(asyncio.Protocol):
    """A connection that makes one request after the other."""

    def __init__(self, load: Load, over: asyncio.Future[None]) -> None:
        self.load, self.over = load, over
        self.heard = b""

    def connection_made(self, transport: Any) -> None:
        """Ask for the first time."""
        self.transport = transport
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count as an error what the server breaks off."""
        if not self.over.done():
            self.load.errors += 1
            self.over.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Take an answer, and ask again once it is whole."""
        self.heard += data
        head, separator, body = self.heard.partition(b"\r\n\r\n")
        if not separator:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        if len(body) < length:
            return
        self.load.seconds.append(perf_counter() - self.start)
        if not self.heard.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
            self.load.errors += 1
        self.heard = b""
        self._ask()

    def _ask(self) -> None:
        request = self.load.next()
        if request is None:
            self.over.set_result(None)
            self.transport.close()
            return
        self.start = perf_counter()
        self.transport.write(request)


async def make(port: int, load: Load, connections: int) -> None:
    """Makes the requests of a load, so many at a time."""
    loop = asyncio.get_running_loop()
    ends = [loop.create_future() for _ in range(connections)]
    for over in ends:
        await loop.create_connection(lambda over=over: Line(load, over), "127.0.0.1", port)
    await asyncio.gather(*ends)


def request(path: str, body: Any) -> bytes:
    """A request as it goes over the line."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        f"content-length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


# ------------------------------------------------------------------ the cases


def steps(port: int) -> Iterator[bytes]:
    """Moves of sessions that are opened as they are needed: each session's in their order, but so
    far apart that no two of one are under way at the same time.
    """
    while True:
        wish = {"address": str(WORLD), "n": 512}
        answer = httpx.post(f"http://127.0.0.1:{port}/v1/sessions", json=wish, timeout=60).json()
        names = [one["session"] for one in answer["sessions"]]
        for step, move in enumerate(MOVES):
            body = {"step": step, "move": move}
            for name in names:
                yield request(f"/v1/sessions/{name}/step", body)


def cases(port: int) -> dict[str, Callable[[], Iterator[bytes]]]:
    """What is asked for."""
    reply = {"address": str(ADDRESS), "replies": TAGS.write(ADDRESS.task().answer())}
    one, many = request("/v1/score", reply), request("/v1/score/batch", {"items": [reply] * ITEMS})
    return {
        "echo": lambda: repeat(one),
        "score": lambda: repeat(one),
        "batch": lambda: repeat(many),
        "step": lambda: steps(port),
        "open": lambda: repeat(request("/v1/sessions", {"address": str(WORLD)})),
    }


def mixed(port: int) -> Iterator[bytes]:
    """Scores and steps in turn, and a batch after every sixteen of both."""
    requests = cases(port)
    score, batch, step = (requests[name]() for name in ("score", "batch", "step"))
    while True:
        for _ in range(16):
            yield next(score)
            yield next(step)
        yield next(batch)


def cost_us(server: Server, requests: Iterator[bytes], number: int) -> float:
    """CPU microseconds of the server a request."""
    requests = iter([*islice(requests, number)])
    before = server.cpu_s()
    load = Load(requests, number)
    asyncio.run(make(server.port, load, AT_ONCE))
    assert load.errors == 0, f"{load.errors} of {number} requests failed"
    return (server.cpu_s() - before) / number * 1e6


def latency(server: Server, requests: Iterator[bytes], seconds: float) -> dict[str, float]:
    """How soon requests are answered that come over many connections at once."""
    times: list[float] = []
    errors, spent = 0, 0.0
    while spent < seconds:
        some = requests if isinstance(requests, repeat) else iter([*islice(requests, LAP)])
        start = monotonic()
        load = Load(some, float("inf"), start + seconds - spent)
        asyncio.run(make(server.port, load, CONNECTIONS))
        spent += monotonic() - start
        errors += load.errors
        times += load.seconds
    cuts = quantiles(times, n=100)
    return {
        "requests": len(times),
        "errors": errors,
        "rate": len(times) / spent,
        "p50_ms": cuts[49] * 1e3,
        "p99_ms": cuts[98] * 1e3,
        "worst_ms": max(times) * 1e3,
    }


def compared(checkout: Path) -> dict[str, dict[str, float]]:
    """What requests cost here and in another checkout, in microseconds, and the median ratio."""
    by_request: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        sides: dict[str, Server] = {}
        try:
            for name, where in (("here", None), ("there", checkout)):
                store = f"sqlite:///{folder}/{name}.sqlite"
                command = [sys.executable, "-m", "palaestra", "serve", "--store", store, "--port"]
                sides[name] = Server(command, free_port(), "/readyz", where)
            sources = {name: cases(server.port) for name, server in sides.items()}
            for case in (name for name in REQUESTS if name != "echo"):
                requests = {name: some[case]() for name, some in sources.items()}
                costs: dict[str, list[float]] = {name: [] for name in sides}
                for lap in range(ROUNDS + 1):
                    for name, server in sides.items():
                        cost = cost_us(server, requests[name], REQUESTS[case])
                        costs[name] += [cost] if lap else []
                ratios = [one / other for one, other in zip(costs["here"], costs["there"])]
                by_request[case] = {name: median(some) for name, some in costs.items()}
                by_request[case]["ratio"] = median(ratios)
        finally:
            for server in sides.values():
                server.stop()
    return by_request


def measured(seconds: float, minute: bool) -> dict[str, Any]:
    """All figures."""
    here = [sys.executable, __file__, "--echo"]
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{folder}/sessions.sqlite"
        ours = [sys.executable, "-m", "palaestra", "serve", "--store", store, "--port"]
        servers = {"echo": Server(here, free_port(), "/docs")}
        try:
            servers["ours"] = Server(ours, free_port(), "/readyz")
            requests = cases(servers["ours"].port)
            sources = {name: make_them() for name, make_them in requests.items()}
            costs: dict[str, list[float]] = {name: [] for name in requests}
            for lap in count():
                for name, source in sources.items():
                    server = servers["echo" if name == "echo" else "ours"]
                    cost = cost_us(server, source, REQUESTS[name] if lap else WARM // 4)
                    costs[name] += [cost] if lap else []
                if lap == ROUNDS:
                    break
            soon = {
                name: latency(servers["echo" if name == "echo" else "ours"], source, seconds)
                for name, source in sources.items()
            }
            if minute:
                soon["minute"] = latency(servers["ours"], mixed(servers["ours"].port), MINUTE_S)
        finally:
            for server in servers.values():
                server.stop()
    figures = {
        name: {"cpu_us": median(some), **soon.pop(name)} for name, some in costs.items()
    } | soon
    return {"cores": os.cpu_count(), "seconds": seconds, "connections": CONNECTIONS} | figures


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=10.0, help="for each case of latency")
    options.add_argument("--minute", action="store_true", help="and mixed for a minute")
    options.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    options.add_argument("--json", action="store_true")
    options.add_argument("--echo", type=int, metavar="PORT", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.echo:
        serve_echo(arguments.echo)
        return
    if arguments.against:
        sides = compared(arguments.against)
        if arguments.json:
            print(json.dumps(sides, indent=2))
            return
        print("case    CPU µs here   there   ratio")
        for name, row in sides.items():
            print(f"{name:6s} {row['here']:12.1f} {row['there']:7.1f} {row['ratio']:7.3f}")
        return
    figures = measured(arguments.seconds, arguments.minute)
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    echo = figures["echo"]["cpu_us"]
    print(f"{figures['cores']} cores, {CONNECTIONS} connections for {arguments.seconds:g} s each\n")
    print("case    CPU µs   of the echo's   requests/s   p50 ms   p99 ms   worst ms   errors")
    for name in (*REQUESTS, *(["minute"] if arguments.minute else [])):
        row = figures[name]
        costs = (
            f"{row['cpu_us']:7.1f} {row['cpu_us'] / echo:15.2f}" if "cpu_us" in row else " " * 23
        )
        print(
            f"{name:6s} {costs} {row['rate']:12,.0f}"
            f" {row['p50_ms']:8.1f} {row['p99_ms']:8.1f} {row['worst_ms']:10.1f} {row['errors']:8d}"
        )
    score, item = figures["score"]["cpu_us"] / echo, figures["batch"]["cpu_us"] / ITEMS
    print(f"\nscore: {score:.2f} of the echo's cost, {within(score, SCORE)} {SCORE:.2f}")
    print(f"batch: {item:.1f} CPU µs an item of {ITEMS}, {within(item, ITEM_US)} {ITEM_US:.1f}")


def within(value: float, most: float) -> str:
    """Whether that is what was aimed at."""
    return "within" if value <= most else "ABOVE"


if __name__ == "__main__":
    main()
