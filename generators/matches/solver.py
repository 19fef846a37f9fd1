"""Exact values of positions by alpha-beta search with a table, and what players make of them."""

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Move, Rules, State


class TooHard(RuntimeError):
    """A position takes more steps to solve than are allowed."""


class Line(NamedTuple):
    """How a win goes where the opponent makes it as hard as it can."""

    moves: int
    """How many moves of the player it takes."""

    random_score: float
    """With which chance a player wins who chooses among all legal moves with equal chances, if the
    opponent's replies are those of this line.
    """


class Solver(Generic[State, Move]):
    """The values of the positions of one game, each searched once.

    With ``most_nodes``, a solver raises :class:`TooHard` once it has searched so many positions;
    what it finds before that does not depend on the number.
    """

    def __init__(self, rules: Rules[State, Move], most_nodes: int | None = None) -> None:
        self.rules = rules
        self.nodes = 0
        self._most_nodes = most_nodes
        self._bounds: dict[State, tuple[int, int]] = {}

    def value(self, state: State, low: int = LOSS, high: int = WIN) -> int:
        """The outcome for player 0 if both play perfectly, exactly between ``low`` and ``high``, of
        which the first is the smaller one; what lies outside is as good as the nearer of the two.
        """
        rules = self.rules
        over = rules.outcome(state)
        if over is not None:
            return over
        if (solved := rules.solved(state)) is not None:
            return solved
        least, most = self._bounds.get(state, (LOSS, WIN))
        low, high = max(low, least), min(high, most)
        if low >= high:
            return least if least >= high else most
        self.nodes += 1
        if self._most_nodes is not None and self.nodes > self._most_nodes:
            raise TooHard
        maximise = rules.player(state) == 0
        alpha, beta = low, high
        best = LOSS if maximise else WIN
        for move in rules.legal(state):
            value = self.value(rules.apply(state, move), alpha, beta)
            if maximise:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        self._bounds[state] = (
            best if best > low else least,
            best if best < high else most,
        )
        return best

    def worth(self, state: State, player: int) -> int:
        """The outcome for a player: :data:`WIN`, :data:`DRAW` or :data:`LOSS`."""
        value = self.value(state)
        return value if player == 0 else WIN - value

    def best_moves(self, state: State) -> list[Move]:
        """The moves that keep what a position is worth to the player to move."""
        rules, player = self.rules, self.rules.player(state)
        worth = self.worth(state, player)
        return [
            move
            for move in rules.legal(state)
            if self.worth(rules.apply(state, move), player) == worth
        ]

    def hardest_replies(self, state: State) -> list[Move]:
        """Of the best moves, those after which the fewest of the other player's moves are good.

        Where the game is over or the same player moves again, all count as good.
        """
        moves = self.best_moves(state)
        shares = [
            self._share_of_other(self.rules.apply(state, m), self.rules.player(state))
            for m in moves
        ]
        return [move for move, share in zip(moves, shares) if share == min(shares)]

    def _share_of_other(self, state: State, opponent: int) -> float:
        """The share of good moves of a player who has just been replied to."""
        if self.rules.outcome(state) is not None or self.rules.player(state) == opponent:
            return 1.0
        return self.share(state)

    def share(self, state: State) -> float:
        """The share of the legal moves that are best."""
        return len(self.best_moves(state)) / len(self.rules.legal(state))

    def line(self, state: State) -> Line:
        """How the player to move wins a won position, see :class:`Line`."""
        rules, player = self.rules, self.rules.player(state)
        moves, random_score = 0, 1.0
        while rules.outcome(state) is None:
            if rules.player(state) == player:
                good: Sequence[Move] = self.best_moves(state)
                random_score *= self.share(state)
                moves += 1
            else:
                good = self.hardest_replies(state)
            state = rules.apply(state, good[0])
        return Line(moves, random_score)


INFINITE = 1e6
"""More than any position is worth."""


class Lookahead(NamedTuple):
    """Alpha-beta search of a few plies for one player, without a table.

    An outcome counts 1000, 0 or -1000, and what the search does not reach by
    :meth:`~palaestra.generators.matches.rules.Rules.judgement`.
    """

    rules: Rules[Any, Any]
    player: int

    def value(
        self, state: Any, plies: int, low: float = -INFINITE, high: float = INFINITE
    ) -> float:
        """The value of a position by a search of so many plies, exactly between two bounds."""
        rules = self.rules
        over = rules.outcome(state)
        if over is not None:
            return 1_000.0 * (over - 1) * (1 if self.player == 0 else -1)
        if plies == 0:
            return rules.judgement(state, self.player)
        mine = rules.player(state) == self.player
        for move in rules.legal(state):
            value = self.value(rules.apply(state, move), plies - 1, low, high)
            if mine:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
        return low if mine else high


def move_values(rules: Rules[State, Move], state: State, plies: int) -> dict[Move, float]:
    """What each legal move is worth to the player to move, by a search of so many plies."""
    search = Lookahead(rules, rules.player(state))
    return {move: search.value(rules.apply(state, move), plies - 1) for move in rules.legal(state)}
