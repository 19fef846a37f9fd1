"""Orders that a query does not ask for, and that an engine happens to give, do not pass."""

import sqlite3
from contextlib import closing
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.verifiers.sql.results import SqlResult
from palaestra.verifiers.sql.ties import with_ties_broken

SCHEMA = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, town TEXT, age INTEGER);
CREATE TABLE visits (id INTEGER PRIMARY KEY, person INTEGER, minutes INTEGER);
"""
PEOPLE = (
    (
        "(1, 'Ada', 'Oslo', 30), (2, 'Bo', 'Rome', 30), (3, 'Cy', 'Oslo', 25), "
        "(4, 'Di', 'Rome', 30), (5, 'Ed', 'Lima', 25), (6, 'Flo', 'Lima', 41)"
    ),
    "(1, 'Gus', 'Rome', 25), (2, 'Hal', 'Oslo', 25), (3, 'Ivy', 'Oslo', 19), (4, 'Jo', 'Rome', 25)",
)
VISITS = (
    "(1, 1, 5), (2, 1, 5), (3, 2, 5), (4, 2, 6), (5, 3, 5), (6, 3, 9), (7, 4, 1), (8, 5, 10)",
    "(1, 4, 5), (2, 3, 5), (3, 2, 5), (4, 1, 6), (5, 1, 5), (6, 2, 6), (7, 3, 6), (8, 4, 6)",
)
INSTANCES = [
    f"{SCHEMA} INSERT INTO people VALUES {people}; INSERT INTO visits VALUES {visits};"
    for people, visits in zip(PEOPLE, VISITS, strict=True)
]
TOTALS = (
    "SELECT p.id, SUM(v.minutes) AS total FROM people p JOIN visits v ON v.person = p.id "
    "GROUP BY p.id ORDER BY "
)
NUMBERED = (
    "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY town ORDER BY {}) n FROM people)"
)


def both(*keys):
    """Sort keys in each combination of directions."""
    if not keys:
        return [()]
    return [(f"{keys[0]} {way}", *rest) for way in ("ASC", "DESC") for rest in both(*keys[1:])]


SHAPES = {
    "plain": "SELECT id FROM people ORDER BY ",
    "columns": "SELECT id, age FROM people ORDER BY ",
    "distinct": "SELECT DISTINCT age, id FROM people ORDER BY ",
    "group": "SELECT id, MAX(age) AS age FROM people GROUP BY id ORDER BY ",
    "having": "SELECT id, age FROM people GROUP BY id HAVING COUNT(*) > 0 ORDER BY ",
    "join": (
        "SELECT p.id, p.age FROM people p JOIN (SELECT DISTINCT person FROM visits) v "
        "ON v.person = p.id ORDER BY "
    ),
    "left join": (
        "SELECT p.id AS id, p.age FROM people p LEFT JOIN visits v ON v.person = p.id "
        "GROUP BY p.id ORDER BY "
    ),
    "sub-query": "SELECT id FROM (SELECT id, age FROM people WHERE age > 20) ORDER BY ",
    "in": "SELECT id FROM people WHERE id IN (SELECT person FROM visits) ORDER BY ",
    "common table": "WITH p AS (SELECT id, age FROM people GROUP BY id) SELECT id FROM p ORDER BY ",
    "window": "SELECT id, RANK() OVER (ORDER BY age DESC), age FROM people ORDER BY ",
    "union": "SELECT id, age FROM people UNION SELECT id + 10, age FROM people ORDER BY ",
}


@pytest.mark.parametrize("keys", both("age", "id"), ids=" ".join)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_sort_key_counts_in_its_direction(shape, keys):
    """With each key left out, and with each in the other direction."""
    select = SHAPES[shape]
    verifier = SqlResult(select + ", ".join(keys), INSTANCES)
    assert verifier(select + ", ".join(keys)).correct
    assert verifier(select + ", ".join([*keys, "1"]) + ";").correct, "more keys do no harm"
    assert verifier(f"{select.removesuffix('ORDER BY ')} ORDER BY {', '.join(keys)} -- so").correct
    for wrong in (keys[:1], keys[1:], keys[::-1], *both("age", "id")):
        if tuple(wrong) != keys:
            score = verifier(select + ", ".join(wrong))
            assert score.reason.endswith("in another order"), wrong
    assert not verifier(select.removesuffix(" ORDER BY ")).correct


@pytest.mark.parametrize(
    ("gold", "right", "wrong"),
    [
        (TOTALS + "total DESC, p.id DESC", TOTALS + "2 DESC, 1 DESC", TOTALS + "total DESC"),
        (TOTALS + "total DESC, p.id DESC", TOTALS + "-total, -p.id", TOTALS + "-total"),
        (TOTALS + "total, p.id", TOTALS + "total, p.name", TOTALS + "SUM(v.minutes)"),
        (
            "SELECT name FROM people ORDER BY age, id LIMIT 2",
            "SELECT name FROM people WHERE age < 50 ORDER BY age, id LIMIT 2",
            "SELECT name FROM people ORDER BY age LIMIT 2",
        ),
        (
            "SELECT name FROM people ORDER BY age DESC, id DESC LIMIT 2 OFFSET 1",
            "SELECT name FROM people ORDER BY -age, -id LIMIT 1, 2",
            "SELECT name FROM people ORDER BY age DESC LIMIT 2 OFFSET 1",
        ),
        (
            "SELECT MIN(id) FROM people WHERE age = 25",
            "SELECT id FROM people WHERE age = 25 ORDER BY id LIMIT 1",
            "SELECT id FROM people WHERE age = 25 LIMIT 1",
        ),
        (
            "SELECT p.name, (SELECT MIN(v.id) FROM visits v WHERE v.person = p.id) FROM people p",
            ("SELECT p.name, (SELECT v.id FROM visits v WHERE v.person = p.id ORDER BY v.id "
            "LIMIT 1) FROM people p"),
            "SELECT p.name, (SELECT v.id FROM visits v WHERE v.person = p.id) FROM people p",
        ),
        (
            ("SELECT name FROM people WHERE id = (SELECT person FROM visits GROUP BY person "
            "ORDER BY COUNT(*) DESC, person LIMIT 1)"),
            ("SELECT name FROM people WHERE id = (SELECT person FROM visits GROUP BY 1 "
            "ORDER BY COUNT(id) DESC, 1 LIMIT 1)"),
            ("SELECT name FROM people WHERE id = (SELECT person FROM visits GROUP BY person "
            "ORDER BY COUNT(*) DESC LIMIT 1)"),
        ),
        (
            NUMBERED.format("age DESC, id") + " WHERE n = 1",
            NUMBERED.format("age DESC, id ASC") + " WHERE n < 2",
            NUMBERED.format("age DESC") + " WHERE n = 1",
        ),
        (
            ("SELECT person, SUM(minutes) OVER (ORDER BY minutes, id ROWS UNBOUNDED PRECEDING) "
            "FROM visits"),
            "SELECT person, SUM(minutes) OVER (ORDER BY minutes, id) FROM visits",
            ("SELECT person, SUM(minutes) OVER (ORDER BY minutes ROWS UNBOUNDED PRECEDING) "
            "FROM visits"),
        ),
    ],
)  # fmt: skip
def test_ties_that_an_answer_leaves_open_are_no_answer(gold, right, wrong):
    verifier = SqlResult(gold, INSTANCES)
    assert verifier(gold).correct
    assert verifier(right).correct, verifier(right).reason
    assert not verifier(wrong).correct


@pytest.mark.parametrize(
    "query",
    [
        "SELECT name, RANK() OVER (ORDER BY age) FROM people",
        "SELECT name, SUM(age) OVER (ORDER BY age) FROM people",
        "SELECT name, SUM(age) OVER (ORDER BY age RANGE 1 PRECEDING) FROM people",
        "SELECT age, ROW_NUMBER() OVER (ORDER BY age) FROM people",
        "SELECT age, COUNT(*) OVER w FROM people WINDOW w AS (PARTITION BY town ORDER BY age)",
        "SELECT name FROM people WHERE EXISTS (SELECT 1 FROM visits WHERE person = people.id)",
        "SELECT name FROM people p WHERE EXISTS (SELECT * FROM visits WHERE person = p.id LIMIT 1)",
        "SELECT town FROM people GROUP BY town HAVING MAX(age) = (SELECT MAX(age) FROM people)",
        "SELECT age FROM people WHERE age = (SELECT age FROM people ORDER BY age DESC LIMIT 1)",
        "SELECT name, [age] AS \"limit\", `id` 'order by' FROM people -- ORDER BY 1",
        "SELECT ')' || name || '(' FROM people /* ( */ WHERE name <> '--' ORDER BY (age), ((id))",
        ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3) "
        "SELECT x, COUNT(*) FROM n, people GROUP BY x"),
        ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT x * (SELECT COUNT(*) FROM people) FROM n LIMIT 3"),
        "SELECT name FROM people UNION SELECT town FROM people EXCEPT SELECT 'Oslo'",
        "SELECT 1 + id FROM people WHERE (age, town) IN (SELECT 25, 'Oslo')",
    ],
)  # fmt: skip
def test_right_answers_stay_right(query):
    """As answers to what they find, where that is stored in the databases."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(INSTANCES[0])
        columns = len(database.execute(query).description)
    names = [f"c{number}" for number in range(columns)]
    stored = f"CREATE TABLE t AS WITH q({', '.join(names)}) AS ({query}\n) SELECT * FROM q;"
    verifier = SqlResult("SELECT * FROM t", [script + stored for script in INSTANCES])
    assert verifier(query).correct


ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), max_size=7)


