"""The line to the judges: one thread of a process with one event loop and one pool of connections.

Callers from any thread, with an event loop of their own or without, share it. So there is one
implementation of a request, its deadline holds whatever the other side does, and the bound on
requests under way is one for the whole process.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import httpx2 as httpx

Result = TypeVar("Result")


class Line:
    """An event loop in its own thread, started at the first request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: httpx.AsyncClient | None = None
        self._pid = os.getpid()

    @property
    def client(self) -> "httpx.AsyncClient":
        """The pool of connections; to be used by what runs on the line alone."""
        if self._client is None:
            import httpx2 as httpx

            # The deadline of a request is the caller's, for the whole of it: httpx's own holds for
            # one read, which a server that drips a byte at a time never exceeds.
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=32)
            self._client = httpx.AsyncClient(timeout=None, limits=limits)
        return self._client

    def run(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        """Run a coroutine on the line, from any thread."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=self._loop.run_forever, name="palaestra-judges", daemon=True
                ).start()
                atexit.register(self._close)
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _close(self) -> None:
        """Let go of the connections when the interpreter ends."""
        if self._loop is None or self._pid != os.getpid():
            return  # after a fork the thread is the parent's
        if self._client is not None:
            asyncio.run_coroutine_threadsafe(self._client.aclose(), self._loop).result(2)
        self._loop.call_soon_threadsafe(self._loop.stop)


_LINES: dict[int, Line] = {}


def line() -> Line:
    """Return the event loop and connection pool of this process; a forked process gets its own."""
    pid = os.getpid()
    return _LINES.get(pid) or _LINES.setdefault(pid, Line())


@lru_cache(maxsize=256)
def gate(pid: int, url: str, model: str, most: int) -> asyncio.Semaphore:
    """Lets ``most`` requests of a process to a model through at a time."""
    return asyncio.Semaphore(most)
