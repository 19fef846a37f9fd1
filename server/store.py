"""Where sessions are kept: in one SQLite file, or in a PostgreSQL that several servers share.

A session is its address and its replies, and nothing else is written down; what was said can be
worked out again. A reply is acknowledged when it is committed, so a server that is killed at any
moment loses none that anybody was told of.

Replies that come at the same time are committed together, by a thread of the store's own.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import time
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    text,
)
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.pool import StaticPool

MEMORY = "sqlite://"
"""A store that ends with the process."""

T = TypeVar("T")

schema = MetaData()
sessions = Table(
    "sessions",
    schema,
    Column("id", String(64), primary_key=True),
    Column("owner", String(80), nullable=False),
    Column("address", Text, nullable=False),
    Column("style", String(20), nullable=False),
    Column("seats", String(200), nullable=False),
    Column("created", Float, nullable=False),
    Column("generation", Integer, nullable=False),
)
steps = Table(
    "steps",
    schema,
    Column("session", String(64), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("reply", Text, nullable=False),
    Column("at", Float, nullable=False),
)
promises = Table(
    "promises",
    schema,
    Column("owner", String(80), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("request", String(64), nullable=False),
    Column("sessions", Text, nullable=False),
    Column("created", Float, nullable=False),
)


class Reply(NamedTuple):
    """A reply that is to be kept."""

    session: str
    generation: int
    step: int
    reply: str


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


# Text of a model may hold what databases do not take: half a surrogate pair, a null character.


def escaped(reply: str) -> str:
    """A text that every database takes, for any text."""
    return json.dumps(reply)


class Store:
    """Keeps sessions. Its methods wait without holding up the event loop."""

    def __init__(self, url: str = MEMORY) -> None:
        self.url = make_url(url)
        self.shared = self.url.get_backend_name() != "sqlite"
        self.engine = _engine(url)
        self.threads = ThreadPoolExecutor(8 if self.shared else 1, "store")
        self.pending: list[tuple[Reply, asyncio.Future[bool]]] = []
        self.flushing: asyncio.Task[None] | None = None
        schema.create_all(self.engine)

    def close(self) -> None:
        """Lets what is under way be committed, and hangs up."""
        self.threads.shutdown(wait=True)
        self.engine.dispose()

    # ------------------------------------------------------------------ replies

    async def append(self, reply: Reply) -> bool:
        """Keeps a reply; whether it is the first of its step in that generation of its session."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.pending.append((reply, done))
        if self.flushing is None or self.flushing.done():
            self.flushing = asyncio.create_task(self._flush())
        return await done

    async def _flush(self) -> None:
        """Commits what has come, and then what came meanwhile."""
        while self.pending:
            batch, self.pending = self.pending, []
            try:
                kept = await self._run(_append, [reply for reply, _ in batch])
            except Exception as fault:  # noqa: BLE001  everyone who waits is told
                for _, done in batch:
                    if not done.done():
                        done.set_exception(fault)
                continue
            for (_, done), first in zip(batch, kept):
                if not done.done():
                    done.set_result(first)

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
        return await self._run(_load, session)

    async def rewind(self, session: str, generation: int, step: int) -> bool:
        """Forgets the replies from a step on; False where somebody else was faster."""
        return await self._run(_rewind, session, generation, step)

    async def delete(self, session: str) -> None:
        """Forgets a session."""
        await self._run(_delete, session)

    async def sweep(self, idle_s: float, absolute_s: float) -> int:
        """Forgets sessions that nobody has used for so long, or that are so old; how many."""
        return await self._run(_sweep, time() - idle_s, time() - absolute_s)

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._committed, work, *arguments)

    def _committed(self, work: Callable[..., T], *arguments: Any) -> T:
        with self.engine.begin() as connection:
            return work(connection, *arguments)


def _engine(url: str) -> Engine:
    """An engine with the settings that survive a killed process."""
    made = make_url(url)
    if made.get_backend_name() != "sqlite":
        return create_engine(made, pool_pre_ping=True, pool_size=8, max_overflow=0)
    memory = made.database in {None, "", ":memory:"}
    options: dict[str, Any] = {"poolclass": StaticPool} if memory else {}
    engine = create_engine(made, connect_args={"check_same_thread": False}, **options)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


# ------------------------------------------------------------------ in the store's thread

_KEEP = (
    "INSERT INTO steps (session, step, reply, at) SELECT :session, :step, :reply, :at"
    " WHERE EXISTS (SELECT 1 FROM sessions WHERE id = :session AND generation = :generation{lock})"
    " ON CONFLICT DO NOTHING"
)
# Where transactions run side by side, a session is not to be rewound before its reply is committed.
_KEEPING = {
    "sqlite": text(_KEEP.format(lock="")),
    "postgresql": text(_KEEP.format(lock=" FOR SHARE")),
}


def _append(connection: Connection, replies: Sequence[Reply]) -> list[bool]:
    now = time()
    kept = []
    for reply in replies:
        row = reply._asdict() | {"reply": escaped(reply.reply), "at": now}
        kept.append(connection.execute(_KEEPING[connection.dialect.name], row).rowcount == 1)
    return kept


def _create(
    connection: Connection, made: Sequence[Kept], promise: tuple[str, str, str] | None
) -> tuple[str, ...] | None:
    names = tuple(session.id for session in made)
    if promise is not None:
        owner, key, request = promise
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
        sessions.insert(),
        [
            {
                "id": one.id, "owner": one.owner, "address": one.address, "style": one.style,
                "seats": json.dumps(one.seats), "created": now, "generation": 0,
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
        connection.execute(steps.insert(), rows)
    return names


def _load(connection: Connection, session: str) -> Kept | None:
    row = connection.execute(sessions.select().where(sessions.c.id == session)).one_or_none()
    if row is None:
        return None
    told = connection.execute(
        steps.select().where(steps.c.session == session).order_by(steps.c.step)
    ).all()
    seats = json.loads(row.seats)
    return Kept(
        row.id, row.owner, row.address, row.style, seats and tuple(seats), row.created,
        row.generation, tuple(json.loads(each.reply) for each in told),
        max((each.at for each in told), default=row.created),
    )  # fmt: skip


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


def _delete(connection: Connection, session: str) -> None:
    connection.execute(steps.delete().where(steps.c.session == session))
    connection.execute(sessions.delete().where(sessions.c.id == session))


def _sweep(connection: Connection, idle: float, old: float) -> int:
    stale = connection.execute(
        text(
            "SELECT id FROM sessions WHERE created < :old OR (created < :idle AND NOT EXISTS"
            " (SELECT 1 FROM steps WHERE steps.session = sessions.id AND steps.at >= :idle))"
        ),
        {"idle": idle, "old": old},
    ).scalars()
    names = list(stale)
    for name in names:
        _delete(connection, name)
    connection.execute(promises.delete().where(promises.c.created < old))
    return len(names)
