"""Aquarium: tanks filled up to a level each, a puzzle known from web sites of the 2010s."""

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, in_rows, lines, text
from palaestra.generators.grids.marks import Marks, Sheet, exactly
from palaestra.generators.grids.pencil import LineCounts, SearchResult, margins
from palaestra.generators.grids.shapes import LETTERS, gathered, grown, renamed
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import changed
from palaestra.task import ladder


class Aquarium(LineCounts):
    """Fill tanks up to a level each so that rows and columns have given numbers of wet cells."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    counted = "wet cells"

    class Knobs(LineCounts.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 10, low=3)
        tanks: int = ladder(7, 9, 11, 14, 18, 22, 26, low=5)
        silent: int = ladder(0, 0, 1, 2, 4, 6, 8)  # counts left out if possible

    tanks: tuple[str, ...]
    counts: tuple[int, ...]
    """How many cells are wet in each row, then in each column; -1 where it is unknown."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        while True:
            seeds = rng.sample(range(size * size), min(knobs.tanks, size * size // 2))
            region = renamed(grown(rng, size, size, seeds))
            wet: set[int] = set()
            for cells in gathered(region):
                rows = sorted({cell // size for cell in cells})
                level = rng.choice([*rows, size])
                wet.update(cell for cell in cells if cell // size >= level)
            tanks = in_rows("".join(LETTERS[number] for number in region), size)
            counts = (sum(cell in wet for cell in line) for line in lines(size, size))
            task = cls(tanks=tuple(tanks), counts=tuple(counts))
            if task.is_valid():
                break
        return task.without_counts(rng.sample(range(2 * size), min(knobs.silent, size)))

    def shape(self) -> tuple[int, int]:
        return len(self.tanks), len(self.tanks)

    def solved(self) -> SearchResult[int]:
        size = len(self.tanks)
        if_on: dict[int, Marks] = {}
        if_off: dict[int, Marks] = {}
        for cells in gathered([LETTERS.index(sign) for row in self.tanks for sign in row]):
            for cell in cells:
                if_on[cell] = (bits(c for c in cells if c // size >= cell // size), 0)
                if_off[cell] = (0, bits(c for c in cells if c // size <= cell // size))
        totals = zip(lines(size, size), self.counts)
        counts = tuple(exactly(line, many) for line, many in totals if many >= 0)
        return Sheet(size * size, counts, if_on, if_off).solve()

    def canonical(self) -> str:
        """The mirror image of an aquarium is the same puzzle."""
        size = len(self.tanks)
        tanks: list[tuple[list[int], tuple[int, ...], tuple[int, ...]]] = []
        for image in (images(self.tanks, turned=False)[n] for n in (0, 2)):
            region = renamed([LETTERS.index(sign) for row in image for sign in row])
            straight = not tanks
            columns = self.counts[size:] if straight else self.counts[size:][::-1]
            tanks.append((region, self.counts[:size], columns))
        return str(min(tanks))

    def alterations(self, rng: Random) -> Iterator[Self]:
        return self.exchanged_counts(rng)

    def prompt(self) -> str:
        size = len(self.tanks)
        rules = self.phrase(
            f"This grid of {size} rows and {size} columns is divided into tanks: cells with the "
            "same letter are one tank. Each tank holds water up to some level, or none at all, or "
            "is full. Within a tank the water stands equally high everywhere: in any one row the "
            "cells of the tank are either all wet or all dry, and if they are wet, so are all "
            "cells of the tank in the rows below.",
            f"Pour water into the tanks of a {size} by {size} aquarium. A letter names the tank "
            "that a cell belongs to. Water sinks to the bottom of its tank and has a level "
            "surface: whenever a cell is wet, every cell of the same tank that is in the same row "
            "or in a lower row is wet too. A tank can also stay empty or be filled to the top.",
        )
        return (
            f"{rules} The number of wet cells in each row and column is given below, where '?' is "
            f"an unknown number. Exactly one filling fits.\n\n{text(self.tanks)}\n\n"
            f"{margins('Wet cells in', self.counts, size)}\n\n"
            f"{self.answer_format('a wet cell', 'a dry one')}"
        )

    def picture(self, signs: Sequence[str]) -> Grid:
        regions = tuple(tuple(map(LETTERS.index, row)) for row in self.tanks)
        return changed(super().picture(signs), regions=regions)

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        """Blue where it is wet; the first cell of a tank bears its name."""
        letters = "".join(self.tanks)
        name = "" if letters[cell] in letters[:cell] else letters[cell]
        if sign == self.signs[0]:
            return Cell(fill="water", corner=name)
        return changed(super().look(cell, sign, known), corner=name)

    def violation(self, on: Sequence[bool]) -> str:
        return super().violation(on) or self.uneven_tank(on)

    def uneven_tank(self, wet: Sequence[bool]) -> str:
        """In which tank the water is not level, if in any."""
        size = len(self.tanks)
        letters = "".join(self.tanks)
        surface: dict[str, int] = {}
        for cell, letter in enumerate(letters):
            if wet[cell]:
                surface.setdefault(letter, cell // size)
        for cell, letter in enumerate(letters):
            if not wet[cell] and cell // size >= surface.get(letter, size):
                return f"the water in tank {letter} is not level"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, tanks=5)

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether the tank is full below the cell, and its lines have room for the whole level."""
        size, letters = len(self.tanks), "".join(self.tanks)
        tank = [n for n, letter in enumerate(letters) if letter == letters[cell]]
        level = {n for n in tank if n // size == cell // size}
        below = {n for n in tank if n // size > cell // size}
        wet = {*on, *level}
        return below <= {*on} and all(super(Aquarium, self).allows(wet, n) for n in level)
