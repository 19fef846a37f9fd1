"""Tents, also tents and trees: a Dutch puzzle by Léon Balmaekers (1989)."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import example_line, in_rows, lines, neighbours, text
from palaestra.generators.grids.marks import Count, Sheet, apart, at_least, exactly
from palaestra.generators.grids.pencil import LineCounts, SearchResult, margin_images, margins
from palaestra.generators.grids.shapes import sides
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import changed
from palaestra.task import ladder

TREE, TENT, GRASS = "T", "A", "-"


class Tents(LineCounts):
    """Pitch a tent next to each tree, none touching another, with given numbers in the lines."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    signs = TENT + GRASS
    fixed = TREE
    fixed_cells_name = "trees"
    counted = "tents"

    class Knobs(LineCounts.Knobs):
        size: int = ladder(5, 6, 7, 8, 9, 10, 12, low=4)
        density: float = ladder(0.16, 0.18, 0.19, 0.19, 0.2, low=0.15, high=0.2)  # of tents
        silent: int = ladder(0, 0, 0, 1, 2, 3, 5, high=6)  # counts left out

    board: tuple[str, ...]
    counts: tuple[int, ...]
    """How many tents are in each row, then in each column; -1 where it is unknown."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        tents, trees = camp(rng, size, round(knobs.density * size * size))
        signs = "".join(TREE if cell in trees else "." for cell in range(size * size))
        counts = [sum(cell in tents for cell in line) for line in lines(size, size)]
        for line in rng.sample(range(2 * size), min(knobs.silent, size)):
            counts[line] = -1
        return cls(board=tuple(in_rows(signs, size)), counts=tuple(counts))

    def shape(self) -> tuple[int, int]:
        return len(self.board), len(self.board)

    def fixed_cells(self) -> list[int]:
        return self.trees()

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
        return str(min(margin_images(self.board, self.counts)))

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
        example = example_line(TENT + GRASS * 2, size)
        return (
            f"{rules} The number of tents in each row and column is given below, where '?' is an "
            f"unknown number. There is exactly one way to do it.\n\n{text(self.board)}\n\n"
            f"{margins('Tents in', self.counts, size)}\n\nAnswer with the whole grid: {size} lines "
            f"of {size} cells separated by spaces, '{TENT}' for a tent, '{TREE}' for a tree and "
            f"'{GRASS}' for any other cell. A line looks like '{example}'."
        )

    def picture(self, signs: Sequence[str]) -> Grid:
        """The scene of the camp; what an answer has in place of a tree is ``bad``."""
        board, trees, size = super().picture(signs), self.trees(), len(self.board)
        cells = [cell for row in board.cells for cell in row]
        for n in trees:
            if signs[n] != TREE:
                mark = "tent" if signs[n] == TENT else "tree"
                cells[n] = changed(cells[n], mark=mark, tone="bad")
        return changed(board, cells=tuple(map(tuple, in_rows(cells, size))))

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        if sign == TREE:
            return Cell(mark="tree", tone="c2" if known else "bad", fixed=known)
        return Cell(mark="tent", tone="accent") if sign == TENT else super().look(cell, sign, known)

    def violation(self, on: Sequence[bool]) -> str:
        return super().violation(on) or self.false_tent(
            [cell for cell, tent in enumerate(on) if tent]
        )

    def false_tent(self, tents: Sequence[int]) -> str:
        """Which tents touch, if any, or that they do not match the trees."""
        size = len(self.board)
        around = neighbours(size, size)
        for one, other in combinations(tents, 2):
            if other in around[one]:
                return f"the tents in rows {one // size + 1} and {other // size + 1} touch"
        if paired(self.trees(), tents, size):
            return ""
        return "trees and tents cannot be matched one to one"

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4, density=0.2)

    def candidates(self) -> Iterable[str]:
        free = [cell for cell in range(16) if cell not in self.trees()]
        for tents in combinations(free, len(self.trees())):
            yield self.written(bits(tents))

    def allows(self, on: Collection[int], cell: int) -> bool:
        size = len(self.board)
        beside_tree = not {*sides(size, size)[cell]}.isdisjoint(self.trees())
        apart_from_tents = {*neighbours(size, size)[cell]}.isdisjoint(on)
        return beside_tree and apart_from_tents and super().allows(on, cell)


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
