"""Tests of programs/sql_query."""

import re
from random import Random

import pytest

from palaestra import Address
from palaestra.envs.programs import sql_query
from palaestra.generators.programs import sql_query as sql_questions
from palaestra.generators.programs.sql_query import distilled, neighbours
from palaestra.scoring import score

pytestmark = pytest.mark.usefixtures("jail")


def test_databases_tell_a_query_from_its_neighbours():
    query = "SELECT n FROM t WHERE n > 2"
    rows = ("(1), (9)", "(4), (9)", "(2), (NULL)", "(5), (1)")
    scripts = [f"CREATE TABLE t (n INTEGER); INSERT INTO t VALUES {values}" for values in rows]
    assert distilled(query, scripts) == []  # nothing tells it from n > 3
    scripts.append("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (2), (3), (1), (8)")
    chosen = distilled(query, scripts)
    assert 2 not in chosen  # where nothing is found
    assert {4} < {*chosen}
    assert "SELECT MIN(n) FROM t" in neighbours("SELECT MAX(n) FROM t")
    near = [*neighbours("SELECT a.id FROM t WHERE (a.n IS NULL OR a.n > 3) AND a.x = 'y'")]
    assert "SELECT a.id FROM t WHERE (a.n > 3) AND a.x = 'y'" in near
    assert "SELECT a.id FROM t WHERE (a.n IS NULL OR a.n > 3)" in near


def test_queries_further_away_lack_whole_clauses():
    query = (
        "SELECT a.x FROM t a WHERE a.y IN (SELECT b.y FROM b WHERE b.z > 3 OR b.w = 2) GROUP BY a.x"
    )
    far = [*sql_questions.further(query)]
    assert "SELECT a.x FROM t a GROUP BY a.x" in far
    assert "SELECT a.x FROM t a WHERE a.y IN (SELECT b.y FROM b) GROUP BY a.x" in far
    query = "SELECT x FROM t GROUP BY x HAVING COUNT(*) > 2 ORDER BY x, y"
    far = [*sql_questions.further(query)]
    assert "SELECT x FROM t GROUP BY x ORDER BY x, y" in far
    assert "SELECT x FROM t GROUP BY x HAVING COUNT(*) > 2 ORDER BY y, x" in far


@pytest.mark.parametrize("kind", [*{kind: 0 for kinds in sql_questions.KINDS for kind in kinds}])
def test_every_kind_of_question_comes_out_fair(kind):
    fair = 0
    for seed in range(30):
        theme = sql_questions.THEMES[seed % 6]
        question = getattr(sql_questions.Asking(Random(seed), theme), kind)()
        fair += bool(sql_questions.databases(question.query, theme, 13, seed))
    assert fair >= 5


def asked(kind, seed=0):
    """A fair task of a kind of question."""
    while True:
        rng = Random(seed)
        theme = rng.choice(sql_questions.THEMES)
        question = getattr(sql_questions.Asking(rng, theme), kind)()
        task = sql_query.SqlQuery(theme=theme, question=question, rows=13, seed=seed)
        if task.is_valid():
            return task
        seed += 1


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("all_totals", "LEFT JOIN", "JOIN"),
        ("all_totals", ", a.id DESC", ""),
        ("all_totals", r"COALESCE\((SUM\(.*?\)), 0\)", r"\1"),
        ("known", "GROUP BY b.id", "GROUP BY b.name"),
        ("known", r"COUNT\(l.\w+\),", "COUNT(*),"),
        ("known", " HAVING.*", ""),
        ("totals", r"COUNT\(DISTINCT a.id\)", "COUNT(a.id)"),
        ("totals", r"COUNT\(DISTINCT a.id\)", "COUNT(DISTINCT a.name)"),
        ("never", "NOT IN", "IN"),
        ("pairs", "SELECT DISTINCT", "SELECT"),
        ("pairs", "a.id < c.id", "a.id <> c.id"),
        ("champions", r"MAX\(d.number\)", "MIN(d.number)"),
        ("above_average", r" WHERE m.\w+ = l.\w+", ""),
        ("complete", r"COUNT\(DISTINCT b.id\) >= 2", "COUNT(*) >= 2"),
        ("balance", "> SUM", ">= SUM"),
    ],
)
def test_queries_that_are_nearly_right_are_wrong(kind, old, new):
    for seed in (0, 100):
        task = asked(kind, seed)
        query = task.answer()
        assert score(task, query, "bare").value == 1
        wrong = re.sub(old, new, query)
        assert wrong != query
        assert score(task, wrong, "bare").value == 0, wrong


def test_some_numbers_are_unknown_and_the_prompt_says_which():
    task = asked("known")
    t = task.theme
    scripts = sql_questions.databases(task.answer(), t, task.rows, task.seed)
    filled = re.findall(r"INSERT INTO (\w+) VALUES (.*);", "\n".join(scripts))
    assert {table for table, rows in filled if "NULL" in rows} == {t.who, t.links}
    sentence = f"{t.who}.{t.who_number} and {t.links}.{t.link_number} may be NULL"
    assert sentence in task.prompt()


@pytest.mark.parametrize("level", range(6))
def test_neighbours_of_the_query_are_refused(level):
    task = Address.of("programs/sql_query", 3, level).task()
    assert score(task, f"```sql\n{task.answer()};\n```", "bare").value == 1
    for near in [*neighbours(task.answer())][:5]:
        assert score(task, near, "bare").value == 0
    assert score(task, "DROP TABLE x", "bare").value == 0
