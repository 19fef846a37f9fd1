"""Tests of tools/generated_world."""

import json
import re
from random import Random

import pytest
from tests.envs.tools.playing import caller, score

from palaestra.address import Address
from palaestra.envs.tools.generated_world import GeneratedWorld
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.generated_world.client import Client
from palaestra.generators.tools.generated_world.domain import random_domain, random_rules
from palaestra.generators.tools.generated_world.world import toolkit
from palaestra.toolbox import call

NAME = "tools/generated_world"


def instance(seed: int, level: int, **knobs: int) -> GeneratedWorld:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, GeneratedWorld)
    return task


def test_the_oracle_wins_in_a_thousand_worlds_that_share_no_names() -> None:
    seen: set[str] = set()
    repeated = 0
    for seed in range(1_000):
        task = instance(seed, seed % 4)
        assert score(task, *task.solution.calls).value == 1
        names = {entity.noun for entity in task.domain.entities}
        repeated += bool(names & seen)
        seen |= names
        tools = [tool.name for tool in toolkit(task.domain)]
        assert len(set(tools)) == len(tools) >= 10
    assert repeated < 30  # words of four letters are repeated by chance


def test_there_are_up_to_sixty_tools() -> None:
    numbers = [len(instance(seed, level).tools()) for level in range(7) for seed in range(5)]
    assert (min(numbers), max(numbers)) == (14, 60)


@pytest.mark.parametrize("level", range(7))
def test_any_other_change_is_damage(level: int) -> None:
    rng = Random(level)
    for seed in range(10):
        task = instance(seed, level, busy=0)
        wanted = {path[1:3] for path in task.solution.changes}
        n = rng.randrange(len(task.records))
        row = rng.choice([r for r in task.records[n] if (str(n), str(r.number)) not in wanted])
        adjust = task.domain.entities[n].adjust
        extra = call(adjust, id=row.number, amount=1 if row.stock < 50 else -1)
        result = score(task, *task.solution.calls, extra)
        assert (result.value, result.parts["damage"]) == (0, 1)
        assert score(task, extra, *task.solution.calls).value == 0


def test_rewards_of_steps_add_up_to_the_score_and_damage_takes_them_back() -> None:
    task = instance(5, 3)
    calls = task.solution.calls
    assert task.requests[0].action != "count"
    extra = call(task.domain.answer, request=1, value=0)
    rewards = []
    for moves in ([*calls, "done"], [*calls[:-1], "done"], [*calls, extra, "done"], ["x", "done"]):
        episode = Episode(task, BARE)
        rewards.append([episode.step(move) for move in moves])
        assert sum(rewards[-1]) == pytest.approx(episode.score.value)
    assert max(rewards[0][:-1]) > 0
    assert min(rewards[2]) < 0


