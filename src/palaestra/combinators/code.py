"""Programs as actions: a reply is Python code that calls the tools of a world as functions.

After CodeAct (X. Wang and others, "Executable Code Actions Elicit Better LLM Agents", 2024) and the
interactive coding of AppWorld (H. Trivedi and others, 2024).
"""

import json
import re
from collections.abc import Container, Generator, Iterable, Mapping, Sequence
from functools import cache
from keyword import iskeyword
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import Combinator, OfOne
from palaestra.task import InvalidAnswer, Match, Play, Policy, Puzzle, Score, Task, Turn
from palaestra.verifiers.calls.reading import Call, read_calls
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.sandbox import Limits
from palaestra.verifiers.sandbox.callees import Fault, Lost, called

LIMITS = Limits(cpu_s=5, wall_s=10, sleep_s=1, memory_mb=256, output_kb=64, processes=8)
"""The limits of one program."""

TOTAL_S = 20.0
"""How many seconds the programs of an episode may take together before further ones are refused."""

TOOL = "python"
"""The name of the tool that runs programs, for players who call functions."""

OUTPUT = 9_000
"""How many characters of what a jail reports are believed to be an output. Honest ones are cut to
8,000 there, and a note says so.
"""

CALL = "call"
"""The name of the function that calls any tool."""

LANGUAGES = ("python", "python3", "py")
"""The languages that a fenced block may name."""

MARK = "<|python_tag|>"
"""What the chat template of Llama puts before programs, and before calls as well."""

TAGS = (("<execute>", "</execute>"), ("<code>", "</code>"), ("```", "```"))
"""What programs stand between."""

_CALLS = re.compile(r"\s*+(?:\{|\[\s*+\{|\[TOOL_CALLS\]|functools\[|<function|<tool_call)")
"""How a text begins that makes calls and is no program."""

_SCHEMA: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": TOOL,
        "description": "Run a Python program in which the other tools are functions, and return "
        "what it prints.",
        "parameters": {
            "type": "object",
            "properties": {"code": {"type": "string", "maxLength": Task.longest}},
            "required": ["code"],
            "additionalProperties": False,
        },
    },
}

_WORD = re.compile(r"\w+")

Session = Generator[Turn | str, str, Score | Sequence[Score]]


class _Step(NamedTuple):
    """What a program has come to: a call, or its end with what it has printed."""

    call: str = ""
    ended: str | None = None


