"""Where sessions are kept: in one SQLite file, or in a PostgreSQL that several servers share.

A session is its address and its replies; what was said can be worked out again, and is written down
only where an endpoint has put a user's words into its own. A reply is acknowledged when it is
committed, so a server that is killed at any moment loses none that anybody was told of. The same
holds for rollouts, where they are recorded, and for curricula.

Replies and new sessions that come at the same time are committed together, by a thread of the
store's own.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, TypeVar

from palaestra.extras import needs

with needs("server", "the HTTP service"):
    from sqlalchemy import Connection, create_engine, event
    from sqlalchemy.engine import Engine
    from sqlalchemy.engine.interfaces import DBAPICursor
    from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError
    from sqlalchemy.pool import PoolProxiedConnection, StaticPool

from palaestra.server import statements
from palaestra.server.clock import time
from palaestra.server.problems import StoreUnavailable
from palaestra.server.records import (
    CurriculumRecord,
    IdempotencyRecord,
    NewSessions,
    ReplyRecord,
    Rollout,
    SessionRecord,
    WriteBatch,
    WriteResult,
)
from palaestra.server.tables import StoreError, prepare, probe, url_of

__all__ = [
    "MEMORY",
    "CurriculumRecord",
    "IdempotencyRecord",
    "ReplyRecord",
    "Rollout",
    "SessionRecord",
    "Store",
    "StoreError",
]

MEMORY = "sqlite://"
"""A store that ends with the process."""

GATHERING_S = 0.001
"""How long replies wait for others to be committed with. A commit costs several times as much as a
reply in it, and players wait for far longer than this for what they say next.
"""

LOGGING_S = 10.0
"""How often it is logged why the database is out of reach, at most."""

PRAGMAS = (
    "busy_timeout=10000",
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "wal_autocheckpoint=8192",
    "cache_size=-32768",
)
"""How SQLite is run: what is committed outlives the process, and is brought home now and then."""

T = TypeVar("T")

log = logging.getLogger("palaestra.store")


@dataclass(slots=True)
class PendingWrites:
    """What is to be committed together, and who waits for each part of it."""

    replies: list[tuple[ReplyRecord, asyncio.Future[Any]]] = field(default_factory=list)
    rollouts: list[tuple[Sequence[Rollout], asyncio.Future[Any]]] = field(default_factory=list)
    sessions: list[tuple[NewSessions, asyncio.Future[Any]]] = field(default_factory=list)

    def is_any(self) -> bool:
        """Whether there is anything."""
        return bool(self.replies or self.rollouts or self.sessions)

    def gathered(self) -> WriteBatch:
        """All of it, without those who wait."""
        return WriteBatch(
            [reply for reply, _ in self.replies],
            [one for some, _ in self.rollouts for one in some],
            [new for new, _ in self.sessions],
        )

    def futures(self) -> Iterator[asyncio.Future[Any]]:
        """Those who wait, in the order of replies, rollouts and sessions."""
        for line in (self.replies, self.rollouts, self.sessions):
            yield from (done for _, done in line)


class Store:
    """Keeps sessions. Its methods wait without holding up the event loop.
    They raise :class:`StoreUnavailable` where the database is out of reach. The operation may have
    been carried out nevertheless, so the caller has to repeat it.
    """

    def __init__(self, url: str = MEMORY) -> None:
        self.engine = _engine(url)
        self.shared = self.engine.dialect.name != "sqlite"
        self.reader = self.engine.execution_options(reading=True)
        self.threads = ThreadPoolExecutor(8 if self.shared else 1, "store")
        self.waiting = PendingWrites()
        self.busy = False
        self.line: PoolProxiedConnection | None = None
        self.logged = -inf
        try:
            prepare(self.engine)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Lets what is under way be committed, and hangs up."""
        self.threads.shutdown(wait=True)
        if self.line is not None:
            self.line.close()
        self.engine.dispose()

    async def ping(self) -> None:
        """Has the database write something down, which it cannot where its disk is full, say."""
        if not await self._run(probe):
            raise self._out_of_reach("its tables are not of this version any more")

    # ------------------------------------------------------------------ replies and rollouts

    async def append(self, reply: ReplyRecord) -> bool:
        """Keeps a reply; whether it is the first of its step in that generation of its session."""
        first: bool = await self._gathered(self.waiting.replies, reply)
        return first

    async def record(self, rollouts: Sequence[Rollout]) -> None:
        """Keeps rollouts."""
        await self._gathered(self.waiting.rollouts, rollouts)

    async def create(
        self, sessions: Sequence[SessionRecord], promise: IdempotencyRecord | None = None
    ) -> tuple[str, ...] | None:
        """Keeps new sessions with their replies.

        Where the key of a promise was used before, nothing is made, and the sessions of that time
        are given; None where that was for another request.
        """
        names: tuple[str, ...] | None = await self._gathered(
            self.waiting.sessions, NewSessions(sessions, promise)
        )
        return names

    async def _gathered(self, line: "list[tuple[T, asyncio.Future[Any]]]", wish: T) -> Any:
        """What comes of a wish that is committed together with others."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        line.append((wish, done))
        if not self.busy:  # what else comes until then goes with it
            self.busy = True
            loop.call_later(GATHERING_S, self._begin_flush, loop)
        return await done

    def _begin_flush(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self.waiting = self.waiting, PendingWrites()
        self.threads.submit(self._flush, batch, loop)

    def _flush(self, batch: "PendingWrites", loop: asyncio.AbstractEventLoop) -> None:
        """Commits what was gathered, and has those told who wait for that."""
        outcome: WriteResult | Exception
        try:
            if self.shared:
                outcome = self._committed(statements.flushed, batch.gathered())
            else:
                outcome = self._committed_here(batch.gathered())
        except Exception as fault:  # noqa: BLE001  everyone who waits is told
            outcome = fault
        with suppress(RuntimeError):  # the loop may be gone, and with it all that wait
            loop.call_soon_threadsafe(self._tell, batch, outcome)

    def _tell(self, batch: "PendingWrites", outcome: "WriteResult | Exception") -> None:
        self.busy = self.waiting.is_any()
        if self.busy:  # it has waited for long enough
            self._begin_flush(asyncio.get_running_loop())
        if isinstance(outcome, Exception):
            for done in batch.futures():
                if not done.done():
                    done.set_exception(outcome)
            return
        outcomes = [*outcome.first, *(None for _ in batch.rollouts), *outcome.names]
        for done, value in zip(batch.futures(), outcomes):
            if not done.done():
                done.set_result(value)

    def _committed_here(self, gathered: "WriteBatch") -> "WriteResult":
        """The same on a bare connection to SQLite, since it is done for every move, and what stands
        around it costs more than it.
        """
        cursor = self._cursor()
        try:
            return statements.flushed_here(cursor, gathered)
        except BaseException as fault:
            with suppress(sqlite3.Error):  # where it had begun
                cursor.execute("ROLLBACK")
            if isinstance(fault, sqlite3.Error) and not isinstance(fault, sqlite3.IntegrityError):
                raise self._out_of_reach(fault) from fault
            raise

    def _load_here(self, session: str) -> SessionRecord | None:
        """The same as :func:`statements.load`, for those that are taken up again."""
        try:
            return statements.loaded_here(self._cursor(), session)
        except sqlite3.Error as fault:
            raise self._out_of_reach(fault) from fault

    def _cursor(self) -> DBAPICursor:
        if self.line is None:
            try:
                self.line = self.engine.raw_connection()
            except DBAPIError as fault:
                raise self._out_of_reach(fault.orig) from fault
        return self.line.cursor()

    def rollouts(self, env: str = "") -> Iterator[Rollout]:
        """All that were recorded, of one environment or of all, in their order. It blocks."""
        last = 0
        while True:
            rows = self._committed(statements.recorded, env, last)
            yield from (rollout for _, rollout in rows)
            if len(rows) < statements.CHUNK:
                return
            last = rows[-1][0]

    # ------------------------------------------------------------------ sessions

    async def load(self, session: str) -> SessionRecord | None:
        """A session with its replies, where there is one."""
        if self.shared:
            return await self._run(statements.load, session)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._load_here, session)

    async def rewind(self, session: str, generation: int, step: int) -> bool:
        """Forgets the replies from a step on; False where somebody else was faster."""
        return await self._run(statements.rewind, session, generation, step)

    async def delete(self, session: str) -> None:
        """Forgets a session."""
        await self._run(statements.delete, session)

    async def sweep(self, idle_s: float, absolute_s: float) -> list[str]:
        """Forgets sessions that nobody has used for so long, or that are so old; which."""
        return await self._run(statements.sweep, time() - idle_s, time() - absolute_s)

    # ------------------------------------------------------------------ curricula

    async def begin(self, course: CurriculumRecord) -> None:
        """Keeps a new curriculum."""
        await self._run(statements.begin, course)

    async def course(self, name: str) -> CurriculumRecord | None:
        """A curriculum, where there is one."""
        return await self._run(statements.course, name)

    async def advance(self, course: CurriculumRecord) -> bool:
        """Keeps the new state of a curriculum; False where somebody else was faster."""
        return await self._run(statements.advance, course)

    async def drop(self, name: str) -> None:
        """Forgets a curriculum."""
        await self._run(statements.drop, name)

    # ------------------------------------------------------------------ how

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._committed, work, *arguments)

    def _committed(self, work: Callable[..., T], *arguments: Any) -> T:
        """What some work gives, once it is committed; tried anew where the database hung up."""
        for again in (True, False):
            try:
                reading = work in statements.READING
                with (self.reader if reading else self.engine).begin() as connection:
                    return work(connection, *arguments)
            except (IntegrityError, DataError):
                raise
            except DBAPIError as fault:
                if not (again and fault.connection_invalidated):
                    raise self._out_of_reach(fault.orig) from fault
        raise AssertionError

    def _out_of_reach(self, cause: object) -> StoreUnavailable:
        """What is raised where the database cannot do what it is asked. Those who ask over HTTP are
        not told the cause, which goes to the log, now and then.
        """
        if monotonic() - self.logged > LOGGING_S:
            self.logged = monotonic()
            log.error("the store is out of reach: %s", " ".join(str(cause).split())[:500])
        return StoreUnavailable("the store is out of reach; try again")


def _engine(text: str) -> Engine:
    """An engine with the settings that survive a killed process."""
    url = url_of(text)
    try:
        if url.get_backend_name() != "sqlite":
            return create_engine(url, pool_size=8, max_overflow=0, pool_recycle=1_800)
        memory = url.database in {None, "", ":memory:"}
        options: dict[str, Any] = {"poolclass": StaticPool} if memory else {}
        engine = create_engine(url, connect_args={"check_same_thread": False}, **options)
    except (ImportError, ArgumentError) as fault:
        more = "pip install 'palaestra[postgres]'" if "psycopg" in str(fault) else str(fault)
        raise StoreError(f"there is no driver for {url.drivername}: {more}") from None

    @event.listens_for(engine, "connect")
    def prepare_line(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    # Two processes that both read first and then write would be refused, not made to wait.
    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine
