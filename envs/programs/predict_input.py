"""Finding an input for an output, as in "CRUXEval" by A. Gu and others (2024)."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.english import bounds, nameless, shortened
from palaestra.generators.programs.mini_python.parameters import (
    Signature,
    arguments,
    call_of,
    literal,
    plain_calls,
    plain_values,
    random_call,
)
from palaestra.generators.programs.mini_python.players import arguments_of, filled_with, literals
from palaestra.generators.programs.mini_python.run import compiled
from palaestra.generators.programs.mini_python.trials import drawn_calls
from palaestra.generators.programs.mini_python.walk import walked
from palaestra.task import Puzzle, Score, ladder

OTHERS = 16
"""How many other inputs, drawn at random, must not give the wanted value."""


class PredictInput(Puzzle):
    """Find arguments for which a Python function returns a given value."""

    version = 2
    tags = {"code", "inversion"}
    answer_type = "code"
    hidden = {"call"}

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 1, 2, 2, 3, 4, low=1, high=5)  # loops one after another
        tier: int = ladder(0, 1, 2, 1, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 5, 5, 5, 6, 7, 8, high=10)  # of the lists and strings it is given

    source: str
    name: str
    signature: Signature
    wanted: str
    call: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        source, name, signature = program(rng, knobs.idioms, knobs.tier, knobs.length)
        call = random_call(rng, name, signature)
        wanted = compiled(source).call(call).shown
        return cls(source=source, name=name, signature=signature, wanted=wanted, call=call)

    def is_valid(self) -> bool:
        running, rng = compiled(self.source), Random(self.wanted)
        example = running.call(self.example())
        if running.call(self.call).fault or example.fault or example.shown == self.wanted:
            return False
        others = [[each.sample(rng) for each in self.signature] for _ in range(OTHERS)]
        return all(
            running.apply(self.name, values).shown != self.wanted
            for values in [*others, *plain_values(self.signature)]
        )

    def example(self) -> str:
        """A call that shows the shape of an answer."""
        return drawn_calls(self.name, self.signature, self.source, 1)[0]

    def canonical(self) -> str:
        return nameless(f"{self.source}\n{self.wanted}")

    def prompt(self) -> str:
        example = self.example()
        ask = self.phrase(
            f"Find arguments for which it returns {self.wanted}.",
            f"Which arguments make it return {self.wanted}? Any correct arguments are accepted.",
        )
        return (
            f"Here is a program in Python 3.\n\n{self.source}\n\n{ask} They must be within these "
            f"bounds:\n{bounds(self.signature)}\n\nFor example, {example} returns "
            f"{compiled(self.source).call(example).shown}.\n\nWrite the call with your arguments "
            f"and nothing else, in the form of '{example.partition('(')[0]}(...)', with all "
            "values written out."
        )

    def answer(self) -> str:
        return self.call

    def verify(self, answer: str) -> Score:
        values = arguments(answer, self.name, self.signature)
        outcome = compiled(self.source).apply(self.name, values)
        if outcome.shown == self.wanted:
            return Score(1)
        return Score(
            0, f"that {'raises' if outcome.fault else 'returns'} {shortened(outcome.shown)}"
        )

    def audit(self, answer: str) -> bool:
        values = arguments(answer, self.name, self.signature)
        return walked(compiled(self.source).parsed, self.name, values) == self.wanted

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who put the wanted value or a literal into the call, or answer at random."""
        wanted, some = literal(self.wanted), literals(self.source) or ["0"]
        values = {"wanted value": wanted, "random literal": literal(rng.choice(some))}
        if isinstance(wanted, list | str) and wanted:
            values |= {"wanted value reversed": wanted[::-1], "its first item": wanted[0]}
        if isinstance(wanted, tuple):
            values |= {f"item {n} of the wanted value": item for n, item in enumerate(wanted, 1)}
        players = {
            name: call_of(self.name, filled_with(self.signature, value, rng))
            for name, value in values.items()
        }
        example = [
            value[::-1] if isinstance(value, list | str) else value
            for value in arguments_of(self.example())
        ]
        players["example reversed"] = call_of(self.name, example)
        return {**players, "random arguments": random_call(rng, self.name, self.signature)}

    def difficulty(self) -> float:
        return compiled(self.source).call(self.call).steps * len(self.source.split("\n"))

    def shortcuts(self) -> Iterable[str]:
        return plain_calls(self.name, self.signature)
