"""Where sessions are kept: in one SQLite file, or in a PostgreSQL that several servers share.

A session is its address and its replies, and nothing else is written down; what was said can be
worked out again. A reply is acknowledged when it is committed, so a server that is killed at any
moment loses none that anybody was told of. The same holds for rollouts, where they are recorded,
and for curricula.

Replies that come at the same time are committed together, by a thread of the store's own.
"""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from json.encoder import encode_basestring_ascii
from math import inf
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from msgspec.json import encode
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.engine import Engine
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError
from sqlalchemy.pool import PoolProxiedConnection, StaticPool

from palaestra.server.clock import time
from palaestra.server.problems import Unavailable
from palaestra.server.schema import (
    StoreError,
    curricula,
    prepare,
    probe,
    promises,
    rollouts,
    sessions,
    steps,
    url_of,
)

MEMORY = "sqlite://"
"""A store that ends with the process."""

FORGOTTEN_S = 30 * 86_400.0
"""How long curricula live that nobody uses."""

CHUNK = 32
"""How many rollouts are read at a time; each may hold megabytes of replies."""

FORGETTING = 256
"""How many sessions are forgotten in one statement."""

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


@dataclass(frozen=True, slots=True)
class Rollout:
    """An episode that was scored. ``value`` is None where it was our fault that there is none."""

    owner: str
    session: str
    address: str
    style: str
    seats: tuple[int, ...] | None
    replies: tuple[str, ...]
    value: float | None
    status: str
    fingerprint: str
    at: float = 0.0


