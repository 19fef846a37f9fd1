"""Chains of stones on a square board: their cells, liberties, captures and areas, as bits.

The cells are numbered row by row from the top left, and a set of them is an integer. A chain is a
connected set of stones of one player. Its neighbours do not depend on the other player's stones, so
the chains after a move follow from those before it, without a search of the board.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

Chain = tuple[int, int]
"""The cells of a chain, and the cells next to them."""

Chains = tuple[Chain, ...]
"""The chains of one player."""


class Stones(NamedTuple):
    """Both players' stones and chains, those of the player to move first."""

    mine: int
    theirs: int
    my_chains: Chains
    their_chains: Chains


Placed = tuple[Stones, int]
"""What a stone leads to: the stones as the other player sees them, and the bit of a ko or 0."""


@lru_cache(maxsize=16)
def borders(size: int) -> tuple[int, int, int]:
    """All cells, those of all columns but the first, and those of all columns but the last."""
    every = (1 << size * size) - 1
    first = sum(1 << n * size for n in range(size))
    return every, every & ~first, every & ~(first << size - 1)


def beside(size: int, cells: int) -> int:
    """The cells next to some cells, without these."""
    every, not_first, not_last = borders(size)
    around = cells << size | cells >> size | (cells & not_last) << 1 | (cells & not_first) >> 1
    return around & every & ~cells


@lru_cache(maxsize=16)
def neighbours(size: int) -> dict[int, int]:
    """The cells next to each cell, by its bit."""
    return {1 << n: beside(size, 1 << n) for n in range(size * size)}


@lru_cache(maxsize=1 << 12)
def chains_of(size: int, cells: int) -> Chains:
    """The connected parts of some cells, the one with the lowest cell first."""
    near_of, parts = neighbours(size), list[Chain]()
    while cells:
        part = near = 0
        left = cells & -cells
        while left:
            cell = left & -left
            part |= cell
            near |= near_of[cell]
            left = near & cells & ~part
        parts.append((part, near & ~part))
        cells &= ~part
    return tuple(parts)


def joined(chains: Chains, stone: int, near: int) -> Chains:
    """The chains after another stone, which has these neighbours."""
    cells, others = stone, list[Chain]()
    for chain in chains:
        if chain[1] & stone:
            cells |= chain[0]
            near |= chain[1]
        else:
            others.append(chain)
    others.append((cells, near & ~cells))
    return tuple(others)


def stones_of(size: int, mine: int, theirs: int) -> Stones:
    """The stones of two players with their chains."""
    return Stones(mine, theirs, chains_of(size, mine), chains_of(size, theirs))


def captures(stones: Stones, empty: int) -> dict[int, int]:
    """The stones of the other player that each cell captures, by its bit."""
    taken = dict[int, int]()
    for cells, near in stones.their_chains:
        liberties = near & empty
        if not liberties & (liberties - 1):
            taken[liberties] = taken.get(liberties, 0) | cells
    return taken


def allowed(size: int, stones: Stones, ko: int) -> list[tuple[int, int]]:
    """The cells where a stone may be placed, by bit, with the stones that it captures.

    Those that capture most come first, then the last liberties of own chains, then the others in
    the order of the board.
    """
    near_of = neighbours(size)
    empty = borders(size)[0] & ~(stones.mine | stones.theirs)
    taken = captures(stones, empty)
    safe = weak = 0
    for cells, near in stones.my_chains:
        liberties = near & empty
        if liberties & (liberties - 1):
            safe |= cells
        else:
            weak |= liberties
    urgent, others = list[tuple[int, int]](), list[tuple[int, int]]()
    left = empty & ~ko
    while left:
        cell = left & -left
        left ^= cell
        if captured := taken.get(cell, 0):
            urgent.append((cell, captured))
        elif near_of[cell] & (empty | safe):
            others.append((cell, 0))
    urgent.sort(key=lambda each: -each[1].bit_count())
    if weak:
        others.sort(key=lambda each: not each[0] & weak)
    return urgent + others


def placed(size: int, stones: Stones, stone: int, captured: int) -> Placed:
    """What an allowed stone leads to, with the stones that it captures."""
    mine, theirs, my_chains, their_chains = stones
    near = neighbours(size)[stone]
    after = joined(my_chains, stone, near)
    if not captured:
        return Stones(theirs, mine | stone, their_chains, after), 0
    left = tuple(chain for chain in their_chains if not chain[0] & captured)
    # A stone that captures one and would be captured by the same move is a ko.
    alone = not captured & (captured - 1) and not near & mine
    empty = borders(size)[0] & ~(mine | theirs)
    is_ko = alone and near & (empty | captured) == captured
    return Stones(theirs & ~captured, mine | stone, left, after), captured if is_ko else 0


def areas(size: int, first: int, second: int) -> tuple[int, int]:
    """The area of each player: stones, and empty regions next to stones of that player alone."""
    one, other = surrounded(size, first, second)
    return (first | one).bit_count(), (second | other).bit_count()


@lru_cache(maxsize=1 << 14)
def surrounded(size: int, first: int, second: int) -> tuple[int, int]:
    """The empty cells in regions next to stones of the first player alone, and of the other."""
    empty = borders(size)[0] & ~(first | second)
    near_first, near_second = _reached(size, first, empty), _reached(size, second, empty)
    return near_first & ~near_second, near_second & ~near_first


def _reached(size: int, stones: int, empty: int) -> int:
    """The empty cells from which a way over empty cells leads to some stones."""
    _, not_first, not_last = borders(size)
    cells, grown = -1, stones
    while grown not in (cells, empty):
        cells = grown
        around = cells << size | cells >> size | (cells & not_last) << 1 | (cells & not_first) >> 1
        grown = (cells | around) & empty
    return grown


def lead(size: int, mine: int, theirs: int) -> int:
    """By how much the area of one player is larger than that of the other."""
    own, other = areas(size, mine, theirs)
    return own - other


def weak_stones(chains: Chains, empty: int) -> int:
    """How many stones are in chains with a single liberty."""
    return sum(cells.bit_count() for cells, near in chains if not near & empty & (near & empty) - 1)


def cells_in(mask: int) -> Iterator[int]:
    """The bits of a mask, the lowest first."""
    while mask:
        yield mask & -mask
        mask &= mask - 1
