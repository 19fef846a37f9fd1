"""Running a query on small databases, in a worker process that may be killed.

Hostile queries are held in from several sides: only a query is run, on a database in memory that
is thrown away; nothing outside of it can be reached; steps, processor time, memory and the length
of values are limited. Even so this is no code for the caller's own process, since SQLite can be
made to take exponential memory while it prepares a query, before any of its limits apply.
"""

import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from itertools import count, islice
from math import isfinite
from time import process_time
from typing import Any

from palaestra.extras import needs
from palaestra.verifiers.sql.ties import DIRECTIONS, with_ties_broken

STEPS = 10_000_000
"""How many steps of SQLite's virtual machine a query may take, less than half a second's."""

CPU_S = 1.0
"""How many seconds of processor time the queries of one call may take."""

LENGTH = 10_000
"""How many bytes a value may have."""

RESULT = 4_000_000
"""How many characters the values of a result may have in all."""

_REACHING = {"load_extension", "fts3_tokenizer"}
"""Functions that reach out."""

_DENIED = _REACHING | {"random", "randomblob"}
_DENIED |= {"current_date", "current_time", "current_timestamp"}
"""Functions that reach out, or that give something else each time."""

_ALONE = {
    "threads": "1",
    "memory_limit": "150MB",
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
    "lock_configuration": "true",
}

_HEAD = re.compile(
    r"(?:\s|--[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|\()*+(?:select|with|values|from)\b", re.IGNORECASE
)
"""How a query begins, behind comments and brackets."""

Result = tuple[list[str], list[list[Any]]]
"""The names of the columns and the rows, as JSON values."""

Results = Iterable[Result]

TURNS = 1 + len(DIRECTIONS)
"""How often each database is asked."""


class Refused(Exception):
    """A query that cannot be answered: the status and the reason."""


def run(engine: str, scripts: Sequence[str], query: str, rows: int) -> Any:
    """The results of a query on the databases that scripts set up, of ``rows`` + 1 rows at most.

    Each database is asked :data:`TURNS` times: as the query stands, and with its ties broken one
    way and the other (see :mod:`.sql_ties`); in SQLite, rows without an order are turned round the
    last time. Gives ``[status, reason]`` where the query is refused, and raises ``MemoryError``
    where it takes too much, so that the worker is replaced.
    """
    results: list[Result] = []
    deadline = process_time() + CPU_S
    try:
        _check_head(query)
        for script in scripts:
            ask = _duckdb if engine == "duckdb" else _sqlite
            results += ask(script, query, rows, deadline)
    except Refused as refusal:
        return list(refusal.args)
    return {"results": results}


def _check_head(query: str) -> None:
    if not _HEAD.match(query):
        raise Refused("malformed", "not a query")


def _in_turns(
    ask: Callable[[str], Result], query: str, rows: int, collation: str = "", fresh: str = ""
) -> Iterator[Result]:
    """What a query finds as it stands, and with its ties broken one way and the other.

    Where it cannot be put in that way, as is so of bare ``VALUES``, it stands as it is.
    """
    names, first_rows = first = ask(query)
    yield first
    for direction in DIRECTIONS:
        turned = with_ties_broken(query, len(names), direction, collation, fresh)
        try:
            yield first if len(first_rows) > rows else ask(turned)
        except Refused:
            yield ask(query)


