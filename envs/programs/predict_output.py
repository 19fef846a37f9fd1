"""Predicting what a program gives, as in "CRUXEval" by A. Gu and others (2024).

The programs are drawn afresh, a few idioms one on top of the other, and run by our own interpreter.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.english import nameless
from palaestra.generators.programs.mini_python.parameters import literal, random_call
from palaestra.generators.programs.mini_python.parse import parsed
from palaestra.generators.programs.mini_python.players import arguments_of, literals
from palaestra.generators.programs.mini_python.run import Outcome, compiled
from palaestra.generators.programs.mini_python.walk import walked
from palaestra.generators.programs.players import transformed
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading import layout


class PredictOutput(Puzzle):
    """Work out what a Python function returns for a few arguments."""

    tags = {"simulation", "code", "unique-solution"}
    answer_type = "code-lines"

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 2, 2, 3, 4, 5, low=1, high=6)  # loops one after another
        tier: int = ladder(0, 1, 1, 2, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 5, 5, 6, 7, 8, 9, high=10)  # of the lists and strings it is given
        calls: int = ladder(2, 2, 2, 3, 3, 3, 3, low=2, high=5)

    source: str
    calls: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        function = program(rng, knobs.idioms, knobs.tier, knobs.length)
        calls = [random_call(rng, function.name, function.signature) for _ in range(knobs.calls)]
        return cls(source=function.source, calls=tuple(calls))

    def is_valid(self) -> bool:
        outcomes = self.outcomes()
        shown = {outcome.shown for outcome in outcomes}
        return len(shown) == len(outcomes) and not any(outcome.fault for outcome in outcomes)

    def outcomes(self) -> tuple[Outcome, ...]:
        """What comes of each call."""
        return _outcomes(self.source, self.calls)

    def canonical(self) -> str:
        return nameless("\n".join((self.source, *self.calls)))

    def prompt(self) -> str:
        ask = self.phrase(
            "What does each of these calls return?",
            "Work out the return value of each of these calls.",
        )
        calls = "\n".join(self.calls)
        return (
            f"Here is a program in Python 3.\n\n{self.source}\n\n{ask}\n\n{calls}\n\nWrite one "
            "value on each line, in the order of the calls, exactly as repr() shows it: strings in "
            "quotes, tuples in parentheses, lists in square brackets. A line looks like "
            "'(7, [3, 0, 2])'."
        )

    def answer(self) -> str:
        return "\n".join(outcome.shown for outcome in self.outcomes())

    def verify(self, answer: str) -> Score:
        results, outcomes = _values(answer, self.calls), self.outcomes()
        if len(results) != len(outcomes):
            raise InvalidAnswer(f"not one value on each of {len(outcomes)} lines")
        right = [text == outcome.shown for text, outcome in zip(results, outcomes)]
        parts = {f"call {n}": float(fits) for n, fits in enumerate(right, 1)}
        parts["progress"] = sum(right) / len(right)
        if all(right):
            return Score(1, parts=parts)
        return Score(0, f"the value of {self.calls[right.index(False)]} is wrong", parts)

    def audit(self, answer: str) -> bool:
        functions = parsed(self.source)
        values = [call.partition("(") for call in self.calls]
        return _values(answer, self.calls) == [
            walked(functions, name, list(literal(f"({rest[:-1]},)"))) for name, _, rest in values
        ]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who repeat the arguments in some order, or a literal of the program."""
        rows = transformed(arguments_of(call)[0] for call in self.calls)
        players = {f"first arguments, {idiom}": values for idiom, values in rows.items()}
        players["all arguments"] = [arguments_of(call) for call in self.calls]
        texts = {name: [*map(repr, values)] for name, values in players.items()}
        some = literals(self.source) or ["0"]
        texts["last literal of the program"] = [some[-1]] * len(self.calls)
        texts["random literals of the program"] = rng.choices(some, k=len(self.calls))
        return {name: "\n".join(values) for name, values in texts.items()}

    def difficulty(self) -> float:
        return sum(outcome.steps for outcome in self.outcomes())


@lru_cache(maxsize=64)
def _outcomes(source: str, calls: tuple[str, ...]) -> tuple[Outcome, ...]:
    running = compiled(source)
    return tuple(running.call(call) for call in calls)


def _values(answer: str, calls: Sequence[str]) -> list[str]:
    """The values in an answer, each as Python shows it."""
    lines = layout.code_lines(layout.without_inputs(answer, calls))
    if len(lines) > 20:
        raise InvalidAnswer("more lines than there are calls")
    return [repr(literal(line.rpartition("->")[2])) for line in lines]
