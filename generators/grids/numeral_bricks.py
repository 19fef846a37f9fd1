"""Cells coloured so that each number counts the neighbours of its own colour: numeral bricks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

from palaestra.generators.cells import in_rows, neighbours, text
from palaestra.generators.grids.constraints import Board
from palaestra.generators.grids.pencil import SearchResult

COLOURS = "ABCD"
MAX_NODES = 60
"""Limit of the search nodes when proving that there is one colouring."""


@dataclass(frozen=True)
class Alike:
    """So many of some cells have the value of the first one in the scope."""

    scope: tuple[int, ...]
    many: int

    def narrow(self, domains: list[int]) -> bool:
        cell, *near = self.scope
        some = [domains[other] for other in near]
        kept, domain = 0, domains[cell]
        while domain:
            value = domain & -domain
            domain ^= value
            if some.count(value) <= self.many <= sum(d & value > 0 for d in some):
                kept |= value
        domains[cell] = kept
        if kept & (kept - 1) or not kept:
            return kept > 0
        if some.count(kept) == self.many:
            for other in near:
                if domains[other] != kept:
                    domains[other] &= ~kept
        elif sum(d & kept > 0 for d in some) == self.many:
            for other in near:
                domains[other] = domains[other] & kept or domains[other]
        return True


def solve(
    size: int, colours: int, shown: Mapping[int, int], known: Mapping[int, int]
) -> SearchResult[tuple[int, ...]]:
    """Up to two colourings that fit the numbers and the known colours."""
    near = neighbours(size, size)
    board = Board(size * size, [Alike((n, *near[n]), many) for n, many in shown.items()])
    free = (1 << colours) - 1
    domains = [1 << known[n] if n in known else free for n in range(size * size)]
    return board.solve(domains, most=MAX_NODES)


def blotched(rng: Random, size: int, colours: int) -> tuple[int, ...]:
    """Colours at random, often that of a neighbour, so that patches form; all colours appear."""
    cells: list[int] = []
    while len({*cells}) < colours:
        cells = []
        for n in range(size * size):
            beside = cells[n - 1 : n] if n % size else []
            beside += [cells[n - size]] if n >= size else []
            copied = bool(beside) and rng.random() < 0.45
            cells.append(rng.choice(beside) if copied else rng.randrange(colours))
    return tuple(cells)


def written(colours: Iterable[int]) -> str:
    """Colours as an answer, for a square grid."""
    signs = [COLOURS[colour] for colour in colours]
    size = round(len(signs) ** 0.5)
    return text(in_rows(signs, size))
