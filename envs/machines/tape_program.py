"""Programs of eight characters on a tape: Böhm's P'' (1964), Urban Müller's language (1993)."""

from random import Random
from typing import Self

from palaestra.generators.machines.tape_program import Run, random_program, run
from palaestra.generators.simulations import Simulation
from palaestra.scenes import Card, Cards, Cell, Grid, Panels
from palaestra.task import ladder
from palaestra.verifiers.reading.values import joined


class TapeProgram(Simulation):
    """Run a program of the characters > < + - . , [ ] on a tape, and list what it prints."""

    version = 2
    tags = {"simulation", "programs", "unique-solution"}

    class Knobs(Simulation.Knobs):
        blocks: int = ladder(2, 2, 3, 3, 4, 5, 6, high=8)
        depth: int = ladder(0, 1, 1, 1, 2, 2, 3)  # nesting of loops
        steps: int = ladder(15, 30, 60, 110, 180, 320, 600, low=10, high=1_000)  # approximately
        inputs: int = ladder(0, 0, 0, 1, 1, 2, 3)

    program: str
    inputs: tuple[int, ...]
    steps: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The first of a few random programs that runs for about as long as wanted."""
        # Many blocks take many steps, however few the knob asks for.
        most = max(2 * knobs.steps + 40, 60 * knobs.blocks)
        for _ in range(30):
            program = random_program(rng, knobs.blocks, knobs.depth, knobs.inputs)
            inputs = tuple(rng.randint(2, 9) for _ in range(program.count(",")))
            end = run(program, inputs, most)
            if end.halted and end.steps >= knobs.steps * 0.7:
                break
        return cls(program=program, inputs=inputs, steps=most)

    def end(self) -> Run:
        """How the program ends."""
        return run(self.program, self.inputs, self.steps)

    def is_valid(self) -> bool:
        end = self.end()
        return end.halted and 3 <= len(end.printed) <= 16 and len(set(end.printed)) > 2

    def canonical(self) -> str:
        return f"{self.program} {self.inputs}"

    def prompt(self) -> str:
        ask = self.phrase("What does this program print?", "Run this program. What is printed?")
        inputs = f"The input is: {joined(self.inputs)}." if self.inputs else "There is no input."
        return (
            f"{ask}\n\n{self.program}\n\n{inputs}\n\nThe program works on a tape of cells that is "
            "infinite in both directions. Each cell holds a number from 0 to 255, which is 0 at "
            "the start; numbers wrap around: 255 + 1 is 0 and 0 - 1 is 255. A head is at one of "
            "the cells. The characters of the program are executed from left to right, except "
            "where a bracket jumps, until the end of the program:\n> moves the head one cell to "
            "the right\n< moves the head one cell to the left\n+ adds 1 to the number of the "
            "head's cell\n- subtracts 1 from it\n. prints it\n, replaces it by the next number of "
            "the input\n[ jumps to just after the matching ] if the head's cell holds 0; otherwise "
            "it does nothing\n"
            "] jumps back to just after the matching [ if the head's cell does not hold 0; "
            "otherwise it does nothing\n\n"
            "Answer with the numbers printed, in order, such as '72, 0, 255, 9'."
        )

    def scene(self) -> Panels:
        """The characters of the program, and the numbers of its input."""
        wide = 16
        signs = [Cell(sign) for sign in self.program]
        signs += [Cell(fill="none")] * (-len(signs) % wide)
        rows = tuple(tuple(signs[n : n + wide]) for n in range(0, len(signs), wide))
        program = Grid(rows)
        if not self.inputs:
            return Panels((program,), ("program",))
        numbers = Cards((tuple(Card(str(number), shape="tile") for number in self.inputs),))
        return Panels((program, numbers), ("program", "input"), columns=1)

    def result(self) -> tuple[int, ...]:
        return self.end().printed

    def difficulty(self) -> float:
        return float(self.end().steps)
