"""SQL answers: the same result everywhere, ties, NULLs, luck, and hostile queries held in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.task import JudgeError
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.sql import results as sql_results
from palaestra.verifiers.sql.engine import LENGTH
from palaestra.verifiers.sql.gold import read_order
from palaestra.verifiers.sql.results import SqlResult
from palaestra.verifiers.verifier import GoldError
from palaestra.workers.pool import Late, Lost

SCHEMA = """
CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, team TEXT, pay REAL, boss INTEGER);
CREATE TABLE teams (team TEXT, city TEXT);
INSERT INTO teams VALUES ('red', 'Oslo'), ('blue', 'Riga'), ('grey', NULL);
"""
STAFF = [
    (
        "(1, 'Ada', 'red', 10.5, NULL), (2, 'Bo', 'blue', 7, 1), (3, 'Cy', 'red', 7, 1), "
        "(4, 'Di', NULL, 3.25, 2), (5, 'Ed', 'blue', 7, 2), (6, 'Ada', 'grey', 1, 1)"
    ),
    "(1, 'Flo', 'blue', 4, NULL), (2, 'Gus', 'blue', 4, 1), (3, 'Hal', 'red', NULL, 1)",
    "(9, 'Ivy', NULL, 0.1, 8), (8, 'Jo', 'red', 0.2, NULL), (7, 'Kim', 'red', 0.3, 8)",
]
INSTANCES = tuple(f"{SCHEMA} INSERT INTO staff VALUES {rows};" for rows in STAFF)
BY_PAY = "SELECT name, pay FROM staff ORDER BY pay DESC"
TOP = "SELECT name FROM staff WHERE pay IS NOT NULL ORDER BY pay DESC LIMIT 2"


def sql(gold, **options):
    return SqlResult(gold, INSTANCES, **options)


def test_results_are_compared():
    check_verifier(
        sql("SELECT team, COUNT(*), SUM(pay) FROM staff GROUP BY team"),
        right=[
            "SELECT team, COUNT(id), SUM(pay) AS total FROM staff GROUP BY 1 ORDER BY 3;",
            "```sql\n-- pay\nSELECT s.team, COUNT(*), 0 + SUM(s.pay) FROM staff s GROUP BY 1\n```",
            "WITH t AS (SELECT * FROM staff) SELECT team, COUNT(*), SUM(pay) FROM t GROUP BY team",
        ],
        wrong=[
            "SELECT team, COUNT(*) FROM staff GROUP BY team",
            "SELECT team, COUNT(*), SUM(pay) FROM staff WHERE team IS NOT NULL GROUP BY team",
            "SELECT team, SUM(pay), COUNT(*) FROM staff GROUP BY team",
            "SELECT COALESCE(team, ''), COUNT(*), SUM(pay) FROM staff GROUP BY team",
            "SELECT team, COUNT(*), ROUND(SUM(pay)) FROM staff GROUP BY team",
            "SELECT team, COUNT(pay), SUM(pay) FROM staff GROUP BY team",
            "SELECT team, CAST(COUNT(*) AS TEXT), SUM(pay) FROM staff GROUP BY team",
            "SELECT team, COUNT(*), SUM(pay) FROM staff GROUP BY team UNION ALL SELECT 1, 2, 3",
            "VALUES ('red', 2, 17.5), ('blue', 2, 14), (NULL, 1, 3.25), ('grey', 1, 1)",
            "SELECT team, COUNT(*), SUM(pay) FROM stuff GROUP BY team",
            "SELECT team, COUNT(*), SUM(pay) FROM staff GROUP BY team; SELECT 1",
            "SELEC team",
        ],
        hostile=["SELECT * FROM staff", "SELECT NULL WHERE 0", "ＳＥＬＥＣＴ 1", "SELECT '\ud800'"],
    )


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        ("SELECT name FROM staff", "SELECT name FROM staff ORDER BY name", True),
        ("SELECT name FROM staff", "SELECT DISTINCT name FROM staff", False),
        ("SELECT DISTINCT name FROM staff", "SELECT name FROM staff GROUP BY name", True),
        (
            "SELECT name FROM staff",
            "SELECT name FROM staff UNION ALL SELECT name FROM staff",
            False,
        ),
        ("SELECT name n FROM staff", "SELECT name FROM staff", True),
        ("SELECT id, name FROM staff", "SELECT name, id FROM staff", False),
        ("SELECT id, name FROM staff", "SELECT id, name, team FROM staff", False),
        ("SELECT boss FROM staff", "SELECT COALESCE(boss, 0) FROM staff", False),
        ("SELECT boss FROM staff", "SELECT boss FROM staff WHERE boss NOTNULL", False),
        ("SELECT boss FROM staff", "SELECT CAST(boss AS REAL) FROM staff", True),
        ("SELECT boss FROM staff", "SELECT CAST(boss AS TEXT) FROM staff", False),
        ("SELECT SUM(pay) FROM staff", "SELECT pay FROM (SELECT SUM(pay) pay FROM staff)", True),
        ("SELECT AVG(pay) FROM staff", "SELECT SUM(pay) / COUNT(pay) FROM staff", True),
        ("SELECT AVG(pay) FROM staff", "SELECT SUM(pay) / COUNT(*) FROM staff", False),
        ("SELECT AVG(pay) FROM staff", "SELECT ROUND(AVG(pay), 2) FROM staff", False),
        ("SELECT COUNT(*) FROM staff", "SELECT COUNT(pay) FROM staff", False),
        # Only the first and the third database tell these apart.
        ("SELECT COUNT(*) FROM staff WHERE pay > 5", "SELECT 4 FROM staff LIMIT 1", False),
        ("SELECT MAX(pay) FROM staff", "SELECT pay FROM staff WHERE id = 1", False),
        ("SELECT CAST(id AS BLOB) FROM staff", "SELECT CAST(id AS BLOB) FROM staff", True),
        ("SELECT CAST(id AS BLOB) FROM staff", "SELECT CAST(id AS TEXT) FROM staff", False),
        ("SELECT id * 9e999 FROM staff", "SELECT 9e999 * id FROM staff", True),
        ("SELECT id * 9e999 FROM staff", "SELECT -9e999 * id FROM staff", False),
    ],
)
def test_results_are_multisets(gold, answer, right):
    if "9e999" in gold:
        gold, answer = f"{gold} WHERE team = 'red'", f"{answer} WHERE team = 'red'"
    assert sql(gold)(answer).correct == right


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        (BY_PAY, "SELECT name, pay FROM staff ORDER BY pay DESC, name", True),
        (BY_PAY, "SELECT name, pay FROM staff ORDER BY pay DESC, name DESC", True),
        (BY_PAY, "SELECT name, pay FROM staff ORDER BY pay DESC, id % 2, id", True),
        (BY_PAY, "SELECT name, pay FROM staff ORDER BY pay", False),
        (BY_PAY, "SELECT name, pay FROM staff ORDER BY pay DESC NULLS FIRST", False),
        (BY_PAY, "SELECT name, pay FROM staff", False),
        (BY_PAY + ", name", "SELECT name, pay FROM staff ORDER BY pay DESC, name DESC", False),
        (BY_PAY + ", name", "SELECT name, pay FROM staff ORDER BY 2 DESC, 1", True),
        ("SELECT name FROM staff ORDER BY id", "SELECT name FROM staff", False),
        ("SELECT name FROM staff ORDER BY pay", "SELECT name FROM staff ORDER BY pay, id", True),
        ("SELECT name FROM staff ORDER BY pay", "SELECT name FROM staff ORDER BY id", False),
        (TOP, "SELECT name FROM staff WHERE pay > -1 ORDER BY pay DESC, id LIMIT 2", True),
        (TOP, "SELECT name FROM staff WHERE pay > -1 ORDER BY pay DESC, id DESC LIMIT 2", True),
        (TOP, "SELECT name FROM staff ORDER BY pay DESC, id DESC LIMIT 2", True),
        (TOP, "SELECT name FROM staff WHERE pay > -1 ORDER BY pay DESC LIMIT 3", False),
        (TOP, "SELECT name FROM staff WHERE pay > -1 ORDER BY pay LIMIT 2", False),
        (TOP, "SELECT name FROM staff WHERE id < 3 ORDER BY pay DESC LIMIT 2", False),
    ],
)
def test_order_counts_up_to_ties(gold, answer, right):
    assert sql(gold)(answer).correct == right


@pytest.mark.parametrize(
    "gold",
    [
        "SELECT team, COUNT(*) c FROM staff GROUP BY team ORDER BY c DESC",
        "SELECT team FROM staff GROUP BY team ORDER BY COUNT(*) DESC, 1 LIMIT 2 OFFSET 1",
        "SELECT team, name FROM staff ORDER BY 1, lower(name) DESC",
        "SELECT DISTINCT team FROM staff ORDER BY team DESC",
        "SELECT name FROM staff UNION SELECT team FROM staff ORDER BY name LIMIT 4",
        "SELECT name FROM staff UNION ALL SELECT team FROM staff ORDER BY 1 DESC",
        "WITH t AS (SELECT * FROM staff WHERE pay > 0) SELECT name FROM t ORDER BY pay, id",
        "SELECT s.name, t.city FROM staff s JOIN teams t USING (team) ORDER BY t.city, s.pay DESC",
        "SELECT name FROM staff ORDER BY CASE WHEN team = 'red' THEN 0 ELSE 1 END",
        "SELECT name AS n, pay FROM staff ORDER BY N COLLATE NOCASE",
        "SELECT team, COUNT(*) AS c FROM staff GROUP BY team ORDER BY -c, team",
        "SELECT *, pay FROM staff ORDER BY pay DESC NULLS LAST",
        "SELECT name, RANK() OVER (ORDER BY pay DESC) r FROM staff ORDER BY r",
        "SELECT name FROM staff ORDER BY -pay",
    ],
)
def test_golds_of_many_shapes_accept_themselves(gold):
    verifier = sql(gold)
    assert verifier(gold).correct
    assert verifier(gold.replace("ORDER BY", "ORDER  BY") + ";").correct
    assert not verifier(gold.partition(" FROM ")[0] + " FROM staff LIMIT 0").correct


def test_ties_follow_the_collation_of_the_gold():
    instances = [
        f"CREATE TABLE t (x TEXT); INSERT INTO t VALUES {rows}"
        for rows in ("('b'), ('a'), ('A'), ('B')", "('c'), ('A')")
    ]
    loose = SqlResult("SELECT x FROM t ORDER BY x COLLATE NOCASE", instances)
    assert loose("SELECT x FROM t ORDER BY lower(x), x").correct
    assert loose("SELECT x FROM t ORDER BY lower(x), x DESC").correct
    assert not loose("SELECT x FROM t ORDER BY x").correct


def test_order_may_be_left_out_of_account():
    verifier = sql(BY_PAY, ordered=False)
    assert verifier("SELECT name, pay FROM staff").correct
    with pytest.raises(GoldError, match="cuts a tie"):
        sql(TOP, ordered=False)


def test_names_of_columns_count_only_where_asked():
    verifier = sql("SELECT name AS who FROM staff", column_names=True)
    assert verifier("SELECT name AS WHO FROM staff").correct
    assert "other names" in verifier("SELECT name FROM staff").reason


def test_numbers_may_differ_by_a_share():
    assert not sql("SELECT SUM(pay) FROM staff")("SELECT SUM(pay) * 1.0001 FROM staff").correct
    loose = sql("SELECT SUM(pay) FROM staff", relative=0.001)
    assert loose("SELECT SUM(pay) * 1.0001 FROM staff").correct
    assert not loose("SELECT SUM(pay) * 1.01 FROM staff").correct
    big = sql("SELECT 9000000000000000000 + id FROM staff")
    assert not big("SELECT 9000000000000000001 + id FROM staff").correct
    assert sql("SELECT pay - pay FROM staff")("SELECT (pay + 0.1) - pay - 0.1 FROM staff").correct


def test_every_instance_counts():
    verifier = sql("SELECT name FROM staff WHERE pay = (SELECT MAX(pay) FROM staff)")
    lucky = "SELECT name FROM staff WHERE id = 1"
    assert verifier(lucky).reason == "in database 2 there are fewer rows"


def test_an_order_by_accident_does_not_pass():
    assert not sql("SELECT id FROM staff ORDER BY id")("SELECT id FROM staff").correct
    first = "SELECT name FROM staff WHERE id = (SELECT MIN(id) FROM staff)"
    assert not sql(first)("SELECT name FROM staff LIMIT 1").correct
    assert sql(first)("SELECT name FROM staff ORDER BY id LIMIT 1").correct


# Hostile queries

MANY = ", ".join(f"c{n} AS (SELECT a.id FROM c{n - 1} a, c{n - 1} b)" for n in range(1, 30))
NESTED = "SELECT pay AS x FROM staff"
for _ in range(12):
    NESTED = f"SELECT x+x+x+x+x+x+x+x AS x FROM ({NESTED})"
LOOP = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) "
TEXTS = "WITH RECURSIVE r(x) AS (SELECT printf('%.9990c', 'a') UNION ALL SELECT x FROM r) "


def slow(query):
    return pytest.param(query, marks=pytest.mark.slow)


FORBIDDEN = [
    "ATTACH ':memory:' AS x",
    "ATTACH '{tmp}/x.db' AS x",
    "SELECT load_extension('x')",
    "SELECT writefile('{tmp}/x', 'x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT random()",
    "SELECT length(randomblob(1000000000))",
    "SELECT current_timestamp",
    "PRAGMA table_info(staff)",
    "SELECT * FROM pragma_table_info('staff')",
    "PRAGMA writable_schema = 1",
    "CREATE TABLE x (y)",
    "DROP TABLE staff",
    "DELETE FROM staff",
    "INSERT INTO staff (id) VALUES (77)",
    "WITH x AS (SELECT 1) DELETE FROM staff",
    "VACUUM INTO '{tmp}/x.db'",
    "BEGIN",
    "EXPLAIN SELECT 1",
    "SELECT 1; DROP TABLE staff",
    "/* SELECT */ PRAGMA user_version",
    "SELECT 1 WHERE 'x' LIKE '" + "%a" * 60 + "'",
    "SELECT " + "(" * 1_500 + "1" + ")" * 1_500,
    "SELECT " + "NOT " * 900 + "1",
    "-- " + "SELECT " * 400,
    "SELECT 'a\0b'",
    "SELECT CAST(x'ff' AS TEXT)",
]
LIMITED = [
    "SELECT length(zeroblob(1000000000))",
    f"SELECT zeroblob({LENGTH + 1})",
    "SELECT hex(hex(hex(zeroblob(2000))))",
    "SELECT replace(replace(printf('%.4000c', 'a'), 'a', 'bbbb'), 'b', 'cccc')",
    LOOP + "SELECT COUNT(*) FROM r",
    LOOP + "SELECT group_concat(x) FROM r",
    slow(TEXTS + "SELECT x FROM r ORDER BY x"),
    slow(TEXTS + "SELECT SUM(instr(x, printf('%.5000c', 'a') || 'b')) FROM r"),
    slow(TEXTS + "SELECT SUM(x LIKE '%a%a%a%a%a%a%a%a%ab') FROM r"),
    "SELECT COUNT(*) FROM " + ", ".join(f"staff s{n}" for n in range(40)),
    "SELECT " + ", ".join(["printf('%.9990c', 'a')"] * 150) + " FROM staff a, staff b, staff c",
    NESTED,
]


@pytest.mark.parametrize("query", FORBIDDEN, ids=lambda query: query[:50])
def test_queries_reach_nothing_and_change_nothing(query, tmp_path):
    verdict = sql("SELECT id FROM staff")(query.replace("{tmp}", str(tmp_path)))
    assert (verdict.value, verdict.status) == (0, "malformed")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("query", LIMITED, ids=lambda query: query[:60] + query[-30:])
def test_queries_that_grow_are_ended(query):
    verdict = sql("SELECT id FROM staff")(query)
    assert (verdict.value, verdict.status) == (0, "limit")


def test_queries_that_multiply_as_they_are_read_are_ended():
    query = f"WITH c0 AS (SELECT id FROM staff), {MANY} SELECT COUNT(*) FROM c29"
    assert sql("SELECT id FROM staff")(query).value == 0


def test_a_step_that_does_not_end_is_killed(monkeypatch):
    from palaestra.workers.pool import Workers

    with Workers(1, cpu_s=0.3) as pool:
        monkeypatch.setattr(sql_results, "_pool", lambda engine: pool)
        verifier = sql("SELECT id FROM staff")
        verdict = verifier("SELECT printf('%.*c', 2000000000, 'x') FROM staff")
        assert (verdict.value, verdict.status) == (0, "timeout")
        assert verifier("SELECT id FROM staff").correct


class Broken:
    """A pool that fails in some way, for every query or for all but the probe."""

    def __init__(self, fault, probe=None):
        self.fault, self.probe = fault, probe

    def call(self, function, engine, instances, query, rows):
        if self.probe is not None and not instances:
            return self.probe
        raise self.fault


def test_an_outage_is_no_score(monkeypatch):
    verifier = sql("SELECT id FROM staff")
    monkeypatch.setattr(sql_results, "_pool", lambda engine: Broken(Lost("gone")))
    with pytest.raises(JudgeError):
        verifier("SELECT id FROM staff")
    monkeypatch.setattr(sql_results, "_pool", lambda engine: Broken(Lost("gone"), {"results": []}))
    assert verifier("SELECT id FROM staff").status == "limit"
    monkeypatch.setattr(sql_results, "_pool", lambda engine: Broken(Late("slow")))
    assert verifier("SELECT id FROM staff").status == "timeout"


# Golds


@pytest.mark.parametrize(
    "options",
    [
        {"gold": "SELECT id FROM stuff"},
        {"gold": "SELECT id FROM staff; SELECT 1"},
        {"gold": "SELEC"},
        {"gold": ""},
        {"gold": "DELETE FROM staff"},
        {"gold": "SELECT name FROM staff LIMIT 1"},
        {"gold": "SELECT name FROM staff ORDER BY id LIMIT 1 + 1"},
        {"gold": "SELECT city FROM teams"},
        {"gold": "SELECT 1"},
        {"gold": "SELECT random() FROM staff"},
        {"gold": "SELECT group_concat(name) FROM staff"},
        {"gold": "SELECT DISTINCT name FROM staff ORDER BY pay"},
        {"gold": "SELECT * FROM staff ORDER BY 2"},
        {"gold": "SELECT name FROM staff ORDER BY 2"},
        {"gold": LOOP + "SELECT x FROM r"},
        {"gold": "SELECT a.id FROM staff a, staff b, staff c, staff d, staff e, staff f"},
        {"instances": INSTANCES[:1]},
        {"instances": INSTANCES[0]},
        {"instances": ["CREATE TABLE staff (id)", "CREATE TABLE staff (id"]},
        {"instances": [INSTANCES[0], INSTANCES[0]]},
        {"engine": "oracle"},
        {"ordered": True},
        {"relative": -1},
        {"relative": float("nan")},
    ],
)
def test_golds_that_cannot_work_are_refused(options):
    with pytest.raises(GoldError):
        SqlResult(**{"gold": "SELECT id FROM staff", "instances": INSTANCES} | options)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=7),
    st.integers(0, 3),
    st.integers(0, 2),
    st.randoms(use_true_random=False),
)
@settings(max_examples=40, deadline=None)
def test_any_order_of_ties_passes_and_nothing_else(rows, limit, offset, rng):
    """Against a referee that sorts by the key alone."""
    tuples = ", ".join(f"({n}, {a}, {b})" for n, (a, b) in enumerate(rows))
    other = "CREATE TABLE t (id, a, b); INSERT INTO t VALUES (90, 8, 8), (91, 9, 9), (92, 7, 7)"
    instances = [f"CREATE TABLE t (id, a, b); INSERT INTO t VALUES {tuples}", other]
    gold = f"SELECT b, id FROM t ORDER BY a LIMIT {limit + 1} OFFSET {offset}"
    try:
        verifier = SqlResult(gold, instances)
    except GoldError:
        return
    numbered = [(a, b, n) for n, (a, b) in enumerate(rows)]
    rng.shuffle(numbered)
    fine = sorted(numbered, key=lambda row: row[0])[offset : offset + limit + 1]
    chosen = rng.choice([fine, numbered[: len(fine)]])
    keys = sorted(a for a, _ in rows)[offset : offset + limit + 1]
    values = ", ".join(f"({n}, {b}, {i})" for i, (_, b, n) in enumerate(chosen)) or "(0, 0, NULL)"
    answer = (
        f"WITH v(id, b, i) AS (VALUES {values}) SELECT b, id FROM (SELECT b, id, i FROM v WHERE i "
        "NOTNULL AND NOT EXISTS (SELECT 1 FROM t WHERE id = 90) UNION ALL SELECT * FROM (SELECT "
        f"b, id, a FROM t WHERE id >= 90 ORDER BY a LIMIT {limit + 1} OFFSET {offset})) ORDER BY i"
    )
    assert verifier(answer).correct == ([a for a, _, _ in chosen] == keys)


def test_orders_are_read_at_the_top_only():
    assert read_order("SELECT a FROM (SELECT a FROM t ORDER BY b LIMIT 1)", "sqlite") is None
    assert read_order("SELECT RANK() OVER (ORDER BY a) FROM t", "sqlite") is None
    assert read_order("SELECT a FROM t ORDER BY b LIMIT 3, 4", "sqlite").offset == 3


# DuckDB

DUCK_FORBIDDEN = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "COPY staff TO '{tmp}/x.csv'",
    "COPY (SELECT 1) TO '{tmp}/x.csv'",
    "EXPORT DATABASE '{tmp}/x'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "ATTACH '{tmp}/x.db'",
    "SET threads = 8",
    "PRAGMA version",
    "CALL pragma_version()",
    "DROP TABLE staff",
    "WITH x AS (INSERT INTO staff (id) VALUES (77) RETURNING id) SELECT id FROM x",
    "SELECT * FROM INSTANCES",
    "SELECT 1; SELECT 2",
    "DESCRIBE staff",
    "EXPLAIN SELECT 1",
]


def duck(gold):
    return SqlResult(gold, INSTANCES, engine="duckdb")


def test_duckdb_is_asked_in_its_own_dialect():
    verifier = duck("SELECT team, COUNT(*), SUM(pay)::DOUBLE FROM staff GROUP BY ALL")
    assert verifier("FROM staff SELECT team, COUNT(*), SUM(pay) GROUP BY team").correct
    assert not verifier("FROM staff SELECT team, COUNT(*), SUM(pay) + 1 GROUP BY team").correct
    ordered = duck("SELECT name FROM staff WHERE pay > 1 ORDER BY pay DESC LIMIT 2")
    assert ordered(
        "SELECT name FROM staff WHERE pay > 1 ORDER BY pay DESC, id DESC LIMIT 2"
    ).correct
    assert not ordered("SELECT name FROM staff WHERE pay > 1 ORDER BY pay LIMIT 2").correct


@pytest.mark.parametrize("query", DUCK_FORBIDDEN, ids=lambda query: query[:60])
def test_duckdb_reaches_nothing_and_changes_nothing(query, tmp_path):
    verdict = duck("SELECT id FROM staff")(query.replace("{tmp}", str(tmp_path)))
    assert (verdict.value, verdict.status) == (0, "malformed")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "query",
    [
        "SELECT length(repeat('x', 900000000))",
        "SELECT list(x) FROM range(100000000) t(x)",
        "SELECT COUNT(*) FROM range(100000000000) a, range(1000) b",
    ],
)
def test_duckdb_is_ended_where_it_grows(query):
    verdict = duck("SELECT id FROM staff")(query)
    assert (verdict.value, verdict.status) == (0, "limit")


@pytest.mark.parametrize(
    "script",
    [
        "ATTACH '{path}' AS x",
        "CREATE TABLE t (n INT); VACUUM INTO '{path}'",
        "PRAGMA temp_store_directory = '{path}'",
        "SELECT load_extension('{path}')",
        "CREATE TABLE t AS WITH c(x) AS (SELECT 1 UNION SELECT x+1 FROM c) SELECT x FROM c",
    ],
)
def test_scripts_that_set_databases_up_reach_nothing_and_end(script, tmp_path):
    path = tmp_path / "x.db"
    with pytest.raises(GoldError):
        SqlResult("SELECT 1", (script.format(path=path), "CREATE TABLE u (n INT)"))
    assert not path.exists()


def test_scripts_may_do_all_that_sets_a_database_up():
    script = (
        "PRAGMA foreign_keys = ON; CREATE TABLE t (n INT PRIMARY KEY); BEGIN; "
        "INSERT INTO t VALUES (1), (2); UPDATE t SET n = 3 WHERE n = 2; COMMIT; "
        "CREATE INDEX i ON t (n); CREATE VIEW v AS SELECT * FROM t; DELETE FROM t WHERE n = 1"
    )
    judge = SqlResult("SELECT n FROM v", (script, script.replace("SET n = 3", "SET n = 4")))
    assert judge("SELECT n FROM t").correct
