"""Boards of cross sums: walls, the runs between them, digits and solutions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from random import Random

from palaestra.generators.cells import lines
from palaestra.generators.grids.constraints import Board, Cage, Different, between
from palaestra.generators.grids.pencil import SearchResult

WALL, FREE = "#", "."

MAX_NODES = 100
"""Limit of the search nodes when proving that there is one solution."""

LONGEST = 6
"""The greatest number of cells of a run; the sums of longer runs settle little."""

CHANGES = 1_000
"""The number of changes of digits before another board is drawn."""

PATIENCE = 60
"""The number of changes in vain before all digits that are not settled are drawn again."""

NEAR = 0.3
"""The share of changes of any cell in a run with an undecided cell, instead of this cell."""


Run = tuple[int, ...]
"""The cells of a run, in order."""


def runs_of(board: Sequence[str], size: int) -> list[Run]:
    """All lines of two or more cells without a wall: those across, then those down."""
    runs: list[Run] = []
    for line in lines(size, size):
        run: list[int] = []
        for cell in [*line, -1]:
            if cell >= 0 and board[cell] != WALL:
                run.append(cell)
            else:
                if len(run) > 1:
                    runs.append(tuple(run))
                run = []
    return runs


def walled(rng: Random, size: int, share: float) -> str:
    """A board with walls, symmetric by a half turn, every free cell of which is in two runs, of
    ``LONGEST`` cells at most.
    """
    last = size * size - 1
    while True:
        walls = {cell for cell in range(last // 2) if rng.random() < share}
        walls |= {last - cell for cell in walls}
        more: set[int] | None = None
        while more is None or more:
            walls |= {side for cell in more or () for side in (cell, last - cell)}
            board = "".join(WALL if cell in walls else FREE for cell in range(last + 1))
            runs = runs_of(board, size)
            often = Counter(cell for run in runs for cell in run)
            more = {cell for cell in range(last + 1) if often[cell] < 2} - walls
            if not more and (long := [run for run in runs if len(run) > LONGEST]):
                more = {rng.choice(rng.choice(long)[1:-1])}
        reaching = FREE in board[:size] and FREE in board[::size]
        if reaching and len(walls) < (share + 0.25) * size * size:
            return board


def filled(rng: Random, board: str, runs: Sequence[Run]) -> list[int]:
    """Digits at random, 0 for walls, no run with a digit twice; empty at a dead end.

    Each run tends to low digits or to high ones, so that fewer others have the same sum.
    """
    numbers = [0] * len(board)
    rivals: list[set[int]] = [set() for _ in board]
    leaning_to = [0] * len(board)
    for run in runs:
        side = rng.choice((-1, 1))
        for cell in run:
            rivals[cell].update(run)
            leaning_to[cell] += side
    for cell in sorted(range(len(board)), key=lambda cell: (-len(rivals[cell]), cell)):
        if board[cell] == FREE:
            free = sorted({*range(1, 10)} - {numbers[other] for other in rivals[cell]})
            if not free:
                return []
            extreme = leaning_to[cell] and rng.random() < 0.8
            numbers[cell] = free[-(leaning_to[cell] > 0)] if extreme else rng.choice(free)
    return numbers


def solve(
    board: str, runs: Sequence[Run], sums: Sequence[int], digits: Mapping[int, int]
) -> SearchResult[tuple[int, ...]]:
    """Up to two solutions, with 0 for walls."""
    domains = domains_of(board)
    for cell, number in digits.items():
        domains[cell] = 1 << number
    return rules_of(board, runs, sums).solve(domains, most=MAX_NODES)


def rules_of(board: str, runs: Sequence[Run], sums: Sequence[int]) -> Board:
    """The rules of a puzzle."""
    return Board(len(board), [SumRule(run, total) for run, total in zip(runs, sums)])


@dataclass(frozen=True)
class SumRule:
    """The digits of a run are different and add up to a total."""

    scope: Run
    total: int

    def narrow(self, domains: list[int]) -> bool:
        left = narrowed(tuple([domains[cell] for cell in self.scope]), self.total)
        for cell, domain in zip(self.scope, left):
            domains[cell] = domain
        return bool(left)


@lru_cache(maxsize=1 << 15)
def narrowed(domains: tuple[int, ...], total: int) -> tuple[int, ...]:
    """What a run with this total leaves of the digits of its cells; empty at a contradiction."""
    scope, left = tuple(range(len(domains))), [*domains]
    before: list[int] = []
    while left != before:
        before = [*left]
        if not Different(scope).narrow(left) or not Cage(scope, total).narrow(left):
            return ()
    return tuple(left)


def domains_of(board: str) -> list[int]:
    """All digits for each free cell, and 0 for a wall."""
    return [1 if sign == WALL else between(1, 9) for sign in board]


class Sums:
    """Digits in runs, and the candidates that the sums of the runs leave of each cell.

    Narrowing them run by run, without search, must leave one candidate of each cell for the sums
    to settle the digits. What :meth:`SumRule.narrow` does for one run is cached, so that a change
    of a digit takes a fraction of a millisecond.
    """

    def __init__(self, board: str, digits: Sequence[int], known: Iterable[int]) -> None:
        self.runs = runs_of(board, isqrt(len(board)))
        self.crossing: list[list[int]] = [[] for _ in board]
        for number, run in enumerate(self.runs):
            for cell in run:
                self.crossing[cell].append(number)
        self.digits = [*digits]
        self.start = domains_of(board)
        for cell in known:
            self.start[cell] = 1 << digits[cell]
        self.domains = self.narrowed(digits)

    def narrowed(self, digits: Sequence[int]) -> list[int]:
        """The candidates of each cell by the sums of other digits."""
        domains, totals = [*self.start], sums_of(self.runs, digits)
        waiting = set(range(len(self.runs)))
        while waiting:
            now, waiting = waiting, set()
            for number in now:
                waiting.discard(number)
                run = self.runs[number]
                before = tuple([domains[cell] for cell in run])
                left = narrowed(before, totals[number])
                if left != before:
                    for cell, domain, old in zip(run, left, before):
                        if domain != old:
                            domains[cell] = domain
                            one, other = self.crossing[cell]
                            waiting.add(other if one == number else one)
        return domains

    def undecided(self) -> list[int]:
        """The cells with several candidates."""
        return [cell for cell, domain in enumerate(self.domains) if domain & domain - 1]

    def options(self, digits: Sequence[int], cell: int) -> list[int]:
        """The digits that the runs of a cell do not hold, the cell itself included."""
        used = {digits[other] for number in self.crossing[cell] for other in self.runs[number]}
        return [digit for digit in range(1, 10) if digit not in used]

    def change(self, rng: Random) -> bool:
        """Change a digit in or near an undecided cell, unless more candidates are then left.

        Return whether fewer are left.
        """
        cell = rng.choice(self.undecided())
        if rng.random() < NEAR:
            cell = rng.choice(self.runs[rng.choice(self.crossing[cell])])
        options = self.options(self.digits, cell)
        if not options or self.start[cell].bit_count() == 1:
            return False
        digits = [*self.digits]
        digits[cell] = rng.choice(options)
        domains, before = self.narrowed(digits), candidates(self.domains)
        after = candidates(domains)
        if after <= before:
            self.digits, self.domains = digits, domains
        return after < before

    def redraw(self, rng: Random) -> None:
        """Draw the digits of all undecided cells anew, low or high ones; not at a dead end."""
        cells, digits = self.undecided(), [*self.digits]
        rng.shuffle(cells)
        for cell in cells:
            digits[cell] = 0
        for cell in cells:
            options = self.options(digits, cell)
            if not options:
                return
            digits[cell] = rng.choice(options[:2] + options[-2:])
        self.digits, self.domains = digits, self.narrowed(digits)


def settled_digits(
    rng: Random, board: str, digits: Sequence[int], known: Iterable[int]
) -> list[int]:
    """Digits that follow from the sums and the known digits without search; empty if none do.

    Digits change as long as this leaves fewer candidates; where it does not for a while, all that
    are not settled are drawn again.
    """
    sums, idle = Sums(board, digits, known), 0
    for _ in range(CHANGES):
        if not sums.undecided():
            return sums.digits
        idle = 0 if sums.change(rng) else idle + 1
        if idle > PATIENCE:
            sums.redraw(rng)
            idle = 0
    return []


def candidates(domains: Sequence[int]) -> int:
    """The number of candidates in all cells."""
    return sum(map(int.bit_count, domains))


def sums_of(runs: Sequence[Run], digits: Sequence[int]) -> list[int]:
    """The sum of each run."""
    return [sum(digits[cell] for cell in run) for run in runs]
