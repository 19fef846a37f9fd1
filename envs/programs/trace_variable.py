"""Tracing a variable by hand, the oldest way to learn what a program does."""

from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from random import Random
from typing import Self

from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.english import listing, nameless
from palaestra.generators.programs.mini_python.machine import Frame
from palaestra.generators.programs.mini_python.parameters import literal, random_call
from palaestra.generators.programs.mini_python.parse import statements
from palaestra.generators.programs.mini_python.players import arguments_of, literals
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Name,
    Statement,
    TupleOf,
)
from palaestra.generators.programs.players import transformed
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder

WIDEST = 180
"""How many signs the values may have together."""


class TraceVariable(Puzzle):
    """List the values that a variable takes at a line while a Python function runs."""

    version = 2
    tags = {"simulation", "code", "unique-solution"}
    answer_type = "code"

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 2, 2, 3, 4, 5, low=1, high=6)  # loops one after another
        tier: int = ladder(0, 1, 1, 2, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 8, 7, 7, 7, 8, 9, high=10)  # of the lists and strings it is given
        fewest: int = ladder(3, 5, 6, 7, 8, 9, 11, low=3, high=12)  # values of the variable

    source: str
    call: str
    line: int
    variable: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        while True:
            length = max(knobs.length, knobs.fewest)  # a loop takes as many turns, or about so
            function = program(rng, knobs.idioms, knobs.tier, length)
            call = random_call(rng, function.name, function.signature)
            traces = _traces(function.source, call)
            for line, variable in rng.sample(list(traces), len(traces)):
                task = cls(source=function.source, call=call, line=line, variable=variable)
                if task.lively(knobs.fewest):
                    return task

    def lively(self, fewest: int) -> bool:
        """Whether the variable takes so many values or more, and does not just count."""
        values = self.values()
        if not fewest <= len(values) <= 2 * fewest + 4 or sum(map(len, values)) > WIDEST:
            return False
        if ", ".join(values) in self.call:
            return False
        numbers = [int(value) for value in values if value.lstrip("-").isdigit()]
        steps = {b - a for a, b in pairwise(numbers)}
        return len(set(values)) >= min(4, fewest) and len(steps) != 1

    def values(self) -> tuple[str, ...]:
        """What the variable holds, each time the line has been carried out."""
        return _traces(self.source, self.call).get((self.line, self.variable), ())

    def canonical(self) -> str:
        return nameless(f"{self.source}\n{self.call}\n{self.line} {self.variable}")

    def prompt(self) -> str:
        ask = self.phrase(
            f"Which values does {self.variable} take at line {self.line}?",
            f"Follow the variable {self.variable} at line {self.line}.",
        )
        return (
            f"Here is a program in Python 3, with its lines numbered.\n\n{listing(self.source)}\n\n"
            f"It is run once, by this call:\n{self.call}\n\n{ask} List the value that "
            f"{self.variable} has each time line {self.line} has just been executed, in order, "
            "even if it is the same as before. Write one list, such as '[7, 3, 3]', with each "
            "value as repr() shows it at that time: strings in quotes, lists in square brackets."
        )

    def answer(self) -> str:
        return f"[{', '.join(self.values())}]"

    def verify(self, answer: str) -> Score:
        results, values = literal(answer), self.values()
        if not isinstance(results, list):
            raise InvalidAnswer("not a list in square brackets")
        texts = [repr(value) for value in results]
        wrong = (n for n, (one, two) in enumerate(zip(texts, values), 1) if one != two)
        if (first := next(wrong, None)) is not None:
            return Score(0, f"value {first} of the list is wrong")
        if len(texts) != len(values):
            few = len(texts) < len(values)
            return Score(0, f"the line is executed {'more' if few else 'fewer'} times")
        return Score(1)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who list the items of the first argument, counts, or literals of the program."""
        first = arguments_of(self.call)[0]
        items = list(range(first) if isinstance(first, int) else first)
        rows = transformed([items])
        players = {f"items of the first argument, {idiom}": row for idiom, (row,) in rows.items()}
        players["running totals of the first argument"] = list(accumulate(items))
        players["counted from 0"] = list(range(len(items)))
        players["counted from 1"] = list(range(1, len(items) + 1))
        guesses = rng.choices(literals(self.source) or ["0"], k=len(items))
        texts = {name: repr(row) for name, row in players.items() if isinstance(row, list)}
        return {**texts, "random literals of the program": f"[{', '.join(guesses)}]"}

    def difficulty(self) -> float:
        return float(compiled(self.source).call(self.call).steps)


@lru_cache(maxsize=64)
def _traces(source: str, call: str) -> Mapping[tuple[int, str], tuple[str, ...]]:
    """What each variable holds, each time a line that gives it a value has been carried out.

    There is nothing where the call ends with an exception.
    """
    program, by_step = Program(source), dict[tuple[int, str], list[str]]()
    for function in program.parsed.values():
        for statement in statements(function.body):
            for name in _stored(statement):
                values = by_step[statement.line, name] = []
                program.spy(statement.line, partial(_note, values, name), after=True)
    if program.call(call).fault:
        return {}
    return {key: tuple(values) for key, values in by_step.items()}


def _note(values: list[str], name: str, frame: Frame) -> None:
    values.append(repr(frame[name]))


def _stored(statement: Statement) -> list[str]:
    """The variables that a statement gives a value."""
    if not isinstance(statement.head, Assign | Augment):
        return []
    target = statement.head.target
    parts = target.items if isinstance(target, TupleOf) else (target,)
    return [part.name for part in parts if isinstance(part, Name)]
