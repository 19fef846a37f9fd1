"""Interpreters for small machines, in the line of Alan Turing's "On Computable Numbers" (1936),
J. Shepherdson and H. Sturgis's register machines (1963) and Seymour Papert's turtle (1967).
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Self

from palaestra.generators.programs.players import by_rote
from palaestra.generators.programs.small_interpreter.machines import (
    Machine,
    example,
    interpreter,
    random_machine,
    tested,
    uses,
)
from palaestra.generators.programs.small_interpreter.programs import others, sufficient
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import function, graded_calls
from palaestra.verifiers.sandbox import Limits

LIMITS = Limits(cpu_s=0.4, sleep_s=0.3, memory_mb=256, output_kb=256)


class SmallInterpreter(Puzzle):
    """Write an interpreter for a made-up machine, as a Python function."""

    version = 3
    tags = {"sandboxed", "code", "interpreter", "specification"}
    hidden = {"seed"}
    verbatim = True
    expensive = True

    class Knobs(Puzzle.Knobs):
        instructions: int = ladder(4, 5, 7, 8, 10, 12, 14, high=16)
        jumps: int = ladder(0, 0, 1, 1, 2, 3, 3, high=4)
        tests: int = ladder(40, 44, 50, 56, 62, 70, 80, low=40, high=150)

    machine: Machine
    tests: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        machine = random_machine(rng, knobs.instructions, knobs.jumps)
        return cls(machine=machine, tests=knobs.tests, seed=rng.randrange(2**32))

    def is_valid(self) -> bool:
        cases = tested(self.machine, self.seed, self.tests)
        results = [repr(result) for _, result in cases]
        commonest = max(map(results.count, results))
        used = uses(self.machine, [program for program, _ in cases])
        return commonest <= self.tests / 6 and used >= 7

    def cases(self) -> tuple[tuple[str, Any], ...]:
        """The hidden programs, with what they result in."""
        return sufficient(self.machine, self.seed, self.tests)

    def canonical(self) -> str:
        return repr(self.machine._replace(names=(), instructions=tuple(sorted(self.machine[2]))))

    def prompt(self) -> str:
        machine = self.machine
        program, result = example(machine)
        ask = self.phrase(
            "Write a Python function run(program) that runs programs of a made-up machine and "
            "returns their result.",
            "A made-up machine is described here. Write its interpreter, a Python function "
            "run(program) that returns the result of a program.",
        )
        return (
            f"{ask} A program is a string of lines; each has the name of an instruction and its "
            "operands, separated by one space. The empty string is the empty "
            f"program.\n\n{machine.rules()}\n\nThe instructions "
            f"are:\n\n{machine.manual()}\n\n{machine.operands()} The machine starts with the first "
            "line and, unless it jumps, continues with the next one. It stops when there is no "
            f"such line, and at the latest after {machine.steps} instructions (those that do "
            "nothing count too).\n\n"
            f"For example, run({program!r}) returns {result!r}.\n\n"
            "Answer with the program: the function, with all imports that it needs."
        )

    def answer(self) -> str:
        return self.machine.python()

    def verify(self, answer: str) -> Score:
        source = function(answer, "run")
        return graded_calls(
            source, "run", [((program,), want) for program, want in self.cases()], LIMITS
        )

    def audit(self, answer: str) -> bool:
        """Whether it runs other and many more programs, drawn in another way."""
        source, cases = function(answer, "run"), others(self.machine, self.seed, 300)
        return graded_calls(
            source, "run", [((program,), want) for program, want in cases], LIMITS
        ).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who know the example, run nothing, or print every number of a program."""
        run = interpreter(self.machine)
        printed = "[[int(word) for word in program.split() if word.isdigit()], []]"
        return {
            **by_rote("run", "program", [example(self.machine)]),
            "result of the empty program": f"def run(program):\n    return {run('')!r}",
            "numbers of the program": f"def run(program):\n    return {printed}",
        }

    def difficulty(self) -> float:
        return float(self.machine.python().count("\n"))

    def shortcuts(self) -> Iterable[str]:
        yield "def run(program): return [[], []]"
        yield "def run(program): return program"
        yield "def run(program): raise SystemExit"
