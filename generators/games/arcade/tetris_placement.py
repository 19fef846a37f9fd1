"""Plans that clear rows of a board with tetrominoes."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from palaestra.generators.games.arcade.tetrominoes import Board, Placement, dropped, drops


def cleared(
    board: Board, pieces: str, plan: Sequence[Placement], width: int, height: int
) -> tuple[int, str]:
    """The number of rows that a plan clears, and what is wrong with it, or ""."""
    total = 0
    for n, (piece, where) in enumerate(zip(pieces, plan), 1):
        drop = dropped(board, piece, where, width, height)
        if drop is None:
            return 0, f"piece {n} is not within the board"
        board, total = drop.board, total + drop.cleared
    return total, ""


def ways(board: Board, pieces: str, width: int, height: int, goal: int) -> int:
    """The number of plans that clear at least ``goal`` rows."""
    states = Counter({(board, 0): 1})
    for piece in pieces:
        after: Counter[tuple[Board, int]] = Counter()
        for (rows, total), number in states.items():
            for drop in drops(rows, piece, width, height).values():
                after[drop.board, total + drop.cleared] += number
        states = after
    return sum(number for (_, total), number in states.items() if total >= goal)


def _roughness(board: Board) -> int:
    """A weighted sum of the holes of a board and its height."""
    covered = holes = 0
    for row in reversed(board):
        holes += (covered & ~row).bit_count()
        covered |= row
    return 4 * holes + sum(map(bool, board))


@lru_cache(maxsize=256)
def planned(
    board: Board, pieces: str, width: int, height: int, beam: int
) -> tuple[int, tuple[Placement, ...]]:
    """The number of rows that a plan by beam search clears, and the plan; a beam of 1 is greedy."""
    states: list[tuple[int, Board, tuple[Placement, ...]]] = [(0, board, ())]
    for piece in pieces:
        plans: dict[tuple[int, Board], tuple[Placement, ...]] = {}
        for cleared, rows, plan in states:
            for where, drop in drops(rows, piece, width, height).items():
                plans.setdefault((cleared + drop.cleared, drop.board), (*plan, where))
        ranked = sorted(plans, key=lambda key: (_roughness(key[1]) - 6 * key[0], key))
        states = [(*key, plans[key]) for key in ranked[:beam]]
    if not states:
        return 0, ()
    cleared, _, plan = max(states, key=lambda state: state[0])
    return cleared, plan


def rubble(rng: Random, rows: int, width: int, height: int) -> Board:
    """A random board whose lowest rows have gaps, some of them above one another."""
    filled: list[int] = []
    gap = rng.randrange(width)
    for _ in range(rows):
        if rng.random() < 0.6:
            gap = min(width - 1, max(0, gap + rng.choice((-1, 0, 0, 1))))
        wide = rng.choice((1, 2, 2, 3))
        row = (1 << width) - 1
        for column in range(gap, min(width, gap + wide)):
            row &= ~(1 << column)
        filled.append(row)
    return (*filled, *[0] * (height - rows))
