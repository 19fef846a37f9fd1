"""Star battles: a solver, and regions for which given stars are the only ones.

The solver lists the ways to put the stars into a row, column or region, and marks what all ways
that are left have in common. Sets of cells are the bits of an integer: those with a star below,
those without one above.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import combinations, pairwise
from math import comb, isqrt
from operator import and_
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import lines, neighbours
from palaestra.generators.grids.pencil import MAX_NODES, SearchResult
from palaestra.generators.grids.shapes import connected, gathered, grown, renamed, sides

LISTED = 400
"""The most ways of a region that are listed; of a larger one the cells are only counted."""

TRIES = 20
"""The number of cells that change their region before new regions are grown."""

NODES = 60
"""The most search nodes for regions that are still to change."""

Ways = list[Sequence[int] | None]
"""The ways that are left for each row, column and region; None if they are too many to list."""


@lru_cache(maxsize=16)
def _stamps(size: int) -> tuple[int, ...]:
    """For each cell, what a star there marks: a star, and no star in the cells around it."""
    near = neighbours(size, size)
    return tuple(1 << cell | bits(around) << size * size for cell, around in enumerate(near))


@lru_cache(maxsize=8_192)
def ways_to_place(size: int, cells: int, stars: int) -> tuple[int, ...]:
    """The marks of each way to put so many stars into some cells of a square, none touching."""
    area, stamps = size * size, _stamps(size)
    ways = [(0, ones(cells))]
    for _ in range(stars):
        ways = [
            (marks | stamps[cell], [c for c in rest[n:] if not stamps[cell] >> area + c & 1])
            for marks, rest in ways
            for n, cell in enumerate(rest, 1)
        ]
    below = (1 << area) - 1
    return tuple(marks | (cells & ~(marks & below)) << area for marks, _ in ways)


class Battle:
    """The rules of a star battle on a square: so many stars in each row, column and region."""

    def __init__(self, size: int, stars: int, regions: Iterable[Sequence[int]] = ()) -> None:
        self.size, self.stars = size, stars
        self.area = size * size
        self.full = (1 << self.area) - 1
        self.groups: list[int] = []
        self.watch = [0] * self.area
        """For each cell, the groups that hold it, as bits."""
        self.steps = 0
        """The number of groups whose ways were listed or reduced."""
        for group in (*lines(size, size), *regions):
            self.add(bits(group))

    def add(self, group: int) -> int:
        """A group more; returns its bit."""
        bit = 1 << len(self.groups)
        self.groups.append(group)
        for cell in ones(group):
            self.watch[cell] |= bit
        return bit

    def ways(self) -> Ways:
        """The ways of each group where nothing is marked yet."""
        placed = [ways_to_place(self.size, line, self.stars) for line in self.groups[: self.lines]]
        return [*placed, *[None] * (len(self.groups) - self.lines)]

    @property
    def lines(self) -> int:
        """The number of rows and columns."""
        return 2 * self.size

    def settle(self, marks: int, ways: Ways, waiting: int) -> int | None:
        """All consequences of marks for the groups that wait and the others; None if there is a
        contradiction. The ways that are ruled out are removed.
        """
        area, full = self.area, self.full
        contrary = marks >> area | (marks & full) << area
        while waiting:
            lowest = waiting & -waiting
            waiting ^= lowest
            number = lowest.bit_length() - 1
            self.steps += 1
            some = ways[number]
            if some is None:
                some = self.listed(self.groups[number], marks)
                if some is None:
                    continue
            left = [way for way in some if not way & contrary]
            if not left:
                return None
            ways[number] = left
            fresh = reduce(and_, left) & ~marks
            if fresh:
                marks |= fresh
                contrary = marks >> area | (marks & full) << area
                waiting |= self.concerned(fresh)
        return marks

    def listed(self, group: int, marks: int) -> Sequence[int] | None:
        """The ways of a group as far as marks allow; None if they are too many."""
        free = group & ~(marks >> self.area)
        stars = (free & marks).bit_count()
        room = free.bit_count() - stars
        if stars < self.stars < stars + room and comb(room, self.stars - stars) > LISTED:
            return None
        return ways_to_place(self.size, free, self.stars)

    def concerned(self, marks: int) -> int:
        """The groups that hold marked cells."""
        groups = 0
        for cell in ones((marks | marks >> self.area) & self.full):
            groups |= self.watch[cell]
        return groups

    def solve(self, limit: int = 2, most: int = MAX_NODES) -> SearchResult[int]:
        """Up to ``limit`` solutions, as the cells with a star."""
        solutions: list[int] = []
        nodes = self.steps = 0
        regions = (1 << len(self.groups)) - (1 << self.lines)  # nothing follows from a free line
        stack: list[tuple[int, Ways, int]] = [(0, self.ways(), regions)]
        while stack and len(solutions) < limit and nodes < most:
            nodes += 1
            marks, ways, waiting = stack.pop()
            settled = self.settle(marks, ways, waiting)
            if settled is None:
                continue
            if (settled | settled >> self.area) & self.full == self.full:
                solutions.append(settled & self.full)
                continue
            fewest = min((some for some in ways if some and len(some) > 1), key=len)
            stack += [(settled | way, [*ways], self.concerned(way & ~settled)) for way in fewest]
        return SearchResult(solutions, nodes, self.steps, not stack or len(solutions) == limit)


def solve(size: int, region: Sequence[int], stars: int, most: int = MAX_NODES) -> SearchResult[int]:
    """Up to two solutions, as the cells with a star."""
    return Battle(size, stars, gathered(region)).solve(most=most)


# --------------------------------------------------------------------------------------- generator


@lru_cache(maxsize=16)
def _rows(size: int, stars: int) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """The ways to fill a row: the columns, the same as bits, and with those beside them."""
    rows = []
    for columns in combinations(range(size), stars):
        if all(b - a > 1 for a, b in pairwise(columns)):
            row = bits(columns)
            rows.append((columns, row, row | row << 1 | row >> 1))
    return tuple(rows)


def scattered(rng: Random, size: int, stars: int) -> list[int]:
    """Stars at random, so many in each row and column, none touching another."""
    while True:
        placed: list[int] = []
        left, full, beside = [stars] * size, 0, 0
        for row in range(size):
            ways = [way for way in _rows(size, stars) if not way[1] & (full | beside)]
            if not ways:
                break
            columns, _, beside = rng.choice(ways)
            for column in columns:
                left[column] -= 1
                full |= (not left[column]) << column
            placed += [row * size + column for column in columns]
        else:
            return placed


def partitioned(rng: Random, size: int, stars: Sequence[int], each: int) -> list[int]:
    """Random regions with so many of the stars in each; empty if they cannot be joined so."""
    region = grown(rng, size, size, stars)
    near = sides(size, size)
    touching: list[set[int]] = [set() for _ in stars]
    for cell, number in enumerate(region):
        touching[number] |= {region[other] for other in near[cell]} - {number}
    single = {*range(len(stars))}
    name = [*single]
    while single:
        team = [min(single, key=lambda number: len(touching[number] & single))]
        single.remove(team[0])
        while len(team) < each:
            beside = sorted(single.intersection(*[set().union(*(touching[n] for n in team))]))
            if not beside:
                return []
            free = {number: len(touching[number] & single) for number in beside}
            team.append(rng.choice([n for n in beside if free[n] <= min(free.values()) + 1]))
            single.remove(team[-1])
        for number in team:
            name[number] = team[0]
    return renamed([name[number] for number in region])


def tightened(
    rng: Random, region: Sequence[int], truth: int, stars: int, share: float
) -> list[int]:
    """Regions from which more follows: one by one, in random order, each gives a share of its open
    cells to regions that are still to come, before it counts.
    """
    size, shape = isqrt(len(region)), [*region]
    near = sides(size, size)
    battle = Battle(size, stars)
    ways, marks = battle.ways(), 0
    later = {*range(size)}
    for number in rng.sample(range(size), size):
        later.remove(number)
        open_cells = battle.full & ~(marks | marks >> battle.area | truth)
        group = bits(cell for cell, its in enumerate(shape) if its == number)
        movable = ones(group & open_cells)
        rng.shuffle(movable)
        for _ in range(round(share * len(movable))):
            for cell in movable:
                beside = [shape[other] for other in near[cell] if shape[other] in later]
                if beside and connected(group & ~(1 << cell), size, size):
                    shape[cell] = rng.choice(beside)
                    group &= ~(1 << cell)
                    movable.remove(cell)
                    break
        ways.append(None)
        settled = battle.settle(marks, ways, battle.add(group))
        assert settled is not None, "the stars are a solution"
        marks = settled
    return shape


def reshaped(rng: Random, region: Sequence[int], truth: int, stars: int) -> list[int]:
    """Regions for which the stars are the only ones; empty if the attempts fail.

    Where other stars would fit as well, one of their cells goes over to a neighbouring region.
    """
    size, shape = isqrt(len(region)), [*region]
    near = sides(size, size)
    for _ in range(TRIES):
        solution = solve(size, shape, stars, NODES)
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
            if connected(_without(shape, cell), size, size):
                shape[cell] = number
                break
        else:
            return []
    return []


def _without(shape: Sequence[int], cell: int) -> int:
    """The other cells of a cell's region."""
    return bits(n for n, number in enumerate(shape) if number == shape[cell] and n != cell)


def hardened(rng: Random, region: Sequence[int], truth: int, stars: int, tries: int) -> list[int]:
    """Regions whose proof of uniqueness takes as many steps or more: single cells change their
    region at random where it does.
    """
    size, shape = isqrt(len(region)), [*region]
    near = sides(size, size)
    steps = 0
    for cell in rng.sample(range(len(shape)), tries):
        beside = [shape[other] for other in near[cell] if shape[other] != shape[cell]]
        if truth >> cell & 1 or not beside or not connected(_without(shape, cell), size, size):
            continue
        before = shape[cell]
        shape[cell] = rng.choice(beside)
        solution = solve(size, shape, stars, NODES)
        if solution.unique and solution.steps >= steps:
            steps = solution.steps
        else:
            shape[cell] = before
    return shape