def _sqlite(script: str, query: str, rows: int, deadline: float) -> Results:
    with closing(sqlite3.connect(":memory:")) as database:
        _set_up(database, script, deadline)
        database.execute("PRAGMA temp_store = MEMORY")
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LENGTH)
        database.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
        database.setlimit(sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 50)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)

        def ask(statement: str) -> Result:
            # With its ties broken, a query without end has no result; it leaves time for the rest.
            budget = _Budget(deadline, STEPS if statement == query else STEPS // 5)
            database.set_authorizer(_authorized)
            database.set_progress_handler(budget.is_spent, _Budget.AT_A_TIME)
            try:
                with closing(database.execute(statement)) as cursor:
                    names = [column[0] for column in cursor.description or ()]
                    return names, _plain_rows(islice(cursor, rows + 1))
            except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
                message = str(error)
                if budget.spent or "too big" in message:
                    raise Refused("limit", "the query takes too long or too much") from None
                raise Refused("malformed", f"the query fails: {_line(message)}") from None

        turns = _in_turns(ask, query, rows, "BINARY", "_tie")
        results = [next(turns)]
        # Numbers that repeat late and neither rise nor fall; the query itself cannot call them.
        ties = (n * 7_919 % 10_007 for n in count(1))
        database.create_function("_tie", 0, lambda: next(ties))
        results += islice(turns, TURNS - 2)
        database.set_authorizer(None)
        database.set_progress_handler(None, 0)
        database.execute("PRAGMA reverse_unordered_selects = 1")
        return [*results, *turns]


def _set_up(database: sqlite3.Connection, script: str, deadline: float) -> None:
    """Run the script that sets a database up, which may change this database and reach no file.

    Raises :class:`Refused` for one that fails, or takes too long.
    """
    budget = _Budget(deadline, STEPS)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.set_authorizer(_may_set_up)
    database.set_progress_handler(budget.is_spent, _Budget.AT_A_TIME)
    try:
        database.executescript(script)
    except (sqlite3.Error, sqlite3.Warning, ValueError) as failure:
        why = "it takes too long" if budget.spent else str(failure)
        raise Refused("script", why) from None
    finally:
        database.set_authorizer(None)
        database.set_progress_handler(None, 0)


def _may_set_up(action: int, first: str | None, name: str | None, *_: str | None) -> int:
    """Whether a script may do something: all but attach files, load code, and set what is not the
    database's.
    """
    denied = (
        action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)
        or (action == sqlite3.SQLITE_PRAGMA and str(first).casefold() != "foreign_keys")
        or (action == sqlite3.SQLITE_FUNCTION and str(name).casefold() in _REACHING)
    )
    return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK


def _authorized(action: int, table: str | None, name: str | None, *_: str | None) -> int:
    """Whether SQLite may do something: read, and call functions that always give the same."""
    fine = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE) or (
        action == sqlite3.SQLITE_FUNCTION and str(name).casefold() not in _DENIED
    )
    return sqlite3.SQLITE_OK if fine else sqlite3.SQLITE_DENY


class _Budget:
    """Counts the steps of a query."""

    AT_A_TIME = 100

    def __init__(self, deadline: float, most: int) -> None:
        self.deadline, self.most = deadline, most
        self.steps = 0
        self.spent = False

    def is_spent(self) -> bool:
        self.steps += self.AT_A_TIME
        self.spent = self.steps > self.most or process_time() > self.deadline
        return self.spent


def _duckdb(script: str, query: str, rows: int, deadline: float) -> Results:
    with needs("sql", "DuckDB"):
        import duckdb

    with closing(duckdb.connect(":memory:", config=dict(_ALONE))) as database:
        try:
            database.execute(script)
            database.execute("BEGIN TRANSACTION READ ONLY")
        except duckdb.Error as failure:
            raise Refused("script", str(failure)) from None

        def ask(query: str) -> Result:
            try:
                with _interrupted(database.interrupt, deadline):
                    statements = database.extract_statements(query)
                    if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
                        raise Refused("malformed", "not a single query")
                    relation = database.execute(statements[0])
                    names = [column[0] for column in relation.description or ()]
                    return names, _plain_rows(relation.fetchmany(rows + 1))
            except duckdb.OutOfMemoryException:
                raise MemoryError from None
            except duckdb.InterruptException:
                raise Refused("limit", "the query takes too long") from None
            except (duckdb.Error, ValueError) as error:
                raise Refused("malformed", f"the query fails: {_line(str(error))}") from None

        return list(_in_turns(ask, query, rows))


@contextmanager
def _interrupted(interrupt: Callable[[], None], deadline: float) -> Iterator[None]:
    """Have what is done inside interrupted when its time is over."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            if process_time() > deadline:
                interrupt()

    watcher = threading.Thread(target=watch)
    try:
        watcher.start()
    except RuntimeError:  # no memory is left for it
        raise MemoryError from None
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _line(line: str) -> str:
    """The beginning of a message in one line."""
    return " ".join(line[:1_000].split())[:200]


def _plain_rows(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    plain_rows: list[list[Any]] = []
    size = 0
    for row in rows:
        plain_rows.append([_plain(cell) for cell in row])
        size += sum(len(str(cell)) for cell in row)
        if size > RESULT:
            raise Refused("limit", "the query finds too much")
    return plain_rows


def _plain(cell: Any) -> Any:
    """A value of a row as JSON; what JSON has no word for is a list of its kind and a text."""
    if isinstance(cell, Decimal):
        cell = int(cell) if cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, bool):
        return int(cell)
    if cell is None or isinstance(cell, int | str) or (isinstance(cell, float) and isfinite(cell)):
        return cell
    return [type(cell).__name__, cell.hex() if isinstance(cell, bytes) else str(cell)]
