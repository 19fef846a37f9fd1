"""Colouring bricks by how many neighbours share their colour, a relative of fill-a-pix.

Fill-a-pix, by Trevor Truran, counts the black cells around a cell; here the number is how many
of the cells around have the cell's own colour, whichever of the colours that is.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.cells import images, in_rows, neighbours, text
from palaestra.generators.grids.numeral_bricks import COLOURS, blotched, solve, written
from palaestra.generators.grids.pencil import Pencil, SearchResult, revealed, spared
from palaestra.scenes import Cell, Grid
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.grids import altered, grid

BLANK = "."


class NumeralBricks(Pencil):
    """Colour all cells so that each number counts the neighbours that share its cell's colour."""

    version = 2
    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(3, 4, 5, 6, 7, 7, 8)
        colours: int = ladder(2, 2, 2, 3, 3, 3, 3, high=4)
        share: float = ladder(1.0, 0.95, 0.9, 0.9, 0.9, 0.85, 0.85, low=0.8)  # of numbers shown
        minimal: bool = ladder(*[False] * 5, True)  # fewer coloured cells are known

    numbers: tuple[tuple[int, ...], ...]
    """The number in each cell, or -1."""

    givens: tuple[str, ...]
    colours: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, colours = knobs.size, knobs.colours
        truth = blotched(rng, size, colours)
        near = neighbours(size, size)
        cells = range(size * size)
        every = [sum(truth[other] == truth[n] for other in near[n]) for n in cells]
        shown = {n: every[n] for n in rng.sample(cells, round(knobs.share * size * size))}
        first = {truth.index(colour): colour for colour in sorted({*truth})}
        known = revealed(lambda some: solve(size, colours, shown, some), truth, first, rng)
        if knobs.minimal:
            kept = spared(
                [*known],
                lambda some: solve(size, colours, shown, {n: truth[n] for n in some}).unique,
                rng,
                most=4,
            )
            known = {n: truth[n] for n in kept}
        numbers = [shown.get(n, -1) for n in cells]
        signs = "".join(COLOURS[known[n]] if n in known else BLANK for n in cells)
        return cls(
            numbers=tuple(map(tuple, in_rows(numbers, size))),
            givens=tuple(in_rows(signs, size)),
            colours=colours,
        )

    def solved(self) -> SearchResult[tuple[int, ...]]:
        flat = enumerate(number for row in self.numbers for number in row)
        signs = enumerate("".join(self.givens))
        return solve(
            len(self.numbers),
            self.colours,
            {n: number for n, number in flat if number >= 0},
            {n: COLOURS.index(sign) for n, sign in signs if sign != BLANK},
        )

    def canonical(self) -> str:
        rows = [[*zip(*pair)] for pair in zip(self.numbers, self.givens)]
        return f"{self.colours} {min(images(rows))}"

    def prompt(self) -> str:
        size = len(self.numbers)
        signs = COLOURS[: self.colours]
        rules = self.phrase(
            f"Every cell of a grid of {size} rows and {size} columns has one of {self.colours} "
            f"colours, called {', '.join(signs)}. A number in a cell states how many of the (up to "
            "eight) cells around it, diagonal ones included, have the same colour as that cell "
            "itself.",
            f"Colour a wall of {size} by {size} bricks with the colours {', '.join(signs)}. A "
            "brick with a number has exactly that many bricks of its own colour among those that "
            "touch it at a side or at a corner (eight at most, fewer at the edge).",
        )
        numbers = text([["." if n < 0 else n for n in row] for row in self.numbers])
        example = " ".join((signs * size)[:size])
        return (
            f"{rules} A dot in the first grid is a cell without a number. The second grid shows "
            "the colours that are known, with dots for the others. There is exactly one way to "
            f"colour the rest.\n\nNumbers:\n{numbers}\n\nKnown colours:\n{text(self.givens)}\n\n"
            f"Answer with the colours of the whole grid: {size} lines of {size} letters separated "
            f"by spaces. A line looks like '{example}'."
        )

    def scene(self) -> Grid:
        return self.picture(self.givens)

    def solved_scene(self, answer: str) -> Grid:
        return self.picture(self.read(answer))

    def picture(self, rows: Sequence[Sequence[str]]) -> Grid:
        """The scene of the numbers on these colours: strong ones are known, pale ones entered."""

        def brick(number: int, sign: str, clue: str) -> Cell:
            text = "" if number < 0 else str(number)
            if sign == BLANK:
                return Cell(text)
            fill = f"{'c' if sign == clue else 't'}{COLOURS.index(sign)}"
            return Cell(text, fill, corner=sign, fixed=sign == clue)

        return Grid(
            tuple(
                tuple(map(brick, numbers, signs, givens))
                for numbers, signs, givens in zip(self.numbers, rows, self.givens)
            )
        )

    def read(self, answer: str) -> list[list[str]]:
        """The colour of each cell of an answer."""
        size = len(self.numbers)
        return grid(answer, size, size, COLOURS[: self.colours])

    def answer(self) -> str:
        (colours,) = self.solved().solutions
        return written(colours)

    def verify(self, answer: str) -> Score:
        size = len(self.numbers)
        table = self.read(answer)
        if violation := altered(self.givens, table, blank=BLANK):
            return Score(0, violation)
        cells = [sign for row in table for sign in row]
        for n, number in enumerate(number for row in self.numbers for number in row):
            many = sum(cells[other] == cells[n] for other in neighbours(size, size)[n])
            if number not in (-1, many):
                name = f"row {n // size + 1}, column {n % size + 1}"
                return Score(0, f"the cell in {name} has {many} neighbours of its colour")
        return Score(1)

    def blanks(self) -> int:
        return sum(row.count(BLANK) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, colours=2)

    def candidates(self) -> Iterable[str]:
        return map(written, product(range(2), repeat=9))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put a colour into cell by cell with which no number near it is exceeded, or else any."""
        size, signs = len(self.numbers), "".join(self.givens)
        clues = {n: sign for n, sign in enumerate(signs) if sign != BLANK}
        free = [n for n, sign in enumerate(signs) if sign == BLANK]
        numbers = [number for row in self.numbers for number in row]
        near = neighbours(size, size)

        def allowed(cell: int, colour: str, colours: Mapping[int, str]) -> bool:
            now = {**clues, **colours, cell: colour}
            for n in (cell, *near[cell]):
                if numbers[n] >= 0 and n in now:
                    alike = sum(now.get(other) == now[n] for other in near[n])
                    unknown = sum(other not in now for other in near[n])
                    if not alike <= numbers[n] <= alike + unknown:
                        return False
            return True

        def options(cell: int, colours: Mapping[int, str]) -> list[str]:
            return [c for c in COLOURS[: self.colours] if allowed(cell, c, colours)]

        blank = dict.fromkeys(free, COLOURS[0])
        return {
            player: text(
                in_rows([v for _, v in sorted({**blank, **clues, **colours}.items())], size)
            )
            for player, colours in fillings(free, options, rng).items()
        }
