"""Tasks, replies and services that tests of the client share."""

import asyncio
import json

import httpx2 as httpx
import msgspec

from palaestra import Address, JudgeError, client
from palaestra.client import (
    Client,
)
from palaestra.episode import TAGS

KNIGHTS = "logic/knights_and_knaves"

ADDRESS = Address.of(KNIGHTS, seed=5, level=2)

RIGHT = TAGS.write(ADDRESS.task().answer())

TOKEN = "sesame"


def finished(work):
    """What some work gives; where it hangs, the test fails."""
    return asyncio.run(asyncio.wait_for(work, 60))


class Counting:
    """Keeps what a service was asked, and from which ports."""

    def __init__(self, app):
        self.app, self.asked, self.ports = app, [], set()

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            self.asked.append((scope["method"], scope["path"]))
            self.ports.add(scope["client"][1])
        await self.app(scope, receive, send)


class Waiting:
    """An asynchronous client, or a session of one, that is waited for."""

    def __init__(self, runner, made):
        self._runner, self._made = runner, made

    def __getattr__(self, name):
        attribute = getattr(self._made, name)
        if not callable(attribute):
            return attribute

        def call(*args, **named):
            result = attribute(*args, **named)
            return self._wrapped(
                self._runner.run(result) if asyncio.iscoroutine(result) else result
            )

        return call

    def _wrapped(self, result):
        if isinstance(result, list):
            return [*map(self._wrapped, result)]
        return Waiting(self._runner, result) if isinstance(result, client.AsyncSession) else result


def outcome_of(call):
    """What a call gives, or raises."""
    try:
        result = call()
    except Exception as fault:  # noqa: BLE001
        return type(fault).__name__, str(fault)
    if isinstance(result, list):
        return [outcome_of(lambda one=one: one) for one in result]
    if isinstance(result, JudgeError):
        return result.value, result.status, result.reason
    return result


MASTERMIND = Address.of("games/mastermind", seed=3)

MOVES = ["<answer>112</answer>", *map(TAGS.write, MASTERMIND.task().solve())]


def scored(request, **more):
    """Answers a request for scores with 1 for each item."""
    wish = msgspec.msgpack.decode(request.content)
    lone = {"value": 1.0, "micros": 5, **more}
    if "items" not in wish:
        return httpx.Response(200, json=lone)
    results = [lone | {"index": n} for n in range(len(wish["items"]))]
    if "ndjson" in request.headers["accept"]:
        return httpx.Response(
            200, content=b"".join(json.dumps(x).encode() + b"\n" for x in results)
        )
    return httpx.Response(200, json={"results": results})


def number(request):
    return len(msgspec.msgpack.decode(request.content).get("items", [0]))


def over(handler, kind=Client, url="http://localhost", **options):
    """A client whose requests go to a function."""
    made = kind(url, **options)
    http = httpx.Client if kind is Client else httpx.AsyncClient
    made._http = http(transport=httpx.MockTransport(handler), base_url=url)
    return made


class Steps:
    """Answers one request after the other as it is told to."""

    def __init__(self, *steps):
        self.steps, self.requests = list(steps), []

    def __call__(self, request):
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        if callable(step):
            return step(request)
        status, headers = step if isinstance(step, tuple) else (step, {})
        return httpx.Response(status, headers=headers, json={"detail": "busy"})
