"""The judge's end of a stream of frames to a container that shares no socket with it.

A thread stands in for the jails: it takes jobs and their descriptors from slots as a jail would,
and sends them on as frames; what comes back it writes to the descriptors, as the program would
have. Slots and runs do not see the difference.
"""

import contextlib
import json
import os
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from palaestra.verifiers.sandbox.slots import JOB

LINGER_S = 2.0
"""How long the end of a program waits for the judge to hear what it has said on its channel."""

Waited = tuple[int, int, Callable[[], None]]
"""A descriptor, the events to wait for, and what is done then."""


@cache
def frames() -> ModuleType:
    """The module of the same name that the agent in the container runs."""
    file = Path(__file__).parent / "jail-app" / "frames.py"
    spec = spec_from_file_location("palaestra_jail_frames", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def content(descriptor: int) -> bytes:
    """All of a sealed file, whatever its offset."""
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)


class Running:
    """A program of a slot, and the judge's descriptors that what it writes goes to."""

    def __init__(self, line: Any, slot: int, number: int, ends: list[int]) -> None:
        speech = frames()
        self.number = number
        self.status = b""
        self.until = 0.0
        address = slot, number, line
        self.sinks = {
            speech.OUT: speech.Sink(ends[0], speech.OUT, *address),
            speech.ERR: speech.Sink(ends[1], speech.ERR, *address),
        }
        self.source: Any = None
        if len(ends) > 2:
            self.sinks[speech.SAY] = speech.Sink(os.dup(ends[2]), speech.SAY, *address)
            self.source = speech.Source(ends[2], speech.SAY, *address)

    def flows(self) -> list[Any]:
        """What goes to and fro."""
        return [*self.sinks.values(), *([self.source] if self.source else [])]

    def ended(self, status: bytes) -> None:
        """Takes note of how it ended."""
        self.status, self.until = status, time.monotonic() + LINGER_S

    def is_over(self) -> bool:
        """Whether it is over, and the judge has all that it has written."""
        if not self.status:
            return False
        verb = frames().SAY
        late = time.monotonic() > self.until
        waited = [sink for frame_type, sink in self.sinks.items() if frame_type != verb or not late]
        return not any(sink.wants() for sink in waited)

    def close(self) -> None:
        """Closes the descriptors."""
        for flow in self.flows():
            flow.close()


class Relayed:
    """A slot of the judge's, as a jail would see it."""

    def __init__(self, line: Any, slot: int, jobs: socket.socket, control: socket.socket,
                 errors: int) -> None:  # fmt: skip
        self.line, self.slot = line, slot
        self.jobs, self.control, self.errors = jobs, control, errors
        self.running: Running | None = None
        self.open = True

    def waits(self) -> list[Waited]:
        """What to wait for, and what is done then."""
        own: list[Waited] = [
            (self.jobs.fileno(), select.POLLIN, self.take),
            (self.control.fileno(), select.POLLIN, self.obey),
        ]
        flows = self.running.flows() if self.running is not None else []
        return own + [(flow.descriptor, flow.wants(), flow.ready) for flow in flows if flow.wants()]

    def take(self) -> None:
        """Sends a job on."""
        if not self.open:
            return
        message, ends, _, _ = socket.recv_fds(self.jobs, 1 << 20, 5)
        if not message:
            self.close()
            return
        number, *_ = JOB.unpack_from(message)
        source, stdin = map(content, ends[:2])
        for descriptor in ends[:2]:
            os.close(descriptor)
        if self.running is not None:
            self.running.close()  # the slot has given it up
        self.running = Running(self.line, self.slot, number, ends[2:])
        speech = frames()
        payload = speech.packed(message, source, stdin, len(ends) > 4)
        if len(payload) > speech.LARGEST[speech.JOB]:
            self.close()
        else:
            self.line.send(speech.JOB, self.slot, number, payload)

    def obey(self) -> None:
        """Sends on that a program is given up."""
        command = self.control.recv(8) if self.open else b""
        if len(command) == 8:
            self.line.send(frames().ABORT, self.slot, int.from_bytes(command, "little"))
        else:
            self.close()

    def heard(self, frame_type: int, number: int, payload: bytes) -> None:
        """Does what a frame for this slot says."""
        speech, running = frames(), self.running
        if frame_type == speech.GONE:
            os.write(self.errors, payload)
            self.close()
        elif running is None or running.number != number:
            return
        elif frame_type == speech.STATUS:
            running.ended(payload)
        elif frame_type == speech.TAKEN:
            stream, count = speech.credit(payload)
            if running.source is not None and stream == speech.SAY:
                running.source.window += count
        elif frame_type in running.sinks:
            running.sinks[frame_type].put(payload)

    def settle(self) -> float | None:
        """Reports a program that is over; the time until it has to be looked at again."""
        if self.running is None or not self.running.status:
            return None
        if not self.running.is_over():
            return self.running.until
        status = self.running.status
        self.running.close()
        self.running = None
        with contextlib.suppress(OSError):
            self.jobs.send(status)
        return None

    def close(self) -> None:
        """Hangs up on the slot, and has the jail ended."""
        if self.open:
            self.open = False
            self.line.send(frames().CLOSE, self.slot)
            if self.running is not None:
                self.running.close()
            self.jobs.close()
            self.control.close()
            os.close(self.errors)


