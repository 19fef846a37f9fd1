"""Tasks, replies and requests that tests of the service share."""

import asyncio
import json
import socket
import threading
import time
from contextlib import contextmanager

from palaestra.address import Address
from palaestra.episode import TAGS
from palaestra.server import metering

CODE = Address.of("games/mastermind", seed=1, level=2)

MOVES = [TAGS.write(move) for move in CODE.task().solve()]

KNIGHTS = Address.of("logic/knights_and_knaves", seed=5, level=2)

RIGHT = TAGS.write(KNIGHTS.task().answer())

TOKENS = (
    "sesame name=all",
    "reader scopes=read name=reader",
    "scorer scopes=score name=scorer",
    "slow name=slow per_minute=5",
)


def problem(response, status, slug):
    assert response.status_code == status, response.text[:500]
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert document["type"] == f"urn:palaestra:problem:{slug}"
    assert document["status"] == status
    assert document["request_id"]
    assert ("retry-after" in response.headers) is document["retryable"]
    assert int(response.headers.get("retry-after", 1)) >= 1
    return document


@contextmanager
def connected(url, **headers):
    from websockets.sync.client import connect

    where = url.replace("http://", "ws://") + "/v1/ws"
    with connect(where, additional_headers=headers, max_size=None) as line:
        yield line


def ask(line, **frame):
    line.send(json.dumps(frame))
    return json.loads(line.recv())


class SlowJudge:
    """Verdicts that are never reached unless they are let go."""

    address = str(Address.of("logic/knights_and_knaves", seed=2, level=0))

    def __init__(self):
        self.begun = self.given_up = 0
        self.let_go = threading.Event()

    async def acall(self, metered, work, arguments, *, wall_s):
        self.begun += 1
        try:
            while not self.let_go.is_set():
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return metering.metered(work, arguments)

    def wait_for(self, number):
        _until(lambda: self.begun >= number)

    def wait_for_given_up(self, number):
        _until(lambda: self.given_up >= number)


def _until(true, patience_s=120):
    deadline = time.monotonic() + patience_s
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


DESK = Address.of("tools/meeting_desk", seed=4)

JSON = {"content-type": "application/json"}


@contextmanager
def line_to(url, patience_s=120):
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=patience_s) as line:
        yield line


def _heard(line):
    data = b""
    while piece := line.recv(1 << 16):
        data += piece
    return data
