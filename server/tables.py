"""The tables of the store, their version, and how a store of an older one is brought up to it.

The store says of itself which version its tables have. A process that starts brings older tables up
to its own version, and refuses what it cannot use in one sentence: tables of a newer version or of
another program, a file that is none of SQLite's, a folder that cannot be written to.
"""

from collections.abc import Mapping, Sequence
from time import sleep

from palaestra.extras import needs

with needs("server", "the HTTP service"):
    from sqlalchemy import (
        BigInteger,
        Column,
        Connection,
        Float,
        Integer,
        MetaData,
        String,
        Table,
        Text,
        inspect,
    )
    from sqlalchemy.engine import URL, Engine, make_url
    from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, ProgrammingError

from palaestra.server.clock import time

VERSION = 6
"""Version of the tables that this program reads and writes; each change of them raises it."""

MIGRATIONS: Mapping[int, Sequence[tuple[str, str]]] = {
    2: [("sessions", "ALTER TABLE {} ADD COLUMN recipe TEXT")],
    3: [
        ("sessions", "ALTER TABLE {} RENAME COLUMN style TO answer_format"),
        ("rollouts", "ALTER TABLE {} RENAME COLUMN style TO answer_format"),
    ],
    4: [
        ("curricula", "ALTER TABLE {} RENAME COLUMN kind TO strategy"),
        ("curricula", """UPDATE {} SET state = REPLACE(state, '"drawn": ', '"sampled": ')"""),
    ],
    5: [
        ("sessions", "ALTER TABLE {} ADD COLUMN observation VARCHAR(10)"),
        ("sessions", "ALTER TABLE {} ADD COLUMN image_size INTEGER"),
    ],
    6: [
        ("sessions", "ALTER TABLE {} ADD COLUMN words TEXT"),
        ("steps", "ALTER TABLE {} ADD COLUMN words TEXT"),
    ],
}
"""Tables and the statements that bring each from the previous version to that of the key. They skip
tables that do not exist yet, which are created as they are now.
"""

TRIES, PAUSE_S = 5, 0.2
"""How often it is tried to make the tables, as other processes may be doing, and how soon again."""

_FIRST = {"id", "owner", "address", "style", "seats", "created", "generation"}
"""Columns of sessions in the first version, which stated no version."""

_OTHERS = ("locked", "busy", "already exists", "duplicate")
"""What databases say where another process makes the tables at the same time."""

_LOCK = "SELECT pg_advisory_xact_lock(20604)"

schema = MetaData()
versions = Table(
    "palaestra_store",
    schema,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("probed", Float, nullable=False),
)
sessions = Table(
    "sessions",
    schema,
    Column("id", String(64), primary_key=True),
    Column("owner", String(80), nullable=False),
    Column("address", Text, nullable=False),
    Column("answer_format", String(20), nullable=False),
    Column("seats", String(200), nullable=False),
    Column("created", Float, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("recipe", Text),
    Column("observation", String(10)),
    Column("image_size", Integer),
    Column("words", Text),
)
steps = Table(
    "steps",
    schema,
    Column("session", String(64), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("reply", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("words", Text),
    sqlite_with_rowid=False,
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
rollouts = Table(
    "rollouts",
    schema,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("at", Float, nullable=False),
    Column("owner", String(80), nullable=False),
    Column("session", String(64), nullable=False),
    Column("address", Text, nullable=False),
    Column("answer_format", String(20), nullable=False),
    Column("seats", String(200), nullable=False),
    Column("replies", Text, nullable=False),
    Column("value", Float),
    Column("status", String(40), nullable=False),
    Column("fingerprint", String(80), nullable=False),
)
curricula = Table(
    "curricula",
    schema,
    Column("id", String(64), primary_key=True),
    Column("owner", String(80), nullable=False),
    Column("strategy", String(40), nullable=False),
    Column("state", Text, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("touched", Float, nullable=False),
)


class StoreError(ValueError):
    """A store that cannot be used, and why; trying again does not help."""


def url_of(text: str) -> URL:
    """The URL of a store. Raises :class:`StoreError` for one of no database that can be used."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(
            f"a store is a URL such as sqlite:////folder/file or postgresql://host/name, "
            f"not {text[:80]!r}"
        ) from None
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise StoreError(f"a store is SQLite or PostgreSQL, not {url.get_backend_name()!r}")
    if url.get_backend_name() == "postgresql" and url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    return url


def prepare(engine: Engine) -> None:
    """Makes the tables, or brings them up to :data:`VERSION`. Several processes may come to it at
    once. Raises :class:`StoreError` where the store cannot be used.
    """
    where = engine.url.render_as_string(hide_password=True)
    for left in reversed(range(TRIES)):
        try:
            with engine.begin() as connection:
                _prepare(connection, where)
        except (OperationalError, ProgrammingError, DBAPIError) as fault:
            why = " ".join(str(fault.orig).split())[:300]
            if not left or not any(word in why for word in _OTHERS):
                raise StoreError(f"the store {where} cannot be used: {why}") from fault
            sleep(PAUSE_S)
        else:
            return


def _prepare(connection: Connection, where: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_LOCK)
    known = inspect(connection).get_table_names()
    stored = VERSION
    if versions.name in known:
        stored = connection.execute(versions.select()).scalars().one_or_none() or 0
    elif sessions.name in known:
        stored = 1
        _check_columns(connection, where, {sessions.name: _FIRST})
    if not 1 <= stored <= VERSION:
        raise StoreError(
            f"the store {where} has tables of version {stored} and this palaestra uses version "
            f"{VERSION}: run the palaestra that made it, or name another store"
        )
    for version in range(stored + 1, VERSION + 1):
        for table, statement in MIGRATIONS[version]:
            if table in known:
                connection.exec_driver_sql(statement.format(table))
    schema.create_all(connection)
    _check_columns(
        connection, where, {name: {*table.c.keys()} for name, table in schema.tables.items()}
    )
    connection.execute(versions.delete())
    connection.execute(versions.insert(), {"version": VERSION, "probed": time()})


def _check_columns(connection: Connection, where: str, columns: Mapping[str, set[str]]) -> None:
    """Raises :class:`StoreError` if a table lacks columns: it is that of another program."""
    inspector = inspect(connection)
    for table, names in columns.items():
        missing = names - {column["name"] for column in inspector.get_columns(table)}
        if missing:
            raise StoreError(
                f"the store {where} is not one of palaestra: its table {table!r} has no "
                f"{', '.join(sorted(missing))}; name another store"
            )


def probe(connection: Connection) -> bool:
    """Writes to the store; whether its tables are still of :data:`VERSION`."""
    row = connection.execute(
        versions.update().where(versions.c.version == VERSION).values(probed=time())
    )
    return row.rowcount == 1
