"""Exact play in the endgames of Connect Four, and endgames with a single winning move.

The search is that of Pascal Pons, "Solving Connect 4: how to build a perfect AI" (2015): alpha-beta
with null windows, a transposition table, and moves in order of the threats that they create.
"""

from functools import lru_cache
from itertools import islice
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.line_games import LineGame, Position, after, reply, sensible

FREE = 14
"""The most free cells of an endgame."""

NODES = 2_000
"""The search nodes for one game that is examined for endgames."""

ORDERED = 10
"""The free cells above which moves are searched in order of their threats, as that takes time."""

TABLE = 1 << 18
"""The most entries of a transposition table."""

GAMES = 400
"""The most games to examine for an endgame."""


class Endgame(NamedTuple):
    """A position that the player to move wins in ``moves`` own moves."""

    position: Position
    moves: int
    unaided: float
    """The score of :func:`unaided`."""

    def rank(self, forced: int) -> tuple[int, float]:
        """How near it comes to a win in ``forced`` moves that is hard to find."""
        return min(self.moves, forced), -self.unaided


class Solver:
    """Exact scores of the positions of one board, for lines of four.

    The score of a won position is the number of own stones that the winner has left after the win,
    plus one: a win with the last stone counts 1, and each own move earlier counts 1 more. A lost
    position has the negative score of the opponent, and a draw 0.
    """

    def __init__(self, game: LineGame) -> None:
        self.height = game.rows + 1
        steps = (self.height - 1, self.height, self.height + 1)
        self.shifts = [(step, 2 * step, 3 * step) for step in steps]
        """The shifts by one, two and three cells along a diagonal, a row and the other diagonal."""
        self.bottoms = sum(1 << column * self.height for column in range(game.columns))
        self.board = self.bottoms * ((1 << game.rows) - 1)
        middle = (game.columns - 1) / 2
        columns = sorted(range(game.columns), key=lambda column: abs(column - middle))
        self.columns = [((1 << game.rows) - 1) << column * self.height for column in columns]
        self.table: dict[int, tuple[int, int]] = {}
        """The lower and the upper bound of a score, by position."""
        self.nodes = 0

    def threats(self, stones: int, taken: int) -> int:
        """The mask of the free cells where a stone completes a line."""
        lines = (stones << 1) & (stones << 2) & (stones << 3)
        for one, two, three in self.shifts:
            below, above = stones << one, stones >> one
            two_below = below & (stones << two)
            two_above = above & (stones >> two)
            lines |= two_below & (stones << three | above) | two_above & (stones >> three | below)
        return lines & self.board & ~taken

    def free(self, taken: int) -> int:
        """The number of free cells."""
        return (self.board & ~taken).bit_count()

    def score(self, position: Position) -> int:
        """The score for the player to move."""
        taken = position.mine | position.theirs
        free = self.free(taken)
        if self.threats(position.mine, taken) & taken + self.bottoms:
            return (free + 1) // 2
        low, high = -(free // 2), (free - 1) // 2
        while low < high:
            # The first window separates wins from the rest, as small scores are found soonest.
            middle = (low + high) // 2
            middle = int(low / 2) if low // 2 < middle <= 0 else middle
            middle = high // 2 if 0 <= middle < high // 2 else middle
            bound = self.bounded(position.mine, taken, free, middle, middle + 1)
            low, high = (low, bound) if bound <= middle else (bound, high)
        return low

    def scores(self, position: Position) -> dict[int, int]:
        """The score of each legal move for the player who makes it."""
        taken = position.mine | position.theirs
        wins = self.threats(position.mine, taken)
        cells = (cell for column in self.columns if (cell := (taken + self.bottoms) & column))
        best = (self.free(taken) + 1) // 2
        return {c: best if c & wins else -self.score(after(position, c)) for c in cells}

    def wins(self, position: Position) -> bool:
        """Whether the player to move can force a win."""
        taken = position.mine | position.theirs
        if self.threats(position.mine, taken) & taken + self.bottoms:
            return True
        return self.bounded(position.mine, taken, self.free(taken), 0, 1) > 0

    def moves_to_win(self, position: Position) -> int:
        """The number of own moves in which the player to move, who can force a win, wins."""
        free = self.free(position.mine | position.theirs)
        return (free + 1) // 2 - self.score(position) + 1

    def loses(self, position: Position) -> bool:
        """Whether the opponent of the player to move can force a win."""
        taken = position.mine | position.theirs
        if self.threats(position.mine, taken) & taken + self.bottoms:
            return False
        return self.bounded(position.mine, taken, self.free(taken), -1, 0) < 0

    def winning(self, position: Position) -> list[int]:
        """Up to two moves that force a win."""
        taken = position.mine | position.theirs
        wins = self.threats(position.mine, taken)
        cells = (cell for column in self.columns if (cell := (taken + self.bottoms) & column))
        return [*islice((c for c in cells if c & wins or self.loses(after(position, c))), 2)]

    def bounded(self, mine: int, taken: int, free: int, low: int, high: int) -> int:
        """The score of a position without an immediate win if it is between ``low`` and ``high``.

        Otherwise, the result is a bound of the score on the same side of this window.
        """
        self.nodes += 1
        playable = (taken + self.bottoms) & self.board
        against = self.threats(mine ^ taken, taken)
        lost = -(free // 2)
        if forced := playable & against:
            if forced & (forced - 1):
                return lost
            playable = forced
        playable &= ~(against >> 1)  # a stone below a threat gives it to the opponent
        if not playable:
            return lost
        if free <= 2:
            return 0
        worst, best = self.table.get(mine + taken, (lost + 1, (free - 1) // 2))
        low, high = max(low, worst), min(high, best)
        if low >= high:
            return low if low == worst else high
        moves = [cell for column in self.columns if (cell := playable & column)]
        if len(moves) > 1 and free > ORDERED:
            moves.sort(key=lambda c: -self.threats(mine | c, taken | c).bit_count())
        for cell in moves:
            score = -self.bounded(mine ^ taken, taken | cell, free - 1, -high, -low)
            if score >= high:
                self.table[mine + taken] = (score, best)
                return score
            low = max(low, score)
        self.table[mine + taken] = (worst, low)
        return low


@lru_cache(maxsize=8)
def solver(game: LineGame) -> Solver:
    """The solver of a board, which keeps its table between positions."""
    return Solver(game)


@lru_cache(maxsize=1 << 12)
def scores(game: LineGame, position: Position) -> tuple[tuple[int, int], ...]:
    """The legal moves and their scores, for a position with few free cells."""
    shared = solver(game)
    if len(shared.table) > TABLE:
        shared.table.clear()
    return tuple(shared.scores(position).items())


def best_moves(game: LineGame, position: Position) -> list[int]:
    """The moves that win soonest, or else draw, or else lose latest."""
    by_cell = dict(scores(game, position))
    best = max(by_cell.values())
    return [cell for cell in game.cells(position) if by_cell[cell] == best]


def unaided(game: LineGame, position: Position, limit: float = 1.0) -> float:
    """The mean score of a player who chooses at random among the moves that are not forced.

    The player takes wins and parries threats, and has a won position; the opponent plays perfectly.
    The result is a lower bound of the score if that is above ``limit``, which saves much search.
    """
    return _unaided(game, position, limit, {})


def _unaided(
    game: LineGame, position: Position, limit: float, exact: dict[Position, float]
) -> float:
    """The same as :func:`unaided`; ``exact`` holds the exact scores of positions already seen."""
    if position in exact:
        return exact[position]
    must = sensible(game, position, 2)
    if must & game.completing(position.mine):
        return 1.0
    search, options = solver(game), game.each(must)
    won = [cell for cell in options if search.loses(after(position, cell))]
    draws = sum(not search.wins(after(position, cell)) for cell in options) - len(won)
    total, most = 0.5 * draws, limit * len(options)
    for cell in won:
        if total > most:
            return total / len(options)
        theirs = after(position, cell)
        replies = best_moves(game, theirs)
        limit_of_sum, score = (most - total) * len(replies), 0.0
        for reply_to_it in replies:
            if score > limit_of_sum:
                break
            score += _unaided(game, after(theirs, reply_to_it), limit_of_sum - score, exact)
        total += score / len(replies)
    if total <= most:
        exact[position] = total / len(options)
    return total / len(options)


def endgame(game: LineGame, forced: int, chance: float, rng: Random) -> Endgame | None:
    """An endgame won in ``forced`` own moves, up to twice as many, and by a single first move.

    The score of :func:`unaided` is at most ``chance``. If no game has such an endgame, the result
    is the one with the longest win, or else with the lowest score. Two players who take wins and
    parry threats play games, whose last positions are solved from the end.
    """
    best: Endgame | None = None
    for _ in range(GAMES):
        search = Solver(game)
        for position in reversed(_game(game, rng)):
            free = search.free(position.mine | position.theirs)
            if free > FREE or search.nodes > NODES:
                break
            if not search.wins(position):
                continue
            moves = search.moves_to_win(position)
            if moves > 2 * forced or len(search.winning(position)) != 1:
                continue
            rise = min(moves, forced) - min(best.moves, forced) if best else 1
            if rise < 0:
                continue
            limit = max(chance, best.unaided) if best and not rise else 1.0
            this = Endgame(position, moves, unaided(game, position, limit))
            if moves >= forced and this.unaided <= chance:
                return this
            if best is None or this.rank(forced) > best.rank(forced):
                best = this
    return best


def _game(game: LineGame, rng: Random) -> list[Position]:
    """The positions of a game between players who take wins and parry threats."""
    path = [Position(0, 0)]
    while game.cells(path[-1]):
        cell = reply(game, path[-1], 2, rng)
        if game.lined(path[-1].mine | cell):
            return path
        path.append(after(path[-1], cell))
    return path[:-1]
