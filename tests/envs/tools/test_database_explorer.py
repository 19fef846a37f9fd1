"""Tests of tools/database_explorer."""

import json
import re
from collections import defaultdict
from datetime import date
from fractions import Fraction
from random import Random

import pytest
from tests.envs.tools.playing import caller, score

from palaestra.address import Address
from palaestra.envs.tools.database_explorer import DatabaseExplorer
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.data_questions import persistent, read_answer
from palaestra.generators.tools.database_explorer.client import Client
from palaestra.generators.tools.database_explorer.data import TRAPS
from palaestra.generators.tools.database_explorer.questions import ANSWERS
from palaestra.generators.tools.database_explorer.tables import DELETED
from palaestra.generators.tools.database_explorer.wording import FRAMES
from palaestra.generators.tools.engine import BUSY
from palaestra.testing.baselines import baseline_scores
from palaestra.toolbox import call

NAME = "tools/database_explorer"


def instance(seed: int, level: int, **knobs: int) -> DatabaseExplorer:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, DatabaseExplorer)
    return task


def parts(task):
    """The tables of use by what they are about: rows as dictionaries from meaning to value."""
    result = {}
    for table in task.world().database.tables.values():
        texts = [column.text for column in table.columns]
        result[table.text] = [dict(zip(texts, row)) for row in table.rows]
    return result


def alive(row):
    marks = {DELETED[0]: 0, DELETED[1]: "Y", DELETED[2]: None}
    return all(row[text] == mark for text, mark in marks.items() if text in row)


def read_day(text):
    if "." in text:
        day, month, year = text.split(".")
        return date(int(year), int(month), int(day))
    return date.fromisoformat(text)


def brute_force(task, question, ignored=()):  # noqa: PLR0912, PLR0915
    """The answer from the rows of the tables in Python; ``ignored`` names what to overlook."""
    theme, tables = task.theme, parts(task)
    codes = {}
    for row in tables["codes"]:
        (domain,) = (text for text in row if text.startswith("what it is a code of"))
        letters = dict(pair.split(": ") for pair in re.findall(r"\((.*)\)", domain)[0].split(", "))
        codes[letters[row[domain]], row["code"]] = row["what the code means"]
    unit_factors = {row["code of the unit"]: row for row in tables["units"]}
    owners = {
        row[f"number of the {theme.owner}"]: row
        for row in tables.get(f"one row for each {theme.owner}", [])
    }
    parties = {
        row[f"key of the {theme.party}"]: row for row in tables[f"one row for each {theme.party}"]
    }
    items = {
        row[f"number of the {theme.item}"]: row for row in tables[f"one row for each {theme.item}"]
    }
    keep, seen = [], set()
    for row in tables[f"one row for each {theme.record}"]:
        key, day = row[f"key of the {theme.party}"], row[f"day of the {theme.record}"]
        if "spaces" not in ignored:
            key = key.strip()
        if "case" not in ignored:
            key = key.upper()
        if "dates" in ignored and not re.fullmatch(r"\d+-\d+-\d+", day):
            continue
        content = tuple(value for text, value in row.items() if text != "running number")
        if content in seen and "twice" not in ignored:
            continue
        seen.add(content)
        party, item = parties.get(key), items[row[f"number of the {theme.item}"]]
        if party is None:
            continue
        owner = (
            owners[party[f"number of the {theme.owner} that it belongs to"]] if owners else party
        )
        if "deleted" not in ignored and not all(map(alive, (row, party, item, owner))):
            continue
        start = date.fromisoformat(question.start or "2000-01-01")
        end = date.fromisoformat(question.end or "2100-01-01")
        meanings = (
            codes["region", owner["code of the region"]],
            codes["group", item["code of the group"]],
            codes["status", str(row["code of the status"])],
        )
        wanted = (question.region, question.group, question.status)
        if any(want not in ("", have) for want, have in zip(wanted, meanings)):
            continue
        if not start <= read_day(day) <= end:
            continue
        (amount,) = (value for text, value in row.items() if text.endswith("the unit of the row"))
        factor = unit_factors[row["code of the unit"]]["how many of the smallest unit it is"]
        keep.append((key, item, Fraction(str(amount)) * (1 if "units" in ignored else factor)))
    totals, item_totals = defaultdict(Fraction), defaultdict(Fraction)
    for key, item, amount in keep:
        totals[key] += amount
        item_totals[item[f"name of the {theme.item}"]] += amount
    target = next(
        (
            row["how many of the smallest unit it is"]
            for row in tables["units"]
            if row["name of the unit"] == question.unit
        ),
        1,
    )
    if question.form == "records":
        return str(len(keep))
    if question.form == "parties":
        return str(len(totals))
    if not keep:
        return ""
    total = sum(amount for _, _, amount in keep) / target
    if question.form == "total":
        return f"{float(total):.2f}"
    if question.form == "mean":
        return f"{float(total / len(keep)):.2f}"
    if question.form == "top":
        return parties[max(totals, key=lambda key: totals[key])][f"name of the {theme.party}"]
    names = [name for name, amount in item_totals.items() if amount / target >= question.least]
    return ", ".join(sorted(names))


