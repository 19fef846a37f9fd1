"""Boards of minesweeper: opening cells, and determining which covered ones are certain.

A board is a tuple of rows of signs: a digit counts the mines around an open cell, ``?`` is a
covered cell. Cells are counted from 0 in reading order.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from palaestra.generators.cells import neighbours

Board = tuple[str, ...]

COVERED = "?"


@dataclass(frozen=True)
class Certain:
    """The covered cells that are certain: mines and safe ones."""

    mines: frozenset[int]
    safe: frozenset[int]


def opened(board: Board, mines: Collection[int], cell: int) -> Board:
    """The board once a safe cell is opened, and with a 0 all cells around it, and so on.

    >>> opened(("???", "???"), mines={5}, cell=0)
    ('01?', '01?')
    """
    height, width = len(board), len(board[0])
    signs = list("".join(board))
    around = neighbours(height, width)
    waiting = [cell]
    while waiting:
        here = waiting.pop()
        if signs[here] == COVERED:
            count = sum(other in mines for other in around[here])
            signs[here] = str(count)
            waiting += around[here] if count == 0 else ()
    return tuple("".join(signs[row * width : (row + 1) * width]) for row in range(height))


def laid(rng: Random, rows: int, columns: int, number: int) -> tuple[frozenset[int], Board]:
    """Mines on a board, and the board once a first safe cell is opened.

    That cell has no mine around it if a random choice finds such a cell.
    """
    cells = range(rows * columns)
    mines = frozenset(rng.sample(cells, number))
    safe = [cell for cell in cells if cell not in mines]
    around = neighbours(rows, columns)
    calm = [cell for cell in safe if mines.isdisjoint(around[cell])]
    board = (COVERED * columns,) * rows
    return mines, opened(board, mines, rng.choice(calm or safe))


def covered(board: Board) -> list[int]:
    """The covered cells."""
    return [cell for cell, sign in enumerate("".join(board)) if sign == COVERED]


@lru_cache(maxsize=64)
def limits(board: Board) -> list[tuple[frozenset[int], int]]:
    """For each open cell beside covered ones: those, and how many of them are mines."""
    around = neighbours(len(board), len(board[0]))
    hidden = set(covered(board))
    sets = ((hidden.intersection(around[n]), s) for n, s in enumerate("".join(board)))
    return [(frozenset(cells), int(sign)) for cells, sign in sets if sign != COVERED and cells]


@lru_cache(maxsize=512)
def obvious(board: Board) -> Certain:
    """The conclusions from one number at a time, repeated until nothing changes.

    >>> sorted(obvious(("1?", "11")).mines)
    [1]
    """
    mines: set[int] = set()
    safe: set[int] = set()
    known = -1
    while known < len(mines) + len(safe):
        known = len(mines) + len(safe)
        for cells, count in limits(board):
            doubt = cells - mines - safe
            left = count - len(cells & mines)
            if left == 0:
                safe |= doubt
            elif left == len(doubt):
                mines |= doubt
    return Certain(frozenset(mines), frozenset(safe))


@lru_cache(maxsize=512)
def certain(board: Board, total: int | None = None) -> Certain:
    """All conclusions from the numbers, and from the total of mines if it is known.

    The cells are taken one by one; all that matters of those before is how many mines each
    number still lacks, so equal cases are counted together, with the set of totals they may have
    as the bits of an integer. A cell may be a mine where a case before and one after it agree.

    >>> sorted(certain(("???", "121"), total=None).safe)
    [1]
    """
    table = _Table(board)
    before = [{table.start: 1}]
    for step in range(len(table.cells)):
        before.append(table.forward(before[-1], step))
    after = {table.end: 1 << total if total is not None else -1}
    mines, safe = set(), set()
    for step in reversed(range(len(table.cells))):
        may_be = [False, False]
        earlier: dict[int, int] = {}
        for case, totals in before[step].items():
            for mine in (0, 1):
                rest = after.get(table.next(case, step, mine), 0) >> mine
                may_be[mine] |= bool(rest & totals)
                earlier[case] = earlier.get(case, 0) | rest
        after = earlier
        if not may_be[0]:
            mines.add(table.cells[step])
        if not may_be[1]:
            safe.add(table.cells[step])
    return Certain(frozenset(mines), frozenset(safe))


class _Table:
    """Cases of the count: for each number, in four bits, how many mines it still lacks."""

    def __init__(self, board: Board) -> None:
        self.limits = limits(board)
        self.cells = _walk(covered(board), [cells for cells, _ in self.limits])
        self.start = sum(count << 4 * n for n, (_, count) in enumerate(self.limits))
        self.end = 0
        order = {cell: step for step, cell in enumerate(self.cells)}
        self.takes = [0] * len(self.cells)
        self.touches: list[list[tuple[int, int]]] = [[] for _ in self.cells]
        for n, (cells, _) in enumerate(self.limits):
            steps = sorted(order[cell] for cell in cells)
            for later, step in enumerate(reversed(steps)):
                self.takes[step] += 1 << 4 * n
                self.touches[step].append((4 * n, later))

    def next(self, case: int, step: int, mine: int) -> int:
        """The case after a cell is set; -1 if a number can no longer be satisfied."""
        for shift, later in self.touches[step]:
            if not 0 <= (case >> shift & 15) - mine <= later:
                return -1
        return case - mine * self.takes[step]

    def forward(self, cases: dict[int, int], step: int) -> dict[int, int]:
        """The cases after a cell, with the totals that they may have."""
        by_count: dict[int, int] = {}
        for case, totals in cases.items():
            for mine in (0, 1):
                then = self.next(case, step, mine)
                if then >= 0:
                    by_count[then] = by_count.get(then, 0) | totals << mine
        return by_count


def _walk(cells: Iterable[int], groups: list[frozenset[int]]) -> list[int]:
    """The cells in an order that keeps those of a group close together; lone ones come last."""
    joined: dict[int, set[int]] = {cell: set() for cell in cells}
    for group in groups:
        for cell in group:
            joined[cell] |= group
    steps: dict[int, None] = {}
    for start in sorted(joined, key=lambda cell: (not joined[cell], cell)):
        queue = [start]
        for cell in queue:
            if cell not in steps:
                steps[cell] = None
                queue += sorted(joined[cell] - steps.keys())
    return [*steps]


@lru_cache(maxsize=256)
def swept(board: Board, mines: tuple[int, ...]) -> tuple[int, ...]:
    """The cells that a player opens who never guesses and sees only what is open, in order."""
    cells: list[int] = []
    while safe := obvious(board).safe or certain(board, len(mines)).safe:
        for cell in sorted(safe):
            if "".join(board)[cell] == COVERED:
                cells.append(cell)
                board = opened(board, mines, cell)
    return tuple(cells) if len(covered(board)) == len(mines) else ()


@dataclass(frozen=True)
class Placement:
    """Mines that agree with the numbers, and cells that no number is left to decide.

    Any ``number`` of the free cells are mines; all numbers will do where it is ``None``.
    """

    mines: frozenset[int]
    safe: frozenset[int]
    free: frozenset[int]
    number: int | None

    def may_be_mines(self) -> frozenset[int]:
        """The cells that are mines here, or may be for all that the numbers say."""
        return self.mines if self.number == 0 else self.mines | self.free

    def may_be_safe(self) -> frozenset[int]:
        """The cells that are safe here, or may be for all that the numbers say."""
        return self.safe if self.number == len(self.free) else self.safe | self.free


def placement(
    board: Board, total: int | None, assumed_mines: Iterable[int], assumed_safe: Iterable[int]
) -> Placement | None:
    """A placement of mines that agrees with the board and with assumptions, if there is any.

    By backtracking from the number with the fewest cells in doubt: another way than that of
    :func:`certain`, for a second opinion.
    """
    mines, safe, known = {*assumed_mines}, {*assumed_safe}, -1
    tight: list[int] = []
    while known < len(mines) + len(safe):
        known, tight = len(mines) + len(safe), []
        for cells, count in limits(board):
            doubt = cells - mines - safe
            left = count - len(cells & mines)
            if not 0 <= left <= len(doubt):
                return None
            if left == 0:
                safe |= doubt
            elif left == len(doubt):
                mines |= doubt
            elif not tight or len(doubt) < len(tight):
                tight = sorted(doubt)
    free = frozenset(covered(board)) - mines - safe
    number = None if total is None else total - len(mines)
    if number is not None and not 0 <= number <= len(free):
        return None
    if not tight:
        return Placement(frozenset(mines), frozenset(safe), free, number)
    first = tight[0]
    return placement(board, total, mines | {first}, safe) or placement(
        board, total, mines, safe | {first}
    )


@lru_cache(maxsize=64)
def refuted(board: Board, total: int | None = None) -> Certain:
    """The same as :func:`certain`, by assuming the contrary of each cell in turn.

    A placement under one assumption answers for all cells that it has, so that few remain.
    """
    no_mines, no_safe = set(covered(board)), set(covered(board))
    for suspects, as_mine in ((no_mines, True), (no_safe, False)):
        for cell in covered(board):
            if cell in suspects:
                assumed = ((cell,), ()) if as_mine else ((), (cell,))
                example = placement(board, total, *assumed)
                if example is not None:
                    no_mines -= example.may_be_mines()
                    no_safe -= example.may_be_safe()
    return Certain(frozenset(no_safe), frozenset(no_mines))
