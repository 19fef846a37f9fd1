"""Boards of cross sums: walls, the runs between them, digits and solutions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from palaestra.generators.cells import lines
from palaestra.generators.grids.constraints import Board, Cage, Different, between
from palaestra.generators.grids.dominoes import often
from palaestra.generators.grids.pencil import SearchResult

WALL, FREE = "#", "."

MAX_NODES = 100
"""Limit of the search nodes when proving that there is one solution."""

SOME = 6
"""The number of solutions that are compared to select a cell to show."""


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
    """A board with walls, symmetric by a half turn, every free cell of which is in two runs."""
    last = size * size - 1
    while True:
        walls = {cell for cell in range(last // 2) if rng.random() < share}
        walls |= {last - cell for cell in walls}
        lonely = {-1}
        while lonely:
            board = "".join(WALL if cell in walls else FREE for cell in range(last + 1))
            runs = runs_of(board, size)
            often = [sum(cell in run for run in runs) for cell in range(last + 1)]
            lonely = {cell for cell, times in enumerate(often) if times < 2} - walls
            walls |= lonely
        reaching = FREE in board[:size] and FREE in board[::size]
        if reaching and len(walls) < (share + 0.25) * size * size:
            return board


def filled(rng: Random, board: str, runs: Sequence[Run], leaning: bool = False) -> list[int]:
    """Digits at random, 0 for walls, no run with a digit twice; empty at a dead end.

    Where they are ``leaning``, each run tends to low digits or to high ones, so that fewer others
    have the same sum.
    """
    numbers = [0] * len(board)
    rivals: list[set[int]] = [set() for _ in board]
    leaning_to = [0] * len(board)
    for run in runs:
        side = rng.choice((-1, 1)) if leaning else 0
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


def tuned(
    rng: Random, board: str, runs: Sequence[Run], truth: Sequence[int], tries: int
) -> list[int]:
    """Digits whose sums leave less open than those of ``truth``.

    A digit that does not follow from the sums without search changes, so many times at most, if
    no more candidates are then left open in all.
    """
    digits, domains = [*truth], settled(board, runs, truth)
    left = candidates(domains)
    for _ in range(tries):
        undecided = [cell for cell, domain in enumerate(domains) if domain & domain - 1]
        if not undecided:
            break
        cell = rng.choice(undecided)
        used = {digits[other] for run in runs if cell in run for other in run}
        free = [digit for digit in range(1, 10) if digit not in used]
        if not free:
            continue
        changed = [*digits]
        changed[cell] = rng.choice(free)
        others = settled(board, runs, changed)
        if candidates(others) <= left:
            digits, domains, left = changed, others, candidates(others)
    return digits


def settled(board: str, runs: Sequence[Run], truth: Sequence[int]) -> list[int]:
    """What the sums of some digits leave of the candidates of each cell, without search."""
    domains = domains_of(board)
    rules_of(board, runs, sums_of(runs, truth)).settle(domains)
    return domains


def candidates(domains: Sequence[int]) -> int:
    """The number of candidates in all cells."""
    return sum(domain.bit_count() for domain in domains)


def sums_of(runs: Sequence[Run], digits: Sequence[int]) -> list[int]:
    """The sum of each run."""
    return [sum(digits[cell] for cell in run) for run in runs]


def completed(
    rng: Random, board: str, runs: Sequence[Run], truth: Sequence[int], known: Iterable[int]
) -> dict[int, int]:
    """The digits of the known cells, and of more cells until the solution is the only one.

    Where there are others, a cell is added that distinguishes it from as many of them as possible.
    """
    puzzle = rules_of(board, runs, sums_of(runs, truth))
    shown = {cell: truth[cell] for cell in known}
    domains = domains_of(board)
    for cell, number in shown.items():
        domains[cell] = 1 << number
    puzzle.settle(domains)
    others: list[tuple[int, ...]] = []
    while True:
        if not others:
            result = puzzle.solve(domains, limit=SOME, most=MAX_NODES, rules=())
            if result.unique:
                return shown
            others = [other for other in result.solutions if other != tuple(truth)]
        wrong = [
            cell for other in others for cell, digit in enumerate(other) if digit != truth[cell]
        ]
        undecided = [cell for cell, domain in enumerate(domains) if domain & domain - 1]
        cell = rng.choice(often(wrong) or undecided)
        shown[cell] = truth[cell]
        domains[cell] = 1 << truth[cell]
        puzzle.settle(domains, puzzle.watch[cell])
        others = [other for other in others if other[cell] == truth[cell]]