@pytest.mark.parametrize(("level", "seeds"), [(0, 40), (1, 30), (2, 30), (3, 25), (4, 15), (6, 12)])
def test_the_oracle_wins_and_brute_force_agrees(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert score(task, *task.solution).value == 1
        assert len(task.solution) <= 0.6 * task.calls
        for question, answer in zip(task.questions, task.answers):
            assert brute_force(task, question) == answer, question


def test_every_irregularity_matters() -> None:
    """Whoever overlooks one of them gets many answers wrong."""
    wrong, number, right = dict.fromkeys([*TRAPS, "deleted", "units"], 0), 0, 0
    for seed in range(12):
        task = instance(seed, 6)
        for question, answer in zip(task.questions, task.answers):
            number += 1
            for each in wrong:
                wrong[each] += brute_force(task, question, (each,)) != answer
            right += brute_force(task, question, (*wrong,)) == answer
    assert right < number / 10
    assert min(wrong.values()) > number / 4, wrong


def test_the_oracle_needs_no_world() -> None:
    task = instance(3, 5)
    episode = Episode(task, BARE)
    Client(persistent(caller(episode)), task.theme).answer(task.questions)
    episode.step("done")
    assert episode.score.value == 1


def test_every_form_of_question_occurs() -> None:
    forms = {q.form for seed in range(60) for q in instance(seed, 3).questions}
    assert forms == {*FRAMES} == {*ANSWERS}
    assert all(len(frames) >= 5 for frames in FRAMES.values())


def test_names_say_nothing_and_documentation_is_somewhere() -> None:
    for level in range(7):
        task = instance(1, level)
        tables = task.world().database.tables.values()
        documented = {}
        for table in tables:
            assert re.fullmatch(r"[a-z]\d+", table.name)
            assert all(re.fullmatch(r"[a-z]\d+", column.name) for column in table.columns)
            if table.text == "what tables and columns mean":
                documented = {(row[0], row[1]): row[2] for row in table.rows}
        for table in tables:
            for column in table.columns:
                assert table.is_commented or documented[table.name, column.name] == column.text
            assert table.is_commented == (table.text in table.statement())


@pytest.mark.parametrize("level", range(6))
def test_other_answers_earn_nothing_and_the_last_one_counts(level: int) -> None:
    for seed in range(4):
        task = instance(seed, level, busy=0)
        for number, (question, answer) in enumerate(zip(task.questions, task.answers), 1):
            form = ANSWERS[question.form]
            if form == "number":
                wrongs = [str(int(answer) + 1), "0", f"-{answer}"]
            elif form == "decimal":
                wrongs = [f"{float(answer) + 0.01:.2f}", "0", f"{float(answer) * 10:.2f}"]
            else:
                first = answer.partition(", ")[0]
                wrongs = [f"{answer}, {first}x", f"{first}x", "none"]
            for wrong in wrongs:
                extra = call("submit_answer", question=number, answer=wrong)
                assert score(task, *task.solution, extra).value == 0
                assert score(task, extra, *task.solution).value == 1
                assert score(task, extra).value == 0


def test_lists_and_numbers_may_be_submitted_as_such() -> None:
    assert read_answer("texts", '["Ulor", "zak"]') == read_answer("texts", "zak\nulor")
    for seed in range(20):
        task = instance(seed, 2, questions=1, busy=0)
        form, answer = ANSWERS[task.questions[0].form], task.answers[0]
        value = {
            "number": int,
            "decimal": float,
            "text": lambda text: text.upper(),
            "texts": lambda text: text.split(", ")[::-1],
        }[form](answer)
        move = json.dumps({"name": "submit_answer", "arguments": {"answer": value}})
        assert score(task, move).value == 1


def test_rewards_add_up_to_the_score() -> None:
    task = instance(5, 4)
    wrong = call("submit_answer", question=1, answer="1")
    for moves in ([*task.solution, "done"], [*task.solution, wrong, "done"], ["?", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


QUERIES = (
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT SUM(n) FROM r",
    "SELECT zeroblob(1000000000)",
    "SELECT hex(zeroblob(9000)) || hex(zeroblob(9000))",
    "SELECT random()",
    "SELECT load_extension('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT current_timestamp",
    "ATTACH DATABASE '/tmp/x' AS x",
    "PRAGMA table_list",
    "SELECT * FROM pragma_table_info('sqlite_master')",
    "DELETE FROM sqlite_master",
    "DROP TABLE x",
    "CREATE TABLE x (y)",
    "WITH a AS (SELECT 1) INSERT INTO x SELECT * FROM a",
    "SELECT 1; SELECT 2",
    "VACUUM INTO '/tmp/x'",
    "SELECT " + "(" * 900 + "1" + ")" * 900,
    "SELECT * FROM no_such_table",
    "SELECT '\ud800'",
    "SELECT '\0'",
    "",
    "x" * 5_000,
    "SELECT 1 " + "UNION SELECT 1 " * 200,
)


def test_hostile_queries_are_answered_with_an_error() -> None:
    world = instance(2, 2, busy=0).world()
    before = world.use(call("list_tables"))
    for query in QUERIES:
        result, number = world.use(json.dumps({"tool": "run_query", "args": {"sql": query}}))
        assert number == 1
        assert result.startswith("Error"), query[:80]
        assert not world.changes()
    assert world.use(call("list_tables")) == before


def test_long_results_are_cut() -> None:
    world = instance(2, 3, busy=0).world()
    table = max(world.database.tables.values(), key=lambda each: len(each.rows))
    result, _ = world.use(call("run_query", sql=f"SELECT * FROM {table.name}"))
    assert len(result.splitlines()) == 52
    result, _ = world.use(call("run_query", sql="SELECT hex(zeroblob(4000)) AS a, x'00', NULL"))
    assert len(result) < 300
    assert result.endswith("<bytes> | NULL")
    empty, _ = world.use(call("run_query", sql=f"SELECT * FROM {table.name} WHERE 1 = 0"))
    assert empty.endswith("(no rows)")
    schema, _ = world.use(call("run_query", sql="SELECT name FROM sqlite_master"))
    assert table.name in schema


def test_errors_and_busy_services_change_nothing() -> None:
    world = instance(2, 6).world()
    name = next(iter(world.database.tables))
    for move in (
        call("describe_table", table="no"),
        call("describe_table", table="x" * 100_000),
        call("describe_table", table=3),
        call("sample_rows", table=name, number=0),
        call("sample_rows", table=name, number=10**30),
        call("sample_rows", table=name, first=-1),
        call("sample_rows", table=name, first=10**30),
        call("sample_rows", table=name, number=True),
        call("sample_rows"),
        call("list_tables", page=1),
        call("run_query"),
        call("run_query", sql=["SELECT 1"]),
        call("submit_answer", question=0, answer="1"),
        call("submit_answer", question=1, answer="x" * 100_000),
        call("submit_answer", question=1),
        call("no_such_tool"),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error"), move
        assert not world.changes()
    results = {world.use(call("sample_rows", table=name, number=1))[0] for _ in range(99)}
    assert BUSY in results
    assert len(results) == 2


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2)
    name = next(iter(task.world().database.tables))
    named = json.dumps({"name": "sample_rows", "arguments": {"table": name}})
    forms = [
        call("sample_rows", table=name),
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"[{named}]",
        f"sample_rows({name!r})",
        f"sample_rows(table={name!r}, number=5)",
        f'Action: sample_rows\nAction Input: {{"table": "{name}"}}',
    ]
    assert len({task.world().use(form) for form in forms}) == 1
    calls = [json.loads(move) for move in task.solution]
    assert score(task, json.dumps(calls)).value == 1


def test_replays_give_the_same_states() -> None:
    task = instance(7, 3)
    episodes = [Episode(task, BARE) for _ in range(2)]
    for move in task.solution:
        for episode in episodes:
            episode.step(move)
        assert episodes[0].observation == episodes[1].observation
        if episodes[0].scores is None:
            assert episodes[0].turn.state == episodes[1].turn.state


def test_nouns_have_their_articles() -> None:
    for seed in range(40):
        text = instance(seed, 3).brief()
        assert not re.search(r"\b[Aa] [aeio]", text), text


@pytest.mark.parametrize(("level", "limit"), [(1, 0.05), (3, 0.05), (6, 0.05)])
def test_players_without_understanding_earn_little(level: int, limit: float) -> None:
    values = baseline_scores(NAME, level, range(30))
    assert max(values.values()) <= limit
    assert values["do nothing"] == 0


@pytest.mark.parametrize("level", [2, 4, 6])
def test_random_calls_earn_nothing(level: int) -> None:
    rng = Random(level)
    values = []
    for seed in range(20):
        task = instance(seed, level)
        tables = [*task.world().database.tables.values()]
        moves = []
        for n in range(1, len(task.questions) + 1):
            table = rng.choice(tables)
            moves.append(call("sample_rows", table=table.name))
            cell = rng.choice(rng.choice(table.rows))
            moves.append(call("submit_answer", question=n, answer=str(cell)))
        values.append(score(task, *moves).value)
    assert sum(values) / len(values) <= 0.05
