"""Queries with a slip that shows in some database find something else in those that judge."""

import sqlite3
from contextlib import ExitStack, closing
from random import Random

import pytest
import sqlglot
from sqlglot import exp

from palaestra.address import Address
from palaestra.generators.sql_questions import database
from palaestra.verifiers.sql_ties import DIRECTIONS, with_ties_broken

COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.EQ, exp.NEQ)
AGGREGATES = (exp.Sum, exp.Max, exp.Min, exp.Avg, exp.Count)


def replacements(node):
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
        for kind in COMPARISONS:
            yield kind(this=node.this, expression=node.expression)
        if node.expression.is_int:
            for number in (int(node.expression.name) - 1, int(node.expression.name) + 1):
                yield type(node)(this=node.this, expression=exp.Literal.number(number))
    if isinstance(node, AGGREGATES):
        if isinstance(node.this, exp.Distinct):
            yield type(node)(this=node.this.expressions[0])
        elif not isinstance(node.this, exp.Star):
            yield from (kind(this=node.this) for kind in AGGREGATES)


def without(tree):
    """A query with a part left out, or with an inner join for an outer one or the other way."""
    for place, node in enumerate(tree.walk()):
        found = tree.copy()
        each = list(found.walk())[place]
        if isinstance(node, exp.Where | exp.Having | exp.Order | exp.Distinct):
            if node.arg_key in {"where", "having", "order", "distinct"}:
                each.parent.set(node.arg_key, None)
                yield found
        elif isinstance(node, exp.Join):
            each.set("side", None if node.side else "LEFT")
            yield found


def mutants(query):
    tree = sqlglot.parse_one(query, read="sqlite")
    for place, node in enumerate(tree.walk()):
        for new in replacements(node):
            found = tree.copy()
            list(found.walk())[place].replace(new.copy())
            yield found.sql("sqlite")
    yield from (found.sql("sqlite") for found in without(tree))


def found(connection, query, columns):
    """The rows that a query finds: in order, with ties broken this way and that."""
    if "ORDER BY" not in query:
        return sorted(connection.execute(query), key=repr)
    ways = (with_ties_broken(query, columns, way, "BINARY") for way in DIRECTIONS)
    return [row for way in ways for row in connection.execute(way)]


@pytest.mark.parametrize("level", range(6))
def test_no_mutant_that_shows_somewhere_is_right(level):
    for seed in range(3):
        task = Address.of("programs/sql_query", seed, level).task()
        query, rng = task.question.query, Random(f"others {seed}")
        with ExitStack() as stack:
            others = []
            for rows in (2, 4, 8, 12, 20, 40) * 3:
                connection = stack.enter_context(closing(sqlite3.connect(":memory:")))
                connection.executescript(database(rng, task.theme, rows))
                others.append(connection)
            columns = len(others[0].execute(query).description)
            wanted = [found(other, query, columns) for other in others]
            # Without any order, rows are what they are; the gold's is what is asked for.
            ordered = "ORDER BY" in query
            shown = 0
            for mutant in dict.fromkeys(mutants(query)):
                differs = ordered and "ORDER BY" not in mutant
                differs = differs or any(
                    found(other, mutant, columns) != rows for other, rows in zip(others, wanted)
                )
                if differs:
                    shown += 1
                    assert task.verify(mutant).value == 0, (query, mutant)
        assert shown > 5
        assert task.verify(query).value == 1


@pytest.mark.parametrize("seed", range(30))
def test_a_missing_second_key_is_missed(seed):
    task = Address.of("programs/sql_query", seed, 4).task()
    query = task.question.query
    head, _, keys = query.rpartition(" ORDER BY ")
    if not head:
        pytest.skip("no order is asked for")
    first, second = keys.split(", ")
    assert task.verify(query).value == 1
    assert task.verify(f"{head} ORDER BY {first}, {second}, 2;").value == 1
    for wrong in (first, second, f"{second}, {first}", f"{first}, {second.replace('DESC', 'ASC')}"):
        assert task.verify(f"{head} ORDER BY {wrong}").reason.endswith("in another order")
    assert task.verify(head).value == 0
