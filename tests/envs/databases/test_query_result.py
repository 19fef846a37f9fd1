"""Tests of databases/query_result."""

import sqlite3
from contextlib import closing
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.databases.query_result import QueryResult
from palaestra.generators.databases.query_result.drafting import (
    Form,
    random_query,
    random_tables,
    result_or_none,
)
from palaestra.generators.databases.query_result.relations import (
    Clause,
    Comparison,
    Logic,
    Output,
    Relation,
    Step,
    conjunction,
    disjunction,
    same_rows,
)
from palaestra.generators.databases.query_result.sql import query, script

PEOPLE = Relation(
    ("id", "colour", "age"), ((1, "red", 7), (2, None, None), (3, "blue", 9), (4, "red", None))
)
OUTPUTS = (Output("id", "column", ("id",)), Output("age", "column", ("age",)))


def sqlite(tables, text):
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(script(tables))
        return database.execute(text).fetchall()


@pytest.mark.parametrize("windows", ["none", "ranks", "frames"])
@pytest.mark.parametrize("depth", [1, 2, 3, 5, 8])
def test_sqlite_returns_the_same_rows(depth, windows):
    rng, number = Random(depth), 0
    for _ in range(20):
        tables = random_tables(rng, rng.randint(1, 3), 7, 0.2)
        steps = random_query(rng, tables, Form(depth, windows, nulls=True))
        result = result_or_none(steps, tables, Logic())
        if result is not None:
            number += 1
            text = query(steps, (), 0)
            assert same_rows(sqlite(tables, text), result.rows), text
    assert number > 8


def test_sqlite_returns_the_same_rows_in_order():
    for level in range(QueryResult.Knobs.levels()):
        for seed in range(4):
            task = Address.of("databases/query_result", seed, level).task()
            assert isinstance(task, QueryResult)
            rows = sqlite(dict(task.tables), task.sql)
            right = [*task.right().rows]
            assert rows == right if task.order else same_rows(rows, right)


@pytest.mark.parametrize(
    ("clause", "ids"),
    [
        (Clause((Comparison("age", "<>", (7,)),)), [3]),
        (Clause((Comparison("age", "<>", (7,)),), negated=True), [1]),
        (Clause((Comparison("age", "NOT IN", (7, None)),)), []),
        (Clause((Comparison("age", "IN", (7, None)),)), [1]),
        (Clause((Comparison("age", "NOT IN", other="age", table="people"),)), []),
        (Clause((Comparison("colour", "IS NULL"), Comparison("age", ">", (8,)))), [2, 3]),
    ],
)
def test_comparisons_with_null_are_unknown(clause, ids):
    step = Step("select", "people", OUTPUTS, condition=(clause,))
    result = result_or_none([("a", step)], {"people": PEOPLE}, Logic())
    assert [row[0] for row in result.rows] == ids
    assert [row[0] for row in sqlite({"people": PEOPLE}, query([("a", step)], (), 0))] == ids


def test_unknown_and_false_is_false():
    assert conjunction([None, False]) is False
    assert conjunction([None, True]) is None
    assert disjunction([None, True]) is True
    assert disjunction([None, False]) is None


TASK = QueryResult(
    tables=(("people", PEOPLE),),
    steps=(("a", Step("select", "people", OUTPUTS)),),
    order=(("age", True), ("id", False)),
)


def test_scores():
    assert TASK.answer() == "3, 9\n1, 7\n2, NULL\n4, NULL"
    assert (
        TASK.verify("| id | age |\n|---|---|\n| 3 | 9 |\n| 1 | 7 |\n| 2 | NULL |\n| 4 | |").value
        == 0
    )
    assert TASK.verify("(3, 9)\n(1, 7)\n(2, None)\n(4, null)").value == 1
    assert TASK.verify("[[3, 9], [1, 7], [2, null], [4, null]]").value == 1
    assert TASK.verify("1, 7\n3, 9\n2, NULL\n4, NULL").reason == "the rows are in another order"
    assert TASK.verify("3, 9\n1, 7\n2, NULL").reason == "there are fewer rows"
    assert TASK.verify("3, 9\n1, 7\n2, 0\n4, NULL").reason == "some of the rows are others"


def test_nulls_matter():
    """A player who takes NULL for a value is wrong."""
    for seed in range(8):
        task = Address.of("databases/query_result", seed, 4).task()
        assert isinstance(task, QueryResult)
        careless = task.evaluated(Logic(two_valued=True))
        assert careless is None or careless.rows != task.right().rows


def shorter(task):
    """The task without its LIMIT, and without each of its conditions."""
    if task.limit:
        yield task.model_copy(update={"limit": 0})
    for n, (name, step) in enumerate(task.steps):
        for field in ("condition", "on_condition", "having"):
            if getattr(step, field):
                steps = [*task.steps]
                steps[n] = (name, step._replace(**{field: ()}))
                yield task.model_copy(update={"steps": tuple(steps)})


@pytest.mark.parametrize("level", range(QueryResult.Knobs.levels()))
def test_every_clause_changes_the_result(level):
    limits = 0
    for seed in range(12):
        task = Address.of("databases/query_result", seed, level).task()
        limits += task.limit > 0
        tables, rows = dict(task.tables), sqlite(dict(task.tables), task.sql)
        unsorted = task.model_copy(update={"order": (), "limit": 0})
        assert not task.order or unsorted.right().rows[: len(rows)] != task.right().rows
        for other in shorter(task):
            assert sqlite(tables, other.sql) != rows, (task.sql, other.sql)
    assert limits > 1
