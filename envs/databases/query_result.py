"""Results of queries: Edgar Codd (1970); the language is SQL as SQLite runs it."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from random import Random
from typing import Literal, Self

from palaestra.generators.databases.query_result.drafting import (
    CLAUSES,
    Form,
    random_query,
    random_tables,
    result_or_none,
    used,
    with_clause,
    with_conditions,
    without_idle,
)
from palaestra.generators.databases.query_result.relations import (
    Ambiguous,
    Logic,
    Relation,
    Step,
    Value,
    ordered,
    same_rows,
)
from palaestra.generators.databases.query_result.sql import as_table, query, script, shown
from palaestra.scenes import Cell, Panels, Table
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.records import records

FEWEST, MOST = 3, 14
"""How many rows a result has that no LIMIT cuts."""

LIMITS = (2, 3, 4, 5)

DRAWS = 12
"""Orders that are tried before a query stays without one."""


class QueryResult(Puzzle):
    """State the rows that an SQL query returns, with joins, groups, windows and NULLs."""

    tags = {"databases", "sql", "execution", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        tables: int = ladder(1, 1, 2, 2, 3, 3, 4, high=4)
        rows: int = ladder(6, 7, 8, 9, 10, 11, 12, low=5, high=16)  # of a table, about
        depth: int = ladder(1, 2, 3, 4, 5, 6, 8, high=8)  # queries that build on one another
        nulls: float = ladder(0.0, 0.1, 0.15, 0.15, 0.2, 0.2, 0.25, high=0.4)
        windows: Literal["none", "ranks", "frames"] = ladder(
            "none", "none", "none", "ranks", "frames"
        )

    tables: tuple[tuple[str, Relation], ...]
    steps: tuple[tuple[str, Step], ...]
    order: tuple[tuple[str, bool], ...] = ()
    """Columns of the result by which it is sorted, each of which may be descending."""
    limit: int = 0

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        tables = random_tables(rng, knobs.tables, knobs.rows, knobs.nulls)
        form = Form(knobs.depth, knobs.windows, knobs.nulls > 0)
        steps = random_query(rng, tables, form)
        needed = used(steps)
        steps = [(name, step) for name, step in steps if name in needed]
        steps = with_conditions(rng, without_idle(steps, tables), tables, form)
        task = cls(tables=tuple(tables.items()), steps=tuple(without_idle(steps, tables)))
        return task.sorted_by(rng) if rng.random() < 0.6 else task

    def sorted_by(self, rng: Random) -> Self:
        """The task with an ORDER BY that changes the order, and perhaps a LIMIT that cuts."""
        names = [output.name for output in self.steps[-1][1].outputs]
        plain = self.evaluated(Logic())
        if plain is None:
            return self
        for _ in range(DRAWS):
            order = tuple((n, rng.random() < 0.5) for n in rng.sample(names, min(2, len(names))))
            task = self.model_copy(update={"order": order})
            result = task.evaluated(Logic())
            if result is not None and result.rows != plain.rows:
                limits = [n for n in LIMITS if n < len(result.rows)]
                if limits and rng.random() < 0.8:
                    task = task.model_copy(update={"limit": rng.choice(limits)})
                return task
        return self

    def is_valid(self) -> bool:
        """Whether there are a few different rows, and NULLs matter if there are any."""
        result = self.evaluated(Logic())
        fewest = min(FEWEST, self.limit or FEWEST)
        if result is None or not fewest <= len(result.rows) <= MOST or len(result.columns) < 2:
            return False
        if len({*result.rows}) < 2 or len({*result.rows}) * 2 < len(result.rows):
            return False
        if any(same_rows(result.rows, table.rows) for _, table in self.tables):
            return False
        has_nulls = any(cell is None for _, table in self.tables for r in table.rows for cell in r)
        careless = self.evaluated(Logic(two_valued=True))
        if has_nulls and careless is not None and careless.rows == result.rows:
            return False
        if self.has_idle_condition(result):
            return False
        all_rows = self.without_conditions()
        return all_rows is None or all_rows.rows != result.rows

    def evaluated(self, logic: Logic) -> Relation | None:
        """The result; None where it depends on an order that is not stated."""
        result = result_or_none([*self.steps], dict(self.tables), logic)
        if result is None:
            return None
        try:
            result = ordered(result, self.order) if self.order else result
        except Ambiguous:
            return None
        return result._replace(rows=result.rows[: self.limit]) if self.limit else result

    def has_idle_condition(self, result: Relation) -> bool:
        """Whether a condition, such as one of rows that LIMIT cuts, can be left out.

        So may one be that settles the order in which a window sees its rows.
        """
        for n, (name, step) in enumerate(self.steps):
            for field in CLAUSES:
                if getattr(step, field):
                    less = (name, with_clause(step, field, ()))
                    steps = (*self.steps[:n], less, *self.steps[n + 1 :])
                    other = self.model_copy(update={"steps": steps}).evaluated(Logic())
                    if other is None or other.rows == result.rows:
                        return True
                    if not self.order and same_rows(other.rows, result.rows):
                        return True
        return False

    def without_conditions(self) -> Relation | None:
        """The result if all conditions are left out."""
        steps = [
            (name, step._replace(condition=(), having=(), on_condition=()))
            for name, step in self.steps
        ]
        return type(self)(
            tables=self.tables, steps=tuple(steps), order=self.order, limit=self.limit
        ).evaluated(Logic())

    def right(self) -> Relation:
        """The result, which :meth:`is_valid` makes sure of."""
        result = self.evaluated(Logic())
        assert result is not None
        return result

    @property
    def sql(self) -> str:
        """The text of the query."""
        return query(self.steps, self.order, self.limit)

    def prompt(self) -> str:
        tables = "\n\n".join(as_table(name, table) for name, table in self.tables)
        columns = [output.name for output in self.steps[-1][1].outputs]
        intro = self.phrase(
            "A SQLite database has these tables, of which the first row has the names of the "
            "columns:",
            "These are all tables of a SQLite database, each with its columns and rows:",
        )
        ask = self.phrase(
            f"Which rows does this query return?\n\n{self.sql}",
            f"State the result of this query:\n\n{self.sql}",
        )
        order = "in the order of the query" if self.order else "in any order"
        notes = ["NULL is a missing value."]
        if self.order or any(step.window.order for _, step in self.steps):
            notes.append("In an order, SQLite has NULL before all values, or last if descending.")
        example = ", ".join(
            ("7", "red", "NULL", "3", "12", "oslo", "4")[n % 7] for n in range(len(columns))
        )
        return (
            f"{intro}\n\n{tables}\n\n{ask}\n\n{' '.join(notes)} Write the rows {order}, each on a "
            f"line, with commas between the values of the columns {', '.join(columns)}, and NULL "
            f"where there is no value. A row that is returned twice is written twice. A row looks "
            f"like this:\n{example}"
        )

    def scene(self) -> Panels:
        """The tables."""
        return Panels(
            tuple(
                Table(
                    tuple(tuple(Cell(shown(cell)) for cell in row) for row in table.rows),
                    top=table.columns,
                )
                for _, table in self.tables
            ),
            tuple(name for name, _ in self.tables),
            columns=2,
        )

    def answer(self) -> str:
        return as_lines(self.right().rows)

    def verify(self, answer: str) -> Score:
        right = self.right()
        rows, expected = records(answer, right.columns), [*right.rows]
        if same_rows(rows, expected):
            if not self.order or rows == expected:
                return Score(1)
            return Score(0, "the rows are in another order")
        if len(rows) != len(expected):
            return Score(0, f"there are {'more' if len(rows) > len(expected) else 'fewer'} rows")
        return Score(0, "some of the rows are others")

    def audit(self, answer: str) -> bool:
        """Run the query in SQLite."""
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript(script(dict(self.tables)))
            expected = database.execute(self.sql).fetchall()
        rows = records(answer, self.right().columns)
        return rows == expected if self.order else same_rows(rows, expected)

    def difficulty(self) -> float:
        """The cells that all steps read and compare."""
        relations, effort = dict(self.tables), 0
        for name, step in self.steps:
            rows, tests = len(relations[step.source].rows), len(step.outputs)
            tests += sum(len(each.tests) for each in (*step.condition, *step.having))
            if step.other:
                rows += len(relations[step.other].rows)
            effort += rows * tests
            steps = [*self.steps]
            upto = [each[0] for each in steps].index(name) + 1
            result = result_or_none(steps[:upto], dict(self.tables), Logic())
            assert result is not None
            relations[name] = result
        return float(effort)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who leave out conditions, take NULL for a value, or copy a table."""
        width = len(self.steps[-1][1].outputs)
        tables = dict(self.tables)
        table = tables.get(self.steps[0][1].source) or self.tables[0][1]
        copied = [(*row, *row, *row, *row)[:width] for row in table.rows]
        players = {"first columns": as_lines(copied), "first rows": as_lines(copied[:4])}
        careless = self.without_conditions()
        if careless is not None and careless.rows:
            players["no conditions"] = as_lines(careless.rows)
        return players

    def shortcuts(self) -> list[str]:
        return [*self.baselines(Random(0)).values()][:2]


def as_lines(rows: Sequence[Sequence[Value]]) -> str:
    """Rows as lines with commas."""
    return "\n".join(", ".join(map(shown, row)) for row in rows)
