# ruff: noqa: E501  (queries are not broken)
"""SQL: pairs of queries, judged on SQLite by the verifier and by DuckDB here, and the reverse.

The dialect that both engines share is used. Whether two queries find the same is told by running
both on every database with the engine that the verifier does not use, and comparing the rows.
"""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import duckdb
from benchmarks.error_rates.cases import Case

from palaestra.verifiers.sql.results import SqlResult
from palaestra.verifiers.verifier import GoldError

Row = tuple[Any, ...]

TABLES = """
CREATE TABLE staff (id INTEGER, name TEXT, team INTEGER, pay INTEGER, boss INTEGER);
CREATE TABLE teams (id INTEGER, title TEXT, city TEXT);
"""


def database(rng: random.Random) -> str:
    """Two small tables."""
    teams = range(1, rng.randint(3, 5))
    cities = ["Oslo", "Riga", "Bern"]
    rows = [f"INSERT INTO teams VALUES ({n}, 'T{n}', '{rng.choice(cities)}');" for n in teams]
    for n in range(1, rng.randint(6, 10)):
        team = rng.choice([*map(str, teams), *map(str, teams), "NULL"])
        pay = rng.choice(["NULL", *map(str, range(1, 7))])
        boss = rng.choice(["NULL", *map(str, range(1, n))]) if n > 1 else "NULL"
        name = rng.choice(["Ada", "Bo", "Cy", "Di", "Eve"])
        rows.append(f"INSERT INTO staff VALUES ({n}, '{name}', {team}, {pay}, {boss});")
    return TABLES + "\n".join(rows)