class Reply(NamedTuple):
    """A reply that is to be kept, and the rollout that it ends."""

    session: str
    generation: int
    step: int
    reply: str
    rollout: Rollout | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A session as it is kept. ``generation`` counts how often it was rewound."""

    id: str
    owner: str
    address: str
    style: str
    seats: tuple[int, ...] | None
    created: float
    generation: int = 0
    replies: tuple[str, ...] = ()
    touched: float = 0.0
    recipe: str | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """A curriculum as it is kept. ``generation`` counts how often its state changed."""

    id: str
    owner: str
    kind: str
    state: dict[str, Any]
    generation: int = 0


# Text of a model may hold what databases do not take: half a surrogate pair, a null character.


def escaped(reply: str) -> str:
    """A text that every database takes, for any text."""
    return encode_basestring_ascii(reply)


class Store:
    """Keeps sessions. Its methods wait without holding up the event loop.

    They raise :class:`Unavailable` where the database is out of reach. What was asked for may then
    have been done or not, so it is to be asked for again.
    """

    def __init__(self, url: str = MEMORY) -> None:
        self.engine = _engine(url)
        self.shared = self.engine.dialect.name != "sqlite"
        self.reader = self.engine.execution_options(reading=True)
        self.threads = ThreadPoolExecutor(8 if self.shared else 1, "store")
        self.pending: list[tuple[Reply, asyncio.Future[bool]]] = []
        self.recording: list[tuple[Sequence[Rollout], asyncio.Future[None]]] = []
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

    async def append(self, reply: Reply) -> bool:
        """Keeps a reply; whether it is the first of its step in that generation of its session."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.pending.append((reply, done))
        self._stir()
        return await done

    async def record(self, told: Sequence[Rollout]) -> None:
        """Keeps rollouts."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.recording.append((told, done))
        self._stir()
        await done

    def _stir(self) -> None:
        """Has what came committed, soon: what else comes until then goes with it."""
        if self.busy:
            return
        self.busy = True
        loop = asyncio.get_running_loop()
        loop.call_later(GATHERING_S, self._begin_flush, loop)

    def _begin_flush(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self.pending = self.pending, []
        told, self.recording = self.recording, []
        self.threads.submit(self._flush, batch, told, loop)

    def _flush(
        self,
        batch: list[tuple[Reply, asyncio.Future[bool]]],
        told: list[tuple[Sequence[Rollout], asyncio.Future[None]]],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Commits replies and rollouts, and has those told who wait for that."""
        replies = [reply for reply, _ in batch]
        rollouts = [one for some, _ in told for one in some]
        outcome: list[bool] | Exception
        try:
            if self.shared:
                outcome = self._committed(_flushed, replies, rollouts)
            else:
                outcome = self._committed_here(replies, rollouts)
        except Exception as fault:  # noqa: BLE001  everyone who waits is told
            outcome = fault
        with suppress(RuntimeError):  # the loop may be gone, and with it all that wait
            loop.call_soon_threadsafe(self._tell, batch, told, outcome)

    def _tell(
        self,
        batch: list[tuple[Reply, asyncio.Future[bool]]],
        told: list[tuple[Sequence[Rollout], asyncio.Future[None]]],
        outcome: list[bool] | Exception,
    ) -> None:
        self.busy = bool(self.pending or self.recording)
        if self.busy:  # it has waited for long enough
            self._begin_flush(asyncio.get_running_loop())
        for place, (_, done) in enumerate(batch):
            if done.done():
                continue
            if isinstance(outcome, Exception):
                done.set_exception(outcome)
            else:
                done.set_result(outcome[place])
        for _, waiting in told:
            if waiting.done():
                continue
            if isinstance(outcome, Exception):
                waiting.set_exception(outcome)
            else:
                waiting.set_result(None)

    def _committed_here(self, replies: Sequence[Reply], rollouts: Sequence[Rollout]) -> list[bool]:
        """The same as :func:`_flushed` on a bare connection to SQLite, since it is done for every
        move, and what stands around it costs more than it.
        """
        cursor = self._cursor()
        try:
            first = _appended(cursor, replies)
            rows = [*map(_row, _ended(replies, first, rollouts))]
            if rows:
                cursor.executemany(_RECORD_HERE, rows)
            cursor.execute("COMMIT")
        except BaseException as fault:
            with suppress(sqlite3.Error):  # where it had begun
                cursor.execute("ROLLBACK")
            if isinstance(fault, sqlite3.Error) and not isinstance(fault, sqlite3.IntegrityError):
                raise self._out_of_reach(fault) from fault
            raise
        return first

    def _load_here(self, session: str) -> Kept | None:
        """The same as :func:`_load`, for those that are taken up again."""
        try:
            return _whole(self._cursor().execute(_WHOLE_HERE, (session,)).fetchall())
        except sqlite3.Error as fault:
            raise self._out_of_reach(fault) from fault

    def _cursor(self) -> DBAPICursor:
        if self.line is None:
            self.line = self.engine.raw_connection()
        return self.line.cursor()

    def rollouts(self, env: str = "") -> Iterator[Rollout]:
        """All that were recorded, of one environment or of all, in their order. It blocks."""
        last = 0
        while True:
            found = self._committed(_recorded, env, last)
            yield from (rollout for _, rollout in found)
            if len(found) < CHUNK:
                return
            last = found[-1][0]

    # ------------------------------------------------------------------ sessions

    async def create(
        self, made: Sequence[Kept], promise: tuple[str, str, str] | None = None
    ) -> tuple[str, ...] | None:
        """Keeps new sessions with their replies.

        A promise is an owner, a key and a digest of the request. Where the key was used before,
        nothing is made, and the sessions of that time are given; None where that was for another
        request.
        """
        return await self._run(_create, made, promise)

    async def load(self, session: str) -> Kept | None:
        """A session with its replies, where there is one."""
        if self.shared:
            return await self._run(_load, session)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._load_here, session)

    async def rewind(self, session: str, generation: int, step: int) -> bool:
        """Forgets the replies from a step on; False where somebody else was faster."""
        return await self._run(_rewind, session, generation, step)

    async def delete(self, session: str) -> None:
        """Forgets a session."""
        await self._run(_delete, session)

    async def sweep(self, idle_s: float, absolute_s: float) -> list[str]:
        """Forgets sessions that nobody has used for so long, or that are so old; which."""
        return await self._run(_sweep, time() - idle_s, time() - absolute_s)

    # ------------------------------------------------------------------ curricula

    async def begin(self, course: Course) -> None:
        """Keeps a new curriculum."""
        await self._run(_begin, course)

    async def course(self, name: str) -> Course | None:
        """A curriculum, where there is one."""
        return await self._run(_course, name)

    async def advance(self, course: Course) -> bool:
        """Keeps the new state of a curriculum; False where somebody else was faster."""
        return await self._run(_advance, course)

    async def drop(self, name: str) -> None:
        """Forgets a curriculum."""
        await self._run(_drop, name)

    # ------------------------------------------------------------------ how

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._committed, work, *arguments)

    def _committed(self, work: Callable[..., T], *arguments: Any) -> T:
        """What some work gives, once it is committed; tried anew where the database hung up."""
        for again in (True, False):
            try:
                reading = work in _READING
                with (self.reader if reading else self.engine).begin() as connection:
                    return work(connection, *arguments)
            except (IntegrityError, DataError):
                raise
            except DBAPIError as fault:
                if not (again and fault.connection_invalidated):
                    raise self._out_of_reach(fault.orig) from fault
        raise AssertionError

    def _out_of_reach(self, cause: object) -> Unavailable:
        """What is raised where the database cannot do what it is asked. Those who ask over HTTP are
        not told the cause, which goes to the log, now and then.
        """
        if monotonic() - self.logged > LOGGING_S:
            self.logged = monotonic()
            log.error("the store is out of reach: %s", " ".join(str(cause).split())[:500])
        return Unavailable("the store is out of reach; try again")


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


