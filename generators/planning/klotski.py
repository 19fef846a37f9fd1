"""Crowded trays of sliding blocks, and shortest plans for them."""

from collections import deque
from random import Random
from typing import NamedTuple

Position = tuple[int, int]
"""Row and column of a block's first cell, its leftmost one in its top row, from 0."""

Shape = tuple[Position, ...]
"""The cells of a block as rows and columns from its first one, which is (0, 0)."""

Moves = tuple[tuple[int, str], ...]

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

SHAPES: tuple[Shape, ...] = (
    ((0, 0),),
    ((0, 0), (0, 1)),
    ((0, 0), (1, 0)),
    ((0, 0), (0, 1), (1, 0)),
    ((0, 0), (0, 1), (1, 1)),
    ((0, 0), (1, 0), (1, 1)),
    ((0, 0), (1, -1), (1, 0)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
)


class Tray(NamedTuple):
    """A tray and the blocks in it, the first of which is the key."""

    rows: int
    columns: int
    shapes: tuple[Shape, ...]

    def ways_of_the_first(self, start: tuple[Position, ...], budget: int) -> dict[Position, Moves]:
        """A shortest plan to each position of the first block, by breadth-first search.

        States are masks of bits, with a column beyond the last one that no block may cover. The
        search visits at most ``budget`` states.

        >>> Tray(1, 3, (((0, 0),), ((0, 0),))).ways_of_the_first(((0, 0), (0, 1)), 9)
        {(0, 0): (), (0, 1): ((1, 'right'), (0, 'right'))}
        """
        wide = self.columns + 1
        outside = ~sum(((1 << self.columns) - 1) << (row * wide) for row in range(self.rows))
        shifts = [(way, down * wide + right) for way, (down, right) in DIRECTIONS.items()]
        begun = tuple(
            sum(1 << ((row + r) * wide + column + c) for r, c in shape)
            for shape, (row, column) in zip(self.shapes, start)
        )
        came: dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, str]] | None] = {begun: None}
        firsts = {begun[0]: begun}
        queue = deque([begun])
        while queue and len(came) < budget:
            here = queue.popleft()
            full = outside | sum(here)
            for block, mask in enumerate(here):
                others = full & ~mask
                for way, shift in shifts:
                    moved = mask << shift if shift > 0 else mask >> -shift
                    if moved & others or moved.bit_count() < mask.bit_count():
                        continue
                    there = (*here[:block], moved, *here[block + 1 :])
                    if there not in came:
                        came[there] = here, (block, way)
                        firsts.setdefault(moved if block == 0 else here[0], there)
                        queue.append(there)
        column = start[0][1] + start[0][0] * wide
        ways = {}
        for mask, board in firsts.items():
            index = column + mask.bit_length() - begun[0].bit_length()
            ways[divmod(index, wide)] = _retraced(came, board)
        return ways


def _retraced(
    came: dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, str]] | None],
    board: tuple[int, ...],
) -> Moves:
    moves = []
    while (step := came[board]) is not None:
        board, move = step
        moves.append(move)
    return tuple(reversed(moves))


def filled(rng: Random, rows: int, columns: int, free: int) -> tuple[Tray, tuple[Position, ...]]:
    """A tray with blocks of random shapes that leaves ``free`` cells free, and their positions."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    empty = set(rng.sample(cells, free))
    left = [cell for cell in cells if cell not in empty]
    shapes, positions = [], []
    taken = set(empty)
    for row, column in left:
        if (row, column) in taken:
            continue
        fitting = []
        for shape in SHAPES:
            covered = {(row + r, column + c) for r, c in shape}
            if not covered & taken and covered <= {*left}:
                fitting.append((shape, covered))
        shape, covered = rng.choice(fitting[1:] or fitting)
        taken |= covered
        shapes.append(shape)
        positions.append((row, column))
    order = rng.sample(range(len(shapes)), len(shapes))
    return Tray(rows, columns, tuple(shapes[n] for n in order)), tuple(positions[n] for n in order)
