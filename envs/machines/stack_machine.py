"""Tracing a stack machine with counted loops; Charles Hamblin (1957) proposed such machines."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Self

from palaestra.generators.simulations import Simulation
from palaestra.scenes import Item, Panels, Stacks, Text
from palaestra.task import ladder

MODULUS = 100

WORKS: dict[str, tuple[int, str, Callable[..., list[int]]]] = {
    "add": (2, "take b, then a, put a + b", lambda a, b: [a + b]),
    "sub": (2, "take b, then a, put a - b", lambda a, b: [a - b]),
    "mul": (2, "take b, then a, put a * b", lambda a, b: [a * b]),
    "max": (2, "take b, then a, put the larger of both", lambda a, b: [max(a, b)]),
    "dup": (1, "take a, put a, put a", lambda a: [a, a]),
    "swap": (2, "take b, then a, put b, put a", lambda a, b: [b, a]),
    "over": (2, "take b, then a, put a, put b, put a", lambda a, b: [a, b, a]),
    "drop": (1, "take a", lambda a: []),
    "rot": (3, "take c, then b, then a, put b, put c, put a", lambda a, b, c: [b, c, a]),
}
"""The number of operands of each instruction, its effect in words, and its results."""


def ran(program: tuple[str, ...]) -> tuple[list[int], int] | None:
    """The final stack and the number of steps; ``None`` if the stack is too small for a step.

    >>> ran(("push 2", "dup", "mul"))
    ([4], 3)
    """
    stack: list[int] = []
    loops: list[tuple[int, int]] = []
    line = count = 0
    while line < len(program):
        name, _, number = program[line].partition(" ")
        count += 1
        line += 1
        if name == "push":
            stack.append(int(number))
        elif name == "repeat":
            loops.append((line, int(number) - 1))
        elif name == "end":
            first, left = loops.pop()
            if left:
                loops.append((first, left - 1))
                line = first
        else:
            need, _, work = WORKS[name]
            if len(stack) < need:
                return None
            stack[len(stack) - need :] = [n % MODULUS for n in work(*stack[-need:])]
    return stack, count


class StackMachine(Simulation):
    """Run a program of a small stack machine with loops, and state what is left on its stack."""

    tags = {"simulation", "programs", "arithmetic", "unique-solution"}

    class Knobs(Simulation.Knobs):
        length: int = ladder(7, 9, 12, 14, 17, 22, low=6, high=40)  # without the loops' own lines
        loops: int = ladder(0, 0, 1, 1, 2, 3)
        times: int = ladder(2, 2, 3, 4, 5, 6, low=2, high=9)

    program: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        program = [f"push {rng.randint(1, 9)}" for _ in range(3)]
        works = sorted(WORKS)
        while len(program) < knobs.length:
            push = rng.random() < 0.3
            program.append(f"push {rng.randint(1, 20)}" if push else rng.choice(works))
        for _ in range(knobs.loops):
            # A loop encloses whole loops only, so that loops nest.
            start = rng.randrange(3, len(program) - 1)
            end = rng.randint(start + 2, min(start + 7, len(program)))
            inner = program[start:end]
            if sum(line.startswith("repeat") - (line == "end") for line in inner) == 0:
                program[start:end] = [f"repeat {rng.randint(2, knobs.times)}", *inner, "end"]
        return cls(program=tuple(program))

    def is_valid(self) -> bool:
        depth = 0
        for line in self.program:
            depth += line.startswith("repeat") - (line == "end")
            if depth < 0:
                return False
        end = ran(self.program)
        return end is not None and 2 <= len(end[0]) <= 20 and len(set(end[0])) > 1

    def end(self) -> tuple[list[int], int]:
        """The final stack, and the number of steps."""
        outcome = ran(self.program)
        assert outcome is not None, "a valid program runs to its end"
        return outcome

    def prompt(self) -> str:
        used = {line.split()[0] for line in self.program}
        lines = ["push k: put the number k"] if "push" in used else []
        lines += [f"{name}: {words}" for name, (_, words, _) in WORKS.items() if name in used]
        if "repeat" in used:
            lines.append(
                "repeat k ... end: run the lines between 'repeat k' and the matching 'end' k times"
            )
        task = self.phrase(
            "Run this program on an empty stack.",
            "A machine keeps numbers on a stack, which is empty at first. Run its program.",
        )
        return (
            f"{task} To 'put' a number is to place it on top of the stack; to 'take' a number is "
            f"to remove it from the top. Numbers are kept modulo {MODULUS}: {MODULUS} is added to "
            f"a number or subtracted from it until it is from 0 to {MODULUS - 1}.\n\n"
            + "\n".join(lines)
            + "\n\nThe program is:\n"
            + "\n".join(self.program)
            + "\n\nAnswer with the numbers that are on the stack at the end, from bottom to top, "
            "such as '95, 0, 96'."
        )

    def scene(self) -> Panels:
        return self.view(())

    def solved_scene(self, answer: str) -> Panels:
        return self.view(self.read(answer))

    def view(self, numbers: Sequence[int]) -> Panels:
        """The program and a stack, of which the lowest numbers are drawn if there are many."""
        items = tuple(Item(str(number), "accent") for number in numbers[:30])
        size = 14  # lines in a column
        columns = (self.program[n : n + size] for n in range(0, len(self.program), size))
        texts = [Text(column, mono=True) for column in columns]
        stack = Stacks((items,), height=max(10, len(items)))
        return Panels((*texts, stack), columns=len(texts) + 1)

    def result(self) -> list[int]:
        return self.end()[0]

    def difficulty(self) -> float:
        return float(self.end()[1])
