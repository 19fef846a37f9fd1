"""Pencil puzzles whose cells are on or off: sets of cells are the bits of an integer.

Two kinds of rules are enough for most of them: how many of some cells may be on, and what follows
at once from a cell that is on or off. What concerns the whole board (all in one piece, a single
loop) is a puzzle's own function ``sound``, or a subclass that overrides ``infer``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import neighbours
from palaestra.generators.grids.pencil import MAX_NODES, SearchResult

Count = tuple[int, int]
"""Some cells, and how many of them may be on: bit 2 of the second number stands for two."""

Marks = tuple[int, int]
"""The cells that are on, and those that are off."""


@dataclass(frozen=True)
class Sheet:
    """The rules of a puzzle on so many cells."""

    size: int
    counts: tuple[Count, ...]
    if_on: Mapping[int, Marks] = field(default_factory=dict)
    """What follows when a cell is on: the cells that are then on, and those that are off."""

    if_off: Mapping[int, Marks] = field(default_factory=dict)
    sound: Callable[[int, int], bool] = lambda on, off: True
    """Whether the marks may still lead to a solution; exact where all cells are marked."""

    @cached_property
    def watch(self) -> list[int]:
        """For each cell, the counts that depend on it, as bits."""
        watchers = [0] * self.size
        for number, (cells, _) in enumerate(self.counts):
            for cell in ones(cells):
                watchers[cell] |= 1 << number
        return watchers

    def plus(self, counts: Iterable[Count], if_on: Mapping[int, Marks] | None = None) -> Self:
        """The sheet with more counts, and with other consequences of cells that are on, if any.

        The watchers of the first counts are not worked out again.
        """
        more = tuple(counts)
        sheet = replace(
            self, counts=self.counts + more, if_on=self.if_on if if_on is None else if_on
        )
        watchers = [*self.watch]
        for number, (cells, _) in enumerate(more, len(self.counts)):
            for cell in ones(cells):
                watchers[cell] |= 1 << number
        vars(sheet)["watch"] = watchers
        return sheet

    def settle(
        self, marks: Marks, known: Marks | None = None, fresh: int = 0
    ) -> tuple[Marks | None, int]:
        """All consequences of marks, beyond those of ``known`` ones, and the number of steps.

        ``fresh`` are the counts, as bits, that the consequences of the known marks leave out.
        """
        on, off = marks
        done_on, done_off = known or (0, 0)
        waiting = fresh if known else (1 << len(self.counts)) - 1
        nothing, steps = (0, 0), 0
        while True:
            fresh_on, fresh_off = on & ~done_on, off & ~done_off
            done_on, done_off = on, off
            for cell in ones(fresh_on):
                more_on, more_off = self.if_on.get(cell, nothing)
                on, off, waiting = on | more_on, off | more_off, waiting | self.watch[cell]
            for cell in ones(fresh_off):
                more_on, more_off = self.if_off.get(cell, nothing)
                on, off, waiting = on | more_on, off | more_off, waiting | self.watch[cell]
            if on & off:
                return None, steps
            if on != done_on or off != done_off:
                continue
            while waiting and on == done_on and off == done_off:
                lowest = waiting & -waiting
                waiting ^= lowest
                steps += 1
                cells, allowed = self.counts[lowest.bit_length() - 1]
                free = cells & ~(on | off)
                many = free.bit_count()
                window = allowed >> (cells & on).bit_count() & (2 << many) - 1
                if not window:
                    return None, steps
                if window == 1:
                    off |= free
                elif window == 1 << many:
                    on |= free
            if not waiting and on == done_on and off == done_off:
                more = self.infer(on, off)
                if more is None:
                    return None, steps
                if more == (on, off):
                    return more, steps
                on, off = more

    def infer(self, on: int, off: int) -> Marks | None:
        """The marks with those that follow from the board as a whole; None at a contradiction.

        It is called where the counts have no more consequences. Subclasses override it.
        """
        return on, off

    def doubt(self, on: int, off: int) -> int:
        """A cell to try: one of the count with the fewest open cells; -1 if all are marked."""
        clear = ((1 << self.size) - 1) & ~(on | off)
        if not clear:
            return -1
        best, least = clear, self.size + 1
        for cells, _ in self.counts:
            free = cells & clear
            if free and free.bit_count() < least:
                best, least = free, free.bit_count()
        return (best & -best).bit_length() - 1

    def solve(
        self,
        on: int = 0,
        off: int = 0,
        limit: int = 2,
        most: int = MAX_NODES,
        known: Marks | None = None,
    ) -> SearchResult[int]:
        """Up to ``limit`` solutions, as the cells that are on.

        The consequences of the ``known`` marks are among those that it begins with.
        """
        solutions: list[int] = []
        nodes = steps = 0
        stack: list[tuple[Marks, Marks | None]] = [((on, off), known)]
        while stack and len(solutions) < limit and nodes < most:
            nodes += 1
            settled, taken = self.settle(*stack.pop())
            steps += taken
            if settled is None or not self.sound(*settled):
                continue
            on, off = settled
            cell = self.doubt(on, off)
            if cell < 0:
                solutions.append(on)
            else:
                stack.append(((on, off | 1 << cell), settled))
                stack.append(((on | 1 << cell, off), settled))
        return SearchResult(solutions, nodes, steps, not stack or len(solutions) == limit)


def exactly(cells: Iterable[int], many: int) -> Count:
    """So many of the cells are on."""
    return bits(cells), 1 << many


def at_least(cells: Iterable[int], many: int) -> Count:
    """So many of the cells are on, or more."""
    return bits(cells), -1 << many


def at_most(cells: Iterable[int], many: int) -> Count:
    """So many of the cells are on, or fewer."""
    return bits(cells), (2 << many) - 1


@lru_cache(maxsize=64)
def apart(rows: int, columns: int) -> Mapping[int, Marks]:
    """What follows from a cell that is on where no two may touch, not even at a corner."""
    return {cell: (0, bits(near)) for cell, near in enumerate(neighbours(rows, columns))}
