"""What a data set contains so far, in a database beside its files.

The database is brought up to date together with each file (shard), so that a run that is cut off
continues after the last whole one. The canonical forms that were seen are in it as well: memory
does not grow with the data set.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

FILE = "state.sqlite"

_TABLES = (
    "create table settings (value text not null)",
    "create table shards (number integer primary key, record text not null)",
    (
        "create table seen (env integer not null, digest integer not null, "
        "shard integer not null, primary key (env, digest)) without rowid"
    ),
)


class BadFolder(ValueError):
    """A folder holds another data set, or something else."""


class Progress(NamedTuple):
    """How far the seeds of a cell are used up."""

    next_seed: int
    rows: int
    duplicates: int
    """The seeds that gave a task which an earlier one gave."""
    barren: int
    """How many seeds in a row gave no new task."""


class Shard(NamedTuple):
    """A file of the data set, and how far each cell was once it was written."""

    number: int
    wanted: int
    rows: int
    files: Mapping[str, Mapping[str, Any]]
    cells: Sequence[Progress]


class State:
    """The state of a data set in a folder. Use it as a context manager."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Open the state in a folder, or begin one.

        Raises :class:`BadFolder` for a folder with other files, or with a data set that was made
        with other settings.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            others = any(not file.name.startswith(FILE) for file in folder.iterdir())
            if others and not (folder / FILE).exists():
                raise _foreign(folder)
            connection = _connected(folder / FILE)
            is_new = not connection.execute("select 1 from sqlite_master").fetchone()
        except OSError as error:
            raise BadFolder(f"{folder} cannot be used: {error.strerror}") from None
        except sqlite3.Error as error:
            raise BadFolder(_unusable(folder, error)) from None
        state = cls(connection)
        try:
            if is_new and others:
                raise _foreign(folder)
            if is_new:
                state._begin(settings)
            state._compare(folder, settings)
        except sqlite3.Error as error:
            connection.close()
            raise BadFolder(_unusable(folder, error)) from None
        except BadFolder:
            connection.close()
            raise
        return state

    def _begin(self, settings: Mapping[str, Any]) -> None:
        text = json.dumps(settings, sort_keys=True)
        with _Transaction(self._connection):
            for table in _TABLES:
                self._connection.execute(table)
            self._connection.execute("insert into settings values (?)", (text,))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._connection.close()

    def _compare(self, folder: Path, settings: Mapping[str, Any]) -> None:
        (text,) = self._connection.execute("select value from settings").fetchone()
        before = json.loads(text)
        if other := [name for name in settings if before.get(name) != settings[name]]:
            name = other[0]
            raise BadFolder(
                f"{folder} holds a data set made with other settings: {name} was "
                f"{str(before.get(name))[:80]}, not {str(settings[name])[:80]}"
            )

    def shards(self) -> list[Shard]:
        """The files that are written, in their order."""
        records = self._connection.execute("select number, record from shards order by number")
        return [_shard(number, json.loads(record)) for number, record in records]

    def cut(self, number: int) -> None:
        """Forget the shards from a number on."""
        with _Transaction(self._connection):
            self._connection.execute("delete from shards where number >= ?", (number,))
            self._connection.execute("delete from seen where shard >= ?", (number,))

    def begin(self) -> None:
        """Begin a shard: what follows counts once it is written."""
        self._connection.execute("begin")

    def is_new(self, env: int, digest: int, shard: int) -> bool:
        """Note a canonical form; whether it was not seen before in this environment."""
        added = self._connection.execute(
            "insert or ignore into seen values (?, ?, ?)", (env, digest, shard)
        )
        return added.rowcount == 1

    def commit(self, shard: Shard) -> None:
        """Record a shard whose files are written."""
        record = json.dumps(shard[1:])
        self._connection.execute("insert into shards values (?, ?)", (shard.number, record))
        self._connection.execute("commit")


def _shard(number: int, record: Sequence[Any]) -> Shard:
    wanted, rows, files, cells = record
    return Shard(number, wanted, rows, files, [Progress(*cell) for cell in cells])


def _connected(file: Path) -> sqlite3.Connection:
    """A connection that keeps others out as long as it is open."""
    connection = sqlite3.connect(file, isolation_level=None, timeout=0)
    connection.execute("pragma locking_mode = exclusive")
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = normal")
    connection.execute("begin exclusive")
    connection.execute("commit")
    return connection


def _foreign(folder: Path) -> BadFolder:
    return BadFolder(f"{folder} is not empty, and has no data set that could be continued")


def _unusable(folder: Path, error: sqlite3.Error) -> str:
    if "locked" in str(error):
        return f"another process is writing a data set to {folder}"
    return f"{folder / FILE} cannot be read ({error}); use another folder"


class _Transaction:
    """A transaction, which is undone where something fails."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        self.connection.execute("begin")

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self.connection.execute("rollback" if error else "commit")
