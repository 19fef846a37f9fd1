"""Agents that the tests start without a container."""

import contextlib
import json
import os
import select
import socket
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import SimpleNamespace

from palaestra.verifiers.sandbox.relay import frames

SPEECH = frames()


def cut(stream, places):
    """A stream in pieces."""
    bounds = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[first:last] for first, last in pairwise(bounds)]


def greeted(process):
    """A line to an agent, and what it says first."""
    reading, writing = process.stdout.fileno(), process.stdin.fileno()
    for place in (reading, writing):
        os.set_blocking(place, False)
    line = SPEECH.Connection(
        lambda: os.read(reading, 1 << 16), lambda rest: os.write(writing, rest), SPEECH.FROM_AGENT
    )
    greeting = {"key": "k", "socket": "/nowhere", "tools": ["sh", "no-such-tool"]}
    line.send(SPEECH.HELLO, 0, 0, json.dumps(greeting).encode())
    line.flush()
    select.select([reading], [], [], 20)
    ((kind, _, _, payload),) = line.receive()
    assert kind == SPEECH.HELLO
    return line, json.loads(payload)


def standing(relay):
    """What a slot sees of a container."""
    return SimpleNamespace(walls="namespaces", line=relay, alive=True, user=60_998)


class Pump:
    """Joins an agent's two pipes to one socket."""

    def __init__(self, process, end):
        self.end = end
        for pipe in (process.stdin, process.stdout):
            os.set_blocking(pipe.fileno(), True)
        self.threads = ThreadPoolExecutor(2)
        socket_, pipes = end.fileno(), (process.stdin, process.stdout)
        self.threads.submit(self.move, socket_, pipes[0].fileno(), pipes[0].close)
        self.threads.submit(
            self.move, pipes[1].fileno(), socket_, lambda: end.shutdown(socket.SHUT_RDWR)
        )

    def move(self, source, target, finish):
        with contextlib.suppress(OSError):
            while piece := os.read(source, 1 << 16):
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(target, rest) :]
        with contextlib.suppress(OSError):
            finish()

    def join(self):
        self.threads.shutdown()
        self.end.close()
