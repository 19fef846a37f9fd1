"""Tiles with pipes that are turned until they are one network without a loop."""

from collections.abc import Iterable
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits
from palaestra.generators.grids.lines import links, roots
from palaestra.generators.grids.marks import Count, Sheet, exactly
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import ways

MAX_NODES = 200
"""Limit of the search nodes when proving that there is one solution."""


def laid(tiles: Iterable[str], columns: int) -> str:
    """Tiles as an answer."""
    flat = [*tiles]
    return "\n".join(" ".join(flat[n : n + columns]) for n in range(0, len(flat), columns))


def opened(on: int, rows: int, columns: int) -> list[str]:
    """The tile of each cell, where these links are used."""
    wires = links(rows, columns)
    return ["".join(sorted(s for s, link in some.items() if on >> link & 1)) for some in wires]


def branching(rng: Random, rows: int, columns: int) -> int:
    """A tree that spans the grid, at random, as links; no cell has all four."""
    pairs = ways(rows, columns)
    degree, piece, on = [0] * (rows * columns), [*range(rows * columns)], 0
    for link in rng.sample(range(len(pairs)), len(pairs)):
        ends = pairs[link]
        one, other = (_first(piece, cell) for cell in ends)
        if one != other and max(degree[cell] for cell in ends) < 3:
            piece[one] = other
            on |= 1 << link
            for cell in ends:
                degree[cell] += 1
    return on


def _first(piece: list[int], cell: int) -> int:
    """The cell that stands for the piece of one, in a union-find structure with halved paths."""
    while piece[cell] != cell:
        piece[cell] = piece[piece[cell]]
        cell = piece[cell]
    return cell


def fitting(tile: str, wires: dict[str, int]) -> list[Count]:
    """The rule for the links of a cell with this tile."""
    across = bits(wires[side] for side in "LR" if side in wires)
    down = bits(wires[side] for side in "UD" if side in wires)
    if len(tile) == 2:
        each = 0b101 if tile in ("LR", "DU") else 0b010  # none or both, or exactly one of the two
        return [(across, each), (down, each), exactly(wires.values(), 2)]
    return [exactly(wires.values(), len(tile))]


@lru_cache(maxsize=64)
def solve(tiles: tuple[tuple[str, ...], ...]) -> SearchResult[int]:
    """Up to two solutions, as the links used."""
    rows, columns = len(tiles), len(tiles[0])
    flat = [tile for row in tiles for tile in row]
    counts = [c for tile, some in zip(flat, links(rows, columns)) for c in fitting(tile, some)]
    full = (1 << len(ways(rows, columns))) - 1

    def sound(on: int, off: int) -> bool:
        whole = roots(full & ~off, rows, columns) if on | off == full else roots(on, rows, columns)
        return whole is not None and (on | off != full or not any(whole))

    return Sheet(len(ways(rows, columns)), tuple(counts), sound=sound).solve(most=MAX_NODES)
