"""Light up, or akari, by Nikoli (2001): lamps that light rows and columns up to the walls."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import example_line, images, in_rows, text
from palaestra.generators.grids.marks import Count, Sheet, at_least, exactly
from palaestra.generators.grids.pencil import BinaryGrid, SearchResult, spared
from palaestra.generators.grids.shapes import sides
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name

LAMP, DARK, WALL, FREE = "*", "-", "#", "."


class LightUp(BinaryGrid):
    """Place lamps so that all cells are lit, no lamp lights another, and each digit is met."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    signs = LAMP + DARK
    fixed = WALL

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(4, 5, 6, 7, 7, 9, 10, low=3)
        walls: float = ladder(0.3, 0.28, 0.26, 0.25, low=0.2, high=0.35)
        minimal: bool = ladder(*[False] * 4, True)  # no number that is not needed

    board: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        while True:
            board, numbers = walled(rng, size, round(knobs.walls * size * size))
            if solve(as_text(board, numbers, numbers), size).unique:
                break
        kept = [*numbers]
        if knobs.minimal:
            kept = spared(kept, lambda some: solve(as_text(board, numbers, some), size).unique, rng)
        signs = "".join(as_text(board, numbers, kept))
        return cls(board=tuple(in_rows(signs, size)))

    def shape(self) -> tuple[int, int]:
        return len(self.board), len(self.board)

    def fixed_cells(self) -> list[int]:
        return [cell for cell, sign in enumerate("".join(self.board)) if sign != FREE]

    def solved(self) -> SearchResult[int]:
        return solve("".join(self.board), len(self.board))

    def canonical(self) -> str:
        return min("\n".join(map("".join, image)) for image in images(self.board))

    def prompt(self) -> str:
        size = len(self.board)
        rules = self.phrase(
            f"In this grid of {size} rows and {size} columns, '{WALL}' and digits are walls and "
            "dots are free cells. Put lamps on free cells. A lamp lights its own cell and every "
            "free cell from there up, down, left and right as far as the next wall or the edge of "
            "the grid. Every free cell must be lit, no lamp may be lit by another lamp, and a wall "
            "with a digit must have exactly that many lamps on the (up to four) cells that share a "
            f"side with it; a '{WALL}' may have any number of them.",
            f"Light up this room of {size} by {size} cells. Lamps go on some of the free cells, "
            "shown as dots; their light reaches in straight lines across and down until it meets a "
            f"wall ('{WALL}' or a digit) or the edge. No free cell may stay dark, and no two lamps "
            "may shine on each other. A digit on a wall is the number of lamps directly above, "
            f"below, left and right of it; a '{WALL}' may have any number of them.",
        )
        example = example_line(DARK + LAMP + DARK + WALL, size)
        return (
            f"{rules} There is exactly one way to do it.\n\n{text(self.board)}\n\nAnswer with the "
            f"whole grid: {size} lines of {size} cells separated by spaces, '{LAMP}' for a lamp, "
            f"'{DARK}' for a free cell without one, and '{WALL}' for every wall, with or without a "
            f"digit. A line looks like '{example}'."
        )

    def violation(self, on: Sequence[bool]) -> str:
        size, board = len(self.board), "".join(self.board)
        for cell, (sign, seen) in enumerate(zip(board, views(board, size))):
            lit = any(on[other] for other in seen)
            if on[cell] and lit:
                return f"the lamp in {self.name(cell)} is lit by another"
            if sign == FREE and not on[cell] and not lit:
                return f"the cell {self.name(cell)} is dark"
            if sign.isdecimal():
                lamps = sum(on[other] for other in sides(size, size)[cell])
                if lamps != int(sign):
                    return f"the wall {self.name(cell)} has {lamps} lamps beside it"
        return ""

    def name(self, cell: int) -> str:
        """The name of a cell counted in reading order."""
        return cell_name(*divmod(cell, len(self.board)))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3)


@lru_cache(maxsize=256)
def views(board: str, size: int) -> list[list[int]]:
    """For each free cell, the other cells that are seen from it; nothing for a wall."""
    visible: list[list[int]] = []
    for cell, sign in enumerate(board):
        row, column = divmod(cell, size)
        rays = (
            range(cell + 1, (row + 1) * size),
            range(cell - 1, row * size - 1, -1),
            range(cell + size, size * size, size),
            range(cell - size, column - 1, -size),
        )
        seen: list[int] = []
        for ray in rays if sign == FREE else ():
            for other in ray:
                if board[other] != FREE:
                    break
                seen.append(other)
        visible.append(seen)
    return visible


def solve(board: str | list[str], size: int) -> SearchResult[int]:
    """Up to two ways to place lamps."""
    seen = views("".join(board), size)
    counts: list[Count] = []
    walls = 0
    for cell, sign in enumerate(board):
        if sign == FREE:
            counts.append(at_least([cell, *seen[cell]], 1))
        else:
            walls |= 1 << cell
        if sign.isdecimal():
            counts.append(exactly(sides(size, size)[cell], int(sign)))
    if_on = {cell: (0, bits(some)) for cell, some in enumerate(seen)}
    return Sheet(size * size, tuple(counts), if_on).solve(off=walls)


def walled(rng: Random, size: int, many: int) -> tuple[list[str], dict[int, str]]:
    """A board with so many walls, and the number of each for some way to light it."""
    board = [FREE] * (size * size)
    walls = sorted(rng.sample(range(size * size), many))
    for cell in walls:
        board[cell] = WALL
    lamps = lit_up(rng, board, size)
    near = sides(size, size)
    return board, {wall: str(sum(cell in lamps for cell in near[wall])) for wall in walls}


def lit_up(rng: Random, board: list[str], size: int) -> set[int]:
    """Lamps at random, until every free cell is lit."""
    seen = views("".join(board), size)
    dark = {cell for cell, sign in enumerate(board) if sign == FREE}
    lamps = set()
    for cell in rng.sample(sorted(dark), len(dark)):
        if cell in dark:
            lamps.add(cell)
            dark -= {cell, *seen[cell]}
    return lamps


def as_text(board: list[str], numbers: dict[int, str], kept: Iterable[int]) -> list[str]:
    """The board with the numbers of some walls."""
    signs = [*board]
    for cell in kept:
        signs[cell] = numbers[cell]
    return signs
