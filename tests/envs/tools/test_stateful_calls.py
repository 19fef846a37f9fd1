"""Tests of tools/stateful_calls."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any

import pytest
from tests.envs.tools.playing import caller, score

from palaestra.address import Address
from palaestra.envs.tools.stateful_calls import StatefulCalls
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.stateful_calls.client import Client
from palaestra.generators.tools.stateful_calls.domain import LARGEST, Entity, Row
from palaestra.generators.tools.stateful_calls.requests import Reference, Request
from palaestra.generators.tools.stateful_calls.wording import (
    FRAMES,
    ORDINALS,
    RECORDS,
    REPLIES,
    Speech,
)
from palaestra.generators.tools.stateful_calls.world import World, canonical
from palaestra.generators.vocabulary import plural
from palaestra.toolbox import call

NAME = "tools/stateful_calls"
NEXT = call("next_request")


def instance(seed: int, level: int, **knobs: int) -> StatefulCalls:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, StatefulCalls)
    return task


def parsed(moves: tuple[str, ...]) -> list[dict[str, Any]]:
    return [json.loads(move) for move in moves]


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins(level: int) -> None:
    for seed in range(30):
        task = instance(seed, level)
        assert score(task, *task.solution).value == 1
        assert len(task.solution) <= task.calls * 0.7
        names = [tool["function"]["name"] for tool in task.tools()]
        assert len({*names}) == len(names)


def test_the_oracle_holds_no_world() -> None:
    """It has the documentation, requests without what they lack, and what a player reads."""
    for seed in range(10):
        task = instance(seed, 5, gaps=100)
        episode = Episode(task, BARE)
        Client(task.entities, caller(episode)).converse(
            tuple(each.visible() for each in task.requests)
        )
        episode.step("done")
        assert episode.score.value == 1


# Another way to the goal: undoing and repeating are differences of the tables between requests

Tables = list[dict[int, Row]]


class Refused(Exception):
    pass


class History:
    """The tables after each request, with what was reported and declined."""

    def __init__(self, task: StatefulCalls) -> None:
        self.task = task
        self.tables: list[Tables] = [[{row.number: row for row in rows} for rows in task.records]]
        self.lists: list[tuple[int, list[int]]] = []
        self.reports: dict[int, str] = {}
        self.declined: set[int] = set()
        self.subjects: list[int] = [0]
        self.entered: dict[int, int] = {}

    def fulfil(self, request: Request) -> None:
        before, n = self.tables[-1], request.entity
        after = [dict(table) for table in before]
        number = len(self.tables)
        self.subjects.append(0)
        try:
            report = self.apply(after[n], request)
            self.check(before[n], after[n], n)
        except Refused:
            self.declined.add(number)
            self.tables.append(before)
            return
        if report:
            self.reports[number] = report
        self.tables.append(after)

    def check(self, before: dict[int, Row], after: dict[int, Row], n: int) -> None:
        entity = self.task.entities[n]
        for number in before.keys() & after.keys():
            one, other = before[number], after[number]
            if one.stock != other.stock and one.state == entity.frozen:
                raise Refused
            if not 0 <= other.stock <= LARGEST:
                raise Refused
            if one.state != other.state and one.state == entity.final:
                raise Refused
        for row in after.values():
            if row.state not in entity.states or row.trait not in entity.traits:
                raise Refused

    def apply(self, table: dict[int, Row], request: Request) -> str:
        n = request.entity
        match request.action:
            case "list" | "count":
                rows = [row for row in table.values() if request.state in {"", row.state}]
                rows = [row for row in rows if request.trait in {"", row.trait}]
                if request.action == "count":
                    return str(len(rows))
                rows.sort(key=lambda row: row.number)
                if request.by_stock:
                    rows.sort(key=lambda row: row.stock, reverse=True)
                self.lists.append((n, [row.number for row in rows]))
                return " ".join(str(row.number) for row in rows)
            case "enter":
                number = max(table) + 1
                first = self.task.entities[n].states[0]
                table[number] = Row(number, request.label, request.trait, 0, first, False)
                self.entered[n] = number
                self.subjects[-1] = number
                return ""
            case "undo":
                self.undo(table, request)
                return ""
            case "repeat":
                self.repeat(table, request)
                return ""
        one = self.find(table, request.target)
        self.subjects[-1] = one
        if request.action == "look":
            return table[one].state if request.state else str(table[one].stock)
        if request.action == "state":
            table[one] = table[one]._replace(state=request.state)
            return ""
        amount = request.amount * (self.task.rates[n] if request.in_large else 1)
        if request.counted:
            amount *= int(self.reports[len(self.tables) - 1])
        changes = {one: amount}
        if request.action == "transfer":
            changes = {one: -amount, self.find(table, request.receiver): amount}
        self.shift(table, changes)
        return ""

    def shift(self, table: dict[int, Row], changes: Mapping[int, int]) -> None:
        for number, amount in changes.items():
            table[number] = table[number]._replace(stock=table[number].stock + amount)

    def find(self, table: dict[int, Row], reference: Reference | None) -> int:
        assert reference
        if reference.manner == "listed":
            n, numbers = self.lists[-1]
            assert n == reference.entity
            return numbers[-1] if reference.position < 0 else numbers[reference.position - 1]
        if reference.manner == "latest":
            return self.subjects[-2]
        if reference.manner == "entered":
            return self.entered[reference.entity]
        rows = [row for row in table.values() if row.label == reference.label]
        rows = [row for row in rows if reference.trait in {"", row.trait}]
        if not rows:
            raise Refused
        assert len(rows) == 1
        return rows[0].number

    def pair(self, request: Request) -> tuple[dict[int, Row], dict[int, Row]]:
        """The tables before and after an earlier request."""
        last = len(self.tables)
        return (
            self.tables[last - request.back - 1][request.entity],
            self.tables[last - request.back][request.entity],
        )

    def undo(self, table: dict[int, Row], request: Request) -> None:
        before, after = self.pair(request)
        assert before != after
        for number, row in after.items():
            if number not in before:
                del table[number]
                self.subjects[-1] = 0
            elif row != before[number]:
                old = before[number]
                stock = table[number].stock + old.stock - row.stock
                state = old.state if old.state != row.state else table[number].state
                table[number] = table[number]._replace(stock=stock, state=state)
                self.subjects[-1] = number

    def repeat(self, table: dict[int, Row], request: Request) -> None:
        before, after = self.pair(request)
        deltas = {k: after[k].stock - before[k].stock for k in before}
        changed = {k: delta for k, delta in deltas.items() if delta}
        if not changed:
            ((number, row),) = ((k, after[k]) for k in before if after[k] != before[k])
            target = self.find(table, request.target) if request.target else number
            table[target] = table[target]._replace(state=request.state or row.state)
            self.subjects[-1] = target
            return
        size = abs(request.amount) * (self.task.rates[request.entity] if request.in_large else 1)
        size = size or request.factor * abs(next(iter(changed.values())))
        if len(changed) == 1:
            ((number, delta),) = changed.items()
            target = self.find(table, request.target) if request.target else number
            self.shift(table, {target: size if delta > 0 else -size})
        else:
            giver = min(changed, key=lambda k: changed[k])
            receiver = max(changed, key=lambda k: changed[k])
            target = self.find(table, request.target) if request.target else giver
            other = self.find(table, request.receiver) if request.receiver else receiver
            self.shift(table, {target: -size, other: size})
        self.subjects[-1] = target

    def goal(self) -> dict[tuple[str, ...], Any]:
        values: dict[tuple[str, ...], Any] = {}
        for number in range(1, len(self.tables)):
            if number in self.declined:
                values["decline", str(number)] = True
            if number in self.reports:
                values["report", str(number)] = self.reports[number]
            for n, (start, now) in enumerate(zip(self.tables[0], self.tables[number])):
                for key in now:
                    old = start[key]._asdict() if key in start else {}
                    for column, value in now[key]._asdict().items():
                        if column not in old or old[column] != value:
                            values["after", str(number), "row", str(n), str(key), column] = value
        return values


@pytest.mark.parametrize("level", range(7))
def test_the_goal_is_what_differences_of_tables_come_to(level: int) -> None:
    for seed in range(40):
        task = instance(seed, level)
        history = History(task)
        for request in task.requests:
            history.fulfil(request)
        assert history.goal() == task.goal


# Reading the words of requests


def template(frame: str) -> re.Pattern[str]:
    """A frame as a regular expression with a group for each slot."""
    parts = re.split(r"\{(\w+)\}", frame)
    pattern, seen = "", set[str]()
    for n, part in enumerate(parts):
        if n % 2 == 0:
            pattern += re.escape(part)
        elif part in seen:
            pattern += f"(?P={part})"
        else:
            seen.add(part)
            pattern += f"(?P<{part}>.*?)"
    return re.compile(pattern)


def test_frames_are_told_apart() -> None:
    """No frame of one table is one of another, and each has five or more (replies: three)."""
    for table, least in ((FRAMES, 5), (RECORDS, 5), (REPLIES, 3)):
        frames = [frame for options in table.values() for frame in options]
        assert len({*frames}) == len(frames)
        assert min(map(len, table.values())) >= least
    for key, frames in FRAMES.items():
        slots = {frozenset(re.findall(r"\{(\w+)\}", frame)) - {"a", "noun"} for frame in frames}
        assert len(slots) <= 2, key


def test_requests_say_what_they_mean() -> None:
    """The text of a request has its values, and not those that the user has to be asked for."""
    gaps = 0
    for seed in range(60):
        task = instance(seed, 4)
        for request, turn in zip(task.requests, task.world().turns):
            values = [request.state] if request.state and request.action != "look" else []
            values += [request.label, request.trait]
            if request.amount and not request.counted:
                values.append(str(abs(request.amount)))
                entity = task.entities[request.entity]
                values.append(entity.large if request.in_large else entity.small)
            for reference in (request.target, request.receiver):
                values += [reference.label, reference.trait] if reference else []
            lacks: list[str] = []
            if request.missing == "which":
                assert request.target
                lacks = [request.target.trait]
            elif request.missing == "receiver":
                assert request.receiver
                lacks = [request.receiver.label]
            elif request.missing == "state":
                lacks = [request.state]
            elif request.missing == "amount":
                lacks = [str(request.amount).strip("-")]
            for value in filter(None, values):
                where = turn.reply if value in lacks else turn.text + turn.reply
                assert value in where, (value, turn)
            for value in lacks:
                assert f"'{value}'" not in turn.text
                assert f" {value} " not in turn.text
                assert value in turn.reply
                gaps += 1
    assert gaps > 30


def test_a_request_has_many_wordings() -> None:
    task = instance(3, 4)
    for n, request in enumerate(task.requests, 1):
        texts = {Speech(task.entities, wording).request(n, request) for wording in range(60)}
        assert len(texts) >= 5


def test_all_that_a_conversation_may_have_occurs() -> None:
    requests = [each for seed in range(60) for each in instance(seed, 5).requests]
    goals = [path for seed in range(60) for path in instance(seed, 5).goal]
    share = len(requests)
    for action in ("list", "count", "look", "adjust", "transfer", "state", "enter", "undo"):
        assert sum(each.action == action for each in requests) > share / 60
    assert sum(each.action == "repeat" for each in requests) > share / 12
    for missing in ("amount", "state", "receiver", "which"):
        assert any(each.missing == missing for each in requests)
    targets = [each.target.manner for each in requests if each.target]
    assert {*targets} == {"label", "listed", "latest", "entered"}
    assert any(each.counted for each in requests + _counting())
    assert 0.1 < sum(path[0] == "decline" for path in goals) / share < 0.35


def _counting() -> list[Request]:
    return [each for seed in range(100) for each in instance(seed, 4, conversions=0).requests]


# What goes wrong


def test_any_other_change_is_damage() -> None:
    rng = Random(1)
    for level in range(7):
        for seed in range(8):
            task = instance(seed, level, busy=0)
            n = rng.randrange(len(task.entities))
            entity = task.entities[n]
            mentioned = {path[4] for path in task.goal if path[0] == "after"}
            rows = [
                row
                for row in task.records[n]
                if str(row.number) not in mentioned and row.state != entity.frozen
            ]
            if not rows:
                continue
            row = rng.choice(rows)
            name = entity.tools.decrease if row.stock > 300 else entity.tools.increase
            extra = [call(entity.tools.open)]
            extra += [call(entity.tools.unseal, id=row.number)] * row.sealed
            extra += [call(name, id=row.number, amount=3)]
            moves = [*task.solution]
            last = len(moves) - 1
            result = score(task, *moves[:last], *extra, *moves[last:])
            assert (result.value, result.parts["damage"] > 0) == (0, True)
            seal = entity.tools.unseal if row.sealed else entity.tools.seal
            extra = [call(entity.tools.open), call(seal, id=row.number)]
            assert score(task, *moves[:last], *extra, *moves[last:]).parts["damage"] == 1
            remove = call(entity.tools.remove, id=row.number)
            unseal = [call(seal, id=row.number)] * row.sealed
            extra = [call(entity.tools.open), *unseal, remove]
            assert score(task, *moves[:last], *extra, *moves[last:]).value == 0


def without(task: StatefulCalls, *tools: str) -> Iterator[tuple[str, ...]]:
    """The solution with one call of a tool left out, for each of them."""
    for n, move in enumerate(task.solution):
        if json.loads(move)["tool"] in tools:
            yield task.solution[:n] + task.solution[n + 1 :]


def test_each_call_that_changes_or_reports_is_needed() -> None:
    checked = 0
    for seed in range(12):
        task = instance(seed, 3)
        tools = [each.tools for each in task.entities]
        names = ["report", "decline", "next_request"]
        for each in tools:
            names += [each.increase, each.decrease, each.transfer, each.advance, each.enter]
            names += [each.remove, each.seal, each.unseal]
        for moves in without(task, *names):
            if moves == task.solution[:-1]:
                assert score(task, *moves).value == 1  # done says as much as the last call
                continue
            assert score(task, *moves).value == 0
            checked += 1
    assert checked > 60


def test_wrong_values_are_wrong() -> None:
    checked = 0
    for seed in range(25):
        task = instance(seed, 3)
        for n, entry in enumerate(parsed(task.solution)):
            for key, value in entry["args"].items():
                if key not in {"amount", "value", "state", "label", "trait"}:
                    continue
                changed: Any = value + 1 if isinstance(value, int) else f"{value}x"
                if entry["tool"] == "report":
                    changed = "5" if value != "5" else "6"
                elif not any(
                    entry["tool"] in (e.tools.enter, e.tools.advance) or isinstance(value, int)
                    for e in task.entities
                ):
                    continue
                wrong = call(entry["tool"], **(entry["args"] | {key: changed}))
                moves = [*task.solution[:n], wrong, *task.solution[n + 1 :]]
                assert score(task, *moves).value == 0
                checked += 1
    assert checked > 40


def test_a_request_cannot_be_caught_up_on() -> None:
    """What is done after the next request has been shown comes too late."""
    task = next(
        each
        for each in (instance(seed, 0) for seed in range(99))
        if each.requests[0].action == "adjust" and ("decline", "1") not in each.goal
    )
    moves = [*task.solution]
    second = moves.index(NEXT, 1)
    late = [moves[0], NEXT, *moves[1:second], *moves[second + 1 :]]
    assert score(task, *moves).value == 1
    assert score(task, *late).value == 0


def test_declining_what_is_possible_and_the_reverse_are_wrong() -> None:
    for seed in range(20):
        task = instance(seed, 2)
        moves = [*task.solution]
        starts = [n for n, move in enumerate(moves) if move == NEXT][:-1]
        for number, start in enumerate(starts, 1):
            if ("decline", str(number)) not in task.goal:
                extra = [*moves[: start + 1], call("decline"), *moves[start + 1 :]]
                assert score(task, *extra).value == 0
            if ("report", str(number)) not in task.goal:
                extra = [*moves[: start + 1], call("report", value="3"), *moves[start + 1 :]]
                assert score(task, *extra).value == 0


def test_units_matter() -> None:
    """Amounts as they stand, without the rate, are wrong where the tool takes the other unit."""
    checked = 0
    for seed in range(60):
        task = instance(seed, 4, busy=0)
        for request in task.requests:
            if request.action != "adjust" or request.counted or request.missing:
                continue
            entity = task.entities[request.entity]
            tool = "increase" if request.amount > 0 else "decrease"
            if request.in_large == (tool in entity.in_large):
                continue
            name = getattr(entity.tools, tool)
            entries = parsed(task.solution)
            for n, entry in enumerate(entries):
                if entry["tool"] == name and entry["args"]["amount"] != abs(request.amount):
                    args = entry["args"] | {"amount": abs(request.amount)}
                    moves = [*task.solution[:n], call(name, **args), *task.solution[n + 1 :]]
                    assert score(task, *moves).value == 0
                    checked += 1
    assert checked > 10


# The engine


def test_rewards_of_steps_add_up_to_the_score_and_damage_takes_them_back() -> None:
    for seed in range(6):
        task = instance(seed, 3)
        entity = task.entities[0]
        extra = [
            call(entity.tools.open),
            call(entity.tools.enter, label="X", trait=entity.traits[0]),
        ]
        middle = task.solution.index(NEXT, 3)
        for moves in (
            task.solution,
            task.solution[:-3],
            (*task.solution[:middle], *extra, *task.solution[middle:]),
            ("x", NEXT, NEXT),
        ):
            episode = Episode(task, BARE)
            rewards = [episode.step(move) for move in (*moves, "done") if episode.scores is None]
            assert sum(rewards) == pytest.approx(episode.score.value)


def test_replay_gives_the_same_states() -> None:
    task = instance(4, 5)
    one, other = Episode(task, BARE), Episode(task, BARE)
    for move in task.solution:
        one.step(move)
        other.step(move)
        assert one.observation == other.observation
        assert one.turn.state == other.turn.state


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(2, 2)
    n, content = next(
        (n, each) for n, each in enumerate(parsed(task.solution)) if "id" in each["args"]
    )
    name, arguments = content["tool"], content["args"]
    named = json.dumps({"name": name, "arguments": arguments})
    values = ", ".join(map(repr, arguments.values()))
    forms = [
        task.solution[n],
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"[{named}]",
        f"{name}({values})",
        f"Action: {name}\nAction Input: {json.dumps(arguments)}",
        f"```json\n{named}\n```",
    ]
    results = set()
    for form in forms:
        world = task.world()
        for move in task.solution[:n]:
            world.use(move)
        results.add(world.use(form))
    assert len(results) == 1
    assert not next(iter(results))[0].startswith("Error")


def test_several_calls_in_a_reply_run_in_order() -> None:
    task = instance(4, 1)
    assert score(task, json.dumps(parsed(task.solution))).value == 1


def test_reports_are_read_in_any_form() -> None:
    assert {canonical(text) for text in ("12, 57 and 113", "[12, 57, 113]", "12\n57\n113")} == {
        "12 57 113"
    }
    assert {canonical(text) for text in ("Bofa", "'bofa'.", '"BOFA"')} == {"bofa"}
    assert canonical("113, 57, 12") != canonical("12, 57, 113")


def test_questions_to_the_user() -> None:
    task = next(
        each
        for each in (instance(seed, 3) for seed in range(99))
        if each.requests[0].missing == "amount"
    )
    world = task.world()
    assert "no request in hand" in world.use(call("ask_user", about="amount"))[0]
    world.use(NEXT)
    for about in ("amount", "What amount do you mean?", "How much should it be?"):
        assert str(abs(task.requests[0].amount)) in world.use(call("ask_user", about=about))[0]
    assert "nothing to add" in world.use(call("ask_user", about="state"))[0]
    assert world.use(call("ask_user", about="?" * 5_000))[0].startswith("Error")


def test_errors_and_busy_services_change_nothing() -> None:
    task = instance(2, 6)
    world = task.world()
    entity, row = task.entities[1], task.records[1][0]
    for move in (
        call(entity.tools.increase, id=row.number, amount=5),
        call(entity.tools.increase, id=row.number, amount=10**200),
        call(entity.tools.increase, id=True, amount=5),
        call(entity.tools.increase, id="100", amount=5),
        call(entity.tools.increase, id=row.number, amount=-5),
        call(entity.tools.transfer, id=row.number, receiver=row.number, amount=5),
        call(entity.tools.details, id=-1),
        call(entity.tools.by_state, state="x", page=0),
        call(entity.tools.enter, label="\n" * 99, trait=entity.traits[0]),
        call("report", value="?!"),
        call("decline"),
        call("next_request", number=7),
        call("no_such_tool"),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error")
        assert world.tables == world.start
        assert not world.changes()
    results = {world.use(call(entity.tools.rate))[0] for _ in range(99)}
    assert BUSY in results
    assert len(results) == 2


def test_ledgers_and_seals_are_in_the_way() -> None:
    task = instance(0, 6, busy=0, sealed=50)
    world = task.world()
    n, row = next(
        (n, row)
        for n, rows in enumerate(task.records)
        for row in rows
        if row.sealed and row.state != task.entities[n].frozen and row.stock < 700
    )
    entity = task.entities[n]
    move = call(entity.tools.increase, id=row.number, amount=2)
    assert "is not open" in world.use(move)[0]
    world.use(call(entity.tools.open))
    assert "is sealed" in world.use(move)[0]
    world.use(call(entity.tools.unseal, id=row.number))
    assert not world.use(move)[0].startswith("Error")
    world.use(call(task.entities[n - 1].tools.open))
    assert "is not open" in world.use(move)[0]


def test_worlds_of_a_task_share_nothing_that_changes() -> None:
    task = instance(3, 1)
    one, other = task.world(), task.world()
    for move in task.solution:
        one.use(move)
    assert one.changes() == task.goal
    assert not other.changes()
    assert other.tables == other.start == task.world().tables


@pytest.mark.parametrize("level", [0, 3, 6])
def test_players_without_understanding_earn_nothing(level: int) -> None:
    earned: dict[str, float] = {}
    for seed in range(30):
        task = instance(seed, level)
        for name, policy in task.baselines(Random(seed)).items():
            episode = Episode(task, BARE)
            while episode.scores is None:
                episode.step(policy(episode.turn))
            earned[name] = earned.get(name, 0) + episode.score.value / 30
    careless = earned.pop("careless")
    assert max(earned.values()) == 0
    assert level == 0 or careless <= 0.05


def test_a_step_is_fast() -> None:
    task = instance(1, 6)
    world = task.world()
    start = process_time()
    for move in task.solution:
        world.use(move)
        world.state()
    assert (process_time() - start) / len(task.solution) < 0.001
    assert isinstance(world, World)


def test_nothing_is_changed_after_the_last_request() -> None:
    """What is done when the work is done would be seen by nobody."""
    task = instance(3, 1, busy=0)
    world = task.world()
    for move in task.solution:
        world.use(move)
    before, noted = [dict(table) for table in world.tables], dict(world.changes())
    entity, row = task.entities[0], next(iter(world.tables[0].values()))
    label = {"label": "Bofa", "trait": entity.traits[0]}
    for tool, arguments in (
        (entity.tools.remove, {"id": row.number}),
        (entity.tools.unseal if row.sealed else entity.tools.seal, {"id": row.number}),
        (entity.tools.increase, {"id": row.number, "amount": 1}),
        (entity.tools.enter, label),
    ):
        world.use(call(entity.tools.open))
        assert "no more requests" in world.use(call(tool, **arguments))[0]
    for tool, arguments in (("report", {"value": "1"}), ("decline", {})):
        assert world.use(call(tool, **arguments))[0].startswith("Error")
    assert (world.tables, world.changes()) == (before, noted)


def test_articles_fit_the_names() -> None:
    for seed in range(20):
        text = instance(seed, 3).brief()
        assert not re.search(r"\ba [aeiou]\w+ and|and a [aeiou]|\ban [^aeiou\s]", text), seed


class Listener:
    """All that a request can mean, by its words and the names of the ledgers alone."""

    def __init__(self, entities: Sequence[Entity]) -> None:
        self.entities = entities

    def requests(self, text: str) -> set[Request]:
        """Requests without the numbers of the ledgers that they are about."""
        meanings: set[Request] = set()
        for key, frames in FRAMES.items():
            for frame in frames:
                for entity in self.entities:
                    for values in self.fits(frame, text, entity, self.columns(key, entity)):
                        meanings |= {*self.meaning(key, values, entity)}
        return meanings

    def columns(self, key: str, entity: Entity) -> list[str]:
        return [entity.state, entity.trait] if key in {"list", "count"} else [entity.state]

    def fits(
        self, frame: str, text: str, entity: Entity, columns: list[str]
    ) -> Iterator[dict[str, str]]:
        """The texts in the slots of a frame, in each way in which it fits."""
        words = {
            "noun": entity.noun, "nouns": plural(entity.noun), "a": entity.a(),
            "stock": entity.stock, "small": entity.small, "label": entity.label,
            "trait": entity.trait,
        }  # fmt: skip
        for column in columns:
            known = words | {"column": column}
            parts = re.split(r"\{(\w+)\}", frame)
            pattern = "".join(
                re.escape(known[part]) if n % 2 and part in known
                else f"(?P<{part}>.+)" if n % 2 else re.escape(part)
                for n, part in enumerate(parts)
            )  # fmt: skip
            for variant in (pattern, pattern.replace(r",\ ", r",?\ ")):
                if match := re.fullmatch(variant, text, re.IGNORECASE):
                    yield match.groupdict() | {"column": column}

    def records(self, text: str, entity: Entity) -> set[Reference]:
        """What a phrase for a record can mean."""
        records: set[Reference] = set()
        for manner, frames in RECORDS.items():
            for frame in frames:
                which = f" with the {entity.trait} '(?P<value>\\w+)'"
                pattern = re.escape(frame)
                for name, part in (
                    ("which", f"(?:{which})?"), ("noun", entity.noun), ("label", entity.label),
                    ("nouns", plural(entity.noun)), ("name", r"(?P<name>\w+)"),
                    ("ordinal", r"(?P<ordinal>\w+)"),
                ):  # fmt: skip
                    pattern = pattern.replace(rf"\{{{name}\}}", part)
                pattern = pattern.removesuffix(",") + ",?"
                if match := re.fullmatch(pattern, text, re.IGNORECASE):
                    groups = {"name": "", "value": "", "ordinal": "", **match.groupdict("")}
                    position = {"": 0, "last": -1}.get(groups["ordinal"])
                    position = ORDINALS.index(groups["ordinal"]) if position is None else position
                    one = Reference(manner, 0, groups["name"], groups["value"], position)
                    records.add(one)
        return records

    def amounts(self, text: str, entity: Entity) -> list[dict[str, Any]]:
        if text == "some":
            return [{"amount": 1, "missing": "amount"}]
        if text == f"as many {entity.small} as the number that you just told us":
            return [{"counted": True}]
        match = re.fullmatch(r"(\d+) (\w+)", text)
        if not match or match[2] not in {entity.small, entity.large}:
            return []
        return [{"amount": int(match[1]), "in_large": match[2] == entity.large}]

    def differences(self, text: str, entity: Entity) -> dict[str, Any]:
        """What a repetition is to have in place of what it repeats."""
        fields: dict[str, Any] = {}
        assert text.startswith("but ")
        for part in text.removeprefix("but ").split(" and "):
            if part in {"twice as much", "three times as much"}:
                fields["factor"] = 2 if part.startswith("twice") else 3
            elif part.startswith("this time for "):
                (fields["target"],) = self.records(part.removeprefix("this time for "), entity)
            elif part.startswith("to the benefit of "):
                name = part.removeprefix("to the benefit of ")
                (fields["receiver"],) = self.records(name, entity)
            elif match := re.fullmatch(rf"with '(\w+)' as the {entity.state}", part):
                fields["state"] = match[1]
            else:
                (amount,) = self.amounts(part.removeprefix("with "), entity)
                fields |= amount
        return fields

    def meaning(self, key: str, values: dict[str, str], entity: Entity) -> Iterator[Request]:
        """What a frame of a key means with these texts in its slots."""
        action, _, back = key.partition(" ")
        try:
            if action in {"undo", "repeat"}:
                phrase = values.get("differences", "")
                more = self.differences(phrase, entity) if phrase else {}
                yield Request(action, 0, back=int(back), **more)
                return
            fields = self.records_of(values, entity) | self.columns_of(key, values, entity)
        except ValueError:
            return  # the phrase names another ledger
        amounts: list[dict[str, Any]] = [{}]
        if action in {"raise", "lower"} and "without" in key:
            amounts = [{"amount": 1, "missing": "amount"}]
        elif "amount" in values:
            amounts = self.amounts(values["amount"], entity)
        sign = -1 if action == "lower" else 1
        action = "adjust" if action in {"raise", "lower"} else action
        for amount in amounts:
            signed = amount | ({"amount": sign * amount["amount"]} if "amount" in amount else {})
            yield Request(action, 0, **{**fields, **signed})

    def records_of(self, values: dict[str, str], entity: Entity) -> dict[str, Any]:
        """The records that are named. Raises ``ValueError`` for what names none or several."""
        fields: dict[str, Any] = {}
        if "record" in values:
            (fields["target"],) = self.records(values["record"], entity)
        if "receiver" in values and values["receiver"].lower() == f"another {entity.noun}":
            fields["missing"] = "receiver"
        elif "receiver" in values:
            (fields["receiver"],) = self.records(values["receiver"], entity)
        return fields

    def columns_of(self, key: str, values: dict[str, str], entity: Entity) -> dict[str, Any]:
        """The state, trait, label and order. Raises ``ValueError`` for another order."""
        fields: dict[str, Any] = {}
        if "value" in values:
            is_state = values["column"] == entity.state and key != "enter"
            fields = {"state" if is_state else "trait": values["value"]}
            fields["label"] = values.get("name", "")
        if "order" in values:
            orders = ["in rising order", f"the largest {entity.stock} first"]
            fields["by_stock"] = bool(orders.index(values["order"]))
        if "state" in values:
            fields["state"] = values["state"]
        if key == "state without state":
            fields["missing"] = "state"
        return fields | ({"state": "?"} if key == "look at state" else {})


def spoken(request: Request) -> Request:
    """What can be heard of a request."""
    known = request.visible()
    if known.missing == "which":
        known = known._replace(missing="")
    if known.counted:
        known = known._replace(amount=0, in_large=False)
    if known.action == "look" and known.state:
        known = known._replace(state="?")
    records = [each and each._replace(entity=0) for each in (known.target, known.receiver)]
    return known._replace(entity=0, target=records[0], receiver=records[1])


@pytest.mark.parametrize("level", range(7))
def test_the_words_of_a_request_mean_one_thing_and_that_is_wanted(level: int) -> None:
    for seed in range(3):
        task = instance(seed + 40, level)
        listener = Listener(task.entities)
        for number, request in enumerate(task.requests, 1):
            for wording in range(seed, 60, 19):
                text = Speech(task.entities, wording).request(number, request)
                assert listener.requests(text) == {spoken(request)}, text