class CodeTask(OfOne):
    """A world of tools that programs may act on."""

    combinator: ClassVar["Code"]

    task: Task  # type: ignore[assignment]  # the base has one reply alone

    @classmethod
    def around(cls, task: Task, rng: Random, another: Sampler) -> Self:
        if TOOL in parameters_of(task):
            raise Unsuitable(f"the world has a tool called {TOOL} already")
        return cls(task=task)

    def play(self) -> Play:
        """The score is that of the world, whose calls are counted one by one."""
        world: Session = self.task.play()
        turn = _turn(next(world))
        observation = f"{turn.observation}\n\n{self._rules()}"
        reward, programs, seconds = 0.0, 0, 0.0
        tools = parameters_of(self.task)
        try:
            while True:
                step = Turn(observation, reward=reward, state=turn.state)
                try:
                    move = yield step
                except InvalidAnswer as error:
                    turn = _turn(world.throw(error))
                    observation, reward = turn.observation, turn.reward
                    continue
                code = program(move, tools)
                if code is None:
                    turn = _turn(world.send(move if self.task.verbatim else unwrapped(move)))
                    observation, reward = turn.observation, turn.reward
                elif programs == self.combinator.programs or seconds > TOTAL_S:
                    refusal = "no more programs can be run; call the tools one by one"
                    turn = _turn(world.throw(InvalidAnswer(refusal)))
                    observation, reward = turn.observation, turn.reward
                else:
                    programs, since = programs + 1, monotonic()
                    turn, observation, reward = self._run(world, turn, code, tools)
                    seconds += monotonic() - since
        except StopIteration as end:
            score: Score = end.value
            return score

    def _run(
        self, world: Session, turn: Turn, code: str, tools: Mapping[str, Sequence[str]]
    ) -> tuple[Turn, str, float]:
        """Run a program in the world: the last turn, what the program prints, and the rewards."""
        reward, calls, printed = 0.0, 0, ""
        try:
            with called(interpreter(), LIMITS) as callee:
                step = self._step(callee("start", code, tools))
                while step.ended is None:
                    turn = _turn(world.send(step.call))
                    calls, reward = calls + 1, reward + turn.reward
                    step = self._step(callee("resume", turn.observation))
                printed = step.ended
        except (Lost, Fault) as error:
            printed = f"Error: {error}"
        if not calls:
            turn = _turn(world.throw(InvalidAnswer("the program calls no tool")))
            reward = turn.reward
            printed = printed or turn.observation
        return turn, printed or "(The program prints nothing.)", reward

    def _step(self, value: Any) -> _Step:
        """A step as the jail reports it, which is made a call that a player could make, or an
        output, whatever it is.
        """
        match value:
            case ["call", str(name), str(arguments)]:
                if len(name) + len(arguments) > self.longest:
                    raise Lost("the arguments of a call are too long")
                return _Step(f'{{"tool": {json.dumps(name)}, "args": {arguments}}}')
            case ["end", str(output), str(error)]:
                ending = f"Error: {error[:OUTPUT]}" if error else ""
                parts = (output[:OUTPUT].rstrip(), ending)
                printed = "\n".join(filter(None, parts))
                return _Step(ended=printed.encode("utf-8", "replace").decode())
        raise Lost("the program has ended")

    def _rules(self) -> str:
        opening = self.phrase(
            "In place of calls, a reply may be a Python program in a fenced block (```python).",
            "You can act by programs, too: reply with Python code in a fenced block (```python).",
        )
        return (
            f"{opening} In it, each tool is a function of its name, which takes its parameters in "
            'their order or by name and returns the result as text; call("name", **arguments) does '
            "the same. You see what the program prints, and the value of an expression in its last "
            "line. Each call counts as one; a program without calls counts as one, too. Each "
            "program is a new process with Python's standard library, which may take "
            f"{LIMITS.cpu_s:g} seconds: variables of earlier ones are gone. You can run up to "
            f"{self.combinator.programs} programs."
        )

    def check_reply(self, reply: str) -> None:
        self.task.check_reply(reply)

    def solve(self) -> Iterable[str]:
        """The calls of the world's perfect player, several in each program."""
        waiting: list[Call] = []
        moves = [*self.task.solve()]
        size, order = self.combinator.batch(len(moves)), parameters_of(self.task)
        for move in moves:
            if (calls := _calls(move, order)) is None:
                yield from _programs(waiting)
                yield move
                waiting = []
                continue
            waiting += calls
            if len(waiting) >= size:
                yield from _programs(waiting)
                waiting = []
        yield from _programs(waiting)

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [*self.task.tools(), _SCHEMA]

    def random_baseline(self) -> float:
        return self.task.random_baseline()

    def baselines(self, rng: Random) -> Mapping[str, str | Policy]:
        return self.task.baselines(rng)

    def shortcuts(self) -> Iterable[str]:
        return self.task.shortcuts()


