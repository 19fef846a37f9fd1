"""Hitori, by Nikoli (1990): shading repeated numbers away."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import images, in_rows, line_names, lines, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.latin_squares import latin_square
from palaestra.generators.grids.marks import Marks, Sheet
from palaestra.generators.grids.pencil import BinaryGrid, SearchResult
from palaestra.generators.grids.shapes import connected, piece, sides
from palaestra.scenes import Cell
from palaestra.task import ladder

SHADINGS = 8
"""How many shadings of a Latin square are tried before another square."""


class Hitori(BinaryGrid):
    """Shade cells so that no number repeats, no shaded cells touch and the rest is one piece."""

    tags = {"grid", "constraint-satisfaction", "connectivity", "unique-solution"}
    version = 3

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 10, 12, 15, 20, low=3)

    numbers: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        latin = latin_square(rng, knobs.size)
        for _ in range(SHADINGS):
            numbers = disguised(rng, latin, knobs.size)
            task = cls(numbers=tuple(map(tuple, in_rows(numbers, knobs.size))))
            if task.is_valid():
                break
        return task

    def shape(self) -> tuple[int, int]:
        return len(self.numbers), len(self.numbers)

    def solved(self) -> SearchResult[int]:
        return sheet(self.numbers).solve()

    def canonical(self) -> str:
        return str(min(map(relabelled, images(self.numbers))))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two numbers of the same row change places."""
        size = len(self.numbers)
        flat = [number for row in self.numbers for number in row]
        for numbers in exchanges(flat, rng, lambda cell: cell // size):
            yield self.model_copy(update={"numbers": tuple(map(tuple, in_rows(numbers, size)))})

    def prompt(self) -> str:
        size = len(self.numbers)
        rules = self.phrase(
            f"Shade some cells of this grid of {size} rows and {size} columns so that: (1) among "
            "the cells left unshaded, no number stands twice in a row or twice in a column; (2) no "
            "two shaded cells share a side (they may touch at a corner); (3) the unshaded cells "
            "are all connected, that is, each can be reached from every other by steps up, down, "
            "left and right over unshaded cells.",
            f"This is a hitori of {size} by {size} cells. Black out cells until no row and no "
            "column shows the same number more than once. Blacked-out cells must never be direct "
            "neighbours across or down, although corners may meet, and they must not cut the grid: "
            "all remaining cells form one region in which every two are joined by a path of steps "
            "across and down.",
        )
        return (
            f"{rules} There is exactly one way to do it.\n\n{text(self.numbers)}\n\n"
            f"{self.answer_format('a shaded cell', 'an unshaded one', '-#-')}"
        )

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        """Its number, on dark ground if it is shaded."""
        number = self.numbers[cell // len(self.numbers)][cell % len(self.numbers)]
        return Cell(str(number), "dark" if sign == self.signs[0] else "paper")

    def violation(self, on: Sequence[bool]) -> str:
        size = len(self.numbers)
        flat = [number for row in self.numbers for number in row]
        for name, line in zip(line_names(size, size), lines(size, size)):
            if any(on[one] and on[other] for one, other in pairwise(line)):
                return f"{name} has two shaded cells side by side"
            unshaded = [flat[cell] for cell in line if not on[cell]]
            if len(set(unshaded)) < len(unshaded):
                return f"{name} still shows a number twice"
        if connected(bits(cell for cell, shaded in enumerate(on) if not shaded), size, size):
            return ""
        return "the unshaded cells are not all connected"

    def difficulty(self) -> float:
        return float(self.solved().nodes * len(self.numbers) ** 2)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3)

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether the number is in its row or column again, and the open cells stay connected."""
        size = len(self.numbers)
        flat = [number for row in self.numbers for number in row]
        line = [n for line in lines(size, size) if cell in line for n in line if n not in on]
        again = sum(flat[n] == flat[cell] for n in line) > 2  # the cell itself is in both lines
        open_cells = bits(n for n in range(size * size) if n not in on and n != cell)
        return (
            again
            and {*sides(size, size)[cell]}.isdisjoint(on)
            and connected(open_cells, size, size)
        )


def sheet(numbers: tuple[tuple[int, ...], ...]) -> Sheet:
    """The rules, where a cell that is on is shaded."""
    size = len(numbers)
    flat = [number for row in numbers for number in row]
    if_on: dict[int, Marks] = {cell: (0, bits(near)) for cell, near in enumerate(sides(size, size))}
    alike = [0] * len(flat)
    for line in lines(size, size):
        for cell in line:
            alike[cell] |= bits(other for other in line if flat[other] == flat[cell])
    if_off = {cell: (some & ~(1 << cell), 0) for cell, some in enumerate(alike)}
    full = (1 << size * size) - 1

    def sound(on: int, off: int) -> bool:
        """Whether the cells that are certainly open are not separated by shaded ones."""
        return not off & ~piece(full & ~on, off & -off, size, size)

    return Sheet(size * size, (), if_on, if_off, sound)


def disguised(rng: Random, latin: Sequence[int], size: int) -> list[int]:
    """A Latin square in which each cell of a random shading repeats a number of its lines."""
    numbers, shaded = [*latin], shading(rng, size)
    for cell in ones(shaded):
        beside = [
            latin[other]
            for line in crossing(size)[cell]
            for other in line
            if not shaded >> other & 1
        ]
        numbers[cell] = rng.choice(beside)
    return numbers


@lru_cache(maxsize=32)
def crossing(size: int) -> list[tuple[Sequence[int], Sequence[int]]]:
    """The row and the column of each cell."""
    rows, columns = lines(size, size)[:size], lines(size, size)[size:]
    return [(row, column) for row in rows for column in columns]


def shading(rng: Random, size: int) -> int:
    """Shaded cells at random, as many as fit."""
    near, shaded = sides(size, size), 0
    full = (1 << size * size) - 1
    for cell in rng.sample(range(size * size), size * size):
        if not any(shaded >> other & 1 for other in near[cell]):
            more = shaded | 1 << cell
            if connected(full & ~more, size, size):
                shaded = more
    return shaded


def relabelled(numbers: list[list[int]]) -> list[list[int]]:
    """A grid with its numbers renamed in the order in which they appear.

    >>> relabelled([[4, 3], [1, 3]])
    [[1, 2], [3, 2]]
    """
    names: dict[int, int] = {}
    return [[names.setdefault(number, len(names) + 1) for number in row] for row in numbers]
