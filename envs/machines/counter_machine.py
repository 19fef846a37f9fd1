"""Counter machines, with which Marvin Minsky (1961) showed that two counters are enough."""

from random import Random
from typing import Self

from palaestra.generators.machines.counter_machine import End, Line, program, ran, shuffled
from palaestra.generators.simulations import Simulation
from palaestra.task import ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined

REGISTERS = "abcd"


class CounterMachine(Simulation):
    """Run a machine whose registers only count up and down, and state their final numbers."""

    tags = {"simulation", "automata", "unique-solution"}

    class Knobs(Simulation.Knobs):
        registers: int = ladder(2, 2, 3, 3, 3, 4, 4, low=2, high=4)
        loops: int = ladder(1, 1, 2, 2, 3, 3, 4, high=5)
        start: int = ladder(3, 5, 5, 6, 6, 7, 8, low=2, high=12)
        steps: int = ladder(8, 15, 25, 40, 65, 110, 180, low=6, high=300)

    lines: tuple[Line, ...]
    start: tuple[int, ...]
    steps: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The first of several random programs that runs for as long as wanted."""
        most = 3 * knobs.steps
        for _ in range(40):
            lines = shuffled(rng, program(rng, knobs.registers, knobs.loops))
            start = tuple(rng.randint(1, knobs.start) for _ in range(knobs.registers))
            if ran(lines, start, most).steps >= knobs.steps:
                break
        return cls(lines=lines, start=start, steps=most)

    def is_valid(self) -> bool:
        end = self.end()
        return end.steps > 5 and end.registers != self.start and sum(end.registers) > 1

    def end(self) -> End:
        """How the program ends."""
        return ran(self.lines, self.start, self.steps)

    def canonical(self) -> str:
        return f"{self.lines} {self.start}"

    def prompt(self) -> str:
        ask = self.phrase(
            "Run this machine until it stops.",
            "What do the registers of this machine hold when it has stopped?",
        )
        names = REGISTERS[: len(self.start)]
        start = joined([f"{name} = {number}" for name, number in zip(names, self.start)])
        return (
            f"{ask} Its registers hold whole numbers, at the start {start}. It begins with line 1, "
            "and each line states which line comes next.\n\n"
            + "\n".join(f"{n}: {self.line_text(line)}" for n, line in enumerate(self.lines, 1))
            + f"\n\nAnswer with the final numbers in {joined(names)}, in this order, and then the "
            "number of lines that are executed until the machine stops (every execution of a line "
            "counts, even if nothing is subtracted), such as "
            f"'{joined([4, 0, 7, 2][: len(names)])}, 31'."
        )

    def line_text(self, line: Line) -> str:
        """A line of the program in words."""

        def jump(number: int) -> str:
            return "stop" if number == len(self.lines) else f"go to line {number + 1}"

        name = REGISTERS[line.register]
        if line.zero < 0:
            return f"add 1 to {name}, then {jump(line.after)}"
        return (
            f"if {name} is 0, {jump(line.zero)}; otherwise subtract 1 from {name}, then "
            f"{jump(line.after)}"
        )

    def result(self) -> list[int]:
        end = self.end()
        return [*end.registers, end.steps]

    def read(self, answer: str) -> list[int]:
        return integers(answer, len(self.start) + 1)

    def difficulty(self) -> float:
        return float(self.end().steps)
