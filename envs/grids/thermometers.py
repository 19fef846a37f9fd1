"""Thermometers: a puzzle of filling from the bulb, known from World Puzzle Championships."""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import COUNTED, lines, picture
from palaestra.generators.grids.marks import Count, Marks, Sheet, exactly
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.generators.grids.shapes import LETTERS, sides, turns
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import cell_name
from palaestra.verifiers.reading.values import grid

FULL, EMPTY = "#", "-"

Tube = tuple[int, ...]
"""The cells of a thermometer, its bulb first."""


class Thermometers(Pencil):
    """Fill thermometers from their bulbs so that rows and columns have given numbers of cells."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 5, 5, 6, 7, 7, 8, low=3)
        length: int = ladder(4, 5, 5, 5, 6, 6, 6, low=3)  # of the longest
        bent: bool = ladder(False, False, True)
        silent: int = ladder(0, 0, 1, 2, 4, 7, 8)  # lines that are better not told

    size: int
    tubes: tuple[Tube, ...]
    counts: tuple[int, ...]
    """How many cells are filled in each row, then in each column; -1 where that is not told."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        # Short ones hardly ever settle a large grid, however they are filled.
        longest = max(knobs.length, 5 if size > 7 else 3)
        while True:
            tubes = laid(rng, size, longest, knobs.bent)
            filled: set[int] = set()
            for tube in tubes:
                filled.update(tube[: rng.randint(0, len(tube))])
            counts = [sum(cell in filled for cell in line) for line in lines(size, size)]
            task = cls(size=size, tubes=tuple(tubes), counts=tuple(counts))
            if task.is_valid():
                break
        for line in rng.sample(range(2 * size), min(knobs.silent, size)):
            counts[line] = -1
            without = cls(size=size, tubes=tuple(tubes), counts=tuple(counts))
            if without.is_valid():
                task = without
            counts = [*task.counts]
        return task

    def solved(self) -> SearchResult[int]:
        if_on: dict[int, Marks] = {}
        if_off: dict[int, Marks] = {}
        for tube in self.tubes:
            for place, cell in enumerate(tube):
                if_on[cell] = (bits(tube[:place]), 0)
                if_off[cell] = (0, bits(tube[place + 1 :]))
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
        rows, columns = (
            " ".join("?" if many < 0 else str(many) for many in some)
            for some in (self.counts[:size], self.counts[size:])
        )
        return (
            f"{rules} The number of filled cells in each row and column is given below, where '?' "
            f"is an unknown number. Exactly one filling fits. {COUNTED}: r1c2 is the cell in row "
            f"1, column 2.\n\nThermometers, bulb first:\n{tubes}\n\nFilled cells in the rows, from "
            f"top to bottom: {rows}\nFilled cells in the columns, from left to right: {columns}\n\n"
            f"Answer with the whole grid: {size} lines of {size} cells separated by spaces, "
            f"'{FULL}' for a filled cell and '{EMPTY}' for an empty one. A line looks like "
            f"'{' '.join(f'{FULL}{EMPTY}' * size)[: 2 * size - 1]}'."
        )

    def answer(self) -> str:
        (filled,) = self.solved().solutions
        return picture(filled, self.size, self.size, FULL + EMPTY)

    def verify(self, answer: str) -> Score:
        size = self.size
        filled = [sign == FULL for row in grid(answer, size, size, FULL + EMPTY) for sign in row]
        for number, (line, many) in enumerate(zip(lines(size, size), self.counts)):
            count = sum(filled[cell] for cell in line)
            if many not in (-1, count):
                kind = "column" if number >= size else "row"
                return Score(0, f"{kind} {number % size + 1} has {count} filled cells")
        for number, tube in enumerate(self.tubes):
            levels = [filled[cell] for cell in tube]
            if levels != sorted(levels, reverse=True):
                return Score(0, f"thermometer {LETTERS[number]} has a gap")
        return Score(1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, length=3)

    def candidates(self) -> Iterable[str]:
        for cells in product((0, 1), repeat=9):
            yield picture(bits(n for n, on in enumerate(cells) if on), 3, 3, FULL + EMPTY)


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