def questions(rng: random.Random) -> list[tuple[list[str], list[str], bool]]:
    """Queries that ask the same, others that nearly do, and whether the order counts."""
    n, city = rng.randint(2, 5), rng.choice(("Oslo", "Riga", "Bern"))
    return [
        ([f"SELECT name FROM staff WHERE pay > {n}",
          f"SELECT s.name FROM staff AS s WHERE NOT (s.pay <= {n})",
          f"SELECT name FROM staff WHERE pay >= {n + 1}",
          f"WITH rich AS (SELECT name, pay FROM staff WHERE pay > {n}) SELECT name FROM rich",
          f"SELECT name FROM staff WHERE CASE WHEN pay > {n} THEN 1 ELSE 0 END = 1",
          f"SELECT name FROM staff WHERE id IN (SELECT id FROM staff WHERE pay > {n})"],
         [f"SELECT name FROM staff WHERE pay >= {n}", f"SELECT DISTINCT name FROM staff WHERE pay > {n}",
          f"SELECT name FROM staff WHERE pay > {n} OR pay IS NULL",
          f"SELECT name FROM staff WHERE COALESCE(pay, 9) > {n}",
          f"SELECT name, pay FROM staff WHERE pay > {n}", f"SELECT name FROM staff WHERE pay < {n}"], False),
        ([f"SELECT s.name FROM staff s JOIN teams t ON s.team = t.id WHERE t.city = '{city}'",
          f"SELECT name FROM staff WHERE team IN (SELECT id FROM teams WHERE city = '{city}')",
          f"SELECT name FROM staff s WHERE EXISTS (SELECT 1 FROM teams t WHERE t.id = s.team AND t.city = '{city}')",
          f"SELECT s.name FROM teams t, staff s WHERE t.id = s.team AND '{city}' = t.city"],
         [f"SELECT s.name FROM staff s LEFT JOIN teams t ON s.team = t.id AND t.city = '{city}'",
          f"SELECT s.name FROM staff s JOIN teams t ON s.id = t.id WHERE t.city = '{city}'",
          f"SELECT name FROM staff WHERE team NOT IN (SELECT id FROM teams WHERE city = '{city}')",
          f"SELECT DISTINCT s.name FROM staff s JOIN teams t ON s.team = t.id WHERE t.city = '{city}'"], False),
        (["SELECT team, COUNT(*) FROM staff GROUP BY team",
          "SELECT team, SUM(1) AS n FROM staff GROUP BY team",
          "SELECT s.team, COUNT(s.id) FROM staff s GROUP BY s.team",
          "SELECT DISTINCT team, COUNT(*) OVER (PARTITION BY team) FROM staff"],
         ["SELECT team, COUNT(team) FROM staff GROUP BY team", "SELECT team, COUNT(pay) FROM staff GROUP BY team",
          "SELECT team, COUNT(DISTINCT name) FROM staff GROUP BY team",
          "SELECT team, COUNT(*) FROM staff WHERE team IS NOT NULL GROUP BY team",
          "SELECT COUNT(*), team FROM staff GROUP BY team"], False),
        ([f"SELECT team, MAX(pay) FROM staff GROUP BY team HAVING COUNT(*) >= {n - 1}",
          f"SELECT team, m FROM (SELECT team, MAX(pay) AS m, COUNT(*) AS c FROM staff GROUP BY team) x WHERE c >= {n - 1}"],
         [f"SELECT team, MAX(pay) FROM staff GROUP BY team HAVING COUNT(*) > {n - 1}",
          f"SELECT team, MIN(pay) FROM staff GROUP BY team HAVING COUNT(*) >= {n - 1}",
          f"SELECT team, MAX(pay) FROM staff GROUP BY team HAVING COUNT(pay) >= {n - 1}"], False),
        (["SELECT a.name, b.name FROM staff a JOIN staff b ON a.boss = b.id",
          "SELECT a.name AS one, (SELECT b.name FROM staff b WHERE b.id = a.boss) FROM staff a WHERE a.boss IS NOT NULL"],
         ["SELECT b.name, a.name FROM staff a JOIN staff b ON a.boss = b.id",
          "SELECT a.name, b.name FROM staff a LEFT JOIN staff b ON a.boss = b.id",
          "SELECT a.name, b.name FROM staff a JOIN staff b ON a.id = b.boss"], False),
        (["SELECT DISTINCT name FROM staff WHERE pay IS NOT NULL",
          "SELECT name FROM staff WHERE pay IS NOT NULL GROUP BY name",
          "SELECT name FROM staff WHERE pay IS NOT NULL UNION SELECT name FROM staff WHERE pay IS NOT NULL"],
         ["SELECT name FROM staff WHERE pay IS NOT NULL", "SELECT DISTINCT name FROM staff",
          "SELECT name FROM staff WHERE pay IS NOT NULL UNION ALL SELECT name FROM staff WHERE pay IS NULL"], False),
        (["SELECT id, name FROM staff WHERE pay IS NOT NULL ORDER BY pay DESC, id",
          "SELECT id, name FROM staff WHERE pay IS NOT NULL ORDER BY -pay, id ASC",
          "SELECT s.id, s.name FROM staff s WHERE NOT s.pay IS NULL ORDER BY s.pay DESC, 1"],
         ["SELECT id, name FROM staff WHERE pay IS NOT NULL ORDER BY pay, id",
          "SELECT id, name FROM staff WHERE pay IS NOT NULL ORDER BY pay DESC, id DESC",
          "SELECT id, name FROM staff WHERE pay IS NOT NULL ORDER BY id",
          "SELECT id, name FROM staff WHERE pay IS NOT NULL ORDER BY name, id"], True),
        ([f"SELECT id FROM staff WHERE pay IS NOT NULL ORDER BY pay DESC, id LIMIT {n}",
          f"SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY pay DESC, id) AS r FROM staff WHERE pay IS NOT NULL) x WHERE r <= {n} ORDER BY r"],
         [f"SELECT id FROM staff WHERE pay IS NOT NULL ORDER BY pay DESC, id LIMIT {n + 1}",
          f"SELECT id FROM staff WHERE pay IS NOT NULL ORDER BY pay, id LIMIT {n}",
          f"SELECT id FROM staff WHERE pay IS NOT NULL ORDER BY pay DESC, id LIMIT {n} OFFSET 1"], True),
        (["SELECT COUNT(*), SUM(pay) FROM staff WHERE team IS NULL OR pay > 2",
          "SELECT COUNT(id), SUM(pay) FROM staff WHERE NOT (team IS NOT NULL AND COALESCE(pay, 0) <= 2)"],
         ["SELECT COUNT(pay), SUM(pay) FROM staff WHERE team IS NULL OR pay > 2",
          "SELECT COUNT(*), SUM(pay) FROM staff WHERE team IS NULL AND pay > 2",
          "SELECT COUNT(*), SUM(DISTINCT pay) FROM staff WHERE team IS NULL OR pay > 2"], False),
        (["SELECT title FROM teams WHERE id NOT IN (SELECT team FROM staff WHERE team IS NOT NULL)",
          "SELECT t.title FROM teams t LEFT JOIN staff s ON s.team = t.id WHERE s.id IS NULL",
          "SELECT title FROM teams t WHERE NOT EXISTS (SELECT 1 FROM staff s WHERE s.team = t.id)"],
         ["SELECT title FROM teams WHERE id NOT IN (SELECT team FROM staff)",
          "SELECT title FROM teams WHERE id IN (SELECT team FROM staff)",
          "SELECT t.title FROM teams t LEFT JOIN staff s ON s.id = t.id WHERE s.id IS NULL"], False),
    ]  # fmt: skip