# ------------------------------------------------------------------ in the store's thread

_KEEP_ONE = (
    "INSERT INTO steps (session, step, reply, at) SELECT ?, ?, ?, ?"
    " WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ? AND generation = ?)"
    " ON CONFLICT DO NOTHING"
)
_KEEP_HERE = (
    "INSERT INTO steps (session, step, reply, at) SELECT sessions.id,"
    " json_extract(told.value, '$[2]'), json_extract(told.value, '$[3]'), ?"
    " FROM json_each(?) AS told JOIN sessions"
    " ON sessions.id = json_extract(told.value, '$[0]')"
    " AND sessions.generation = json_extract(told.value, '$[1]')"
    " WHERE true ON CONFLICT DO NOTHING"
)
_RECORD_HERE = (
    "INSERT INTO rollouts"
    " (at, owner, session, address, style, seats, replies, value, status, fingerprint) VALUES"
    " (:at, :owner, :session, :address, :style, :seats, :replies, :value, :status, :fingerprint)"
)
# Where transactions run side by side, a session is not to be rewound before its reply is committed;
# and all of a batch goes over at once.
_KEEP_THERE = (
    "INSERT INTO steps (session, step, reply, at)"
    " SELECT told.session, told.step, told.reply, %s"
    " FROM unnest(%s::text[], %s::int[], %s::int[], %s::text[])"
    " AS told (session, generation, step, reply)"
    " JOIN sessions ON sessions.id = told.session AND sessions.generation = told.generation"
    " FOR SHARE OF sessions ON CONFLICT DO NOTHING RETURNING session, step"
)


def _flushed(
    connection: Connection, replies: Sequence[Reply], told: Sequence[Rollout]
) -> list[bool]:
    first = _append(connection, replies) if replies else []
    rows = [*map(_row, _ended(replies, first, told))]
    if rows:
        connection.execute(rollouts.insert(), rows)
    return first


def _appended(cursor: Any, replies: Sequence[Reply]) -> list[bool]:
    """Begins a transaction on SQLite, and keeps replies in it; which were the first of their steps.

    They usually all are, so they go over at once: between any two statements the event loop takes
    the interpreter back, and would be waited for.
    """
    told = encode([(*one[:3], escaped(one.reply)) for one in replies]).decode()
    cursor.execute("BEGIN IMMEDIATE")
    if cursor.execute(_KEEP_HERE, (time(), told)).rowcount == len(replies):
        return [True] * len(replies)
    cursor.execute("ROLLBACK")
    cursor.execute("BEGIN IMMEDIATE")
    now = time()
    rows = [
        (one.session, one.step, escaped(one.reply), now, one.session, one.generation)
        for one in replies
    ]
    return [cursor.execute(_KEEP_ONE, row).rowcount == 1 for row in rows]


