"""Tests of tools/table_repair."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import combinations
from random import Random

import pytest
from tests.envs.tools.playing import caller, score

from palaestra.address import Address
from palaestra.envs.tools.table_repair import TableRepair
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.table_repair.client import _date_text
from palaestra.generators.tools.table_repair.schema import THEMES, WEEKDAYS
from palaestra.generators.tools.table_repair.world import tools
from palaestra.toolbox import call

NAME = "tools/table_repair"


def instance(seed: int, level: int, **knobs: int) -> TableRepair:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, TableRepair)
    return task


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins(level: int) -> None:
    for seed in range(30):
        task = instance(seed, level)
        assert len(task.solution) <= task.calls * 3 // 4
        assert score(task, *task.solution).value == 1


def test_the_oracle_holds_no_world() -> None:
    task = instance(3, 5)
    episode = Episode(task, BARE)
    task.client(caller(episode)).repair()
    episode.step("done")
    assert episode.score.value == 1


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (call("read_rows", first=1, last=50), "last is 50, and rows go from 1 to {}"),
        (call("read_rows", first=0, last=3), "first is 0, and rows go from 1 to {}"),
        (call("read_rows", first=5, last=3), "first is 5 and comes after last, which is 3"),
        (call("set_cell", row=99, column="date", value="x"), "no row 99; rows go from 1 to {}"),
        (call("mark_row", row=-1), "no row -1; rows go from 1 to {}"),
    ],
)
def test_errors_state_which_rows_are_valid(move: str, expected: str) -> None:
    task = instance(3, 1)
    result = task.world().use(move)[0]
    assert result.startswith("Error: ")
    assert result.endswith(expected.format(len(task.rows)))


def test_a_range_of_rows_that_is_too_long_is_refused_with_the_last_row_that_is_read() -> None:
    result = instance(3, 4).world().use(call("read_rows", first=4, last=30))[0]
    assert result.endswith("a call reads at most 20 rows: from 4 on, last is at most 23")


def rows_of(task: TableRepair, rows: tuple[tuple[str, ...], ...]) -> list[dict[str, str]]:
    return [dict(zip(task.table_schema.roles, row)) for row in rows]


def holds(task: TableRepair, row: dict[str, str]) -> dict[str, bool]:
    """Whether a row keeps the constraints of each group, in plain arithmetic."""
    parties = {(p.code, p.name, p.city): p.terms for p in task.reference.parties}
    party = row["party"], row["name"], row["city"]
    result = {"party": party in parties, "state": row["state"] in task.table_schema.words.states}
    if "due" in row:
        try:
            if len(row["date"]) != 10 or len(row["due"]) != 10:
                raise ValueError
            day, due = date.fromisoformat(row["date"]), date.fromisoformat(row["due"])
        except ValueError:
            return {**result, "dates": False}
        terms = parties.get(party)
        late = terms is None or due - day == timedelta(days=terms)
        result["dates"] = late and WEEKDAYS[day.weekday()] == row["weekday"]
    if "net" in row:
        items = {(i.code, f"{i.price / 100:.2f}", str(i.rate)) for i in task.reference.items}
        try:
            quantity, rate = int(row["quantity"]), int(row["rate"])
            price, net, tax, gross = (
                round(float(row[each]) * 100) for each in ("price", "net", "tax", "gross")
            )
        except ValueError:
            return {**result, "amounts": False}
        result["amounts"] = (
            (row["item"], row["price"], row["rate"]) in items
            and net == quantity * price
            and tax == (2 * net * rate + 100) // 200
            and gross == net + tax
        )
    return result


@pytest.mark.parametrize("level", range(7))
def test_clean_rows_keep_all_constraints_and_dirty_ones_do_not(level: int) -> None:
    for seed in range(10):
        task = instance(seed, level)
        others = {number for number, _ in task.merged} | {*task.lost}
        clean, dirty = rows_of(task, task.clean), rows_of(task, task.rows)
        first = int(clean[0]["key"].partition("-")[2]) if 1 not in others else None
        identities = set()
        for number, (after, before) in enumerate(zip(clean, dirty), 1):
            if number in others:
                assert after == before
                continue
            assert all(holds(task, after).values())
            assert all(after.values())
            if first is not None:
                assert after["key"].endswith(f"-{first + number - 1:04}")
            same = tuple(after.get(r) for r in ("party", "date", "item", "quantity"))
            assert same not in identities
            identities.add(same)
            if after != before:
                broken = not all(holds(task, before).values()) or not all(before.values())
                assert broken or after["key"] != before["key"]
        for number, into in task.merged:
            assert into < number
            one, other = clean[into - 1], dirty[number - 1]
            assert one["party"] == other["party"]
            assert other["trace"] in ("", one["trace"])


GROUPS = {
    "party": ("party", "name", "city"),
    "amounts": ("item", "quantity", "price", "rate", "net", "tax", "gross"),
    "dates": ("date", "weekday", "due"),
}


def values(task: TableRepair, row: dict[str, str], role: str) -> Iterator[str]:
    """Every value that a cell could have in a repair."""
    reference = task.reference
    yield from {
        "party": [each.code for each in reference.parties],
        "name": [each.name for each in reference.parties],
        "city": sorted({each.city for each in reference.parties}),
        "item": [each.code for each in reference.items],
        "price": [f"{each.price / 100:.2f}" for each in reference.items],
        "rate": sorted({str(each.rate) for each in reference.items}),
        "weekday": list(WEEKDAYS),
    }.get(role, [])
    if role == "quantity":
        yield from map(str, range(1, 1_000))
    if role in ("date", "due"):
        start = date(2030, 11, 1)
        yield from ((start + timedelta(days=n)).isoformat() for n in range(500))
    if role in ("net", "tax", "gross"):
        quantities = range(1, 1_000)
        prices = [(each.price, each.rate) for each in reference.items]
        nets = {(price * n, rate) for price, rate in prices for n in quantities}
        amounts = {
            "net": {net for net, _ in nets},
            "tax": {(2 * net * rate + 100) // 200 for net, rate in nets},
            "gross": {net + (2 * net * rate + 100) // 200 for net, rate in nets},
        }[role]
        yield from (f"{each / 100:.2f}" for each in sorted(amounts))


@pytest.mark.parametrize("group", GROUPS)
def test_the_repair_of_a_cell_is_the_only_one_by_brute_force(group: str) -> None:
    """Of all changes of one cell of the group, one alone makes the constraints hold."""
    checked = 0
    for seed in range(12):
        task = instance(seed, 3, double=0)
        for before, after in zip(rows_of(task, task.rows), rows_of(task, task.clean)):
            changed = [role for role in before if before[role] != after[role]]
            if len(changed) != 1 or changed[0] not in GROUPS[group] or checked >= 12:
                continue
            repairs = [
                (role, text)
                for role in GROUPS[group]
                for text in values(task, before, role)
                if text != before[role] and holds(task, {**before, role: text})[group]
            ]
            others = [role for role in GROUPS[group] if not before[role]]
            if not others or others == changed:
                assert repairs == [(changed[0], after[changed[0]])]
                checked += 1
    assert checked >= 5


def test_states_are_far_from_each_other() -> None:
    for theme in THEMES:
        for one, other in combinations(theme.states, 2):
            assert sum((a != b) for a, b in zip(one.ljust(12), other.ljust(12))) > 3
        names = [name for each in theme.headers.values() for name in each]
        assert len({*names}) == len(names)


def test_types_of_errors_are_all_drawn() -> None:
    roles = {
        path[2]
        for seed in range(40)
        for path in instance(seed, 5).goal
        if path[0] == "cell"
    }  # fmt: skip
    assert roles == {
        "key", "party", "name", "city", "state", "trace", "date", "weekday", "due",
        *GROUPS["amounts"],
    }  # fmt: skip


@pytest.mark.parametrize("level", range(7))
def test_any_other_change_is_damage(level: int) -> None:
    rng = Random(level)
    for seed in range(8):
        task = instance(seed, level, busy=0)
        touched = {int(path[1]) for path in task.goal} | {into for _, into in task.merged}
        row = rng.choice([n for n in range(1, len(task.rows) + 1) if n not in touched])
        other = rng.choice([n for n in range(1, len(task.rows) + 1) if n not in touched])
        heads = task.table_schema.headers
        extras = [
            call("set_cell", row=row, column=heads["trace"], value="ZZ1"),
            call("mark_row", row=row),
        ]
        if row != other:
            extras.append(call("merge_rows", keep=row, remove=other))
        for extra in extras:
            result = score(task, *task.solution, extra)
            assert (result.value, result.parts["damage"]) == (0, 1)


def test_each_type_of_wrong_repair_earns_nothing() -> None:
    for seed in range(6):
        task = instance(seed, 4, busy=0)
        heads = task.table_schema.headers
        for path in task.goal:
            row = int(path[1])
            without = [
                move
                for move in task.solution
                if not (
                    path[0] == "cell"
                    and json.loads(move)["args"].get("row") == row
                    and json.loads(move)["args"].get("column") == heads[path[2]]
                )
                and not (path[0] == "marked" and move == call("mark_row", row=row))
                and not (path[0] == "removed" and json.loads(move)["args"].get("remove") == row)
            ]
            if len(without) < len(task.solution):
                assert score(task, *without).value == 0
        for path, wanted in task.goal.items():
            if path[0] == "cell" and path[2] in ("net", "price", "quantity", "gross", "tax"):
                text = str(int(wanted.partition(".")[0]) + 1)
                wrong = call("set_cell", row=int(path[1]), column=heads[path[2]], value=text)
                assert score(task, *task.solution, wrong).value == 0


def test_merging_in_the_other_direction_or_marking_in_place_of_repair_is_wrong() -> None:
    task = instance(4, 4, busy=0)
    pairs = {
        call("merge_rows", keep=b, remove=a): call("merge_rows", keep=a, remove=b)
        for a, b in task.merged
    }
    turned = [pairs.get(move, move) for move in task.solution]
    assert turned != list(task.solution)
    assert score(task, *turned).value == 0
    marks = [call("mark_row", row=int(path[1])) for path in task.goal if path[0] == "cell"]
    assert score(task, *marks).value == 0


def test_repairs_of_a_row_before_it_is_merged_are_no_damage() -> None:
    task = instance(4, 4, busy=0)
    number, _ = task.merged[0]
    extra = call("set_cell", row=number, column=task.table_schema.headers["trace"], value="Q")
    first = [move for move in task.solution if "merge_rows" not in move]
    rest = [move for move in task.solution if "merge_rows" in move]
    assert score(task, *rest, *first).value == 1
    marked = call("mark_row", row=number)
    goal_trace = task.goal.get(("cell", str(task.merged[0][1]), "trace"))
    if goal_trace is None:
        assert score(task, extra, marked, *task.solution).value == 1


@pytest.mark.parametrize(
    ("role", "texts", "expected"),
    [
        ("net", ["1234.5", "1234.50", 1234.5], "1234.50"),
        ("quantity", ["17", 17, 17.0], "17"),
        ("weekday", ["Tuesday", "tue", "Tue"], "Tue"),
        ("name", [" Ada  Ltd ", "Ada Ltd"], "Ada Ltd"),
        ("date", ["2031-03-04"], "2031-03-04"),
    ],
)
def test_values_in_sensible_forms(role: str, texts: list[object], expected: str) -> None:
    task = instance(1, 4, busy=0)
    column = task.table_schema.roles.index(role)
    for text in texts:
        world = task.world()
        result, _ = world.use(
            call("set_cell", row=3, column=dict(task.table_schema.columns)[role], value=text)
        )
        assert not result.startswith("Error"), result
        assert world.cell(3, column) == expected


def test_dates_are_read_in_all_ways_that_errors_write_them() -> None:
    for text in ("4 March 2031", "Mar 4, 2031", "2031/03/04", "20310304", "2031-03-04"):
        assert _date_text(text) == "2031-03-04"


def test_rewards_of_steps_add_up_to_the_score_and_damage_takes_them_back() -> None:
    task = instance(5, 3, busy=0)
    calls = task.solution
    row = next(n for n in range(1, 20) if n not in {int(path[1]) for path in task.goal})
    extra = call("mark_row", row=row)
    for moves in ([*calls, "done"], [*calls[:-1], "done"], [*calls, extra, "done"], ["x", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)
        if extra in moves:
            assert min(rewards) < 0
    undone = call("mark_row", row=row, undo=True)
    assert score(task, extra, undone, *calls).value == 1


def test_a_replay_has_the_same_states() -> None:
    task = instance(4, 4)
    episodes = [Episode(task, BARE) for _ in range(2)]
    for move in task.solution:
        states = []
        for episode in episodes:
            episode.step(move)
            states.append(episode.turn.state)
        assert states[0] == states[1]


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2)
    arguments = {"first": 1, "last": 4}
    named = json.dumps({"name": "read_rows", "arguments": arguments})
    forms = [
        call("read_rows", **arguments),
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        "read_rows(1, 4)",
        f"Action: read_rows\nAction Input: {json.dumps(arguments)}",
        f"```json\n{named}\n```",
    ]
    results = {task.world().use(form)[0] for form in forms}
    assert len(results) == 1
    assert next(iter(results)).startswith("row | ")


def test_profiles() -> None:
    task = instance(4, 4, busy=0)
    world, heads = task.world(), task.table_schema.headers
    shapes = world.use(call("count_shapes", column=heads["date"]))[0]
    assert "x '9999-99-99'" in shapes.splitlines()[0]
    states = world.use(call("count_values", column=heads["state"]))[0]
    assert any(each in states for each in task.table_schema.words.states)
    empty = world.use(call("find_rows", column=heads["trace"], condition="is", value=""))[0]
    column = task.table_schema.roles.index("trace")
    wanted = [n for n, row in enumerate(task.rows, 1) if not row[column]]
    assert [line.partition(":")[0] for line in empty.splitlines()[:-1]] == [
        f"row {n}" for n in wanted
    ]


HOSTILE = (
    call("set_cell", row=0, column="net", value="1.00"),
    call("set_cell", row=10**9, column="net", value="1.00"),
    call("set_cell", row=1, column="nothing", value="1.00"),
    call("set_cell", row=1, column="", value="1.00"),
    call("mark_row", row=-1),
    call("mark_row", row=True),
    call("merge_rows", keep=1, remove=1),
    call("merge_rows", keep=1, remove=9_999),
    call("read_rows", first=1, last=10**6),
    call("read_rows", first=3, last=2),
    call("read_rows", first=1, last=2, columns="x," * 3_000),
    call("read_reference", table="secrets"),
    call("count_values", column="x" * 9_000),
    call("no_such_tool"),
    "what now?",
    "{" * 10_000,
)


@pytest.mark.parametrize("move", HOSTILE, ids=range(len(HOSTILE)))
def test_errors_change_nothing(move: str) -> None:
    world = instance(2, 4, busy=0).world()
    result, number = world.use(move)
    assert number == 1
    assert result.startswith("Error")
    assert len(result) < 500
    assert not world.changes()


def test_values_in_a_wrong_format_are_refused() -> None:
    task = instance(2, 4, busy=0)
    heads = task.table_schema.headers
    for role, text in (
        ("net", "1,234.50"), ("net", "1234.505"), ("net", "-1.00"), ("net", "٣.00"), ("net", "1e5"),
        ("date", "2031-02-30"), ("date", "4 March 2031"), ("due", "20310304"), ("quantity", "1.5"),
        ("quantity", "9" * 50), ("state", "opne"), ("weekday", "Someday"), ("name", ""),
        ("name", "a|b"), ("name", "x" * 90), ("name", "a\x00b"),
    ):  # fmt: skip
        world = task.world()
        result, _ = world.use(call("set_cell", row=1, column=heads[role], value=text))
        assert result.startswith("Error"), (role, text)
        assert not world.changes()


@pytest.mark.parametrize("level", [2, 4, 6])
def test_doing_nothing_and_random_calls_earn_nothing(level: int) -> None:
    rng = Random(level)
    for seed in range(20):
        task = instance(seed, level)
        assert score(task).value == 0
        assert score(task, *task.random_calls(rng, task.calls)).value == 0


def test_tools_have_the_words_of_the_theme() -> None:
    task = instance(1, 3)
    assert any(task.table_schema.words.parties in each.line() for each in tools(task.table_schema))


def test_numbers_are_allowed_as_values() -> None:
    tools = {each["function"]["name"]: each["function"] for each in instance(0, 2).tools()}
    for tool in ("set_cell", "find_rows"):
        assert tools[tool]["parameters"]["properties"]["value"]["type"] == ["string", "number"]
    world = instance(0, 2, busy=0).world()
    column = world.schema.headers["price"]
    for value in (1250, 1250.0, "1250", "1250.00", 1250.5):
        result = world.use(call("set_cell", row=1, column=column, value=value))[0]
        assert result.startswith(f"{column} of row 1 is now '1250.")