class Code(Combinator):
    """A reply may be a Python program that calls the tools of a world as functions.

    A reply that is no program is a call, as in the world itself. The programs run in the sandbox,
    up to ``programs`` of them in an episode; the world does not run there, and is reached by calls
    alone. Its budget of calls, its rewards and its score are those without the combinator.
    """

    name: ClassVar[str] = "code"
    template: ClassVar[type[Combination]] = CodeTask

    programs: int = Field(16, ge=1, le=64)

    def batch(self, moves: int) -> int:
        """How many calls a program of the perfect player makes."""
        return max(4, -(-moves // max(1, self.programs // 2)))

    def refusal(self, base: type[Task]) -> str:
        """It is for worlds whose tools are called in several turns, but for shells, in which code
        is a command already.
        """
        if "tool-use" not in base.tags or issubclass(base, Puzzle | Match):
            return "it is for worlds of tools that are played in several turns"
        if "shell" in base.tags:
            return "replies are commands of a shell there"
        return ""

    def fields(self, base: type[Task]) -> dict[str, Any]:
        return {"task": base}

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        return super().class_variables(base) | {
            "tags": base.tags | {self.name, "sandboxed"},
            "verbatim": True,
            "longest": max(base.longest, Task.longest),
            "expensive": True,
        }


def program(move: str, tools: Container[str] = ()) -> str | None:
    r"""The code of a reply, or None for one that makes calls or has finished.

    Fenced blocks are one program, without the text around them. Where there are none, the reply is
    a program if it names one of the ``tools``.

    >>> program("I look.\n```python\nprint(1)\n```"), program('{"tool": "look", "args": {}}')
    ('\nprint(1)\n', None)
    >>> program('{"tool": "python", "args": {"code": "print(1)"}}'), program("Done.")
    ('print(1)', None)
    >>> program('```json\n{"tool": "look"}\n```'), program("<code>print(1)</code>")
    (None, 'print(1)')
    >>> program("print(look(1))", {"look"}), program("I look around.", {"search"})
    ('print(look(1))', None)
    """
    text = move.strip().removeprefix(MARK).lstrip()
    if text.strip(".").casefold() == "done":
        return None
    if _CALLS.match(text) or "<tool_call>" in text or "\nAction Input:" in text:
        return _of_call(text)
    for opening, closing in TAGS:
        if opening in text:
            pieces = (piece.partition(closing)[0] for piece in text.split(opening)[1:])
            blocks = [*pieces][:: 2 if opening == closing else 1]
            code = "".join(map(_without_language, blocks))
            return None if _CALLS.match(code) or not code.strip() else code
    return text if any(word in tools or word == CALL for word in _WORD.findall(text)) else None


def _of_call(text: str) -> str | None:
    """The code that a call of the tool has as its argument, if it is one."""
    try:
        calls = read_calls(text) if TOOL in text else []
    except InvalidAnswer:
        return None
    code = calls[0].arguments.get("code") if [each.name for each in calls] == [TOOL] else None
    return code if isinstance(code, str) else None


def _without_language(block: str) -> str:
    """A block of code without the name of its language; nothing where it is in another one."""
    first, newline, rest = block.partition("\n")
    language = first.strip().casefold()
    if not newline or not language.isalnum():
        return block
    return newline + rest if language in LANGUAGES else ""


def parameters_of(task: Task) -> dict[str, list[str]]:
    """The names of the parameters of each tool of a task, by its name."""
    functions = (each["function"] for each in task.tools())
    return {each["name"]: [*each["parameters"].get("properties", {})] for each in functions}


@cache
def interpreter() -> str:
    """The program that runs programs in a jail."""
    return Path(__file__).with_name("interpreter.py").read_text("utf-8")


def _turn(yielded: Turn | str) -> Turn:
    return yielded if isinstance(yielded, Turn) else Turn(yielded)


def _calls(move: str, order: Mapping[str, Sequence[str]]) -> list[Call] | None:
    """The calls of a perfect player's move; None where it is none."""
    try:
        calls = read_calls(move, lambda name: order.get(name, ()))
    except InvalidAnswer:
        return None
    return None if any(each.name not in order for each in calls) else calls


def _programs(calls: Sequence[Call]) -> Iterable[str]:
    """One program that makes calls and prints their results, if there are any."""
    if calls:
        lines = "\n".join(f"print({_written(each)})" for each in calls)
        yield f"```python\n{lines}\n```"


def _written(tool: Call) -> str:
    """A call as an expression in Python."""
    if all(name.isidentifier() and not iskeyword(name) for name in (tool.name, *tool.arguments)):
        arguments = ", ".join(f"{name}={value!r}" for name, value in tool.arguments.items())
        return f"{tool.name}({arguments})"
    return f"call({tool.name!r}, **{dict(tool.arguments)!r})"
