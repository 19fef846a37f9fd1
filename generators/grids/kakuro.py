"""Boards of cross sums: walls, the runs between them, digits and solutions."""

from collections.abc import Mapping, Sequence
from random import Random

from palaestra.generators.cells import lines
from palaestra.generators.grids.constraints import Board, Cage, Different, between
from palaestra.generators.grids.pencil import SearchResult

WALL, FREE = "#", "."

MAX_NODES = 100
"""Limit of the search nodes when proving that there is one solution."""


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


def filled(rng: Random, board: str, runs: Sequence[Run]) -> list[int]:
    """Digits at random, 0 for walls, no run with a digit twice; empty at a dead end."""
    numbers = [0] * len(board)
    rivals: list[set[int]] = [set() for _ in board]
    for run in runs:
        for cell in run:
            rivals[cell].update(run)
    for cell in sorted(range(len(board)), key=lambda cell: (-len(rivals[cell]), cell)):
        if board[cell] == FREE:
            free = [*{*range(1, 10)} - {numbers[other] for other in rivals[cell]}]
            if not free:
                return []
            numbers[cell] = rng.choice(sorted(free))
    return numbers


def solve(
    board: str, runs: Sequence[Run], sums: Sequence[int], digits: Mapping[int, int]
) -> SearchResult[tuple[int, ...]]:
    """Up to two solutions, with 0 for walls."""
    rules = [Different(run) for run in runs]
    puzzle = Board(len(board), rules)
    for run, total in zip(runs, sums):
        puzzle.add(Cage(run, total))
    domains = [1 if sign == WALL else between(1, 9) for sign in board]
    for cell, number in digits.items():
        domains[cell] = 1 << number
    return puzzle.solve(domains, most=MAX_NODES)
