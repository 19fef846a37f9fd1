"""Thermometers: a puzzle of filling from the bulb, known from World Puzzle Championships."""

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import COUNTED, lines
from palaestra.generators.grids.marks import Count, Marks, Sheet, exactly
from palaestra.generators.grids.pencil import LineCounts, SearchResult, margins
from palaestra.generators.grids.shapes import LETTERS, sides, turns
from palaestra.scenes import Cell, Grid, Line
from palaestra.scenes.elements import changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name

Tube = tuple[int, ...]
"""The cells of a thermometer, its bulb first."""

REPAIRS = 30
"""How many times a level changes before other thermometers are tried."""


class Thermometers(LineCounts):
    """Fill thermometers from their bulbs so that rows and columns have given numbers of cells."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    version = 2
    counted = "filled cells"

    class Knobs(LineCounts.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 10, low=3, high=10)
        length: int = ladder(4, 5, 5, 5, 6, 6, 6, low=3)  # of the longest
        bent: bool = ladder(False, False, True)
        silent: int = ladder(0, 0, 1, 2, 4, 6, 8)  # counts left out if possible

    size: int
    tubes: tuple[Tube, ...]
    counts: tuple[int, ...]
    """How many cells are filled in each row, then in each column; -1 where it is unknown."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        # Short ones hardly ever settle a large grid, however they are filled.
        longest = max(knobs.length, 5 if size > 7 else 3)
        task = None
        while task is None:
            task = cls.filled(rng, size, laid(rng, size, longest, knobs.bent))
        return task.without_counts(rng.sample(range(2 * size), min(knobs.silent, size)))

    @classmethod
    def filled(cls, rng: Random, size: int, tubes: list[Tube]) -> Self | None:
        """A task with these thermometers; None where no levels settle it.

        Where another filling has the same counts, the level of a thermometer that differs changes.
        """
        levels = [rng.randint(0, len(tube)) for tube in tubes]
        for _ in range(REPAIRS):
            filled = bits(cell for tube, level in zip(tubes, levels) for cell in tube[:level])
            counts = (sum(filled >> cell & 1 for cell in line) for line in lines(size, size))
            task = cls(size=size, tubes=tuple(tubes), counts=tuple(counts))
            result = task.solved()
            if result.unique:
                return task
            other = next((on ^ filled for on in result.solutions if on != filled), 0)
            different = [n for n, tube in enumerate(tubes) if bits(tube) & other]
            if not different:
                return None
            number = rng.choice(different)
            levels[number] = rng.randint(0, len(tubes[number]))
        return None

    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    def solved(self) -> SearchResult[int]:
        if_on: dict[int, Marks] = {}
        if_off: dict[int, Marks] = {}
        for tube in self.tubes:
            for n, cell in enumerate(tube):
                if_on[cell] = (bits(tube[:n]), 0)
                if_off[cell] = (0, bits(tube[n + 1 :]))
        totals = zip(lines(self.size, self.size), self.counts)
        counts: tuple[Count, ...] = tuple(exactly(line, many) for line, many in totals if many >= 0)
        return Sheet(self.size**2, counts, if_on, if_off).solve()

    def canonical(self) -> str:
        totals = [*zip(lines(self.size, self.size), self.counts)]
        return str(
            min(
                (
                    sorted(tuple(turn[cell] for cell in tube) for tube in self.tubes),
                    sorted(
                        (sorted((turn[line[0]], turn[line[-1]])), many) for line, many in totals
                    ),
                )
                for turn in turns(self.size)
            )
        )

    def alterations(self, rng: Random) -> Iterator[Self]:
        return self.exchanged_counts(rng)

    def prompt(self) -> str:
        size = self.size
        rules = self.phrase(
            f"The cells of a grid of {size} rows and {size} columns form thermometers, each a "
            "chain of cells that starts at its bulb. A thermometer may be empty, completely filled "
            "or anything in between, but it fills up from the bulb: a cell is filled only if all "
            "cells before it in the chain are filled as well.",
            f"Thermometers cover a {size} by {size} grid. The mercury of each starts in the bulb, "
            "the first cell of its chain, and rises along the chain without gaps; it may stop "
            "after any cell, at the very end, or not even fill the bulb.",
        )
        tubes = "\n".join(
            f"{LETTERS[n]}: {' '.join(cell_name(*divmod(cell, size)) for cell in tube)}"
            for n, tube in enumerate(self.tubes)
        )
        return (
            f"{rules} The number of filled cells in each row and column is given below, where '?' "
            f"is an unknown number. Exactly one filling fits. {COUNTED}: r1c2 is the cell in row "
            f"1, column 2.\n\nThermometers, bulb first:\n{tubes}\n\n"
            f"{margins('Filled cells in', self.counts, size)}\n\n"
            f"{self.answer_format('a filled cell', 'an empty one')}"
        )

    def picture(self, signs: Sequence[str]) -> Grid:
        """The scene of the thermometers, with mercury in the cells that are filled."""
        filled = {cell for cell, sign in enumerate(signs) if sign == self.signs[0]}
        lines = []
        for tube in self.tubes:
            points = tuple(divmod(cell, self.size) for cell in tube)
            lines.append(Line(points, "muted", 0.42, round_end=True))
            if tube[0] in filled:
                lines.append(Line(points[:1], "c3", 0.3, round_end=True))
            lines += [
                Line((here, ahead), "c3", 0.2)
                for cell, other, here, ahead in zip(tube, tube[1:], points, points[1:])
                if cell in filled and other in filled
            ]
        return changed(super().picture(signs), lines=tuple(lines))

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        return Cell(fill="t3") if sign == self.signs[0] else Cell()

    def violation(self, on: Sequence[bool]) -> str:
        return super().violation(on) or self.gap(on)

    def gap(self, filled: Sequence[bool]) -> str:
        """Which thermometer has a gap, if any."""
        for number, tube in enumerate(self.tubes):
            levels = [filled[cell] for cell in tube]
            if levels != sorted(levels, reverse=True):
                return f"thermometer {LETTERS[number]} has a gap"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, length=3)

    def allows(self, on: Collection[int], cell: int) -> bool:
        tube = next((tube for tube in self.tubes if cell in tube), (cell,))
        return {*tube[: tube.index(cell)]} <= {*on} and super().allows(on, cell)


def laid(rng: Random, size: int, longest: int, bent: bool) -> list[Tube]:
    """Thermometers that cover a square, in reading order of the cells they were laid from."""
    near, free = sides(size, size), set(range(size * size))
    tubes = []
    for start in range(size * size):
        if start not in free:
            continue
        tube = [start]
        free.remove(start)
        wanted = rng.randint(2, longest)
        while len(tube) < wanted:
            ways = [cell for cell in near[tube[-1]] if cell in free]
            if not bent and len(tube) > 1:
                ways = [cell for cell in ways if cell - tube[-1] == tube[-1] - tube[-2]]
            if not ways:
                break
            tube.append(rng.choice(ways))
            free.remove(tube[-1])
        tubes.append(tuple(tube[:: rng.choice((1, -1))]))
    return tubes
