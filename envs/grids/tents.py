"""Tents, also tents and trees: a Dutch puzzle by Léon Balmaekers (1989)."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import images, lines, neighbours, picture, text
from palaestra.generators.grids.marks import Count, Sheet, apart, at_least, exactly
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.generators.grids.shapes import sides
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.values import grid

TREE, TENT, GRASS = "T", "A", "-"


class Tents(Pencil):
    """Pitch a tent next to each tree, none touching another, with given numbers in the lines."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(5, 6, 7, 8, 9, 10, 12, low=4)
        density: float = ladder(0.16, 0.18, 0.19, 0.19, 0.2, low=0.15, high=0.2)  # of tents
        silent: int = ladder(0, 0, 0, 1, 2, 3, 5, high=6)  # lines whose number is not told

    board: tuple[str, ...]
    counts: tuple[int, ...]
    """How many tents are in each row, then in each column; -1 where that is not told."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        tents, trees = camp(rng, size, round(knobs.density * size * size))
        signs = [TREE if cell in trees else "." for cell in range(size * size)]
        counts = [sum(cell in tents for cell in line) for line in lines(size, size)]
        for line in rng.sample(range(2 * size), min(knobs.silent, size)):
            counts[line] = -1
        board = ("".join(signs[n : n + size]) for n in range(0, size * size, size))
        return cls(board=tuple(board), counts=tuple(counts))

    def solved(self) -> SearchResult[int]:
        size = len(self.board)
        trees = self.trees()
        near = sides(size, size)
        beside = bits({cell for tree in trees for cell in near[tree]} - {*trees})
        counts: list[Count] = [at_least(near[tree], 1) for tree in trees]
        counts.append((beside, 1 << len(trees)))
        for line, many in zip(lines(size, size), self.counts):
            if many >= 0:
                counts.append(exactly(line, many))

        def sound(on: int, off: int) -> bool:
            return on.bit_count() < len(trees) or paired(trees, ones(on), size)

        full = (1 << size * size) - 1
        return Sheet(size * size, tuple(counts), apart(size, size), sound=sound).solve(
            off=full & ~beside
        )

    def trees(self) -> list[int]:
        """The cells with a tree."""
        return [n for n, sign in enumerate("".join(self.board)) if sign == TREE]

    def canonical(self) -> str:
        size = len(self.board)
        edge = ("", *map(str, self.counts[size:]), "")
        rows = [(str(many), *row, str(many)) for many, row in zip(self.counts, self.board)]
        return str(min(images([edge, *rows, edge])))

    def prompt(self) -> str:
        size, trees = len(self.board), len(self.trees())
        rules = self.phrase(
            f"The trees ('{TREE}') in this grid of {size} rows and {size} columns need tents. Each "
            f"tree gets one tent of its own, in a free cell directly above, below, left or right "
            f"of it, so that there are {trees} tents in all. A tent may stand beside other trees "
            "too, as long as trees and tents can be matched one to one. No two tents touch, not "
            "even diagonally, and no tent stands on a tree.",
            f"Pitch {trees} tents on free cells of this {size} by {size} camping site, one for "
            f"each of the {trees} trees, which are marked '{TREE}'. It must be possible to assign "
            "every tent to a different tree that shares a side with its cell. Two tents are never "
            "neighbours, neither across nor down nor at a corner.",
        )
        rows, columns = (
            " ".join("?" if many < 0 else str(many) for many in some)
            for some in (self.counts[:size], self.counts[size:])
        )
        example = " ".join((TENT + GRASS * 2) * size)[: 2 * size - 1]
        return (
            f"{rules} The number of tents in each row and column is given below, where '?' is an "
            f"unknown number. There is exactly one way to do it.\n\n{text(self.board)}\n\nTents in "
            f"the rows, from top to bottom: {rows}\nTents in the columns, from left to right: "
            f"{columns}\n\nAnswer with the whole grid: {size} lines of {size} cells separated by "
            f"spaces, '{TENT}' for a tent, '{TREE}' for a tree and '{GRASS}' for any other cell. A "
            f"line looks like '{example}'."
        )

    def answer(self) -> str:
        (tents,) = self.solved().solutions
        return self.pitched(tents)

    def pitched(self, tents: int) -> str:
        """Tents as an answer."""
        size = len(self.board)
        cells = picture(tents, size, size, TENT + GRASS).split()
        for tree in self.trees():
            cells[tree] = TREE
        return text([cells[n : n + size] for n in range(0, size * size, size)])

    def verify(self, answer: str) -> Score:
        size = len(self.board)
        cells = [s for row in grid(answer, size, size, TREE + TENT + GRASS) for s in row]
        if self.trees() != [n for n, sign in enumerate(cells) if sign == TREE]:
            return Score(0, "the trees are not where they are in the grid")
        tents = [n for n, sign in enumerate(cells) if sign == TENT]
        for number, (line, many) in enumerate(zip(lines(size, size), self.counts)):
            count = sum(cells[cell] == TENT for cell in line)
            if many not in (-1, count):
                kind = "column" if number >= size else "row"
                return Score(0, f"{kind} {number % size + 1} has {count} tents")
        around = neighbours(size, size)
        for one, other in combinations(tents, 2):
            if other in around[one]:
                rows = f"{one // size + 1} and {other // size + 1}"
                return Score(0, f"the tents in rows {rows} touch")
        if not paired(self.trees(), tents, size):
            return Score(0, "trees and tents cannot be matched one to one")
        return Score(1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4, density=0.2)

    def candidates(self) -> Iterable[str]:
        free = [cell for cell in range(16) if cell not in self.trees()]
        for tents in combinations(free, len(self.trees())):
            yield self.pitched(bits(tents))


def camp(rng: Random, size: int, many: int) -> tuple[list[int], list[int]]:
    """Up to so many tents at random, and a tree for each of them."""
    near, around = sides(size, size), neighbours(size, size)
    tents: list[int] = []
    trees: list[int] = []
    for cell in rng.sample(range(size * size), size * size):
        places = [n for n in near[cell] if n not in tents and n not in trees]
        if len(tents) == many:
            break
        if places and cell not in trees and not any(n in tents for n in around[cell]):
            tents.append(cell)
            trees.append(rng.choice(places))
    return tents, trees


def paired(trees: Sequence[int], tents: Sequence[int], size: int) -> bool:
    """Whether trees and tents beside one another can be matched one to one (Kuhn's algorithm).

    >>> paired([0, 2], [1, 3], size=4), paired([0, 1], [4, 8], size=4)
    (True, False)
    """
    near = sides(size, size)
    owner: dict[int, int] = {}

    def housed(tree: int, tried: set[int]) -> bool:
        for tent in near[tree]:
            if tent in tents and tent not in tried:
                tried.add(tent)
                if tent not in owner or housed(owner[tent], tried):
                    owner[tent] = tree
                    return True
        return False

    return len(trees) == len(tents) and all(housed(tree, set()) for tree in trees)