def _append(connection: Connection, replies: Sequence[Reply]) -> list[bool]:
    # In one order everywhere, lest two servers wait for one another.
    order = sorted(replies, key=lambda one: (one.session, one.step))
    columns = [
        [one.session for one in order],
        [one.generation for one in order],
        [one.step for one in order],
        [escaped(one.reply) for one in order],
    ]
    told = connection.exec_driver_sql(_KEEP_THERE, (time(), *columns))
    kept = {(session, step) for session, step in told}
    return [(one.session, one.step) in kept for one in replies]


def _ended(
    replies: Sequence[Reply], first: Sequence[bool], told: Sequence[Rollout]
) -> list[Rollout]:
    """The rollouts that are to be kept, with those that replies have ended."""
    ends = [one.rollout for one, kept in zip(replies, first) if kept and one.rollout]
    return [*told, *ends]


def _row(one: Rollout) -> dict[str, Any]:
    return {
        "at": time(), "owner": one.owner, "session": one.session, "address": escaped(one.address),
        "style": one.style, "seats": json.dumps(one.seats), "replies": json.dumps(one.replies),
        "value": one.value, "status": one.status, "fingerprint": one.fingerprint,
    }  # fmt: skip


def _recorded(connection: Connection, env: str, last: int) -> list[tuple[int, Rollout]]:
    wanted = rollouts.select().where(rollouts.c.id > last).order_by(rollouts.c.id).limit(CHUNK)
    if env:
        wanted = wanted.where(rollouts.c.address.startswith(f'"{env}@', autoescape=True))
    return [
        (
            row.id,
            Rollout(
                row.owner, row.session, json.loads(row.address), row.style, _seats(row.seats),
                tuple(json.loads(row.replies)), row.value, row.status, row.fingerprint, row.at,
            ),
        )
        for row in connection.execute(wanted)
    ]  # fmt: skip


def _seats(told: str) -> tuple[int, ...] | None:
    seats = json.loads(told)
    return None if seats is None else tuple(seats)


def _create(
    connection: Connection, made: Sequence[Kept], promise: tuple[str, str, str] | None
) -> tuple[str, ...] | None:
    names = tuple(session.id for session in made)
    if promise is not None:
        owner, key, request = promise
        key = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        row = {"owner": owner, "key": key, "request": request, "created": time()}
        told = connection.execute(
            text(
                "INSERT INTO promises (owner, key, request, sessions, created)"
                " VALUES (:owner, :key, :request, :sessions, :created) ON CONFLICT DO NOTHING"
            ),
            row | {"sessions": json.dumps(names)},
        )
        if told.rowcount == 0:
            before = connection.execute(
                text("SELECT request, sessions FROM promises WHERE owner = :owner AND key = :key"),
                {"owner": owner, "key": key},
            ).one()
            return tuple(json.loads(before.sessions)) if before.request == request else None
    now = time()
    connection.execute(
        text(
            "INSERT INTO sessions (id, owner, address, style, seats, created, generation, recipe)"
            " VALUES (:id, :owner, :address, :style, :seats, :created, 0, :recipe)"
            " ON CONFLICT DO NOTHING"
        ),
        [
            {
                "id": one.id, "owner": one.owner, "address": one.address, "style": one.style,
                "seats": json.dumps(one.seats), "created": now, "recipe": one.recipe,
            }
            for one in made
        ],
    )  # fmt: skip
    rows = [
        {"session": one.id, "step": n, "reply": escaped(reply), "at": now}
        for one in made
        for n, reply in enumerate(one.replies)
    ]
    if rows:
        connection.execute(
            text(
                "INSERT INTO steps (session, step, reply, at)"
                " VALUES (:session, :step, :reply, :at) ON CONFLICT DO NOTHING"
            ),
            rows,
        )
    return names


