"""Slant, or gokigen naname, by Nikoli: a diagonal in every cell, from the corners they meet."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import in_rows, text
from palaestra.generators.grids.pencil import Pencil, SearchResult, spared
from palaestra.generators.grids.slant import around, as_text, met, solve, unlooped, woven
from palaestra.scenes import Cell, Grid, cells_of
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.grids import grid

BLANK = "."

LOOKS = {
    BLANK: Cell(),
    "/": Cell(mark="slash", tone="accent"),
    "\\": Cell(mark="backslash", tone="accent"),
}
"""How a cell is drawn, with its diagonal or without one."""


class Slant(Pencil):
    """Draw a diagonal in each cell so that corners have given counts and no loop arises."""

    version = 3
    tags = {"grid", "connectivity", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(3, 4, 5, 6, 7, 8, 9)
        spared: int = ladder(2, 4, 12, 49, 55, 60, 60, low=0, high=100)  # numbers tried to drop

    clues: tuple[str, ...]
    """A sign for each corner; there is one more row and column of corners than of cells."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        while True:
            on = woven(rng, size)
            every = {n: met(on, divmod(n, size + 1), size) for n in range((size + 1) ** 2)}
            if solve(size, every).unique:
                break
        kept = spared(
            [*every],
            lambda some: solve(size, {n: every[n] for n in some}).unique,
            rng,
            most=knobs.spared,
        )
        signs = "".join(str(every[n]) if n in kept else BLANK for n in every)
        wide = size + 1
        return cls(clues=tuple(in_rows(signs, wide)))

    def solved(self) -> SearchResult[int]:
        signs = "".join(self.clues)
        slants = {n: int(sign) for n, sign in enumerate(signs) if sign != BLANK}
        return solve(len(self.clues) - 1, slants)

    def canonical(self) -> str:
        """A turn by a quarter swaps the diagonals, which changes no clue."""
        lying = tuple("".join(column) for column in zip(*self.clues))
        some = [*(self.clues, self.clues[::-1]), *(lying, lying[::-1])]
        mirrored = [tuple(row[::-1] for row in each) for each in some]
        return "\n".join(min([*map(tuple, some), *mirrored]))

    def prompt(self) -> str:
        size = len(self.clues) - 1
        rules = self.phrase(
            f"Draw one diagonal line in every cell of a grid of {size} rows and {size} columns: "
            "either '\\', from the top left corner of the cell to its bottom right corner, or '/', "
            "from its bottom left corner to its top right corner. A number at a corner of cells is "
            "the number of diagonals that end at that corner. The diagonals must not form a closed "
            "loop of any size.",
            f"Each of the {size} by {size} cells of a board gets a slash ('/') or a backslash "
            "('\\'), which joins two opposite corners of its cell. A number at a corner states how "
            "many of the cells around it have a line that touches this corner. Walking along the "
            "lines, it must never be possible to come back to a corner without turning back.",
        )
        example = " ".join(("\\/\\" * size)[:size])
        return (
            f"{rules} There is exactly one way to do it.\n\nHere are the {size + 1} rows of "
            f"{size + 1} corners, with a dot for a corner without a number; the cells lie between "
            "them, the first cell between the two leftmost corners of the two topmost rows.\n\n"
            f"{text(self.clues)}\n\nAnswer with the cells: {size} lines of {size} signs separated "
            f"by spaces. A line looks like '{example}'."
        )

    def scene(self) -> Grid:
        size = len(self.clues) - 1
        return self.picture([BLANK * size] * size)

    def solved_scene(self, answer: str) -> Grid:
        return self.picture(self.read(answer))

    def picture(self, rows: Sequence[Sequence[str]]) -> Grid:
        """The scene of the numbers at corners with these diagonals, where a dot is none."""
        corners = (tuple("" if sign == BLANK else sign for sign in row) for row in self.clues)
        return Grid(cells_of(rows, LOOKS), corners=tuple(corners))

    def read(self, answer: str) -> list[list[str]]:
        """The diagonals of an answer."""
        size = len(self.clues) - 1
        return grid(answer, size, size, "\\/")

    def answer(self) -> str:
        (on,) = self.solved().solutions
        return as_text(on, len(self.clues) - 1)

    def verify(self, answer: str) -> Score:
        size = len(self.clues) - 1
        cells = [sign for row in self.read(answer) for sign in row]
        on = bits(n for n, sign in enumerate(cells) if (sign == "\\") != sum(divmod(n, size)) % 2)
        for number, sign in enumerate("".join(self.clues)):
            row, column = divmod(number, size + 1)
            many = met(on, (row, column), size)
            if sign not in (BLANK, str(many)):
                corner = f"corner {column + 1} of row {row + 1}"
                return Score(0, f"{many} diagonals end at {corner} of the corners")
        return Score(1) if unlooped(on, ~on, size) else Score(0, "there is a closed loop")

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3)

    def candidates(self) -> Iterable[str]:
        for cells in product((0, 1), repeat=9):
            yield as_text(bits(n for n, on in enumerate(cells) if on), 3)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Draw diagonal by diagonal with which no corner gets too many or too few, or else any."""
        size = len(self.clues) - 1
        clues = {divmod(n, size + 1): s for n, s in enumerate("".join(self.clues)) if s != BLANK}

        def allowed(cell: int, sign: str, signs: Mapping[int, str]) -> bool:
            row, column = divmod(cell, size)
            now = {**signs, cell: sign}
            for corner in product((row, row + 1), (column, column + 1)):
                cells = around(corner, size)
                ends = sum(
                    (now[n] == "\\") == (sum(divmod(n, size)) % 2 == sum(corner) % 2)
                    for n in cells
                    if n in now
                )
                unknown = sum(n not in now for n in cells)
                if corner in clues and not ends <= int(clues[corner]) <= ends + unknown:
                    return False
            return True

        def options(cell: int, signs: Mapping[int, str]) -> list[str]:
            return [sign for sign in "\\/" if allowed(cell, sign, signs)]

        cells = range(size * size)
        return {
            player: text(in_rows([signs.get(n, "/") for n in cells], size))
            for player, signs in fillings(cells, options, rng).items()
        }
