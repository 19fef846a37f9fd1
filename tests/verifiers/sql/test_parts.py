"""Parts of the scores of queries: full for right answers, and never more for worse ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.verifiers.sql.linking import agreement, linked
from palaestra.verifiers.sql.results import PARTS, SqlResult
from palaestra.verifiers.verifier import GoldError

SCHEMA = (
    "CREATE TABLE staff (name TEXT, team TEXT, pay INT); CREATE TABLE teams (team TEXT, city TEXT);"
    "INSERT INTO teams VALUES ('red', 'Oslo'), ('blue', 'Riga'); INSERT INTO staff VALUES "
)
INSTANCES = (
    SCHEMA + "('Ada', 'red', 9), ('Bo', 'blue', 7), ('Cy', 'red', 5), ('Di', 'blue', 3)",
    SCHEMA + "('Flo', 'blue', 4), ('Gus', 'blue', 8), ('Hal', 'red', 6), ('Ivy', 'red', 2)",
)
GOLD = "SELECT name FROM staff WHERE pay > 4"


def verifier(gold=GOLD, **options):
    return SqlResult(gold, INSTANCES, **options)


def parts(query, gold=GOLD):
    return [round(verifier(gold)(query).parts[name], 3) for name in PARTS]


def test_a_right_answer_has_all_parts_however_it_is_written():
    score = verifier()(
        "WITH t AS (SELECT name AS n, pay AS p FROM staff) SELECT n FROM t WHERE p>4"
    )
    assert score.correct
    assert dict(score.parts) == dict.fromkeys(PARTS, 1.0)
    joined = verifier()("SELECT s.name FROM staff s JOIN teams t USING (team) WHERE s.pay > 4")
    assert dict(joined.parts) == dict.fromkeys(PARTS, 1.0)


def test_each_part_is_lost_by_its_mistake():
    assert parts("nothing of the sort") == [0, 0, 0, 0, 0]
    assert parts("SELEC name FROM staff") == [0, 0, 0, 0, 0]
    assert parts("SELECT name FROM stuff WHERE pay > 4") == [1, 0, 1, 0, 0]
    assert parts("SELECT name FROM staff WHERE play > 4") == [1, 1, 0.5, 0, 0]
    assert parts("SELECT name FROM staff WHERE pay > 400") == [1, 1, 1, 0, 0]
    assert parts("SELECT name FROM staff WHERE pay > 4 AND team <> 'x' LIMIT 1") == [
        1, 1, 0.8, 0.583, 0.292,
    ]  # fmt: skip
    assert parts("SELECT name, pay FROM staff WHERE pay > 4") == [1, 1, 1, 0, 0]
    assert parts("DROP TABLE staff") == [0, 0, 0, 0, 0]


def test_progress_is_full_for_right_answers_alone():
    ordered = GOLD + " ORDER BY pay DESC"
    assert parts(GOLD + " ORDER BY pay", ordered) == [1, 1, 1, 1, 0.5]
    assert parts("SELECT name FROM staff WHERE pay > 3") == [1, 1, 1, 0.9, 0.7]
    assert parts("SELECT name FROM staff WHERE pay > 2") == [1, 1, 1, 0.829, 0.414]


def test_the_score_stays_0_or_1_unless_parts_have_weights():
    near = "SELECT name FROM staff WHERE pay > 5"
    assert verifier()(near).value == 0
    weighted = verifier(weights={"parses": 0.1, "tables": 0.1, "columns": 0.1, "rows": 0.4})
    assert 0.3 < weighted(near).value < 0.7
    assert weighted(GOLD).value == 1
    assert weighted("DROP TABLE staff").value == 0
    assert weighted("SELECT x FROM y").value == pytest.approx(0.1)
    for weights in ({"rows": 1}, {"rows": -1}, {"row": 0.1}):
        with pytest.raises(GoldError):
            verifier(weights=weights)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 10), min_size=2, max_size=2))
def test_fewer_of_the_rows_never_pay_more(limits):
    """Of two queries that select more and more rows than the gold, the worse one has less."""
    low, high = sorted(limits)
    for worse, better in ((high, low), (low, high)):
        if (worse >= 4) == (better >= 4) and abs(worse - 4) >= abs(better - 4):
            scores = [
                verifier()(f"SELECT name FROM staff WHERE pay > {limit}").parts
                for limit in (worse, better)
            ]
            assert all(scores[0][name] <= scores[1][name] for name in PARTS)


NAMES = st.sets(st.sampled_from("abcdef"), max_size=6)


@given(NAMES, NAMES, st.sampled_from("abcdefgh"))
def test_agreement_is_monotone(gold, names, one):
    """A right name more never has less, a wrong one more never more, and only equality is 1."""
    before, after = agreement(gold, names), agreement(gold, names | {one})
    assert 0 <= before <= 1
    assert (before == 1) == (gold == names)
    assert after >= before if one in gold else after <= before


def test_names_of_a_query():
    query = "SELECT t.*, COUNT(*) AS n FROM Staff s JOIN teams t ON s.team = t.team ORDER BY n"
    assert linked("sqlite", query) == {"tables": ["staff", "teams"], "columns": ["*", "team"]}
    for text in ("DROP TABLE x", "SELECT 1; SELECT 2", "(" * 3_000, "{:}", "", "SELECT '"):
        assert linked("sqlite", text) is None
