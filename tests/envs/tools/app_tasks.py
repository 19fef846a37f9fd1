"""What every task of apps has to stand, whatever the apps are."""

import json
import re
from random import Random
from time import process_time

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.apps import MOST_CALLS
from palaestra.generators.tools.engine import solved
from palaestra.toolbox import call

ODD = (
    -1,
    0,
    10**30,
    True,
    None,
    1.5,
    [],
    {},
    "",
    " ",
    "x" * 19_000,
    "\u202e",
    "'; DROP",
    "{" * 999,
)


class Session:
    """A player who knows the prompt and what the tools answer, and has calls enough."""

    def __init__(self, task):
        self.episode = Episode(task.model_copy(update={"calls": 100_000}), BARE)
        self.prompt = self.episode.observation
        self.rules = re.findall(r"^Rule \d+: (.*)$", self.prompt, re.MULTILINE)
        self.requests = re.findall(r"^Request \d+: (.*)$", self.prompt, re.MULTILINE)

    def use(self, tool, **arguments):
        """The result of a call, which is repeated while the service is busy."""
        while True:
            self.episode.step(call(tool, **arguments))
            if not self.episode.observation.startswith("Error: the service is busy"):
                return self.episode.observation

    def rows(self, tool, **arguments):
        """The rows on all pages of a list."""
        rows, page, pages = [], 1, 1
        while page <= pages:
            *lines, end = self.use(tool, page=page, **arguments).split("\n")
            pages = int(end.rpartition(" of ")[2][:-1]) if end.startswith("(page") else 1
            rows += [json.loads(line) for line in (*lines, end) if line.startswith("{")]
            page += 1
        return rows

    def rule(self, pattern):
        """The values in the rule that matches a pattern, or nothing."""
        return next((match for each in self.rules if (match := re.search(pattern, each))), None)


def check_prompt_suffices(name, seeds, play):
    """Who reads nothing but the prompt and the results of calls comes to the goal; ``play`` is
    another reading of the rules and the requests.
    """
    for seed in seeds:
        session = Session(instance(name, seed, seed % 7))
        play(session)
        session.episode.step("done")
        assert session.episode.score.value == 1, (seed, seed % 7)


def instance(name, seed, level, **knobs):
    return Address.of(name, seed, level, **knobs).task()


def check_oracle(name, number):
    """The oracle wins with the calls that there are, and needs calls that change something."""
    for seed in range(number):
        task = instance(name, seed, seed % 7)
        assert score(task, *task.solution).value == 1, (seed, seed % 7)
        assert len(task.solution) < task.calls
        assert score(task).value == 0
        assert len(task.requests) == task.Knobs.at(seed % 7).requests


def changing_calls(task):
    """The calls of the oracle that change something, by their positions."""
    world, before, positions = task.world(), {}, []
    for n, move in enumerate(task.solution):
        world.use(move)
        if (now := world.changes()) != before:
            positions.append(n)
        before = now
    return positions


def check_missing_calls(name, level, seeds=4, replaced=True):
    """Every call that changes something is needed; where a later one may replace what it does, only
    if none is about the same row.
    """
    for seed in range(seeds):
        task = instance(name, seed, level, busy=0)
        subjects = [move.partition(",")[2].partition(",")[0] for move in task.solution]
        for n in changing_calls(task):
            if replaced and subjects[n] in subjects[n + 1 :]:
                continue
            moves = [move for m, move in enumerate(task.solution) if m != n]
            assert score(task, *moves).value == 0, (seed, task.solution[n])


def check_damage(name, level, extra, seeds=6):
    """A change besides those of the oracle gives 0; ``extra`` makes a call from a task and rng."""
    rng = Random(level)
    for seed in range(seeds):
        task = instance(name, seed, level, busy=0)
        move = extra(task, rng)
        result = score(task, *task.solution, move)
        assert result.value == 0, move
        assert score(task, move, *task.solution).value == 0, move


def check_rewards(name, extra):
    """Rewards add up to the score; damage takes them back."""
    task = instance(name, 5, 4, busy=0)
    calls = task.solution
    last = changing_calls(task)[-1]
    damage = extra(task, Random(1))
    rewards = []
    for moves in ([*calls], [*calls[:last], *calls[last + 1 :]], [*calls, damage], ["x"]):
        episode = Episode(task, BARE)
        rewards.append([episode.step(move) for move in (*moves, "done")])
        assert sum(rewards[-1]) == pytest.approx(episode.score.value)
    assert max(rewards[0][:-1]) > 0
    assert min(rewards[2]) < 0