class Relay:
    """A connection to an agent, and the thread that serves it."""

    def __init__(self, line: Any, descriptor: int) -> None:
        self.line, self.descriptor = line, descriptor
        self.slots: dict[int, Relayed] = {}
        self.opening: deque[tuple[Relayed, bytes]] = deque()
        self.numbered = 0
        self.lock = threading.Lock()
        self.alive = True
        self.woken, self.wake = socket.socketpair()
        self.woken.setblocking(False)
        self.thread = threading.Thread(target=self._serve, name="palaestra-relay", daemon=True)
        self.thread.start()

    def open(
        self, jobs: socket.socket, control: socket.socket, errors: int, config: Mapping[str, Any]
    ) -> None:
        """Has a jail started, whose ends of the sockets these are."""
        with self.lock:
            if not self.alive:
                raise OSError("the container is gone")
            self.numbered += 1
            slot = Relayed(self.line, self.numbered, jobs.dup(), control.dup(), os.dup(errors))
            self.opening.append((slot, json.dumps(config).encode()))
            self.wake.send(b"x")

    def close(self) -> None:
        """Ends the connection, and so the container."""
        with self.lock, contextlib.suppress(OSError):
            self.alive = False
            self.wake.send(b"x")
        self.thread.join(10)
        self.disown()

    def disown(self) -> None:
        """Closes what is the relay's own, in a forked child too, where no thread serves it."""
        self.woken.close()
        self.wake.close()

    def _serve(self) -> None:
        try:
            while self.alive:
                self._turn()
        except frames().Broken:
            pass
        finally:
            self._hang_up()

    def _hang_up(self) -> None:
        with self.lock:
            self.alive = False
            for slot, _ in self.opening:
                slot.close()
        for slot in self.slots.values():
            slot.close()

    def _turn(self) -> None:
        due = [until for slot in self.slots.values() if (until := slot.settle()) is not None]
        self.line.flush()
        writing = select.POLLOUT if self.line.outgoing else 0
        waiting: list[Waited] = [
            (self.descriptor, select.POLLIN | writing, self._hear),
            (self.woken.fileno(), select.POLLIN, self._open),
        ]
        for slot in self.slots.values():
            waiting += slot.waits()
        poll = select.poll()
        for descriptor, events, _ in waiting:
            poll.register(descriptor, events)
        wait = max(0.0, min(due) - time.monotonic()) * 1000 + 1 if due else None
        happened = {descriptor for descriptor, _ in poll.poll(wait)}
        for descriptor, _, do in waiting:
            if descriptor in happened:
                do()
        self.slots = {number: slot for number, slot in self.slots.items() if slot.open}

    def _hear(self) -> None:
        for frame_type, slot, number, payload in self.line.receive():
            if slot in self.slots and self.slots[slot].open:
                self.slots[slot].heard(frame_type, number, payload)

    def _open(self) -> None:
        self.woken.recv(4096)
        with self.lock:
            while self.opening:
                slot, config = self.opening.popleft()
                self.slots[slot.slot] = slot
                self.line.send(frames().OPEN, slot.slot, 0, config)
