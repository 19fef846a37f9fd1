"""Making programs faster by a better order of growth: the difference that an algorithm makes is the
theme of D. E. Knuth's "The Art of Computer Programming" (since 1968); see also J. Bentley's
"Programming Pearls" (1986), whose example of a fast algorithm is the greatest sum of neighbours.
"""

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from random import Random
from typing import Self

from palaestra.generators.programs.make_it_faster import sufficient
from palaestra.generators.programs.make_it_faster.composing import (
    PARTS,
    SCALES,
    TOP,
    Case,
    Instance,
    argument,
    large_case,
    program,
    random_parts,
    running,
    shape_of,
    small_cases,
)
from palaestra.generators.programs.players import idioms
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import function, graded_scale, parsed
from palaestra.verifiers.sandbox import Limits

OTHERS = 60
"""So many arguments are drawn in another way for a second opinion."""

LIMITS = Limits(cpu_s=1.0, memory_mb=256)
"""For each large argument: ten times what the fast programs need, a tenth of what the slow do."""


class MakeItFaster(Puzzle):
    """Write a function that returns the same as a slow one, fast enough for large arguments."""

    version = 3
    tags = {"sandboxed", "code", "algorithms", "efficiency"}
    hidden = {"seed"}
    verbatim = True
    expensive = True  # a second and more: large arguments are what it is about

    class Knobs(Puzzle.Knobs):
        parts: int = ladder(1, 1, 2, 2, 3, 3)  # each of them too slow by itself
        least: int = ladder(1, 2, 1, 2, 2, 3)  # tier of a part
        tier: int = ladder(1, 2, 2, 3, 3, 3)

    parts: tuple[Instance, ...]
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        least, most = min(knobs.least, knobs.tier), knobs.tier
        return cls(parts=random_parts(rng, least, most, knobs.parts), seed=rng.randrange(2**32))

    def is_valid(self) -> bool:
        """No value is that of most small arguments."""
        values = [value for _, value in small_cases(self.parts, self.seed)]
        return max(map(values.count, values)) <= len(values) // 2

    def cases(self) -> tuple[Case, ...]:
        """Hidden arguments that are small, among them those that kill mutants of the answer."""
        return sufficient.sufficient(self.parts, self.seed)

    def slow(self) -> str:
        """The program as it is given."""
        return program(self.parts, fast=False)

    def canonical(self) -> str:
        return repr(self.parts)

    def prompt(self) -> str:
        shape = shape_of(self.parts)
        first, last = SCALES[shape].large[0], SCALES[shape].large[-1]
        parameter = f"a whole number n from 0 to {last:,}"
        size = f"numbers of up to {first:,} and of up to {last:,}"
        if shape == "list":
            parameter = f"a list xs of 1 to {last:,} whole numbers, each from 0 to {TOP:,}"
            size = f"lists of about {first:,} and of about {last:,} numbers"
        ask = self.phrase(
            "This Python program returns the right value, but takes far too long for large "
            "arguments.",
            "The results of this Python program are right, but it is much too slow for large "
            "arguments.",
        )
        return (
            f"{ask}\n\n{self.slow()}\n\nThe argument of solve is {parameter}. Write a function "
            f"solve({argument(shape)}) that returns the same value for every such argument and "
            "has a lower time complexity.\n\nIt must be right on small arguments, and is then "
            f"run on {size}, with {LIMITS.cpu_s:g} second of processor time and "
            f"{LIMITS.memory_mb} MB of memory for each. The program above takes many times as "
            f"long{', and so does each of its parts alone' * (len(self.parts) > 1)}. Answer with "
            "the program: the function solve, with all imports and helpers that it needs. Only "
            "Python's standard library is available."
        )

    def answer(self) -> str:
        return program(self.parts, fast=True)

    def verify(self, answer: str) -> Score:
        source = function(answer, "solve")
        if ast.dump(parsed(source)) == ast.dump(parsed(self.slow())):
            return Score(0, "the program is unchanged")
        return graded_scale(source, "solve", self.cases(), self._large(self.seed), LIMITS)

    def _large(self, seed: int) -> list[Callable[[], Case]]:
        """What makes an argument for each step of scale, with what is wanted."""
        steps = range(len(SCALES[shape_of(self.parts)].large))
        return [partial(large_case, self.parts, seed, step) for step in steps]

    def audit(self, answer: str) -> bool:
        """Whether it stands other arguments, by what the slow program returns for small ones."""
        source, slow = function(answer, "solve"), running(self.parts, fast=False)
        others = [case for n in range(1, 6) for case in small_cases(self.parts, self.seed + n)]
        small = [(args, slow(*args)) for args, _ in others]
        small += sufficient.others(self.parts, self.seed, OTHERS)
        return graded_scale(source, "solve", small, self._large(self.seed + 1), LIMITS).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who keep the slow program and cache its values, or apply a built-in function."""
        name = argument(shape_of(self.parts))
        cached = self.slow().replace("def ", "@cache\ndef ")
        tupled = f"wanted = solve\n\n\ndef solve({name}):\n    return wanted(tuple({name}))"
        players = {
            "cached": f"from functools import cache\n\n\n{cached}",
            "sorted first": self.slow() + "\n\n\n" + tupled.replace("tuple", "sorted"),
        }
        if name == "n":
            del players["sorted first"]
        return {**players, **idioms("solve", name)}

    def difficulty(self) -> float:
        """The lengths of the fast programs, weighted by how well known they are."""
        return float(sum(3 ** PARTS[name].tier for name, _ in self.parts))

    def shortcuts(self) -> Iterable[str]:
        name = argument(shape_of(self.parts))
        yield self.slow()
        yield f"# faster\n{self.slow()}"
        for value in (name, "0", "1", "[]", f"len({name})", f"sum({name})"):
            yield f"def solve({name}):\n    return {value}"
