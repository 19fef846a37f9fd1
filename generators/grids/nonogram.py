"""Pictures from the lengths of their runs, line by line: nonograms.

A line is a pair of integers: the cells that are known to be filled, and those known to be empty.
For a line, the sets of cells where each run may begin are worked out from both ends, as the bits
of integers, so that its cost does not depend on how many fillings it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from palaestra.generators.bitsets import ones
from palaestra.generators.grids.pencil import SearchResult

MAX_NODES = 200
"""Limit of the search nodes when proving that there is one picture."""

Line = tuple[int, int]
"""The cells of a line that are known to be filled, and those known to be empty."""

Runs = tuple[int, ...]


def runs(line: Sequence[bool]) -> Runs:
    """The lengths of the runs of cells that are filled.

    >>> runs([True, True, False, True])
    (2, 1)
    """
    text = "".join("#" if cell else " " for cell in line)
    return tuple(map(len, text.split()))


@lru_cache(maxsize=1 << 15)
def consequences(lengths: Runs, size: int, filled: int, empty: int) -> Line | None:
    """What is known of a line once its runs are used; None if they do not fit.

    >>> consequences((3,), 4, 0, 0), consequences((2,), 4, 0b1, 0)
    ((6, 0), (3, 12))
    """
    # Position 0 is the edge before the line and position size + 1 the one after it. A gap of cells
    # that are not filled lies before each run and after the last one, the edges being part of them.
    whole = (1 << size + 2) - 1
    may_fill = whole >> 1 & ~1 & ~(empty << 1)
    may_clear = whole & ~(filled << 1)
    starts = [beginnings(may_fill, length) for length in lengths]
    before = [upwards(1, may_clear)]
    for length, possible in zip(lengths, starts):
        after_run = (before[-1] << 1 & possible) << length & may_clear
        before.append(upwards(after_run, may_clear))
    after = [downwards(1 << size + 1, may_clear)]
    for length, possible in zip(lengths[::-1], starts[::-1]):
        before_run = (after[-1] >> length & possible) >> 1 & may_clear
        after.append(downwards(before_run, may_clear))
    after.reverse()
    clear = fill = 0
    for gap_before, gap_after in zip(before, after):
        clear |= gap_before & gap_after
    for number, (length, possible) in enumerate(zip(lengths, starts)):
        run = before[number] << 1 & possible & after[number + 1] >> length
        if not run:
            return None
        fill |= smeared(run, length)
    if (fill | clear) & whole != whole:
        return None
    cells = (1 << size) - 1
    return ~clear >> 1 & cells, ~fill >> 1 & cells


def beginnings(cells: int, length: int) -> int:
    """Where so many of the cells in a row begin.

    >>> bin(beginnings(0b11011, 2))
    '0b1001'
    """
    done = 1
    while done < length:
        step = min(done, length - done)
        cells &= cells >> step
        done += step
    return cells


def smeared(cells: int, length: int) -> int:
    """So many cells in a row from each of some cells.

    >>> bin(smeared(0b1001, 2))
    '0b11011'
    """
    done = 1
    while done < length:
        step = min(done, length - done)
        cells |= cells << step
        done += step
    return cells


def upwards(cells: int, through: int) -> int:
    """The cells that are reached upwards from some, which are among those that one may go through.

    >>> bin(upwards(0b10, 0b1110111))
    '0b110'
    """
    grown = 0
    while grown != cells:
        grown = cells
        cells |= through & cells << 1
    return cells


def downwards(cells: int, through: int) -> int:
    """The cells that are reached downwards from some, as in :func:`upwards`.

    >>> bin(downwards(0b100, 0b1110111))
    '0b111'
    """
    grown = 0
    while grown != cells:
        grown = cells
        cells |= through & cells >> 1
    return cells


@dataclass
class Picture:
    """What is known of a picture, by line: the rows and then the columns."""

    clues: tuple[Runs, ...]
    """The runs of the rows and then of the columns."""

    height: int
    lines: list[Line] = field(default_factory=list)
    steps: int = 0
    """The number of lines that were worked out."""

    def __post_init__(self) -> None:
        self.lines = self.lines or [(0, 0)] * len(self.clues)

    def copy(self) -> "Picture":
        """A picture that can be changed on its own; its steps count from 0."""
        return Picture(self.clues, self.height, [*self.lines])

    def mark(self, row: int, column: int, filled: bool) -> list[int]:
        """Mark a cell; return the numbers of its two lines."""
        crossing = [(row, column), (self.height + column, row)]
        for number, cell in crossing:
            on, off = self.lines[number]
            self.lines[number] = (on | 1 << cell, off) if filled else (on, off | 1 << cell)
        return [number for number, _ in crossing]

    def settle(self, first: Sequence[int]) -> bool:
        """Work out lines, beginning with these, until nothing follows; False if that fails."""
        lines, height, width = self.lines, self.height, len(self.lines) - self.height
        waiting = dict.fromkeys(first)
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            is_row = number < height
            on, off = lines[number]
            self.steps += 1
            after = consequences(self.clues[number], width if is_row else height, on, off)
            if after is None:
                return False
            lines[number] = after
            base, across = (height, number) if is_row else (0, number - height)
            for cell in ones(after[0] & ~on):
                crossing = lines[base + cell]
                lines[base + cell] = crossing[0] | 1 << across, crossing[1]
                waiting[base + cell] = None
            for cell in ones(after[1] & ~off):
                crossing = lines[base + cell]
                lines[base + cell] = crossing[0], crossing[1] | 1 << across
                waiting[base + cell] = None
        return True

    def open_cells(self) -> int:
        """The cells that are not known, as bits in reading order."""
        width = len(self.lines) - self.height
        full = (1 << width) - 1
        return sum(
            (full & ~(on | off)) << row * width
            for row, (on, off) in enumerate(self.lines[: self.height])
        )

    def filled(self) -> int:
        """The cells that are filled, as bits in reading order."""
        width = len(self.lines) - self.height
        return sum(on << row * width for row, (on, _) in enumerate(self.lines[: self.height]))


def solve(picture: Picture, limit: int = 2, most: int = MAX_NODES) -> SearchResult[int]:
    """Up to so many pictures, as the cells that are filled; what is known already is kept.

    One node means that no cell had to be tried.
    """
    width = len(picture.lines) - picture.height
    solutions: list[int] = []
    nodes = steps = 0
    stack: list[tuple[Picture, Sequence[int]]] = [(picture.copy(), range(len(picture.lines)))]
    while stack and len(solutions) < limit and nodes < most:
        nodes += 1
        board, first = stack.pop()
        sound = board.settle(first)
        steps += board.steps
        if not sound:
            continue
        row, column = doubt(board, width)
        if row < 0:
            solutions.append(board.filled())
            continue
        for filled in (False, True):
            child = board.copy()
            stack.append((child, child.mark(row, column, filled)))
    return SearchResult(solutions, nodes, steps, not stack or len(solutions) == limit)


def doubt(board: Picture, width: int) -> tuple[int, int]:
    """A cell to try, in the line with the fewest open cells; (-1, -1) if all are known."""
    best, least, full = 0, width + 1, (1 << width) - 1
    row_of_best = -1
    for row, (on, off) in enumerate(board.lines[: board.height]):
        clear = full & ~(on | off)
        if clear and clear.bit_count() < least:
            best, least, row_of_best = clear, clear.bit_count(), row
    return row_of_best, (best & -best).bit_length() - 1
