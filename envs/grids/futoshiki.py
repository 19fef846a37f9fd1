"""Futoshiki, by Tamaki Seto (2001): a Latin square, some of it given, the rest by inequalities."""

from collections.abc import Iterable
from itertools import permutations, product
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.grids.latin_squares import (
    Grid,
    Less,
    Square,
    compose,
    settle,
    solve,
    spared,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.boards import alike, altered, cell_name, repeated
from palaestra.verifiers.reading.values import grid


class Futoshiki(Puzzle):
    """Fill a Latin square so that it agrees with inequality signs between neighbouring cells."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(5, 5, 5, 6, 7, 8, 9, low=3)
        signs: float = ladder(0.5, 0.4, 0.3, 0.3, 0.3, 0.25, 0.25, low=0, high=1)  # share of all
        spare: int = ladder(9, 4, 0, 2, 1, 0, 0, high=30)  # clues beyond those that settle it
        minimal: bool = ladder(False, False, False, True)  # before that, no given number follows

    givens: Grid
    less: tuple[Less, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        solution, _ = compose(Square(knobs.size), rng)
        rows = Square(knobs.size).grid(Square(knobs.size).placed(solution))
        numbers = [number for row in rows for number in row]
        sides = adjacent(knobs.size)
        chosen = sorted(rng.sample(sides, round(knobs.signs * len(sides))))
        less = tuple((a, b) if numbers[a] < numbers[b] else (b, a) for a, b in chosen)
        square = Square(knobs.size, less=less)
        clues = clued(square, solution, rng)
        if knobs.minimal:
            clues = spared(square, clues, rng)
        others = [c for c in square.placed(solution) if square.bit(c) not in clues]
        extra = rng.sample(others, min(knobs.spare, len(others) - 1))
        return cls(givens=square.grid([*map(square.clue, clues), *extra]), less=less)

    def is_valid(self) -> bool:
        return len(self.solved()[0]) == 1

    def solved(self) -> tuple[list[int], int]:
        """Up to two solutions, and how many looks it took; one look means no trial and error."""
        square = self.square()
        return solve(square, square.given(square.clues(self.givens)))

    def square(self) -> Square:
        """The rules, inequalities included."""
        return Square(len(self.givens), less=self.less)

    def prompt(self) -> str:
        size = len(self.givens)
        rules = self.phrase(
            f"Fill the empty cells of this {size} by {size} grid, shown as dots, with the numbers "
            f"1 to {size}, so that each number stands exactly once in every row and once in every "
            "column, and so that all the inequalities below hold.",
            f"This is a futoshiki of {size} rows and {size} columns. Every row and every column "
            f"must hold each number from 1 to {size} once, and the inequalities listed below the "
            "grid must be true. Dots are empty cells.",
        )
        pairs = [f"{self.name(low)} < {self.name(high)}" for low, high in self.less]
        inequalities = "\n".join(pairs) or "none"
        return (
            f"{rules} The numbers that are given must stay. There is exactly one way to do it. "
            f"{COUNTED}: r1c2 is the cell in row 1, column 2.\n\n"
            f"{text([[cell or '.' for cell in row] for row in self.givens])}\n\nInequalities:\n"
            f"{inequalities}\n\nAnswer with the whole grid, numbers already given included: {size} "
            f"lines, each a row of {size} numbers separated by spaces, such as "
            f"'{' '.join(str(n) for n in range(size, 0, -1))}'."
        )

    def name(self, cell: int) -> str:
        """The name of a cell counted in reading order."""
        return cell_name(*divmod(cell, len(self.givens)))

    def answer(self) -> str:
        square = self.square()
        (solution,), _ = self.solved()
        return text(square.grid(square.placed(solution)))

    def verify(self, answer: str) -> Score:
        size = len(self.givens)
        filled = grid(answer, size, size, [str(n) for n in range(1, size + 1)])
        flaw = altered(self.givens, [[*map(int, row)] for row in filled], blank=0)
        flaw = flaw or repeated(filled) or self.unequal([int(n) for row in filled for n in row])
        return Score(0, flaw) if flaw else Score(1)

    def unequal(self, numbers: list[int]) -> str:
        """Which inequality does not hold, if any."""
        for low, high in self.less:
            if numbers[low] >= numbers[high]:
                return f"{self.name(low)} < {self.name(high)} does not hold"
        return ""

    def audit(self, answer: str) -> bool:
        return alike(answer, self.answer())

    def difficulty(self) -> float:
        blanks = sum(row.count(0) for row in self.givens)
        return float(blanks * self.solved()[1].bit_length())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, signs=0.4, spare=0)

    def candidates(self) -> Iterable[str]:
        return map(text, product(permutations((1, 2, 3)), repeat=3))


def adjacent(size: int) -> list[Less]:
    """All pairs of cells side by side.

    >>> adjacent(2)
    [(0, 1), (0, 2), (1, 3), (2, 3)]
    """
    across = [(r * size + c, r * size + c + 1) for r in range(size) for c in range(size - 1)]
    down = [(cell, cell + size) for cell in range(size * (size - 1))]
    return sorted(across + down)


def clued(square: Square, solution: int, rng: Random) -> list[int]:
    """Clues that settle a solution: in random order, those that do not follow yet."""
    clues: list[int] = []
    state = settle(square, square.full)
    bits = [square.bit(clue) for clue in square.placed(solution)]
    for bit in rng.sample(bits, len(bits)):
        if state is not None and not state[1] >> bit & 1:
            clues.append(bit)
            state = settle(square, state[0] & square.beside[bit], state[1])
    return clues
