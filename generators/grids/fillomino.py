"""Grids cut into regions, each filled with its number of cells: fillomino."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import sides

MAX_NODES = 30
"""Limit of the search nodes when proving that there is one solution."""

Domains = list[int]
"""For each number, the cells that may hold it, as bits; no cell may hold 0."""


class Board(NamedTuple):
    """A square board, with its cells as bits."""

    size: int
    every: int
    left: int
    """The cells of the first column."""
    right: int

    def around(self, cells: int) -> int:
        """The cells that share a side with one of these, and these."""
        return (
            cells
            | cells << self.size
            | cells >> self.size
            | (cells & ~self.right) << 1
            | (cells & ~self.left) >> 1
        ) & self.every

    def reach(self, start: int, allowed: int, steps: int) -> int:
        """The cells that are reached in so many steps over allowed cells."""
        for _ in range(steps):
            wider = self.around(start) & allowed
            if wider == start:
                break
            start = wider
        return start

    def component(self, start: int, allowed: int) -> int:
        """The allowed cells that are connected with the start."""
        while (wider := self.around(start) & allowed) != start:
            start = wider
        return start


@lru_cache(maxsize=16)
def board_of(size: int) -> Board:
    """The board of a size."""
    left = sum(1 << row * size for row in range(size))
    return Board(size, (1 << size * size) - 1, left, left << size - 1)


def region(cells: Iterable[int], start: int, size: int) -> list[int]:
    """The cells with the same number that are connected with one.

    >>> region([1, 2, 3, 2], 1, 2)
    [1, 3]
    """
    numbers = [*cells]
    members = [start]
    for cell in members:
        near = sides(size, size)[cell]
        members += [n for n in near if numbers[n] == numbers[start] and n not in members]
    return members


def solve(size: int, largest: int, numbers: Mapping[int, int]) -> SearchResult[tuple[int, ...]]:
    """Up to two solutions, as the number of each cell."""
    return Search(board_of(size), largest, numbers).result()


class Search:
    """A search for the numbers of the cells, with at most :data:`MAX_NODES` nodes."""

    def __init__(self, board: Board, largest: int, numbers: Mapping[int, int]) -> None:
        self.board, self.largest = board, largest
        self.nodes = self.steps = 0
        self.solutions: list[tuple[int, ...]] = []
        shown = bits(numbers)
        self.domains = [0] + [board.every & ~shown] * largest
        for cell, number in numbers.items():
            self.domains[number] |= 1 << cell

    def result(self) -> SearchResult[tuple[int, ...]]:
        """The solutions, at most two."""
        complete = self.search(self.domains)
        return SearchResult(self.solutions, self.nodes, self.steps, complete)

    def search(self, domains: Domains) -> bool:
        """Whether all solutions from here are known, or two are."""
        if self.nodes >= MAX_NODES:
            return False
        self.nodes += 1
        domains = [*domains]
        if not self.propagate(domains):
            return True
        cell = self.branch(domains)
        if cell is None:
            self.solutions.append(self.numbers(domains))
            return True
        for number in range(1, self.largest + 1):
            if domains[number] >> cell & 1:
                if not self.search(fixed(domains, cell, number)):
                    return False
                if len(self.solutions) > 1:
                    break
        return True

    def numbers(self, domains: Domains) -> tuple[int, ...]:
        """The number of each cell, of which each has one."""
        cells = [0] * self.board.size**2
        for number, domain in enumerate(domains):
            for cell in ones(domain):
                cells[cell] = number
        return tuple(cells)

    def branch(self, domains: Domains) -> int | None:
        """An open cell with the fewest numbers, of these one next to a fixed one."""
        open_cells = self.board.every & ~single(domains)
        if not open_cells:
            return None
        rest = open_cells
        for most in range(2, self.largest + 1):
            counted = [0] * (most + 2)
            counted[0] = rest
            for domain in domains[1:]:
                for count in range(most, -1, -1):
                    both = counted[count] & domain
                    counted[count + 1] |= both
                    counted[count] &= ~both
            if counted[most]:
                few = counted[most]
                near = few & self.board.around(self.board.every & ~open_cells)
                return (near or few).bit_length() - 1
        return open_cells.bit_length() - 1

    def propagate(self, domains: Domains) -> bool:
        """Apply the rules until none applies; whether no contradiction is met."""
        settled: list[tuple[int, int] | None] = [None] * (self.largest + 1)
        changed = True
        while changed:
            changed = False
            known = single(domains)
            for number in range(1, self.largest + 1):
                before = domains[number], domains[number] & known
                if before == settled[number]:
                    continue
                self.steps += 1
                after = settle(self.board, number, *before)
                if after is None:
                    return False
                settled[number] = before
                if after != before:
                    changed = True
                    domains[number] = after[0]
                    if new := after[1] & ~before[1]:
                        known |= new
                        for other in range(1, self.largest + 1):
                            if other != number:
                                domains[other] &= ~new
        covered = 0
        for domain in domains:
            covered |= domain
        return covered == self.board.every


@lru_cache(maxsize=1 << 15)
def settle(board: Board, number: int, domain: int, known: int) -> tuple[int, int] | None:
    """Apply the rules to one number: the cells that may hold it, and those that do, after that.

    Regions reach, take or may not join cells. None where a region cannot have its cells.
    """
    domain = large_enough(board, domain, number)
    if known & ~domain:
        return None
    rest = known
    sizes: dict[int, int] = {}
    while rest:
        part = board.component(rest & -rest, rest)
        rest &= ~part
        count = part.bit_count()
        if count > number:
            return None
        near = board.around(part) & ~part
        if count == number:
            if near & known:
                return None
            domain &= ~near
            continue
        sizes[part] = count
        reached = board.reach(part, domain, number - count)
        if (many := reached.bit_count()) < number:
            return None
        known |= reached if many == number else needed(board, part, reached, near & domain, number)
    # A cell between regions that are too large together belongs to none of them.
    touching = 0
    for part in sizes:
        touching |= board.around(part)
    for cell in ones(domain & touching & ~known):
        near = board.around(1 << cell)
        if sum(count for part, count in sizes.items() if part & near) >= number:
            domain &= ~(1 << cell)
    return domain, known


def large_enough(board: Board, domain: int, number: int) -> int:
    """The cells of a domain that are in parts of enough cells."""
    rest, kept = domain, 0
    while rest:
        part = board.component(rest & -rest, rest)
        rest &= ~part
        if part.bit_count() >= number:
            kept |= part
    return kept


def needed(board: Board, part: int, reached: int, exits: int, number: int) -> int:
    """The cells without which a region cannot grow to its number, and those that it has."""
    taken = part
    missing = number - part.bit_count()
    for cell in ones(exits) if exits.bit_count() < 3 else ():
        without = board.reach(part, reached & ~(1 << cell), missing)
        if without.bit_count() < number:
            taken |= 1 << cell
    return taken


def single(domains: Domains) -> int:
    """The cells that have one number only."""
    once = twice = 0
    for domain in domains:
        twice |= once & domain
        once |= domain
    return once & ~twice


def take(domains: Domains, cell: int, number: int) -> None:
    """Give a cell its number."""
    bit = 1 << cell
    for other in range(1, len(domains)):
        if other != number:
            domains[other] &= ~bit


def fixed(domains: Domains, cell: int, number: int) -> Domains:
    """Domains in which a cell has its number."""
    changed = [*domains]
    take(changed, cell, number)
    return changed


def alone(size: int, largest: int, truth: tuple[int, ...], kept: Iterable[int]) -> bool:
    """Whether these cells' numbers leave no other solution."""
    return solve(size, largest, {cell: truth[cell] for cell in kept}).unique


def parted(rng: Random, size: int, largest: int) -> tuple[int, ...] | None:
    """A grid cut into regions at random, no two of a size beside another; None if that fails."""
    board = board_of(size)
    free, numbers = board.every, [0] * size**2
    taken = [0] * (largest + 1)
    while free:
        first = free & -free
        room = board.reach(first, free, largest - 1).bit_count()
        for number in rng.sample(range(1, largest + 1), largest):
            if number <= room and (cells := grown(rng, board, first, free, taken, number)):
                break
        else:
            return None
        taken[number] |= cells
        free &= ~cells
        for cell in ones(cells):
            numbers[cell] = number
    return tuple(numbers)


def grown(  # noqa: PLR0913, PLR0917
    rng: Random, board: Board, cells: int, free: int, taken: list[int], number: int
) -> int:
    """A region of a number of free cells, grown at random; 0 if it touches one of its size."""
    barred = board.around(taken[number])
    if cells & barred:
        return 0
    for _ in range(number - 1):
        exits = ones(board.around(cells) & free & ~cells & ~barred)
        if not exits:
            return 0
        cells |= 1 << rng.choice(exits)
    return cells
