"""Matches in which one player has to win within a number of moves, and the other one wins else."""

from abc import abstractmethod
from collections.abc import Hashable
from functools import lru_cache
from typing import Any, TypeVar

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.rules import LOSS, Rules
from palaestra.generators.matches.solver import Solver

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Hashable)


class LimitedRules(Rules[State, Move]):
    """Rules of a game in which a player has to win within the moves that are left."""

    @abstractmethod
    def moves_needed(self, state: State) -> int:
        """With how many own moves the player to move, who wins in time, does so at the earliest."""


class LimitedSolver(Solver[State, Move]):
    """A solver whose losing player resists as long as possible.

    The fewest good answers of the other player alone are no resistance: where the next move wins,
    it may be the only good one.
    """

    rules: LimitedRules[State, Move]

    def hardest_replies(self, state: State) -> list[Move]:
        if self.worth(state, self.rules.player(state)) != LOSS:
            return super().hardest_replies(state)
        after = {move: self.rules.apply(state, move) for move in self.rules.legal(state)}
        resistance = {move: self._resistance(each) for move, each in after.items()}
        return [move for move in after if resistance[move] == max(resistance.values())]

    def _resistance(self, state: State) -> tuple[int, float]:
        """How many moves the other player still needs, and how rare good ones are at first."""
        if self.rules.outcome(state) is not None:
            return 0, 0.0
        return self.rules.moves_needed(state), -self.share(state)


@lru_cache(maxsize=32)
def limited_solver_of(rules: LimitedRules[Any, Any], start: str) -> LimitedSolver[Any, Any]:
    """The solver of all positions that follow from a start, which keeps what it has searched."""
    return LimitedSolver(rules)


class LimitedMatch(BoardMatch):
    """A match that the player to move has to win within a number of moves."""

    @abstractmethod
    def rules(self) -> LimitedRules[Any, Any]:
        """The rules of this match."""

    def solver(self) -> LimitedSolver[Any, Any]:
        return limited_solver_of(self.rules(), self.position)
