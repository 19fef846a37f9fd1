"""Worker processes that can be killed, for work that may hang, burn or burst.

One pool is shared by everything that needs one: slow mathematics, heavy environments. What is to
be done is named, not sent: a function as ``package.module:name``, and plain JSON values to call
it with. So nothing that comes back can execute.

>>> with Workers(1) as pool:
...     pool.call("math:gcd", 12, 18)
6

Workers are fresh interpreters, not forks: the caller may be threaded, and may hold a GPU. They
need Linux or macOS.
"""

import atexit
import json
import os
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from math import isfinite
from threading import Lock
from typing import Any, Self
from weakref import WeakSet

from palaestra.workers import worker
from palaestra.workers.process import (
    Call,
    Failed,
    Late,
    Lost,
    Outcome,
    OutOfMemory,
    WorkerFault,
)
from palaestra.workers.supervisor import Supervisor

__all__ = ["Failed", "Late", "Lost", "OutOfMemory", "WorkerFault", "Workers", "workers"]

VARIABLE = "PALAESTRA_WORKERS"
"""The environment variable that says how many workers the shared pool has."""


class Workers:
    """A pool of worker processes, which are started when they are first needed.

    There are at most ``size`` of them, one for each core unless told otherwise. A call may take
    ``wall_s`` seconds from when a worker takes it up, not counting the wait for one, and ``cpu_s``
    seconds of processor time where that is given. A worker may have ``memory_mb`` MB of address
    space. What goes beyond is killed with all that it has started, and replaced. The modules
    named in ``warm`` are imported before a worker's first call, and their time does not count.

    Every method may be called from any thread. Close it, or use it as a context manager.
    """

    def __init__(
        self,
        size: int | None = None,
        *,
        wall_s: float = 10.0,
        cpu_s: float | None = None,
        memory_mb: int = 2048,
        warm: Sequence[str] = (),
    ) -> None:
        self.size = (os.cpu_count() or 1) if size is None else size
        if self.size < 1 or memory_mb < 1:
            raise ValueError("a pool has one worker at least, and that a megabyte at least")
        self.wall_s = _seconds(wall_s)
        self.cpu_s = None if cpu_s is None else _seconds(cpu_s)
        self.memory_mb = memory_mb
        self.warm = tuple(warm)
        self._supervisor = self._supervised()
        _pools.add(self)

    @property
    def closed(self) -> bool:
        """Whether it takes no more calls."""
        return self._supervisor.closed

    def call(self, function: str, *arguments: Any, wall_s: float | None = None) -> Any:
        """What ``package.module:name`` gives for these arguments, in a worker process.

        Arguments and results are plain JSON values. The name is the program's own, never a
        model's. Blocks until it is done. Raises :class:`Late`, :class:`Lost` or :class:`Failed`.
        """
        return _waited(self._submitted(function, arguments, wall_s))

    async def acall(self, function: str, *arguments: Any, wall_s: float | None = None) -> Any:
        """The same without holding up the event loop. Where it is cancelled, so is the work."""
        from asyncio import wrap_future

        return _decoded(await wrap_future(self._submitted(function, arguments, wall_s)))

    def map(
        self,
        function: str,
        arguments: Iterable[Sequence[Any]],
        *,
        wall_s: float | None = None,
        at_once: int | None = None,
    ) -> list[Any]:
        """The values of many calls, in order; in place of one that failed, its fault.

        At most ``at_once`` of them are under way at a time, where that is given.
        """
        waiting: deque[Future[Outcome]] = deque()
        done: list[Any] = []
        try:
            for each in arguments:
                if len(waiting) == at_once:
                    done.append(_settled(waiting.popleft()))
                waiting.append(self._submitted(function, each, wall_s))
            while waiting:
                done.append(_settled(waiting.popleft()))
        finally:
            for future in waiting:
                future.cancel()
        return done

    def close(self) -> None:
        """Kill all workers. Calls that wait or are under way raise :class:`Lost`, as later ones."""
        self._supervisor.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _submitted(
        self, function: str, arguments: Sequence[Any], wall_s: float | None
    ) -> Future[Outcome]:
        """The future of a call."""
        if ":" not in function:
            raise ValueError(f"a function is 'package.module:name', not {function[:80]!r}")
        wall_s = self.wall_s if wall_s is None else _seconds(wall_s)
        future: Future[Outcome] = Future()
        try:
            call = worker.encode([function, list(arguments), wall_s, self.cpu_s or 0])
        except (TypeError, ValueError, RecursionError) as fault:
            future.set_exception(Failed(type(fault).__name__, str(fault)[: worker.MESSAGE]))
            return future
        frame = worker.HEADER.pack(len(call), worker.VALUE, False) + call
        self._supervisor.submit(Call(frame, wall_s, future))
        return future

    def _supervised(self) -> Supervisor:
        return Supervisor(self.size, self.memory_mb, self.warm)

    def _forked(self) -> None:
        """Begin anew in a forked child, which has the lines of its parent's workers."""
        closed = self.closed
        self._supervisor.forget()
        self._supervisor = self._supervised()
        self._supervisor.closed = closed


def _seconds(seconds: float) -> float:
    if not (isfinite(seconds) and seconds > 0):
        raise ValueError(f"a limit is a number of seconds above 0, not {seconds}")
    return seconds


def _waited(future: Future[Outcome]) -> Any:
    """What came of a call; nobody works on where the wait is broken off."""
    try:
        outcome = future.result()
    finally:
        future.cancel()
    return _decoded(outcome)


def _settled(future: Future[Outcome]) -> Any:
    try:
        return _waited(future)
    except WorkerFault as fault:
        return fault


def _decoded(outcome: Outcome) -> Any:
    """The value that a worker told, or the exception."""
    status, body = outcome
    try:
        value = json.loads(body)
        if status == worker.VALUE:
            return value
        type_, message = map(str, value)
    except (ValueError, TypeError, RecursionError):
        raise Lost("the worker told no JSON value") from None
    raise Failed(type_, message)


class _Shared:
    """The pool of this process, and who may make it."""

    lock = Lock()
    pool: Workers | None = None


def workers() -> Workers:
    """The pool that everything in this process shares.

    It has as many workers as ``PALAESTRA_WORKERS`` says, or one for each core. It starts none
    before the first call, and is closed at exit; once it is closed there is a new one.
    """
    with _Shared.lock:
        if _Shared.pool is None or _Shared.pool.closed:
            _Shared.pool = Workers(_wanted(os.environ.get(VARIABLE, "")))
        return _Shared.pool


def _wanted(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and int(text[:6]) > 0):
        raise ValueError(f"{VARIABLE} is a whole number from 1, not {text[:40]!r}")
    return int(text)


_pools: WeakSet[Workers] = WeakSet()


def _forked() -> None:
    _Shared.lock = Lock()
    for pool in list(_pools):
        pool._forked()


def _close_all() -> None:
    for pool in list(_pools):
        pool.close()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
