"""Endpoints and suites that tests of evaluation share."""

import asyncio
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import typer
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from palaestra import Address
from palaestra.cli import app, main
from palaestra.trainers.evaluation import (
    Attempt,
    Cell,
    ChatClient,
    Suite,
    evaluate_endpoint,
)
from palaestra.trainers.evaluation.attempts import ATTEMPTS, attempts_in
from palaestra.trainers.evaluation.oracle import Oracle, serving

ROOT = Path(__file__).parents[3]

KNIGHTS = "logic/knights_and_knaves"

SMALL = Suite(
    (Cell(KNIGHTS, 2, 12), Cell("games/mastermind", 1, 4), Cell("tools/meeting_desk", 0, 4))
)


class Endpoint:
    """The oracle of a suite, or another one, that has moods: ``mood(key, tries)`` may answer in its
    place.

    A key is the opening, the seed and the number of messages of a request.
    """

    def __init__(self, suite, errors=0.0, mood=lambda key, tries: None, delay=0.0):
        self.oracle = suite if isinstance(suite, Oracle) else Oracle(suite, errors)
        self.mood, self.delay = mood, delay
        self.asked = Counter()
        self.headers = []
        self.times = []
        self.busy = self.busiest = 0
        self.held = lambda: False
        """Whether answers are held back for now."""

    async def answer(self, request):
        wish = await request.json()
        self.headers.append(dict(request.headers))
        opening = next(m["content"] for m in wish["messages"] if m["role"] == "user")
        key = (opening, wish.get("seed"), len(wish["messages"]))
        self.asked[key] += 1
        self.times.append((key, time.monotonic()))
        self.busy += 1
        self.busiest = max(self.busy, self.busiest)
        try:
            await asyncio.sleep(self.delay)
            while self.held():
                await asyncio.sleep(0.01)
            response = self.mood(key, self.asked[key])
            if asyncio.iscoroutine(response):
                response = await response
            return response or JSONResponse(self.oracle.completion(wish))
        finally:
            self.busy -= 1

    def serving(self):
        route = Route("/v1/chat/completions", self.answer, methods=["POST"])
        return serving(Starlette(routes=[route]))


def run(url, suite, model="oracle", *, client=None, **options):
    """An evaluation of what answers at a URL."""

    async def go():
        settings = {"timeout_s": 20, "retries": 3, "backoff_s": 0.01, **(client or {})}
        async with ChatClient(url, **settings) as line:
            return await evaluate_endpoint(line, model, suite, **options)

    return asyncio.run(go())


def command(*argv):
    """The exit code of a command."""
    try:
        main(list(argv))
    except SystemExit as end:
        return end.code or 0
    return 0


def keys_in(folder):
    return [each.key for each in attempts_in(folder)]


def written(out):
    file = out / ATTEMPTS
    return file.read_bytes().count(b"\n") if file.exists() else 0


def process_of(command, url, out, *options):
    """A process of a command that plays against an endpoint."""
    argv = [command, "--base-url", url, "--model", "m", "--out", str(out), *options]
    return subprocess.Popen(
        [sys.executable, "-m", "palaestra", *argv],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for(out, lines, process, endpoint):
    """Wait until so many attempts are written; the endpoint holds its answers back then, so that
    no more are made than were under way.
    """
    endpoint.held = lambda: written(out) >= lines
    for _ in range(12_000):
        if written(out) >= lines:
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    raise AssertionError("nothing is written")


def attempt(n, **more):
    fields = {"score": 1.0, "status": "scored", "problem": str(n), **more}
    address = str(Address.of(KNIGHTS, n, 1, "eval"))
    return Attempt(address, KNIGHTS, 1, "level 1", 0, **fields)


def manifest(**more):
    same = {"model": "m", "suite": "s", "settings": {}}
    base = {"suite": "s", "tasks": 3, "samples": 1, "base_url": "", "palaestra": "0"}
    return {"same": same, **base, "started": "2026-01-01T00:00:00+00:00", **more}


def done_page(report):
    from palaestra.trainers.evaluation.pages import page

    return page(report)


def options():
    held = typer.main.get_command(app).commands["eval"]
    return [each for each in held.params if each.name != "help"]
