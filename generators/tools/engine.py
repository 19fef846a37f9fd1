"""Worlds that a player acts on through tools which are data, so that they may be drawn.

:mod:`palaestra.toolbox` makes tools of methods. Here a tool is a value: its name, documentation and
parameters may differ from task to task. Calls are read in every dialect that
:func:`~palaestra.verifiers.calls.reading.read_calls` knows, and a reply may have several.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from inspect import GEN_CREATED, getgeneratorstate
from random import Random
from typing import Any, NamedTuple

from palaestra.task import InvalidAnswer, Policy, Score, Turn
from palaestra.toolbox import call
from palaestra.verifiers.calls.reading import CALLS, Call, read_calls

DONE = "done"
"""What a player says that has finished, as a word or as the name of a call."""

BUSY = "Error: the service is busy. Nothing has changed; the same call may be repeated."

EXAMPLE = call("tool_name", argument="value")
"""What a call looks like."""

FEW = 16
"""Up to so many tools are all named where there is none of a name."""

LONGEST = 200
"""How many characters of a call the name of a state has."""

Arguments = Mapping[str, Any]

Changes = dict[tuple[str, ...], Any]
"""The new values in a world by path."""

TYPES = {int: ("integer", "an integer"), str: ("string", "a text"), bool: ("boolean", "a boolean")}
"""For each type of an argument, its name in JSON Schema and in sentences."""


class Tool(NamedTuple):
    """A typed function of a world. ``run`` gets the world and the arguments in the order of the
    parameters, and raises :class:`InvalidAnswer` where it refuses; it must not have changed
    anything then.

    The type of a parameter is ``int``, ``str`` or ``bool``, or a tuple of the texts that it may be.
    """

    name: str
    description: str
    parameters: Mapping[str, type | tuple[str, ...]]
    run: Callable[[Any, Arguments], str]
    optional: Mapping[str, Any] = {}
    """The default values of the parameters that may be left out."""

    def line(self) -> str:
        """The tool in the list that a player reads."""
        parts = (
            f"{name}: {_in_words(each)}"
            + (f" = {self.optional[name]!r}" if name in self.optional else "")
            for name, each in self.parameters.items()
        )
        return f"- {self.name}({', '.join(parts)}): {self.description}"

    def schema(self) -> dict[str, Any]:
        """The tool as a function in the form of chat APIs."""
        properties: dict[str, dict[str, Any]] = {
            name: _schema(each)
            | ({"default": self.optional[name]} if name in self.optional else {})
            for name, each in self.parameters.items()
        }
        parameters = {
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if name not in self.optional],
            "additionalProperties": False,
        }
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": parameters,
        }
        return {"type": "function", "function": function}

    def checked(self, arguments: Arguments) -> Arguments:
        """The arguments with defaults. Raises :class:`InvalidAnswer` where they are not right."""
        for name in arguments:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise InvalidAnswer(f"{self.name} has no argument {name[:40]!r}; it has {known}")
        values = {**self.optional, **arguments}
        for name, expected in self.parameters.items():
            if name not in values:
                raise InvalidAnswer(f"{self.name} needs the argument {name!r}")
            if isinstance(expected, tuple):
                if values[name] not in expected:
                    raise InvalidAnswer(
                        f"the argument {name!r} of {self.name} is one of "
                        + ", ".join(each or "''" for each in expected)
                    )
            elif type(values[name]) is not expected:
                raise InvalidAnswer(f"the argument {name!r} of {self.name} is {TYPES[expected][1]}")
        return {name: values[name] for name in self.parameters}


def _in_words(expected: type | tuple[str, ...]) -> str:
    """A type in the list that a player reads."""
    return " | ".join(map(repr, expected)) if isinstance(expected, tuple) else expected.__name__


def _schema(expected: type | tuple[str, ...]) -> dict[str, Any]:
    """A type in JSON Schema."""
    if isinstance(expected, tuple):
        return {"type": "string", "enum": [*expected]}
    return {"type": TYPES[expected][0]}


class ToolWorld:
    """What a session acts on: a subclass keeps the state, which its tools change.

    ``busy`` in 100 calls fail with :data:`BUSY` and change nothing; which ones is a function of the
    ``seed`` and the number of the call.
    """

    def __init__(self, tools: Sequence[Tool], seed: int = 0, busy: int = 0) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.seed, self.busy = seed, busy
        self.seen: set[str] = set()
        self.calls = 0
        self._refused = ("", "")
        """The last reply that was no call, and what is wrong with it: it is often repeated."""

    def changes(self) -> Changes:
        """All values that differ from the start, by path."""
        raise NotImplementedError

    def state(self) -> str:
        """A canonical name of what the player has brought about and seen."""
        return f"changed {sorted(self.changes().items())}, seen {sorted(self.seen)}"

    def use(self, reply: str, most: int = CALLS) -> tuple[str, int]:
        """Run the calls of a reply in order, ``most`` of them at most, and give their results and
        how many were run, which are none only if the player has finished.

        What is no call is answered with an error, changes nothing, and counts as one.
        """
        if reply == self._refused[0] != "":
            return self._refused[1], 1
        try:
            calls = self.read(reply)[:most]
        except InvalidAnswer as error:
            self._refused = (reply, f"Error: {error}; a call looks like {EXAMPLE}")
            return self._refused[1], 1
        return "\n".join(map(self.result, calls)), len(calls)

    def read(self, reply: str) -> list[Call]:
        """The calls of a reply, of which there are none where the player has finished.

        Raises :class:`InvalidAnswer` for what is neither.
        """
        if reply.strip().strip(".").casefold() == DONE:
            return []
        calls = read_calls(reply, self._order)
        return [] if [call.name for call in calls] == [DONE] else calls

    def _order(self, name: str) -> Sequence[str]:
        return tuple(self.tools[name].parameters) if name in self.tools else ()

    def result(self, call: Call) -> str:
        """The result of a call: what the tool returns, or an error, which changes nothing."""
        self.calls += 1
        if self.busy and Random(f"{self.seed} {self.calls}").random() * 100 < self.busy:
            return BUSY
        tool = self.tools.get(call.name)
        if tool is None:
            return f"Error: {self._unknown(call.name)}"
        try:
            result = tool.run(self, tool.checked(call.arguments))
        except InvalidAnswer as error:
            return f"Error: {error}"
        self.seen.add(f"{call.name} {sorted(call.arguments.items())}"[:LONGEST])
        return result

    def _unknown(self, name: str) -> str:
        """That there is no such tool, with near names, or all of a few."""
        few = [*self.tools] if len(self.tools) <= FEW else []
        near = get_close_matches(name[:60], self.tools, 3, 0.5) or few
        return f"there is no tool {name[:60]!r}" + (f"; there is {', '.join(near)}" if near else "")

    def turn(self, observation: str, reward: float, state: str) -> Turn:
        """What the player gets. A subclass may add to it."""
        return Turn(observation, reward=reward, state=state)

    def session(self, brief: str, calls: int, goal: Changes) -> Generator[Turn, str, None]:
        """Answer the player's calls until it says ``done`` or has none left.

        Half of the :func:`progress` towards the goal is paid as it is made, and taken back where it
        is lost.
        """
        left, result, paid, reward = calls, brief, 0.0, 0.0
        while left > 0:
            try:
                move = yield self.turn(result, reward, f"{left} {self.state()}")
            except InvalidAnswer as error:
                left, result, reward = left - 1, f"Error: {error}", 0.0
                continue
            result, number = self.use(move, left)
            if not number:
                return
            left -= number
            now = progress(self.changes(), goal) / 2
            reward, paid = now - paid, now


def manual(tools: Sequence[Tool], calls: int) -> str:
    """The tools in words, and how to call them."""
    lines = "\n".join(tool.line() for tool in tools)
    return (
        f"Tools:\n{lines}\n\nYou have {calls} calls. A call looks like "
        f"{EXAMPLE}. Errors change nothing. When finished, answer: done"
    )


def progress(changes: Changes, goal: Changes) -> float:
    """The share of the wanted changes, or 0 where another value has changed."""
    if not changes.keys() <= goal.keys():
        return 0.0
    wanted: int = sum(changes.get(path) == value for path, value in goal.items())
    return wanted / len(goal)


def judged(changes: Changes, goal: Changes) -> Score:
    """1 if all wanted changes are there and no others, otherwise 0.

    The parts are the share of the wanted changes, ``goal``, and how many others there are,
    ``damage``.
    """
    wanted = sum(changes.get(path) == value for path, value in goal.items())
    damage = len(changes.keys() - goal.keys())
    parts = {"goal": wanted / len(goal), "damage": float(damage)}
    if damage:
        return Score(0, f"values that should not have changed: {damage}", parts)
    missing = len(goal) - wanted
    reason = f"wanted changes that are missing or wrong: {missing} of {len(goal)}"
    return Score(0, reason, parts) if missing else Score(1, parts=parts)


Client = Generator[str, str, None]
"""A player as a generator of calls that is sent the result of each."""


def solved(world: ToolWorld, client: Client, most: int) -> tuple[str, ...]:
    """The calls that a client makes in a world, ``most`` of them at most."""
    calls: list[str] = []
    with suppress(StopIteration):
        move = next(client)
        while len(calls) < most:
            calls.append(move)
            move = client.send(world.use(move)[0])
    return tuple(calls)


def using(tool: str, /, **arguments: Any) -> Generator[str, str, str]:
    """For a client: the result of a call, which is repeated while the service is busy."""
    while True:
        result = yield call(tool, **arguments)
        if result != BUSY:
            return result


def acting(client: Client) -> Policy:
    """The policy that plays as a client does."""

    def policy(turn: Turn) -> str:
        is_new = getgeneratorstate(client) == GEN_CREATED
        try:
            return next(client) if is_new else client.send(turn.observation)
        except StopIteration:
            return DONE

    return policy


def scripted(moves: Iterable[str]) -> Policy:
    """The policy that makes these moves, and then stops."""
    left = iter(moves)
    return lambda turn: next(left, "done")
