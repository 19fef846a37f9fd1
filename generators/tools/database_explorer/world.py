"""The tools that read a database."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

from palaestra.generators.tools.data_questions import DataWorld, Form
from palaestra.generators.tools.database_explorer.tables import Table, literal
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.task import InvalidAnswer, JudgeError
from palaestra.verifiers.patterns import utf8
from palaestra.workers.pool import Late, Lost, WorkerFault, Workers, workers

ROWS = 50
"""How many rows of a result are shown."""

SAMPLE = 20
"""How many rows a sample has at most."""

NAME = 60
"""How many characters the name of a table may have."""

QUERY = 4_000
"""How many characters a query may have."""

CELL = 200
"""How many characters of a value are shown."""

MEMORY_MB = 512
"""The address space of a worker."""


class Database:
    """Tables by name, and the script that sets them up."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = {table.name: table for table in tables}

    @cached_property
    def script(self) -> str:
        """The statements that create and fill all tables."""
        return "".join(table.script() for table in self.tables.values())


class World(DataWorld):
    """A database, which is loaded by the first call that needs it."""

    def __init__(
        self, load: Callable[[], Database], forms: Sequence[Form], seed: int, busy: int
    ) -> None:
        super().__init__(TOOLS, forms, seed, busy)
        self.load = load

    @cached_property
    def database(self) -> Database:
        """The database."""
        return self.load()

    def table(self, name: str) -> Table:
        """The table with a name. Raises :class:`InvalidAnswer` where there is none."""
        table = self.database.tables.get(name[:NAME].strip().strip("'\"`[]").casefold())
        if table is None:
            raise InvalidAnswer("there is no such table; list_tables shows their names")
        return table


@lru_cache(maxsize=1)
def _pool() -> Workers:
    """Workers with tight limits, since queries may be hostile."""
    return Workers(workers().size, wall_s=20.0, cpu_s=3.0, memory_mb=MEMORY_MB)


def selected_rows(script: str, query: str) -> tuple[list[str], list[list[Any]]]:
    """The names of the columns and the first rows that a query finds, one more than are shown.

    The query runs in a worker process, on a database in memory, with limits on what it may do and
    take. Raises :class:`InvalidAnswer` where the query is at fault, and :class:`JudgeError` where
    no worker can be had.
    """
    output = _called(script, query)
    if isinstance(output, dict):
        names, rows = output["results"][0]
        return names, rows
    raise InvalidAnswer(output[1])


def _called(script: str, query: str) -> Any:
    for _ in range(2):
        try:
            return _pool().call(
                "palaestra.verifiers.sql.engine:run", "sqlite", [script], query, ROWS
            )
        except Late:
            raise InvalidAnswer("the query takes too long") from None
        except Lost:
            continue  # perhaps not because of the query
        except WorkerFault as fault:
            raise JudgeError(f"the query could not be run: {fault}") from None
    raise InvalidAnswer("the query takes too much memory")


def _list_tables(world: World, _: Arguments) -> str:
    tables = world.database.tables.values()
    return "\n".join(f"{table.name}: {len(table.rows)} rows" for table in tables)


def _describe_table(world: World, arguments: Arguments) -> str:
    return world.table(arguments["table"]).statement()


def _sample_rows(world: World, arguments: Arguments) -> str:
    table = world.table(arguments["table"])
    number, first = arguments["number"], arguments["first"]
    if not 1 <= number <= SAMPLE:
        raise InvalidAnswer(f"a sample has from 1 to {SAMPLE} rows")
    if not 1 <= first <= len(table.rows):
        raise InvalidAnswer(f"the rows of this table go from 1 to {len(table.rows)}")
    names = [column.name for column in table.columns]
    return _shown(names, table.rows[first - 1 : first - 1 + number])


def _run_query(world: World, arguments: Arguments) -> str:
    query = arguments["sql"].strip()
    if len(query) > QUERY:
        raise InvalidAnswer(f"a query has at most {QUERY} characters")
    utf8(query)
    names, rows = selected_rows(world.database.script, query)
    text = _shown(names, rows[:ROWS])
    return f"{text}\n(more rows are not shown)" if len(rows) > ROWS else text


def _shown(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A line with the names of columns, and a line for each row, with texts in quotes."""
    lines = [" | ".join(name[:CELL] for name in names)]
    lines += [" | ".join(_cell(cell) for cell in row) for row in rows]
    return "\n".join(lines if rows else [*lines, "(no rows)"])


def _cell(cell: Any) -> str:
    text = f"<{cell[0]}>" if isinstance(cell, list | tuple) else literal(cell)
    return text if len(text) <= CELL else f"{text[:CELL]}..."


TOOLS = (
    Tool("list_tables", "List the tables with their numbers of rows.", {}, _list_tables),
    Tool(
        "describe_table",
        "Show the statement that creates a table, with its comments if it has any.",
        {"table": str},
        _describe_table,
    ),
    Tool(
        "sample_rows",
        f"Show up to {SAMPLE} rows of a table, from the first one on or from another one.",
        {"table": str, "number": int, "first": int},
        _sample_rows,
        {"number": 5, "first": 1},
    ),
    Tool(
        "run_query",
        f"Run one query in the SQL of SQLite, which can only read. At most {ROWS} rows of its "
        "result are shown.",
        {"sql": str},
        _run_query,
    ),
)
"""The tools that read."""