@given(ROWS, st.permutations("abc"), st.integers(0, 3), st.sampled_from(["", " LIMIT 2"]))
def test_ties_are_broken_both_ways_and_nothing_else_changes(rows, keys, number, limit):
    """Against Python's sorting: rows come by the keys, then by the columns up or down."""
    order = f" ORDER BY {', '.join(keys[:number])}" if number else ""
    query = f"SELECT a, b, c FROM t{order}{limit}"
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE t (a, b, c)")
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        for direction in ("ASC", "DESC"):
            result = database.execute(with_ties_broken(query, 3, direction, "BINARY")).fetchall()
            wanted = sorted(rows, reverse=direction == "DESC")
            wanted.sort(key=lambda row: [row["abc".index(key)] for key in keys[:number]])
            assert result == wanted[: 2 if limit else None]


@given(st.text("()'\"`[]-/*;,. \norderbylimitselect", max_size=60))
def test_any_text_is_read(text):
    assert isinstance(with_ties_broken(text, 2, "ASC", "BINARY", "f"), str)


@pytest.mark.parametrize(
    "piece", ["'", '"', "`", "[", "/*", "--", "(", ")", "((", "order by ", "''", "*/ /*"]
)
def test_reading_takes_time_in_proportion(piece):
    def spent(length):
        text = "SELECT " + piece * (length // len(piece))
        begin = process_time()
        with_ties_broken(text, 3, "ASC")
        return process_time() - begin

    spent(1_000)
    assert spent(400_000) <= 4 * max(spent(200_000), 0.05)


def test_duckdb_breaks_ties_too():
    verifier = SqlResult(TOTALS + "total DESC, p.id DESC", INSTANCES, engine="duckdb")
    assert verifier(TOTALS + "2 DESC, 1 DESC").correct
    assert not verifier(TOTALS + "total DESC").correct
    assert not verifier(TOTALS.removesuffix("ORDER BY ")).correct
