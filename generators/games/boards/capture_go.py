"""Small boards of go, and the search for moves that capture a group.

A board is a string, row by row: X for Black, O for White, a full stop for an empty point.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

BLACK, WHITE, EMPTY = "X", "O", "."


@lru_cache(maxsize=16)
def around(size: int) -> tuple[tuple[int, ...], ...]:
    """The adjacent points of each point.

    >>> around(2)[0]
    (2, 1)
    """
    return tuple(
        tuple(
            r * size + c
            for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
            if 0 <= r < size and 0 <= c < size
        )
        for row in range(size)
        for col in range(size)
    )


def group(board: str, point: int, size: int) -> tuple[set[int], set[int]]:
    """The stones of the group at a point, and their liberties.

    >>> group("X..X", 0, 2)
    ({0}, {1, 2})
    """
    near, colour = around(size), board[point]
    stones, liberties, left = {point}, set(), [point]
    while left:
        for other in near[left.pop()]:
            if board[other] == EMPTY:
                liberties.add(other)
            elif board[other] == colour and other not in stones:
                stones.add(other)
                left.append(other)
    return stones, liberties


def without_liberties(signs: Sequence[str], point: int, size: int) -> list[int]:
    """The stones of the group at a point if it has no liberty; empty if it has one.

    >>> without_liberties("XO..", 0, 2), without_liberties("XOO.", 0, 2)
    ([], [0])
    """
    near, colour = around(size), signs[point]
    stones = [point]
    for stone in stones:
        for other in near[stone]:
            if signs[other] == EMPTY:
                return []
            if signs[other] == colour and other not in stones:
                stones.append(other)
    return stones


def placed(board: str, point: int, colour: str, size: int) -> str | None:
    """The board after a move on an empty point; ``None`` if the move is suicide.

    >>> placed("XO..", 2, "O", 2), placed("XO.O", 2, "O", 2), placed(".OO.", 0, "X", 2)
    ('.OO.', '.OOO', None)
    """
    signs = [*board]
    signs[point] = colour
    for other in around(size)[point]:
        if signs[other] not in (EMPTY, colour):
            for stone in without_liberties(signs, other, size):
                signs[stone] = EMPTY
    return None if without_liberties(signs, point, size) else "".join(signs)


class Search:
    """The search for Black's moves that capture a group, whatever White does.

    No position may recur in the line of play (positional superko).
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.nodes = 0

    def captures(self, board: str, target: int, moves: int, past: frozenset[str]) -> bool:
        """Whether Black, to move, can capture the group within ``moves`` moves.

        Black can always fill a last liberty: that removes the group, and no earlier board in the
        line of play was without it.
        """
        if moves == 1:
            return len(group(board, target, self.size)[1]) == 1
        return any(True for _ in self.winning(board, target, moves, past))

    def winning(self, board: str, target: int, moves: int, past: frozenset[str]) -> Iterator[int]:
        """Black's moves after which White cannot save the group.

        A move of Black fills at most one liberty. If all remaining moves are needed to fill
        liberties, only these points are worth trying.
        """
        liberties = group(board, target, self.size)[1]
        if len(liberties) > moves:
            return
        tight = len(liberties) == moves
        others = (p for p, sign in enumerate(board) if sign == EMPTY and p not in liberties)
        for point in [*sorted(liberties), *(() if tight else others)]:
            self.nodes += 1
            after = placed(board, point, BLACK, self.size)
            if after is None or after in past:
                continue
            done = after[target] == EMPTY
            if done or (moves > 1 and not self.saves(after, target, moves - 1, past | {after})):
                yield point

    def saves(self, board: str, target: int, moves: int, past: frozenset[str]) -> bool:
        """Whether White, to move, can save the group until Black has no moves left."""
        if len(group(board, target, self.size)[1]) > moves:
            return True
        if not self.captures(board, target, moves, past):  # White passes
            return True
        for point in self._defences(board, target, moves):
            self.nodes += 1
            after = placed(board, point, WHITE, self.size)
            if after is None or after in past:
                continue
            if not self.captures(after, target, moves, past | {after}):
                return True
        return False

    def _defences(self, board: str, target: int, moves: int) -> list[int]:
        """White's moves to try; if Black has one move left, only those that may add liberties."""
        if moves > 1:
            return [point for point, sign in enumerate(board) if sign == EMPTY]
        stones, liberties = group(board, target, self.size)
        for stone in stones:
            for other in around(self.size)[stone]:
                if board[other] == BLACK:
                    ends = group(board, other, self.size)[1]
                    liberties |= ends if len(ends) == 1 else set()
        return sorted(liberties)


@lru_cache(maxsize=512)
def winning_moves(board: str, target: int, moves: int, size: int) -> tuple[tuple[int, ...], int]:
    """All first moves that capture a group within ``moves`` moves, and the nodes of the search."""
    search = Search(size)
    wins = tuple(search.winning(board, target, moves, frozenset({board})))
    return wins, search.nodes


def exhaustive_moves(
    board: str, target: int, moves: int, size: int, past: frozenset[str]
) -> Iterator[int]:
    """The moves of :meth:`Search.winning`, by a search without pruning."""
    for point, sign in enumerate(board):
        after = placed(board, point, BLACK, size) if sign == EMPTY else None
        if after is None or after in past:
            continue
        if after[target] == EMPTY:
            yield point
        elif moves > 1:
            known = past | {after}
            replies = [after]
            for reply, free in enumerate(after):
                replied = placed(after, reply, WHITE, size) if free == EMPTY else None
                if replied is not None and replied not in known:
                    replies.append(replied)
            if all(
                any(True for _ in exhaustive_moves(r, target, moves - 1, size, known | {r}))
                for r in replies
            ):
                yield point


def random_board(rng: Random, size: int, share: float) -> str:
    """A board with random stones on a share of the points, without groups that have no liberty."""
    signs = [
        rng.choice(BLACK + WHITE) if rng.random() < share else EMPTY for _ in range(size * size)
    ]
    for point in range(size * size):
        if signs[point] != EMPTY:
            for stone in without_liberties(signs, point, size):
                signs[stone] = EMPTY
    return "".join(signs)


def groups(board: str, size: int) -> Iterator[tuple[int, int]]:
    """A point of each group of White, and its number of liberties."""
    visited: set[int] = set()
    for point, colour in enumerate(board):
        if colour == WHITE and point not in visited:
            stones, liberties = group(board, point, size)
            visited |= stones
            yield point, len(liberties)
