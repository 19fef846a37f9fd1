"""Star battle, by Hans Eendebak, first at the World Puzzle Championship of 2003.

Regions grow around stars; where other stars would fit as well, one of their cells goes over to a
neighbouring region.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from math import isqrt
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import images, in_rows, line_names, lines, text
from palaestra.generators.grids.marks import Sheet, apart, exactly
from palaestra.generators.grids.pencil import BinaryGrid, SearchResult
from palaestra.generators.grids.shapes import LETTERS, connected, gathered, grown, renamed, sides
from palaestra.task import ladder

TRIES = 40
"""The number of cells that change their region before new regions are grown."""


class StarBattle(BinaryGrid):
    """Put stars into a grid, so many in each row, column and region, none touching another."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    signs = "*-"

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(6, 7, 8, 9, 9, low=4)
        stars: int = ladder(1, 1, 1, 1, 2)  # two need nine rows

    stars: int
    regions: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, stars = knobs.size, min(knobs.stars, 2 if knobs.size > 8 else 1)
        while True:
            truth = scattered(rng, size, stars)
            region = reshaped(rng, partitioned(rng, size, truth, stars), bits(truth), stars)
            if region:
                letters = "".join(LETTERS[number] for number in renamed(region))
                return cls(stars=stars, regions=tuple(in_rows(letters, size)))

    def shape(self) -> tuple[int, int]:
        return len(self.regions), len(self.regions)

    def solved(self) -> SearchResult[int]:
        region = [LETTERS.index(sign) for row in self.regions for sign in row]
        return sheet(len(self.regions), region, self.stars).solve()

    def canonical(self) -> str:
        size = len(self.regions)
        turned = ([sign for row in image for sign in row] for image in images(self.regions))
        regions = min(renamed([LETTERS.index(sign) for sign in signs]) for signs in turned)
        return f"{self.stars} {size} {regions}"

    def prompt(self) -> str:
        size, stars = len(self.regions), self.stars
        many = "one star" if stars == 1 else f"{stars} stars"
        rules = self.phrase(
            f"This grid of {size} rows and {size} columns is divided into {size} regions: cells "
            "with the same letter are one region. Put stars into cells so that every row, every "
            f"column and every region has exactly {many}, and no two stars touch, not even "
            "diagonally.",
            f"Solve this star battle of {size} by {size} cells. A letter names the region that a "
            f"cell belongs to. Each row, each column and each region must get exactly {many}. "
            "Two stars may never be next to one another across, down or at a corner.",
        )
        return (
            f"{rules} There is exactly one way to do it.\n\n{text(self.regions)}\n\n"
            f"{self.answer_format('a star', 'a cell without one', '*--')}"
        )

    def violation(self, on: Sequence[bool]) -> str:
        size = len(self.regions)
        letters = "".join(self.regions)
        names = [*line_names(size, size), *(f"region {letter}" for letter in LETTERS[:size])]
        regions = gathered([LETTERS.index(letter) for letter in letters])
        for name, group in zip(names, [*lines(size, size), *regions]):
            count = sum(on[cell] for cell in group)
            if count != self.stars:
                return f"{name} has {count} stars"
        stars = [divmod(cell, size) for cell, star in enumerate(on) if star]
        for (a, b), (c, d) in combinations(stars, 2):
            if max(abs(a - c), abs(b - d)) == 1:
                return f"the stars in rows {a + 1} and {c + 1} touch"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4, stars=1)

    def candidates(self) -> Iterable[str]:
        return (self.written(bits(cells)) for cells in combinations(range(16), 4))


def sheet(size: int, region: Sequence[int], stars: int) -> Sheet:
    """The rules."""
    groups = [*lines(size, size), *gathered(region)]
    counts = tuple(exactly(group, stars) for group in groups)
    return Sheet(size * size, counts, apart(size, size))


def scattered(rng: Random, size: int, stars: int) -> list[int]:
    """Stars at random, so many in each row and column, none touching another."""
    while True:
        placed: list[int] = []
        left, above = [stars] * size, 0
        for row in range(size):
            free = [c for c in range(size) if left[c] and not above >> c & 0b111]
            ways = [some for some in combinations(free, stars) if parted(some)]
            if not ways:
                break
            chosen = rng.choice(ways)
            above = bits(c + 1 for c in chosen)  # shifted, so that both sides can be seen
            for column in chosen:
                left[column] -= 1
            placed += [row * size + column for column in chosen]
        else:
            return placed


def parted(columns: Sequence[int]) -> bool:
    """Whether no two columns are side by side."""
    return all(b - a > 1 for a, b in pairwise(columns))


def partitioned(rng: Random, size: int, stars: Sequence[int], each: int) -> list[int]:
    """Random regions with so many of the stars in each; empty if there is no such pairing."""
    region = grown(rng, size, size, stars)
    if each == 1:
        return region
    near = sides(size, size)
    touching: list[set[int]] = [set() for _ in stars]
    for cell, number in enumerate(region):
        touching[number] |= {region[other] for other in near[cell]} - {number}
    mate: dict[int, int] = {}
    while len(mate) < len(stars):
        single = [number for number in range(len(stars)) if number not in mate]
        free = {one: sorted(touching[one] - mate.keys()) for one in single}
        one = min(single, key=lambda number: len(free[number]))
        if not free[one]:
            return []
        other = rng.choice(free[one])
        mate[one] = mate[other] = min(one, other)
    return renamed([mate[number] for number in region])


def reshaped(rng: Random, region: Sequence[int], truth: int, stars: int) -> list[int]:
    """Regions for which the stars are the only ones; empty if the attempts fail."""
    size, shape = isqrt(len(region)), [*region]
    near = sides(size, size)
    for _ in range(TRIES if region else 0):
        solution = sheet(size, shape, stars).solve()
        if solution.unique:
            return shape
        other = next((some for some in solution.solutions if some != truth), 0)
        moves = [
            (cell, shape[beside])
            for cell in ones(other & ~truth)
            for beside in near[cell]
            if shape[beside] != shape[cell]
        ]
        rng.shuffle(moves)
        for cell, number in moves:
            rest = bits(n for n, r in enumerate(shape) if r == shape[cell] and n != cell)
            if connected(rest, size, size):
                shape[cell] = number
                break
        else:
            return []
    return []
