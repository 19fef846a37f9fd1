"""Futoshiki, by Tamaki Seto (2001): a Latin square, some of it given, the rest by inequalities."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED
from palaestra.generators.grids.latin_squares import (
    LatinSquare,
    Less,
    Square,
    completions,
    compose,
    settle,
    spared,
)
from palaestra.generators.grids.pencil import Grid, SearchResult
from palaestra.generators.grids.shapes import ways
from palaestra.scenes import Between
from palaestra.scenes import Grid as GridScene
from palaestra.scenes.elements import Mark, changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name


class Futoshiki(LatinSquare):
    """Fill a Latin square so that it agrees with inequality signs between neighbouring cells."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(LatinSquare.Knobs):
        size: int = ladder(5, 5, 5, 6, 7, 8, 9, low=3)
        signs: float = ladder(0.5, 0.4, 0.3, 0.3, 0.3, 0.25, 0.25, low=0, high=1)  # share of all
        spare: int = ladder(9, 4, 0, 2, 1, 0, 0, high=30)  # clues beyond those that make it unique
        minimal: bool = ladder(False, False, False, True)  # before that, no given number follows

    givens: Grid
    less: tuple[Less, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        solution, _ = compose(Square(knobs.size), rng)
        numbers = Square(knobs.size).numbers(solution)
        sides = ways(knobs.size, knobs.size)
        chosen = sorted(rng.sample(sides, round(knobs.signs * len(sides))))
        less = tuple((a, b) if numbers[a] < numbers[b] else (b, a) for a, b in chosen)
        square = Square(knobs.size, less=less)
        clues = clued(square, solution, rng)
        if knobs.minimal:
            clues = spared(square, clues, rng)
        others = [c for c in square.placed(solution) if square.bit(c) not in clues]
        extra = rng.sample(others, min(knobs.spare, len(others) - 1))
        return cls(givens=square.grid([*map(square.clue, clues), *extra]), less=less)

    def solved(self) -> SearchResult[tuple[int, ...]]:
        """Up to two solutions; one node means that no number had to be tried."""
        return completions(self.square(), self.givens)

    def square(self) -> Square:
        """The rules, inequalities included."""
        return Square(len(self.givens), less=self.less)

    def alterations(self, rng: Random) -> Iterator[Self]:
        """An inequality is turned round."""
        for number in rng.sample(range(len(self.less)), len(self.less)):
            low, high = self.less[number]
            less = (*self.less[:number], (high, low), *self.less[number + 1 :])
            altered = self.model_copy(update={"less": less})
            if not altered.square().at_odds(self.givens):
                yield altered

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
            f"{self.board()}\n\nInequalities:\n{inequalities}\n\n{self.answer_format()}"
        )

    def name(self, cell: int) -> str:
        """The name of a cell counted in reading order."""
        return cell_name(*divmod(cell, len(self.givens)))

    def picture(self, rows: Sequence[Sequence[int]]) -> GridScene:
        signs = (sign_between(low, high, len(self.givens)) for low, high in self.less)
        return changed(super().picture(rows), between=tuple(signs))

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.false_inequality([n for row in rows for n in row])

    def false_inequality(self, numbers: list[int]) -> str:
        """Which inequality does not hold, if any."""
        for low, high in self.less:
            if numbers[low] >= numbers[high]:
                return f"{self.name(low)} < {self.name(high)} does not hold"
        return ""

    def difficulty(self) -> float:
        return float(self.blanks() * self.solved().nodes.bit_length())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, signs=0.4, spare=0)


def sign_between(low: int, high: int, size: int) -> Between:
    """The sign between two cells side by side, which points to the lesser number.

    >>> sign_between(1, 0, 3).mark, sign_between(0, 3, 3).mark
    ('chevron-right', 'chevron-up')
    """
    row, column = divmod(min(low, high), size)
    if abs(high - low) == 1:
        mark: Mark = "chevron-left" if low < high else "chevron-right"
        return Between(row, column, "right", mark=mark)
    return Between(row, column, "down", mark="chevron-up" if low < high else "chevron-down")


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
