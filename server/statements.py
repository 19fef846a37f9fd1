"""What the store does in its own thread, in SQL: each function works within a transaction.

Most work on any database. What is done for every move has a second form for SQLite, on a bare
connection, whose transactions it begins by itself.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import astuple
from hashlib import sha256
from typing import Any

from msgspec.json import encode
from sqlalchemy import Connection, text

from palaestra.observations import TEXT, View
from palaestra.server.clock import time
from palaestra.server.records import (
    CurriculumRecord,
    NewSessions,
    ReplyRecord,
    Rollout,
    SessionRecord,
    WriteBatch,
    WriteResult,
    escaped,
)
from palaestra.server.tables import curricula, promises, rollouts, sessions, steps
from palaestra.trainers.spoken_users import Words

FORGOTTEN_S = 30 * 86_400.0
"""How long curricula live that nobody uses."""

CHUNK = 32
"""How many rollouts are read at a time; each may hold megabytes of replies."""

FORGETTING = 256
"""How many sessions are forgotten in one statement."""

_KEEP_ONE = (
    "INSERT INTO steps (session, step, reply, at, words) SELECT ?, ?, ?, ?, ?"
    " WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ? AND generation = ?)"
    " ON CONFLICT DO NOTHING"
)
_KEEP_HERE = (
    "INSERT INTO steps (session, step, reply, at, words) SELECT sessions.id,"
    " json_extract(sent.value, '$[2]'), json_extract(sent.value, '$[3]'), ?,"
    " json_extract(sent.value, '$[4]')"
    " FROM json_each(?) AS sent JOIN sessions"
    " ON sessions.id = json_extract(sent.value, '$[0]')"
    " AND sessions.generation = json_extract(sent.value, '$[1]')"
    " WHERE true ON CONFLICT DO NOTHING"
)
_RECORD = (
    "INSERT INTO rollouts"
    " (at, owner, session, address, answer_format, seats, replies, value, status, fingerprint)"
    " VALUES (:at, :owner, :session, :address, :answer_format, :seats, :replies, :value, :status,"
    " :fingerprint)"
)
# Where transactions run side by side, a session is not to be rewound before its reply is committed;
# and all of a batch goes over at once.
_KEEP_THERE = (
    "INSERT INTO steps (session, step, reply, at, words)"
    " SELECT sent.session, sent.step, sent.reply, %s, sent.words"
    " FROM unnest(%s::text[], %s::int[], %s::int[], %s::text[], %s::text[])"
    " AS sent (session, generation, step, reply, words)"
    " JOIN sessions ON sessions.id = sent.session AND sessions.generation = sent.generation"
    " FOR SHARE OF sessions ON CONFLICT DO NOTHING RETURNING session, step"
)


def flushed(connection: Connection, gathered: WriteBatch) -> WriteResult:
    """Keeps what was gathered."""
    first = _append(connection, gathered.replies) if gathered.replies else []
    rows = [*map(_row, _ended(gathered.replies, first, gathered.rollouts))]
    if rows:
        connection.execute(text(_RECORD), rows)

    def execute(statement: str, parameters: Any) -> Any:
        return connection.execute(text(statement), parameters)

    # In one order everywhere, lest two servers wait for one another.
    order = sorted(range(len(gathered.sessions)), key=lambda n: gathered.sessions[n].promise or ())
    names = {n: _created(execute, execute, gathered.sessions[n]) for n in order}
    return WriteResult(first, [names[n] for n in range(len(names))])


def flushed_here(cursor: Any, gathered: WriteBatch) -> WriteResult:
    """The same on a bare cursor of SQLite."""
    first = _appended(cursor, gathered.replies)
    rows = [*map(_row, _ended(gathered.replies, first, gathered.rollouts))]
    if rows:
        cursor.executemany(_RECORD, rows)
    names = [_created(cursor.execute, cursor.executemany, new) for new in gathered.sessions]
    cursor.execute("COMMIT")
    return WriteResult(first, names)


def _appended(cursor: Any, replies: Sequence[ReplyRecord]) -> list[bool]:
    """Begins a transaction on SQLite, and keeps replies in it; which were the first of their steps.

    They usually all are, so they go over at once: between any two statements the event loop takes
    the interpreter back, and would be waited for.
    """
    log = encode([(*one[:3], escaped(one.reply), _text_of(one.words)) for one in replies]).decode()
    cursor.execute("BEGIN IMMEDIATE")
    if cursor.execute(_KEEP_HERE, (time(), log)).rowcount == len(replies):
        return [True] * len(replies)
    cursor.execute("ROLLBACK")
    cursor.execute("BEGIN IMMEDIATE")
    now = time()
    rows = [
        (
            one.session,
            one.step,
            escaped(one.reply),
            now,
            _text_of(one.words),
            one.session,
            one.generation,
        )
        for one in replies
    ]
    return [cursor.execute(_KEEP_ONE, row).rowcount == 1 for row in rows]


def _append(connection: Connection, replies: Sequence[ReplyRecord]) -> list[bool]:
    # In one order everywhere, lest two servers wait for one another.
    order = sorted(replies, key=lambda one: (one.session, one.step))
    columns = [
        [one.session for one in order],
        [one.generation for one in order],
        [one.step for one in order],
        [escaped(one.reply) for one in order],
        [_text_of(one.words) for one in order],
    ]
    result = connection.exec_driver_sql(_KEEP_THERE, (time(), *columns))
    kept = {(session, step) for session, step in result}
    return [(one.session, one.step) in kept for one in replies]


def _ended(
    replies: Sequence[ReplyRecord], first: Sequence[bool], rollouts: Sequence[Rollout]
) -> list[Rollout]:
    """The rollouts that are to be kept, with those that replies have ended."""
    ends = [one.rollout for one, kept in zip(replies, first) if kept and one.rollout]
    return [*rollouts, *ends]


def _row(one: Rollout) -> dict[str, Any]:
    return {
        "at": time(), "owner": one.owner, "session": one.session, "address": escaped(one.address),
        "answer_format": one.answer_format, "seats": json.dumps(one.seats),
        "replies": json.dumps(one.replies), "value": one.value, "status": one.status,
        "fingerprint": one.fingerprint,
    }  # fmt: skip


def recorded(connection: Connection, env: str, last: int) -> list[tuple[int, Rollout]]:
    """The next rollouts behind one, of one environment or of all."""
    wanted = rollouts.select().where(rollouts.c.id > last).order_by(rollouts.c.id).limit(CHUNK)
    if env:
        wanted = wanted.where(rollouts.c.address.startswith(f'"{env}@', autoescape=True))
    return [
        (
            row.id,
            Rollout(
                row.owner, row.session, json.loads(row.address), row.answer_format,
                _seats(row.seats), tuple(json.loads(row.replies)), row.value, row.status,
                row.fingerprint, row.at,
            ),
        )
        for row in connection.execute(wanted)
    ]  # fmt: skip


def _seats(text: str) -> tuple[int, ...] | None:
    seats = json.loads(text)
    return None if seats is None else tuple(seats)


def _created(
    execute: Callable[[str, Any], Any], execute_all: Callable[[str, Any], Any], new: NewSessions
) -> tuple[str, ...] | None:
    """Keeps new sessions on any database, by what carries out a statement once or for many rows."""
    names = tuple(session.id for session in new.created)
    if new.promise is not None:
        owner, key, request = new.promise
        key = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        promise = {"owner": owner, "key": key, "request": request, "created": time()}
        if execute(_PROMISE, promise | {"sessions": json.dumps(names)}).rowcount == 0:
            stored_request, sessions_ = execute(_PROMISED, {"owner": owner, "key": key}).fetchone()
            return tuple(json.loads(sessions_)) if stored_request == request else None
    now = time()
    rows = [
        {
            "id": one.id, "owner": one.owner, "address": one.address,
            "answer_format": one.answer_format, "seats": json.dumps(one.seats), "created": now,
            "recipe": one.recipe, "observation": one.view.observation, "image_size": one.view.size,
            "words": _text_of([each for each in one.words if each.turn == 0]),
        }
        for one in new.created
    ]  # fmt: skip
    execute_all(_CREATE, rows)
    replies = [
        {
            "session": one.id, "step": n, "reply": escaped(reply), "at": now,
            "words": _text_of([each for each in one.words if each.turn == n + 1]),
        }
        for one in new.created
        for n, reply in enumerate(one.replies)
    ]  # fmt: skip
    if replies:
        execute_all(_CREATE_REPLY, replies)
    return names


_PROMISE = (
    "INSERT INTO promises (owner, key, request, sessions, created)"
    " VALUES (:owner, :key, :request, :sessions, :created) ON CONFLICT DO NOTHING"
)
_PROMISED = "SELECT request, sessions FROM promises WHERE owner = :owner AND key = :key"
_CREATE = (
    "INSERT INTO sessions (id, owner, address, answer_format, seats, created, generation, recipe,"
    " observation, image_size, words) VALUES (:id, :owner, :address, :answer_format, :seats,"
    " :created, 0, :recipe, :observation, :image_size, :words)"
    " ON CONFLICT DO NOTHING"
)
_CREATE_REPLY = (
    "INSERT INTO steps (session, step, reply, at, words)"
    " VALUES (:session, :step, :reply, :at, :words)"
    " ON CONFLICT DO NOTHING"
)


def loaded_here(cursor: Any, session: str) -> SessionRecord | None:
    """A session with its replies, by a bare cursor of SQLite."""
    return _whole(cursor.execute(_WHOLE_HERE, (session,)).fetchall())


def load(connection: Connection, session: str) -> SessionRecord | None:
    """A session with its replies, where there is one."""
    return _whole(connection.execute(text(_WHOLE), {"session": session}).all())


# In one statement, which sees one moment: nobody rewinds the session halfway through.
_WHOLE = (
    "SELECT id, owner, address, answer_format, seats, created, generation, recipe, reply, at,"
    " observation, image_size, sessions.words, steps.words"
    " FROM sessions LEFT JOIN steps ON steps.session = sessions.id"
    " WHERE id = :session ORDER BY step"
)
_WHOLE_HERE = _WHOLE.replace(":session", "?")


def _whole(rows: Sequence[Sequence[Any]]) -> SessionRecord | None:
    if not rows:
        return None
    name, owner, address, answer_format, seats, created, generation, recipe, *_ = rows[0]
    observation, image_size, opening = rows[0][10:13]  # null in sessions of earlier versions
    words = [each for text in (opening, *(row[13] for row in rows)) for each in _words_of(text)]
    replies = tuple(json.loads(row[8]) for row in rows if row[8] is not None)
    touched = max((row[9] for row in rows if row[9] is not None), default=created)
    return SessionRecord(
        name, owner, address, answer_format, _seats(seats), created, generation, replies, touched,
        recipe, View(observation, image_size) if observation else TEXT, tuple(words),
    )  # fmt: skip


def _text_of(words: Sequence[Words]) -> str | None:
    """Words of a user as text; nothing for none, as most tasks have no user who talks."""
    return json.dumps([[*astuple(each)] for each in words]) if words else None


def _words_of(text: str | None) -> list[Words]:
    return [Words(*each) for each in json.loads(text)] if text else []


def rewind(connection: Connection, session: str, generation: int, step: int) -> bool:
    """Forgets the replies from a step on; False where somebody else was faster."""
    result = connection.execute(
        sessions.update()
        .where(sessions.c.id == session, sessions.c.generation == generation)
        .values(generation=generation + 1)
    )
    if result.rowcount == 0:
        return False
    connection.execute(steps.delete().where(steps.c.session == session, steps.c.step >= step))
    return True


def delete(connection: Connection, *names: str) -> None:
    """The sessions go first: whoever keeps a reply of theirs holds them, and is waited for."""
    connection.execute(sessions.delete().where(sessions.c.id.in_(names)))
    connection.execute(steps.delete().where(steps.c.session.in_(names)))


def sweep(connection: Connection, idle: float, old: float) -> list[str]:
    """Forgets sessions that were not used, or opened, since these times; which."""
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
        delete(connection, *names[start : start + FORGETTING])
    connection.execute(promises.delete().where(promises.c.created < old))
    connection.execute(curricula.delete().where(curricula.c.touched < time() - FORGOTTEN_S))
    return names


def _held(connection: Connection) -> str:
    """Where transactions run side by side, sessions that are being played are passed over; once the
    others are held it is asked again, since somebody may have been faster.
    """
    return " FOR UPDATE SKIP LOCKED" if connection.dialect.name == "postgresql" else ""


# ------------------------------------------------------------------ curricula


def begin(connection: Connection, course: CurriculumRecord) -> None:
    """Keeps a new curriculum."""
    row = {
        "id": course.id, "owner": course.owner, "strategy": course.strategy,
        "state": json.dumps(course.state), "generation": 0, "touched": time(),
    }  # fmt: skip
    connection.execute(curricula.insert(), row)


def course(connection: Connection, name: str) -> CurriculumRecord | None:
    """A curriculum, where there is one."""
    row = connection.execute(curricula.select().where(curricula.c.id == name)).one_or_none()
    if row is None:
        return None
    return CurriculumRecord(row.id, row.owner, row.strategy, json.loads(row.state), row.generation)


def advance(connection: Connection, course: CurriculumRecord) -> bool:
    """Keeps the new state of a curriculum; False where somebody else was faster."""
    result = connection.execute(
        curricula.update()
        .where(curricula.c.id == course.id, curricula.c.generation == course.generation)
        .values(state=json.dumps(course.state), generation=course.generation + 1, touched=time())
    )
    return result.rowcount == 1


def drop(connection: Connection, name: str) -> None:
    """Forgets a curriculum."""
    connection.execute(curricula.delete().where(curricula.c.id == name))


READING = (load, course, recorded)
"""What writes nothing, and so waits for nobody."""