def _load(connection: Connection, session: str) -> Kept | None:
    return _whole(connection.execute(text(_WHOLE), {"session": session}).all())


# In one statement, which sees one moment: nobody rewinds the session halfway through.
_WHOLE = (
    "SELECT id, owner, address, style, seats, created, generation, recipe, reply, at FROM sessions"
    " LEFT JOIN steps ON steps.session = sessions.id WHERE id = :session ORDER BY step"
)
_WHOLE_HERE = _WHOLE.replace(":session", "?")


def _whole(rows: Sequence[Sequence[Any]]) -> Kept | None:
    if not rows:
        return None
    name, owner, address, style, seats, created, generation, recipe, *_ = rows[0]
    replies = tuple(json.loads(row[8]) for row in rows if row[8] is not None)
    touched = max((row[9] for row in rows if row[9] is not None), default=created)
    return Kept(
        name, owner, address, style, _seats(seats), created, generation, replies, touched, recipe
    )


def _rewind(connection: Connection, session: str, generation: int, step: int) -> bool:
    told = connection.execute(
        sessions.update()
        .where(sessions.c.id == session, sessions.c.generation == generation)
        .values(generation=generation + 1)
    )
    if told.rowcount == 0:
        return False
    connection.execute(steps.delete().where(steps.c.session == session, steps.c.step >= step))
    return True


def _delete(connection: Connection, *names: str) -> None:
    """The sessions go first: whoever keeps a reply of theirs holds them, and is waited for."""
    connection.execute(sessions.delete().where(sessions.c.id.in_(names)))
    connection.execute(steps.delete().where(steps.c.session.in_(names)))


def _sweep(connection: Connection, idle: float, old: float) -> list[str]:
    stale = (
        "SELECT id FROM sessions WHERE (created < :old OR (created < :idle AND NOT EXISTS"
        " (SELECT 1 FROM steps WHERE steps.session = sessions.id AND steps.at >= :idle)))"
    )
    when = {"idle": idle, "old": old}
    names = list(connection.execute(text(stale + _held(connection)), when).scalars())
    if names and _held(connection):
        still = {*connection.execute(text(stale), when).scalars()}
        names = [name for name in names if name in still]
    for start in range(0, len(names), FORGETTING):
        _delete(connection, *names[start : start + FORGETTING])
    connection.execute(promises.delete().where(promises.c.created < old))
    connection.execute(curricula.delete().where(curricula.c.touched < time() - FORGOTTEN_S))
    return names


def _held(connection: Connection) -> str:
    """Where transactions run side by side, sessions that are being played are passed over; once the
    others are held it is asked again, since somebody may have been faster.
    """
    return " FOR UPDATE SKIP LOCKED" if connection.dialect.name == "postgresql" else ""


# ------------------------------------------------------------------ curricula


def _begin(connection: Connection, course: Course) -> None:
    row = {
        "id": course.id, "owner": course.owner, "kind": course.kind,
        "state": json.dumps(course.state), "generation": 0, "touched": time(),
    }  # fmt: skip
    connection.execute(curricula.insert(), row)


def _course(connection: Connection, name: str) -> Course | None:
    row = connection.execute(curricula.select().where(curricula.c.id == name)).one_or_none()
    if row is None:
        return None
    return Course(row.id, row.owner, row.kind, json.loads(row.state), row.generation)


def _advance(connection: Connection, course: Course) -> bool:
    told = connection.execute(
        curricula.update()
        .where(curricula.c.id == course.id, curricula.c.generation == course.generation)
        .values(state=json.dumps(course.state), generation=course.generation + 1, touched=time())
    )
    return told.rowcount == 1


def _drop(connection: Connection, name: str) -> None:
    connection.execute(curricula.delete().where(curricula.c.id == name))


_READING = (_load, _course, _recorded)
"""What writes nothing, and so waits for nobody."""