def test_errors_and_busy_services_change_nothing() -> None:
    task = instance(2, 6)
    world = task.world()
    entity = task.domain.entities[1]
    for move in (
        call(entity.adjust, id=1, amount=5),
        call(entity.adjust, id=task.records[1][0].number, amount=10**5_000 // 10**4_990),
        call(entity.adjust, id=True, amount=5),
        call(entity.adjust, id="100", amount=5),
        call(entity.adjust, amount=5),
        call(entity.find, **{entity.label: "x", "page": -1}),
        call(task.domain.decline, request=9, rule=0),
        call(task.domain.decline, request=1, rule=77),
        call(task.domain.answer, request=-5, value=0),
        call("no_such_tool"),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error")
        assert not world.tables.changes()
    results = {world.use(call(entity.details, id=task.records[1][0].number))[0] for _ in range(99)}
    assert BUSY in results
    assert len(results) == 2


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2)
    move = next(move for move in task.solution.calls if '"id"' in move)
    content = json.loads(move)
    name, arguments = content["tool"], content["args"]
    named = json.dumps({"name": name, "arguments": arguments})
    values = ", ".join(map(repr, arguments.values()))
    forms = [
        move,
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"[{named}]",
        f"{name}({values})",
        f"Action: {name}\nAction Input: {json.dumps(arguments)}",
        f"```json\n{named}\n```",
    ]
    results = {task.world().use(form) for form in forms}
    assert len(results) == 1
    assert not next(iter(results))[0].startswith("Error")


def test_several_calls_in_a_reply_run_in_order_and_are_counted() -> None:
    task = instance(4, 2)
    calls = [json.loads(move) for move in task.solution.calls]
    assert score(task, json.dumps(calls)).value == 1
    assert task.world().use(json.dumps(calls))[1] == len(calls)


def test_no_reply_has_more_calls_than_are_left() -> None:
    task = instance(1, 0)
    entity = task.domain.entities[0]
    look = json.loads(call(entity.details, id=task.records[0][0].number))
    calls = [look] * task.calls + [json.loads(move) for move in task.solution.calls]
    assert task.calls < len(calls) <= 64
    assert score(task, json.dumps(calls)).value == 0


def test_done_may_be_a_call() -> None:
    task = instance(1, 0)
    for form in ("Done.", "done()", '{"tool": "done"}'):
        episode = Episode(task, BARE, [*task.solution.calls, form])
        assert episode.score.value == 1


def test_every_clause_of_the_policy_matters() -> None:
    """Requests need owners' steps, are forbidden or impossible, and lists have several pages."""
    tasks = [instance(seed, level) for seed in range(40) for level in (4, 6)]
    requests = [request for task in tasks for request in task.requests]
    declined = [
        path[0] == "decline" and value
        for task in tasks
        for path, value in task.solution.changes.items()
        if path[0] == "decline"
    ]
    impossible = declined.count(0)
    assert 0.05 < impossible / len(requests) < 0.25
    assert 0.15 < (len(declined) - impossible) / len(requests) < 0.5
    assert any('"page": 2' in move for task in tasks for move in task.solution.calls)
    full = 0
    for task in tasks:
        for number, request in enumerate(task.requests, 1):
            decision = task.solution.changes.get(("decline", str(number)))
            full += request.action == "assign" and decision == 0
    assert full


RULE = re.compile(
    r"Rule (\d+): An? (\w+) whose (\w+) is '(\w+)' must not "
    r"(?:come into the (\w+) '(\w+)'|have its (\w+) changed by (\w+)|have its (\w+) changed)"
    r"(?:, unless its (\w+) is (\d+) or more)?\.",
    re.IGNORECASE,
)


def test_the_text_of_the_policy_says_what_is_judged() -> None:
    """Another reading of the rules, from their text, agrees in a thousand situations."""
    rng = Random(7)
    for _ in range(50):
        domain = random_domain(rng, 3, 4, 12)
        domain = domain._replace(rules=random_rules(rng, domain, 6, []))
        rules = [RULE.fullmatch(line) for line in domain.policy()]
        for _ in range(20):
            number = rng.randrange(len(rules))
            rule, match = domain.rules[number], rules[number]
            assert match
            n = rng.choice([rule.entity, rng.randrange(3)])
            entity = domain.entities[n]
            trait, stock = rng.choice([rule.trait, *entity.traits]), rng.randint(0, 99)
            action = rng.choice(["advance", "adjust", "assign"])
            state = rng.choice([rule.after, *entity.states[1:]]) if action == "advance" else ""
            _, noun, column, value, _, into, stock_name, _, owner, _, least = match.groups()
            verb = "advance" if into else "adjust" if stock_name else "assign" if owner else ""
            forbidden = (
                noun.lower() == entity.noun
                and column == entity.trait
                and value == trait
                and verb == action
                and (into or "") == state
                and not (least and stock >= int(least))
            )
            assert rule.forbids(n, action, state, trait, stock) == forbidden


def test_the_oracle_holds_no_world() -> None:
    """It has the documentation and a function from a call to what a player reads."""
    task = instance(3, 4)
    episode = Episode(task, BARE)
    Client(task.domain, caller(episode)).fulfil(task.requests)
    episode.step("done")
    assert episode.score.value == 1


def test_worlds_share_records_until_one_changes_them() -> None:
    task = instance(3, 1)
    one, other = task.world(), task.world()
    before = [dict(table) for table in one.tables.start]
    for move in task.solution.calls:
        one.use(move)
    assert one.tables.changes() == task.solution.changes
    assert [dict(table) for table in one.tables.start] == before
    assert not other.tables.changes()


@pytest.mark.parametrize("level", [2, 4, 6])
def test_random_calls_earn_nothing(level: int) -> None:
    rng = Random(level)
    values = []
    for seed in range(20):
        task = instance(seed, level)
        tools = toolkit(task.domain)
        moves = []
        for _ in range(task.calls):
            tool = rng.choice(tools)
            n = rng.randrange(len(task.records))
            row = rng.choice(task.records[n])
            arguments = {
                name: row.label if each is str else rng.choice([row.number, row.number, 1])
                for name, each in tool.parameters.items()
            }
            moves.append(call(tool.name, **arguments))
        values.append(score(task, *moves).value)
    assert sum(values) / len(values) <= 0.05