def check_replay(name):
    """The same replies give the same states."""
    task = instance(name, 3, 5)
    states = []
    for _ in range(2):
        episode = Episode(task, BARE)
        states.append([])
        for move in task.solution:
            states[-1].append(episode.turn.state)
            episode.step(move)
    assert states[0] == states[1]
    assert len({*states[0]}) > len(states[0]) // 2


def check_dialects(name):
    """A call does the same in several dialects."""
    task = instance(name, 4, 3, busy=0)
    move = task.solution[changing_calls(task)[0]]
    content = json.loads(move)
    tool, arguments = content["tool"], content["args"]
    named = json.dumps({"name": tool, "arguments": arguments})
    values = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    forms = (
        move,
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"{tool}({values})",
        f"Action: {tool}\nAction Input: {json.dumps(arguments)}",
        f"```json\n{named}\n```",
    )
    outcomes = set()
    for form in forms:
        world = task.world()
        outcomes.add((*world.use(form), str(world.changes())))
    assert len(outcomes) == 1
    assert "Error" not in next(iter(outcomes))[0]
    calls = [json.loads(each) for each in task.solution]
    assert score(task, json.dumps(calls[:64]), *task.solution[64:]).value == 1


def check_hostile_arguments(name):
    """Odd arguments are answered at once in the world's words, and change little."""
    task = instance(name, 2, 6, busy=0)
    rng = Random(3)
    for tool in task.toolkit():
        for _ in range(25):
            world = task.world()
            arguments = {each: rng.choice(ODD) for each in tool.parameters}
            for move in (call(tool.name, **arguments), call(tool.name, nonsense=1)):
                start = process_time()
                result, number = world.use(move)
                assert process_time() - start < 0.1
                assert number == 1
                assert len(result) < 8_000
                if result.startswith("Error"):
                    assert not world.changes()
                    assert "Traceback" not in result


def check_players(name, level, most, seeds=16):
    """Lazy players earn little."""
    earned = {}
    for seed in range(100, 100 + seeds):
        task = instance(name, seed, level)
        for player, policy in task.baselines(Random(seed)).items():
            episode = Episode(task, BARE)
            while episode.scores is None:
                episode.step(policy(episode.turn))
            earned[player] = earned.get(player, 0) + episode.score.value / seeds
    assert earned["do nothing"] == earned["random calls"] == 0
    assert max(earned.values()) <= most, earned


def check_solution(name, number):
    """The calls and the goal that are known from drawing a task are those that come from its
    records, with lists that are read as text.
    """
    for seed in range(number):
        task = instance(name, seed, seed % 7)
        same = type(task).model_validate_json(task.model_dump_json())
        assert same.goal == task.goal
        assert solved(same.world(), same.client(), MOST_CALLS) == task.solution


IDS = {"kept": "contact", "merged": "contact", "replacement": "track", "draft": "outgoing"}


def random_arguments(task, tool, rng, texts):
    """Arguments of the right types, with ids that there are; texts by their names."""
    arguments = {}
    for name, each in tool.parameters.items():
        rows = task.tables.get(IDS.get(name, name), ())
        if isinstance(each, tuple):
            arguments[name] = rng.choice([value for value in each if value])
        elif each is str:
            arguments[name] = texts.get(name, "")
        else:
            numbers = [*rows] if rows else range(1, 5)
            arguments[name] = rng.random() < 0.5 if each is bool else rng.choice(numbers)
    return arguments


def check_every_tool_may_damage(name, texts, tools, seeds=4):
    """One call of each of these tools, which are all that change something, gives 0."""
    damaging = set()
    for seed in range(seeds):
        task, rng = instance(name, seed, 5, busy=0), Random(seed)
        for tool in task.toolkit():
            for _ in range(60):
                move = call(tool.name, **random_arguments(task, tool, rng, texts(task, rng)))
                world = task.world()
                for each in (*task.solution, move):
                    world.use(each)
                if world.changes() != task.goal:
                    assert score(task, *task.solution, move).value == 0, move
                    damaging.add(tool.name)
                    break
                if tool.name not in tools:
                    break
    assert damaging == {*tools}


def check_same_goal(name, number, expected):
    """Another computation over the hidden records comes to the same goal."""
    for seed in range(number):
        task = instance(name, seed, seed % 7)
        assert expected(task) == task.goal, (seed, seed % 7)
