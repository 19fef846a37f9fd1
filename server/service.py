"""The state behind the routes of a server process: its settings, and what it starts and stops."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

from fastapi import FastAPI
from starlette.requests import HTTPConnection

from palaestra.server import metrics, problems, programs
from palaestra.server.auth import Keys, parsed
from palaestra.server.judging import Judge, sandboxed_workers
from palaestra.server.sessions import ABSOLUTE_S, IDLE_S, Sessions
from palaestra.server.store import MEMORY, Store
from palaestra.trainers.spoken_users import speaker_of

SWEEPING_S, GAUGING_S = 60.0, 2.0
PROBING_S, PATIENCE_S = 10.0, 1.0
"""How often the store is probed, and how soon anything is that did not answer."""


@dataclass(frozen=True)
class Settings:
    """How a service is run. ``tokens`` are lines of a token file, ``store`` is a database's URL.

    With ``record``, all that is scored is kept there. A service that is told to stop says so at
    ``/readyz`` and goes on for ``drain_s`` seconds, until nobody sends it anything any more.
    """

    tokens: tuple[str, ...] = ()
    store: str = MEMORY
    idle_s: float = IDLE_S
    absolute_s: float = ABSOLUTE_S
    log_share: float = 0.0
    record: bool = False
    drain_s: float = 0.0
    neighbours: bool = False
    """Whether this machine alone is heard, and no web page of elsewhere."""

    protocol: str = ""
    """The protocol whose routes stand at the root, where its clients look for them."""

    served: tuple[str, ...] = ()
    """What the Open Reward Standard serves to clients that name no environment: environments,
    selections and files with suites, see :mod:`palaestra.server.compat.ors_tasks`.
    """

    user: Mapping[str, Any] | None = None
    """The options of an endpoint that words what users say in sessions, as
    :func:`~palaestra.trainers.spoken_users.speaker_of` takes them. Clients cannot name one.
    """


DEFAULTS = Settings()


class Service:
    """What stands behind the routes of one server process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.keys = Keys(map(parsed, settings.tokens))
        self.store = Store(settings.store)
        self.judge = Judge(
            record=self.store if settings.record else None, is_shared=self.keys.are_several()
        )
        self.sessions = Sessions(
            self.store, self.judge, settings.idle_s, settings.absolute_s, speaker_of(settings.user)
        )
        self.unready = "the service is starting"
        self.stopping = False

    @asynccontextmanager
    async def running(self, _: FastAPI) -> AsyncIterator[None]:
        """Gets ready, and when it is told to stop, finishes what it has begun."""
        jobs = [asyncio.create_task(work()) for work in (self._probe, self._sweep, self._gauge)]
        try:
            with self._on_sigterm(), _exit_with_parent():
                yield
        finally:
            self._stop()
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            self.judge.close()
            await asyncio.to_thread(self.store.close)

    def _stop(self) -> None:
        self.stopping, self.unready = True, "the service is stopping"

    @contextmanager
    def _on_sigterm(self) -> Iterator[None]:
        """Stands before the server when it is told to stop, so that a balancer hears of it first:
        the server itself would take no connection any more.
        """
        before = signal.getsignal(signal.SIGTERM)
        if current_thread() is not main_thread() or not callable(before):
            yield
            return
        loop = asyncio.get_running_loop()

        def stop(number: int, frame: FrameType | None) -> None:
            if not self.stopping:
                self._stop()
                loop.call_soon_threadsafe(
                    loop.call_later, self.settings.drain_s, before, number, frame
                )

        signal.signal(signal.SIGTERM, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)

    async def _probe(self) -> None:
        """Tries to be ready: a worker has to work, the sandbox to say how it holds programs, and
        the store to answer, now and later.
        """
        ready = False
        while True:
            try:
                await self.store.ping()
                if not ready:
                    await self.judge.workers.acall("math:gcd", 12, 18)
                    level = await sandboxed_workers().acall("palaestra.server.programs:level")
                    metrics.isolation.set(programs.note(level))
                ready, self.unready = True, "" if not self.stopping else self.unready
            except Exception as fault:  # noqa: BLE001  whatever it is, the service is not ready
                self.unready = f"a probe failed: {fault}"[:300]
            await asyncio.sleep(PATIENCE_S if self.unready else PROBING_S)

    async def _gauge(self) -> None:
        """Says how much there is to do, also where another process is asked for all of them."""
        while True:
            self.gauge()
            await asyncio.sleep(GAUGING_S)

    def gauge(self) -> None:
        """Says how much there is to do."""
        metrics.waiting.set(self.judge.waiting)
        metrics.in_play.set(len(self.sessions.active))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEPING_S)
            try:
                await self.sessions.sweep()
            except problems.StoreUnavailable:
                continue  # there is always a next time


@contextmanager
def _exit_with_parent() -> Iterator[None]:
    """Stops this process with the one that has started it to serve beside others, however that one
    ended: nobody else would stop it, and it would go on to hold the port.
    """
    parent = parent_process()
    if parent is None or os.name != "posix" or current_thread() is not main_thread():
        yield
        return
    loop = asyncio.get_running_loop()

    def stop() -> None:
        loop.remove_reader(parent.sentinel)
        os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(parent.sentinel, stop)
    try:
        yield
    finally:
        loop.remove_reader(parent.sentinel)


def service_of(connection: HTTPConnection) -> Service:
    """The service of a request or of a socket."""
    service: Service = connection.app.state.service
    return service
