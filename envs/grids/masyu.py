"""Masyu, by Nikoli (2000): one loop through all pearls, which turns at black ones, not at white."""

from collections.abc import Iterable, Mapping
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, in_rows, text
from palaestra.generators.grids.lines import LINE_SIGNS, links, pipe
from palaestra.generators.grids.loops import blob
from palaestra.generators.grids.masyu import (
    BLACK,
    BLANK,
    EMPTY,
    OPPOSITE,
    STEP,
    VISITED,
    WHITE,
    as_text,
    course,
    enough,
    lone,
    outline,
    solve,
    strung,
)
from palaestra.generators.grids.pencil import Pencil, SearchResult, thinned
from palaestra.scenes import Cell, Grid, cells_of
from palaestra.scenes.elements import changed
from palaestra.scenes.loops import LoopEntry
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.grids import grid

LOOKS = {
    BLACK: Cell(BLACK, mark="disc", tone="black"),
    WHITE: Cell(WHITE, mark="disc", tone="white"),
    VISITED: Cell(mark="dot", tone="ink"),
    EMPTY: Cell(mark="cross", tone="shade"),
    BLANK: Cell(),
}
"""How the signs are drawn."""


class Masyu(Pencil):
    """Draw one loop through all circles: turn on the black ones, go straight on the white ones."""

    tags = {"grid", "loop", "connectivity", "constraint-satisfaction", "unique-solution"}
    version = 3

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 10, 12, 15, 20)
        spared: int = ladder(4, 4, 4, 6, 8, 10, low=0, high=20)  # tries to drop signs

    pearls: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        every = None
        while every is None:
            every = enough(rng, outline(blob(rng, size - 1), size), size)
        kept = thinned(
            [*every],
            lambda some: solve(size, tuple((n, every[n]) for n in sorted(some))).unique,
            rng,
            tries=knobs.spared,
        )
        signs = "".join(every[n] if n in kept else BLANK for n in range(size * size))
        return cls(pearls=tuple(in_rows(signs, size)))

    def signs_by_cell(self) -> tuple[tuple[int, str], ...]:
        """The signs by cell."""
        return tuple((n, s) for n, s in enumerate("".join(self.pearls)) if s != BLANK)

    def solved(self) -> SearchResult[int]:
        return solve(len(self.pearls), self.signs_by_cell())

    def canonical(self) -> str:
        return min("\n".join(map("".join, image)) for image in images(self.pearls))

    def prompt(self) -> str:
        size = len(self.pearls)
        rules = self.phrase(
            f"In this grid of {size} rows and {size} columns, draw a single closed loop that runs "
            "from the centre of a cell to the centre of the next one, up, down, left or right, "
            "and passes through no cell twice. It need not visit every cell, but it must pass "
            f"through every circle. On a black circle ('{BLACK}') it makes a right-angled turn, "
            "and goes straight on through both the cell before and the cell after it. On a white "
            f"circle ('{WHITE}') it goes straight on, and it turns in the cell before or in the "
            "cell after it, or in both.",
            f"Find the one loop in this {size} by {size} grid. The loop moves between cells that "
            "share a side, never visits a cell again before it closes, and goes through all cells "
            f"with a '{WHITE}' or a '{BLACK}'. At each '{BLACK}' the loop must turn by 90 degrees, "
            "and it may not turn in either of the two cells that are next to it along the loop. "
            f"At each '{WHITE}' the loop must not turn, but must turn in at least one of the two "
            "cells next to it along the loop.",
        )
        example = " ".join(("xF-7" * size)[:size])
        return (
            f"{rules} The loop must also visit every cell marked '{VISITED}', straight or turning, "
            f"and must not visit any cell marked '{EMPTY}'; it may or may not visit a cell with a "
            f"dot. There is exactly one way to do it.\n\n{text(self.pearls)}\n\nAnswer with the "
            f"whole grid: {size} lines of {size} signs separated by spaces, which show how the "
            "loop runs in each cell: '-' left and right, 'I' up and down, 'F' right and down, '7' "
            "left and down, 'L' up and right, 'J' up and left, 'x' where the loop does not pass. A "
            f"line looks like '{example}'."
        )

    def scene(self) -> Grid:
        return Grid(cells_of(self.pearls, LOOKS))

    def solved_scene(self, answer: str) -> Grid:
        size = len(self.pearls)
        course = enumerate(self.read(answer))
        lines = [pipe(divmod(n, size), exits) for n, exits in course if exits]
        return changed(self.scene(), lines=tuple(lines))

    def entry(self) -> LoopEntry:
        size = len(self.pearls)
        start = (("",) * size,) * size
        return LoopEntry((*LINE_SIGNS,), start, via="centres", exits=(*LINE_SIGNS.values(),))

    def read(self, answer: str) -> list[str]:
        """The sides by which the loop leaves each cell of an answer."""
        size = len(self.pearls)
        signs = grid(answer, size, size, [*LINE_SIGNS])
        return [LINE_SIGNS[sign] for row in signs for sign in row]

    def answer(self) -> str:
        (loop,) = self.solved().solutions
        return as_text(loop, len(self.pearls))

    def verify(self, answer: str) -> Score:
        size = len(self.pearls)
        cells = self.read(answer)
        wires = links(size, size)
        loop = 0
        for cell, exits in enumerate(cells):
            for side in exits:
                row, column = (a + b for a, b in zip(divmod(cell, size), STEP[side]))
                inside = side in wires[cell]
                if not inside or OPPOSITE[side] not in cells[row * size + column]:
                    return Score(0, f"the loop breaks off at {cell_name(*divmod(cell, size))}")
                loop |= 1 << wires[cell][side]
        lovely = strung(loop, size)
        for cell, sign in self.signs_by_cell():
            name = cell_name(*divmod(cell, size))
            if sign in (VISITED, EMPTY) and bool(cells[cell]) != (sign == VISITED):
                return Score(0, f"the loop breaks the rule for the '{sign}' in {name}")
            if sign in (BLACK, WHITE) and lovely.get(cell) != sign:
                return Score(0, f"the loop breaks the rule for the circle in {name}")
        return Score(1) if lone(loop, size) else Score(0, "there is more than one loop")

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4, spared=2)

    def candidates(self) -> Iterable[str]:
        for inside in range(1, 1 << 9):
            loop = outline(inside, 4)
            if max(map(len, course(loop, 4))) < 4:
                yield as_text(loop, 4)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """A loop around the whole grid, around all its signs, and around a random region."""
        size = len(self.pearls)
        cells = [divmod(cell, size) for cell, sign in self.signs_by_cell() if sign != EMPTY]
        (top, bottom), (left, right) = ((min(some), max(some)) for some in zip(*cells))
        around = {
            "outline of the grid": [*product(range(size - 1), range(size - 1))],
            "outline of the circles": [*product(range(top, bottom), range(left, right))],
        }
        regions = {
            player: bits(row * (size - 1) + column for row, column in some)
            for player, some in around.items()
        }
        regions["outline of a random region"] = blob(rng, size - 1)
        return {player: as_text(outline(inside, size), size) for player, inside in regions.items()}
