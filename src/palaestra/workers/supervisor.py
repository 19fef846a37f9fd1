"""The thread that starts worker processes, talks to all of them at once, and ends them.

It is what :class:`palaestra.workers.pool.Workers` leaves the work to. Nothing here uses
signals in the calling process, and nothing blocks on one worker: what goes over and comes back
goes in pieces, as each line takes and gives them.
"""

import selectors
import socket
import subprocess
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from math import inf
from threading import Lock, Thread
from time import monotonic

from palaestra.workers import worker
from palaestra.workers.process import (
    NO_SIGNAL,
    Call,
    Late,
    Lost,
    Outcome,
    OutOfMemory,
    Worker,
    fate,
)

REAP_S = 0.01
"""How often a process that was killed is asked whether it is gone."""

LOOK_S = 600.0
"""How long the thread sleeps at most while a call is under way; the system takes no centuries."""

CLOSE_S = 5.0
"""How long closing waits for processes that were killed."""


class Supervisor:
    """Hands calls to at most ``size`` workers, in a thread that starts with the first call."""

    def __init__(self, size: int, memory_mb: int, warm: Sequence[str]) -> None:
        self.closed = False
        self._size, self._memory_mb, self._warm = size, memory_mb, warm
        self._lock = Lock()
        self._queue: deque[Call] = deque()
        self._workers: list[Worker] = []
        self._dying: list[Worker] = []
        self._thread: Thread | None = None

    def submit(self, call: Call) -> None:
        """Have a call done, and its future settled."""
        with self._lock:
            if self.closed:
                call.tell(Lost("the pool is closed"))
                return
            if self._thread is None:
                self._start()
            self._queue.append(call)
        call.future.add_done_callback(self._left)
        self._ring()

    def close(self) -> None:
        """Kill all workers and wait until they are gone."""
        with self._lock:
            self.closed = True
        if self._thread is not None:
            self._ring()
            self._thread.join()

    def forget(self) -> None:
        """Let go of everything in a forked child, without touching what the parent has."""
        for each in (*self._workers, *self._dying):
            each.disown()
        if self._thread is not None:
            self._bell.close()
            self._button.close()

    def _start(self) -> None:
        # The thread starts the workers itself and lives as long as they do: Linux takes a parent
        # for dead when the thread that started the child has ended.
        self._bell, self._button = socket.socketpair()
        self._bell.setblocking(False)
        self._button.setblocking(False)
        thread = Thread(target=self._run, name="palaestra-workers", daemon=True)
        thread.start()
        self._thread = thread

    def _left(self, future: Future[Outcome]) -> None:
        if future.cancelled():
            self._ring()

    def _ring(self) -> None:
        """Wake the thread. A bell that is full rings already, and one that is closed is over."""
        with suppress(OSError):
            self._button.send(b"!", NO_SIGNAL)

    def _run(self) -> None:
        try:
            with selectors.PollSelector() as self._selector:
                self._selector.register(self._bell, selectors.EVENT_READ)
                while not self.closed:
                    self._round()
        finally:
            self._end()

    def _round(self) -> None:
        """Give work out, hear what comes back, and end what is late or not wanted any more."""
        self._give_out()
        for key, events in self._selector.select(self._patience()):
            if key.data is None:
                self._bell.recv(1 << 16)
            else:
                self._attend(key.data, events)
        now = monotonic()
        for each in list(self._workers):
            if each.call and each.call.future.cancelled():
                self._discard(each)
            elif each.deadline <= now:
                if each.call:
                    each.settle(Late(f"stopped after {each.call.wall_s:g} s"))
                self._discard(each)
        self._reap()

    def _patience(self) -> float | None:
        """How long there is nothing to be done, if nobody says anything."""
        if self._dying:
            return REAP_S
        first = min((each.deadline for each in self._workers), default=inf)
        return None if first == inf else min(max(0.0, first - monotonic()), LOOK_S)

    def _give_out(self) -> None:
        """Give what waits to idle workers, and start more where those do not suffice."""
        idle = [each for each in self._workers if each.idle]
        while idle and (call := self._next()):
            each = idle.pop()
            each.take(call)
            self._watch(each)
        starting = sum(not each.ready for each in self._workers)
        while len(self._workers) < self._size and len(self._queue) > starting:
            if self._hire(self._queue[starting]):
                starting += 1
            elif self._workers:
                break  # they will do what waits, one by one

    def _hire(self, call: Call) -> bool:
        """Start a worker for a call that waits. Whether there is a new one."""
        try:
            worker = Worker(self._memory_mb, self._warm, call)
        except OSError as fault:
            if not self._workers:
                self._give_up(call, f"a worker could not be started ({fault})")
            return False
        self._workers.append(worker)
        self._selector.register(worker.line, selectors.EVENT_READ, worker)
        return True

    def _next(self) -> Call | None:
        """The next call that somebody still waits for."""
        while self._queue:
            call = self._queue.popleft()
            if not call.future.cancelled():
                return call
        return None

    def _give_up(self, call: Call, why: str) -> None:
        """Where no worker starts, the call it was started for is lost, and so there is an end."""
        if call in self._queue:
            self._queue.remove(call)
            call.tell(Lost(why))

    def _watch(self, each: Worker) -> None:
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if each.unsent else 0)
        self._selector.modify(each.line, events, each)

    def _attend(self, each: Worker, events: int) -> None:
        """Send and hear what the line of a worker takes and gives."""
        if events & selectors.EVENT_WRITE:
            each.send()
            self._watch(each)
        if not events & selectors.EVENT_READ:
            return
        alive = each.receive()
        try:
            frame = each.frame()
        except ValueError:
            each.settle(Lost("the worker spoke out of turn"))
            self._discard(each)
            return
        if frame is not None:
            self._hear(each, *frame)
        elif not alive:
            self._discard(each)

    def _hear(self, each: Worker, status: bytes, spent: bool, body: bytes) -> None:
        if not each.ready:
            each.ready, each.deadline = True, inf
        elif status == worker.MEMORY:
            each.settle(OutOfMemory(f"out of memory, with {self._memory_mb} MB"))
        else:
            each.settle((status, body))
        if spent:
            self._discard(each)

    def _discard(self, each: Worker) -> None:
        """Kill a worker. A call it still has is told why once the process is gone."""
        self._selector.unregister(each.line)
        each.kill()
        self._workers.remove(each)
        self._dying.append(each)

    def _reap(self) -> None:
        for each in list(self._dying):
            code = each.process.poll()
            if code is None:
                continue
            self._dying.remove(each)
            if not each.ready:
                self._give_up(each.wanted_by, f"a worker did not start ({fate(code)})")
            each.settle(fate(code))

    def _end(self) -> None:
        """Leave nothing behind: no process, no open line, nobody waiting."""
        with self._lock:
            self.closed = True
        for each in self._workers:
            each.kill()
        for each in (*self._workers, *self._dying):
            each.settle(Lost("the pool was closed"))
            with suppress(subprocess.TimeoutExpired):
                each.process.wait(CLOSE_S)
        while call := self._next():
            call.tell(Lost("the pool was closed"))
        self._workers, self._dying = [], []
        self._bell.close()
        self._button.close()
