"""Hitori, by Nikoli (1990): shading repeated numbers away."""

from collections.abc import Iterable
from itertools import pairwise, product
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, lines, picture, text
from palaestra.generators.grids.latin_squares import Square, compose
from palaestra.generators.grids.marks import Marks, Sheet
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.generators.grids.shapes import connected, piece, sides
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.values import grid

SHADED, OPEN = "#", "-"


class Hitori(Pencil):
    """Shade cells so that no number repeats, no shaded cells touch and the rest is one piece."""

    tags = {"grid", "constraint-satisfaction", "connectivity", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 10, low=3)

    numbers: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        square = Square(size)
        latin = square.grid(square.placed(compose(square, rng)[0]))
        numbers = [number for row in latin for number in row]
        shaded = shading(rng, size)
        for cell in range(size * size):
            if shaded >> cell & 1:
                beside = [
                    numbers[other]
                    for line in lines(size, size)
                    if cell in line
                    for other in line
                    if not shaded >> other & 1
                ]
                numbers[cell] = rng.choice(beside)
        rows = (tuple(numbers[n : n + size]) for n in range(0, size * size, size))
        return cls(numbers=tuple(rows))

    def solved(self) -> SearchResult[int]:
        return sheet(self.numbers).solve()

    def canonical(self) -> str:
        return str(min(map(relabelled, images(self.numbers))))

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
        example = " ".join((OPEN + SHADED + OPEN) * size)[: 2 * size - 1]
        return (
            f"{rules} There is exactly one way to do it.\n\n{text(self.numbers)}\n\nAnswer with "
            f"the whole grid: {size} lines of {size} cells separated by spaces, '{SHADED}' for a "
            f"shaded cell and '{OPEN}' for an unshaded one. A line looks like '{example}'."
        )

    def answer(self) -> str:
        (shaded,) = self.solved().solutions
        return picture(shaded, len(self.numbers), len(self.numbers), SHADED + OPEN)

    def verify(self, answer: str) -> Score:
        size = len(self.numbers)
        cells = grid(answer, size, size, SHADED + OPEN)
        shown = [
            [number if sign == OPEN else 0 for number, sign in zip(row, signs)]
            for row, signs in zip(self.numbers, cells)
        ]
        for kind, some in (("row", shown), ("column", [[*column] for column in zip(*shown)])):
            for number, line in enumerate(some, 1):
                for one, other in pairwise(line):
                    if one == other == 0:
                        return Score(0, f"{kind} {number} has two shaded cells side by side")
                left = [n for n in line if n]
                if len(set(left)) < len(left):
                    return Score(0, f"{kind} {number} still shows a number twice")
        flat = [sign for row in cells for sign in row]
        if not connected(bits(n for n, sign in enumerate(flat) if sign == OPEN), size, size):
            return Score(0, "the unshaded cells are not all connected")
        return Score(1)

    def difficulty(self) -> float:
        return float(self.solved().nodes * len(self.numbers) ** 2)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3)

    def candidates(self) -> Iterable[str]:
        for cells in product((0, 1), repeat=9):
            yield picture(bits(n for n, on in enumerate(cells) if on), 3, 3, SHADED + OPEN)


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
        """Whether what is surely open is not cut apart by what is shaded."""
        return not off & ~piece(full & ~on, off & -off, size, size)

    return Sheet(size * size, (), if_on, if_off, sound)


def shading(rng: Random, size: int) -> int:
    """As many shaded cells as go in at random."""
    near, shaded = sides(size, size), 0
    full = (1 << size * size) - 1
    for cell in rng.sample(range(size * size), size * size):
        if not any(shaded >> other & 1 for other in near[cell]):
            more = shaded | 1 << cell
            if connected(full & ~more, size, size):
                shaded = more
    return shaded


def relabelled(numbers: list[list[int]]) -> list[list[int]]:
    """A grid with its numbers renamed in the order in which they come up.

    >>> relabelled([[4, 3], [1, 3]])
    [[1, 2], [3, 2]]
    """
    names: dict[int, int] = {}
    return [[names.setdefault(number, len(names) + 1) for number in row] for row in numbers]
