"""Slips in the queries of ``programs/sql_query``: how many show in some database, and pass.

A mutant shows where it finds something else in one of 36 databases that do not judge, from nearly
empty to large, or has no order where one is asked for.

    python benchmarks/sql_mutants.py [TASKS A LEVEL]
"""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from random import Random
from typing import Any

import sqlglot
from sqlglot import exp

from palaestra.address import Address
from palaestra.envs.programs.sql_query import SqlQuery
from palaestra.generators.programs.sql_query import database
from palaestra.verifiers.sql.ties import DIRECTIONS, with_ties_broken

SEED, TASKS, LEVELS = 600_000, 12, 6
SIZES = (2, 4, 8, 12, 20, 40) * 6

COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.EQ, exp.NEQ)
AGGREGATES = (exp.Sum, exp.Max, exp.Min, exp.Avg, exp.Count)


def replacements(node: Any) -> Iterator[Any]:
    """What may stand in the place of a part of a query."""
    match node:
        case exp.And() | exp.Or():
            yield from (node.this, node.expression)
            other = exp.Or if isinstance(node, exp.And) else exp.And
            yield other(this=node.this, expression=node.expression)
        case exp.Not():
            yield node.this
        case exp.Coalesce():
            yield node.this
        case exp.Ordered():
            yield exp.Ordered(this=node.this, desc=not node.args.get("desc"))
        case exp.Order() if len(node.expressions) > 1:
            yield exp.Order(expressions=node.expressions[::-1])
            yield from (exp.Order(expressions=[key]) for key in node.expressions)
    if isinstance(node, COMPARISONS):
        for comparison in COMPARISONS:
            yield comparison(this=node.this, expression=node.expression)
        if node.expression.is_int:
            for number in (int(node.expression.name) - 1, int(node.expression.name) + 1):
                yield type(node)(this=node.this, expression=exp.Literal.number(number))
    if isinstance(node, AGGREGATES):
        if isinstance(node.this, exp.Distinct):
            yield type(node)(this=node.this.expressions[0])
        elif not isinstance(node.this, exp.Star):
            yield from (comparison(this=node.this) for comparison in AGGREGATES)


def without(tree: Any) -> Iterator[Any]:
    """A query with a part left out, or with an inner join for an outer one or the other way."""
    for index, node in enumerate(tree.walk()):
        changed = tree.copy()
        each = list(changed.walk())[index]
        if isinstance(node, exp.Where | exp.Having | exp.Order | exp.Distinct):
            if node.arg_key in {"where", "having", "order", "distinct"}:
                each.parent.set(node.arg_key, None)
                yield changed
        elif isinstance(node, exp.Join):
            each.set("side", None if node.side else "LEFT")
            yield changed


def mutants(query: str) -> Iterator[str]:
    """Every query that differs from one by a slip."""
    tree: Any = sqlglot.parse_one(query, read="sqlite")
    for index, node in enumerate(tree.walk()):
        for new in replacements(node):
            changed = tree.copy()
            list(changed.walk())[index].replace(new.copy())
            yield changed.sql("sqlite")
    yield from (changed.sql("sqlite") for changed in without(tree))


def query_rows(connection: sqlite3.Connection, query: str, columns: int) -> list[Any]:
    """The rows that a query finds: in order, with ties broken this way and that."""
    if "ORDER BY" not in query:
        return sorted(connection.execute(query), key=repr)
    ways = (with_ties_broken(query, columns, way, "BINARY") for way in DIRECTIONS)
    return [row for way in ways for row in connection.execute(way)]


def shown(task: SqlQuery, sizes: tuple[int, ...] = SIZES) -> list[str]:
    """The mutants that find something else somewhere, or lack the order that is asked for."""
    query, rng = task.question.query, Random(f"others than {task.seed}")
    with ExitStack() as stack:
        others = []
        for rows in sizes:
            connection = stack.enter_context(closing(sqlite3.connect(":memory:")))
            connection.executescript(database(rng, task.theme, rows))
            others.append(connection)
        columns = len(others[0].execute(query).description)
        wanted = [query_rows(other, query, columns) for other in others]
        return [
            mutant
            for mutant in dict.fromkeys(mutants(query))
            if ("ORDER BY" in query and "ORDER BY" not in mutant)
            or any(query_rows(db, mutant, columns) != rows for db, rows in zip(others, wanted))
        ]


def main() -> None:
    """Print how many mutants show and how many of them pass, level by level, and those that do."""
    number = int(sys.argv[1]) if sys.argv[1:] else TASKS
    for level in range(LEVELS):
        count, passing = 0, []
        for seed in range(SEED, SEED + number):
            task = Address.of("programs/sql_query", seed, level).task()
            assert isinstance(task, SqlQuery)
            assert task.verify(task.answer()).correct
            wrong = shown(task)
            count += len(wrong)
            passing += [mutant for mutant in wrong if task.verify(mutant).correct]
        print(
            f"level {level}: {count} mutants show, {len(passing)} of them pass",
            *passing,
            sep="\n  ",
        )


if __name__ == "__main__":
    main()
