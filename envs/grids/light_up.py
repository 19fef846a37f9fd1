"""Light up, or akari, by Nikoli (2001): lamps that light rows and columns up to the walls."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.baselines import Key
from palaestra.generators.cells import example_line, images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.light_up import FREE, WALL, solve, views, walled
from palaestra.generators.grids.pencil import BinaryGrid, SearchResult, thinned
from palaestra.generators.grids.shapes import sides
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name

LAMP, DARK = "*", "-"

TRIES = 60
"""How many times numbers are left out to see whether there is still one way only."""


class LightUp(BinaryGrid):
    """Place lamps so that all cells are lit, no lamp lights another, and each digit is met."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    version = 2
    signs = LAMP + DARK
    fixed = WALL

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 10, 12, 15, low=3, high=20)
        walls: float = ladder(0.3, 0.28, 0.26, 0.25, low=0.2, high=0.35)
        minimal: bool = ladder(*[False] * 4, True)  # fewer numbers that are not needed

    board: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        walls, numbers = walled(rng, size, knobs.walls)
        kept = [*numbers]
        if knobs.minimal:

            def enough(some: list[int]) -> bool:
                return solve(walls, size, {cell: numbers[cell] for cell in some}).unique

            kept = thinned(kept, enough, rng, tries=TRIES)
        signs = [str(numbers[cell]) if cell in kept else sign for cell, sign in enumerate(walls)]
        return cls(board=tuple(in_rows("".join(signs), size)))

    def shape(self) -> tuple[int, int]:
        return len(self.board), len(self.board)

    def fixed_cells(self) -> list[int]:
        return [cell for cell, sign in enumerate("".join(self.board)) if sign != FREE]

    def solved(self) -> SearchResult[int]:
        signs = "".join(self.board)
        numbers = {cell: int(sign) for cell, sign in enumerate(signs) if sign.isdecimal()}
        walls = "".join(FREE if sign == FREE else WALL for sign in signs)
        return solve(walls, len(self.board), numbers)

    def canonical(self) -> str:
        return min("\n".join(map("".join, image)) for image in images(self.board))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two digits on walls change places, and no digit is above the number of free cells beside
        its wall, without those beside a 0.
        """
        flat, size = "".join(self.board), len(self.board)
        for signs in exchanges(flat, rng, lambda cell: flat[cell].isdecimal() or None):
            if not has_too_high_digit("".join(signs), size):
                yield self.model_copy(update={"board": tuple(in_rows("".join(signs), size))})

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

    def picture(self, signs: Sequence[str]) -> Grid:
        """Yellow where lamps shine; a lamp that another one lights is red."""
        board, size = super().picture(signs), len(self.board)
        seen = views("".join(self.board), size)
        lamps = [cell for cell, sign in enumerate(signs) if sign == LAMP]
        lit = {cell for lamp in lamps for cell in seen[lamp]}
        cells = [cell for row in board.cells for cell in row]
        for cell in lit.union(lamps):
            tone = "bad" if cell in lit and signs[cell] == LAMP else cells[cell].tone
            cells[cell] = changed(cells[cell], fill="t6", tone=tone)
        return changed(board, cells=tuple(map(tuple, in_rows(cells, size))))

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        own = self.board[cell // len(self.board)][cell % len(self.board)]
        if sign == LAMP:
            return Cell(mark="bulb", tone="accent")
        if own != FREE and sign == WALL:
            return Cell(own.strip(WALL), "dark")
        return Cell(fill="muted" if sign == WALL else "paper")

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

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether no lamp lights the cell, and no wall beside it has all its lamps."""
        size, board = len(self.board), "".join(self.board)
        near = sides(size, size)
        full = any(
            board[wall].isdecimal() and sum(n in on for n in near[wall]) >= int(board[wall])
            for wall in near[cell]
        )
        return not full and {*views(board, size)[cell]}.isdisjoint(on)

    def keys(self) -> Mapping[str, Key[int]]:
        size, board = len(self.board), "".join(self.board)
        near, seen = sides(size, size), views(board, size)
        return {
            "sum of numbers beside": lambda cell: sum(
                int(board[n]) for n in near[cell] if board[n].isdecimal()
            ),
            "number of cells lit": lambda cell: len(seen[cell]),
        }


def has_too_high_digit(board: str, size: int) -> bool:
    """Whether a digit is above the number of cells beside its wall that may have a lamp, which
    those beside a 0 may not.
    """
    near = sides(size, size)
    dark = {cell for wall, sign in enumerate(board) if sign == "0" for cell in near[wall]}
    return any(
        sign.isdecimal() and int(sign) > sum(board[n] == FREE and n not in dark for n in near[wall])
        for wall, sign in enumerate(board)
    )