def duckdb_rows(script: str, query: str) -> list[Row]:
    """The rows of a query, by DuckDB."""
    with duckdb.connect(":memory:") as connection:
        connection.execute(script)
        return connection.execute(query).fetchall()


def sqlite_rows(script: str, query: str) -> list[Row]:
    """The rows of a query, by SQLite."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(script)
    rows = connection.execute(query).fetchall()
    connection.close()
    return rows


def _finds(
    databases: Sequence[Callable[[str], list[Row]]], results: list[list[Row]], ordered: bool,
    query: str,
) -> bool:  # fmt: skip
    """Whether a query finds these results on all databases."""
    tables = [rows(query) for rows in databases]
    if ordered:
        return tables == results
    return [Counter(each) for each in tables] == [Counter(each) for each in results]


def cases(rng: random.Random) -> Iterator[Case]:
    """A gold query, other ways to ask the same, and queries that nearly do."""
    while True:
        databases = [database(rng) for _ in range(4)]
        same, near, ordered = rng.choice(questions(rng))
        engine, rows = rng.choice((("sqlite", duckdb_rows),) * 4 + (("duckdb", sqlite_rows),))
        gold, *others = rng.sample(same, len(same))
        try:
            verifier = SqlResult(gold, databases, engine=engine)
        except GoldError:  # its result is the same on all databases
            continue
        results = [rows(script, gold) for script in databases]

        right = partial(_finds, [partial(rows, each) for each in databases], results, ordered)
        for query in rng.sample(others, min(2, len(others))):
            yes = right(query)
            yield Case("another way to ask" if yes else "near miss", verifier, query, yes)
        for query in rng.sample(near, 2):
            yes = right(query)
            form = "near miss" if not yes else "equal on these databases"
            yield Case(form, verifier, query, yes)
        form, answer = rng.choice(
            [
                ("small letters", gold.replace("SELECT", "select").replace("FROM", "from")),
                ("semicolon", f"{gold};"),
                ("fence", f"```sql\n{gold}\n```"),
                ("lines", gold.replace(" FROM ", "\nFROM ").replace(" WHERE ", "\nWHERE ")),
                ("comment", f"-- the query\n{gold}"),
            ]
        )
        yield Case(form, verifier, answer, right=True)
        if ordered and any(len(each) > 1 for each in results):
            bare = gold.rpartition(" ORDER BY ")[0]
            if "ROW_NUMBER" not in gold and "LIMIT" not in gold:
                yield Case("order left out", verifier, bare, right=False)
