"""Programs of eight signs on a tape, after Böhm's P'' (1964) and Urban Müller's language (1993)."""

from random import Random
from typing import Self

from palaestra.generators.machines.tape_program import Run, run
from palaestra.generators.machines.tape_program import program as drawn
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.values import integers, joined


class TapeProgram(Puzzle):
    """Run a program of the characters > < + - . , [ ] on a tape, and list what it prints."""

    tags = {"simulation", "programs", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        blocks: int = ladder(2, 2, 3, 3, 4, 5, 6, high=8)
        depth: int = ladder(0, 1, 1, 1, 2, 2, 3)  # of loops in one another
        steps: int = ladder(15, 30, 60, 110, 180, 320, 600, low=10, high=1_000)  # about so many
        inputs: int = ladder(0, 0, 0, 1, 1, 2, 3)

    program: str
    given: tuple[int, ...]
    steps: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Of a few programs, the first that takes about as long as is wanted."""
        # Many blocks take many steps, however few are asked for.
        most = max(2 * knobs.steps + 40, 60 * knobs.blocks)
        for _ in range(30):
            program = drawn(rng, knobs.blocks, knobs.depth, knobs.inputs)
            given = tuple(rng.randint(2, 9) for _ in range(program.count(",")))
            end = run(program, given, most)
            if end.halted and end.steps >= knobs.steps * 0.7:
                break
        return cls(program=program, given=given, steps=most)

    def end(self) -> Run:
        """How the program ends."""
        return run(self.program, self.given, self.steps)

    def is_valid(self) -> bool:
        end = self.end()
        return end.halted and 3 <= len(end.printed) <= 16 and len(set(end.printed)) > 2

    def canonical(self) -> str:
        return f"{self.program} {self.given}"

    def prompt(self) -> str:
        ask = self.phrase("What does this program print?", "Run this program. What is printed?")
        given = (
            f"The input is: {joined(self.given)}.\n\n" if self.given else "There is no input.\n\n"
        )
        return (
            f"{ask}\n\n{self.program}\n\n{given}The program works on a tape of cells that is "
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

    def answer(self) -> str:
        return joined(self.end().printed)

    def verify(self, answer: str) -> Score:
        return compared(integers(answer), self.end().printed, "number")

    def difficulty(self) -> float:
        return float(self.end().steps)
