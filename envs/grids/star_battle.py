"""Star battle, by Hans Eendebak, first at the World Puzzle Championship of 2003.

Regions grow around stars until no other stars fit, see the generator of the same name.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.baselines import Key
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, in_rows, line_names, lines, neighbours, text
from palaestra.generators.grids.pencil import BinaryGrid, SearchResult
from palaestra.generators.grids.shapes import LETTERS, connected, gathered, renamed, sides
from palaestra.generators.grids.star_battle import (
    hardened,
    partitioned,
    reshaped,
    scattered,
    solve,
    tightened,
)
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import changed
from palaestra.task import ladder

PARTITIONS = 8
"""The number of partitions to try for the same stars."""

HARDENING = 5
"""The number of cells to try in another region once the solution is unique."""


class StarBattle(BinaryGrid):
    """Put stars into a grid, so many in each row, column and region, none touching another."""

    version = 2
    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    signs = "*-"

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(6, 7, 8, 9, 9, 10, 14, low=4)
        stars: int = ladder(1, 1, 1, 1, 2, 2, 3)  # two need nine rows, three fourteen

    stars: int
    regions: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, stars = knobs.size, min(knobs.stars, 3 if knobs.size > 13 else 1 + (knobs.size > 8))
        share = min(
            max(size - 9 + (stars > 1), 0) / 5, 1
        )  # the larger, the more solutions random regions have
        while True:
            stars_at = scattered(rng, size, stars)
            truth = bits(stars_at)
            for _ in range(PARTITIONS):
                region = partitioned(rng, size, stars_at, stars)
                if region and share:
                    region = tightened(rng, region, truth, stars, share)
                region = region and reshaped(rng, region, truth, stars)
                if region:
                    region = hardened(rng, region, truth, stars, HARDENING if share else 0)
                    letters = "".join(LETTERS[number] for number in renamed(region))
                    return cls(stars=stars, regions=tuple(in_rows(letters, size)))

    def shape(self) -> tuple[int, int]:
        return len(self.regions), len(self.regions)

    def solved(self) -> SearchResult[int]:
        region = [LETTERS.index(sign) for row in self.regions for sign in row]
        return solve(len(self.regions), region, self.stars)

    def blanks(self) -> int:
        return len(self.regions) ** 2

    def canonical(self) -> str:
        size = len(self.regions)
        turned = ([sign for row in image for sign in row] for image in images(self.regions))
        regions = min(renamed([LETTERS.index(sign) for sign in signs]) for signs in turned)
        return f"{self.stars} {size} {regions}"

    def alterations(self, rng: Random) -> Iterator[Self]:
        """A cell goes over to a neighbouring region, so that both regions stay connected."""
        size, flat = len(self.regions), "".join(self.regions)
        moves = [
            (cell, flat[other])
            for cell, near in enumerate(sides(size, size))
            for other in near
            if flat[other] != flat[cell]
        ]
        for cell, letter in rng.sample(moves, len(moves)):
            rest = bits(n for n, sign in enumerate(flat) if sign == flat[cell] and n != cell)
            if rest and connected(rest, size, size):
                signs = f"{flat[:cell]}{letter}{flat[cell + 1 :]}"
                yield self.model_copy(update={"regions": tuple(in_rows(signs, size))})

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

    def picture(self, signs: Sequence[str]) -> Grid:
        """The scene of the regions."""
        regions = tuple(tuple(map(LETTERS.index, row)) for row in self.regions)
        return changed(super().picture(signs), regions=regions)

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        star = sign == self.signs[0]
        return Cell(mark="star", tone="accent") if star else super().look(cell, sign, known)

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

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether row, column and region lack a star, and none is beside the cell."""
        size, letters = len(self.regions), "".join(self.regions)
        groups = (
            sum(n // size == cell // size for n in on),
            sum(n % size == cell % size for n in on),
            sum(letters[n] == letters[cell] for n in on),
        )
        return max(groups) < self.stars and {*neighbours(size, size)[cell]}.isdisjoint(on)

    def keys(self) -> Mapping[str, Key[int]]:
        letters = "".join(self.regions)
        return {"region": lambda cell: letters.count(letters[cell])}
