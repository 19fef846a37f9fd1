"""Islands of given sizes in a connected sea: nurikabe."""

from functools import lru_cache
from itertools import product
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import connected, edges_of, piece, sides

SEA, LAND = "#", "-"
MAX_NODES = 400
"""Limit of the search nodes when proving that there is one solution."""

REPAIRS = 20
"""How many times a number goes to another cell before other islands are tried."""

Options = list[tuple[tuple[int, int], ...]]
"""For each number not settled yet, the islands that it may have, each with its shore."""


@lru_cache(maxsize=16)
def pools(size: int) -> tuple[int, ...]:
    """All squares of two by two cells."""
    corners = product(range(size - 1), repeat=2)
    return tuple(0b11 << r * size + c | 0b11 << (r + 1) * size + c for r, c in corners)


def pooled(sea: int, size: int) -> int:
    """The upper left corners of the squares of two by two cells that are all sea.

    >>> bin(pooled(0b110110, 3))
    '0b10'
    """
    _, _, not_last = edges_of(size, size)
    beside = sea & sea >> 1 & not_last
    return beside & beside >> size


@lru_cache(maxsize=16)
def near(size: int) -> tuple[int, ...]:
    """The cells beside each cell, as bits."""
    return tuple(map(bits, sides(size, size)))


def shore(island: int, size: int) -> int:
    """The cells around an island."""
    around = 0
    for cell in ones(island):
        around |= near(size)[cell]
    return around & ~island


@lru_cache(maxsize=4096)
def shapes(size: int, cell: int, many: int, banned: int) -> tuple[tuple[int, int], ...]:
    """The islands of so many cells around a cell that keep off others, each with its shore."""
    grown = {1 << cell: 0}
    for _ in range(many - 1):
        grown = {
            island | 1 << more: 0
            for island in grown
            for more in ones(shore(island, size) & ~banned)
        }
    return tuple((island, shore(island, size)) for island in grown)


def solve(size: int, clues: tuple[tuple[int, int], ...]) -> SearchResult[int]:
    """Up to two solutions, as the cells of the sea.

    For each number there is a list of islands that it may have; the shortest list is tried out.
    """
    numbers = bits(cell for cell, _ in clues)
    first = []
    for cell, many in clues:
        others = numbers ^ 1 << cell
        banned = others | shore(others, size) if many > 1 else others
        first.append(shapes(size, cell, many, banned))
    full = (1 << size * size) - 1
    solutions: list[int] = []
    nodes = steps = 0
    stack = [(0, 0, first)]
    while stack and len(solutions) < 2 and nodes < MAX_NODES:
        nodes += 1
        land, wet, options = stack.pop()
        steps += sum(map(len, options))
        fate = narrowed(size, land, wet, options)
        if fate is None:
            continue
        land, wet, options = fate
        if not options:
            solutions.append(full ^ land)
            continue
        options = sorted(options, key=len)
        for island, coast in options[0]:
            stack.append((land | island, wet | coast, options[1:]))
    return SearchResult(solutions, nodes, steps, not stack or len(solutions) == 2)


def narrowed(size: int, land: int, wet: int, options: Options) -> tuple[int, int, Options] | None:
    """Drop the islands that cannot be, and settle numbers with one left; None if that fails."""
    full = (1 << size * size) - 1
    dry = land
    while True:
        kept: Options = []
        reach, once, twice, sure = land, 0, 0, wet
        for some in options:
            left = tuple([each for each in some if not (each[0] & sure or each[1] & dry)])
            if not left:
                return None
            any_of, both, coast = 0, full, full
            for island, around in left:
                any_of |= island
                both &= island
                coast &= around
            dry |= both
            sure |= coast
            twice |= once & any_of
            once |= any_of
            reach |= any_of
            if len(left) > 1:
                kept.append(left)
            else:
                land |= both
        sea = full & ~reach | sure
        if dry & sea or pooled(sea, size):
            return None
        if sea & ~piece(full & ~dry, sea & -sea, size, size):
            return None
        if not kept:
            return (land, sea, kept) if land | sea == full else None
        dry |= breaking(sea, size)
        # Land that one number alone can reach belongs to its island.
        own = dry & once & ~twice & ~land
        kept = [covering(some, own) for some in kept]
        if kept == options and sea == wet:
            return land, wet, options
        wet, options = sea, kept


def covering(some: tuple[tuple[int, int], ...], own: int) -> tuple[tuple[int, int], ...]:
    """The islands that have all those of some cells which any of the islands has."""
    if own:
        any_of = 0
        for island, _ in some:
            any_of |= island
        own &= any_of
    return tuple([each for each in some if not own & ~each[0]]) if own else some


def breaking(sea: int, size: int) -> int:
    """The cells that three cells of sea make a square of two by two with; they are land.

    >>> bin(breaking(0b011_010_000, 3))
    '0b1000'
    """
    _, not_first, not_last = edges_of(size, size)
    right, left = sea >> 1 & not_last, sea << 1 & not_first
    below, above = sea >> size, sea << size
    cells = right & below & (sea >> size + 1 & not_last) | left & below & (
        sea >> size - 1 & not_first
    )
    cells |= right & above & (sea << size - 1 & not_last) | left & above & (
        sea << size + 1 & not_first
    )
    return cells & ~sea & (1 << size * size) - 1


def archipelago(rng: Random, size: int, largest: int) -> list[int] | None:
    """Islands at random that break up all pools of a connected sea; None where that fails."""
    full = (1 << size * size) - 1
    land, islands = 0, list[int]()
    wet = [*pools(size)]
    while wet:
        cell = rng.choice(ones(rng.choice(wet)))
        touching = [island for island in islands if island & near(size)[cell]]
        joined = 1 << cell
        for island in touching:
            joined |= island
        if joined.bit_count() > largest or not connected(full & ~(land | joined), size, size):
            wet = [pool for pool in wet if rng.random() < 0.97]
            continue
        islands = [island for island in islands if island not in touching] + [joined]
        land |= joined
        wet = [pool for pool in wet if not pool & land]
    return islands if all(pool & land for pool in pools(size)) else None


def numbered(rng: Random, size: int, islands: list[int]) -> dict[int, int] | None:
    """The number of each island in one of its cells, so that no others fit; None if that fails.

    Where another solution differs, a number goes to a cell that is sea there.
    """
    cells = [rng.choice(ones(island)) for island in islands]
    land = sum(islands)
    for _ in range(REPAIRS):
        numbers = {cell: island.bit_count() for cell, island in zip(cells, islands)}
        result = solve(size, tuple(sorted(numbers.items())))
        if result.unique:
            return numbers
        others = [sea & land for sea in result.solutions if sea & land]
        if not others:
            return None
        wrong = [number for number, island in enumerate(islands) if island & others[0]]
        number = rng.choice(wrong)
        cells[number] = rng.choice(ones(islands[number] & others[0]))
    return None
