"""Impartial games in which a known function states who wins, without a search.

By the theory of Roland Sprague (1935) and Patrick Grundy (1939), a sum of such games is worth as
much as a heap of Nim, and the one who moves to a heap of size 0 wins.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.matches.board_match import GAMES, BoardMatch
from palaestra.generators.matches.rules import LOSS, WIN, Move, Rules, State
from palaestra.generators.matches.solver import Solver
from palaestra.task import NoValidTask


class Impartial(Rules[State, Move]):
    """The rules of a game in which both players have the same moves; a state ends with whose turn
    it is, 0 or 1.
    """

    @abstractmethod
    def wins(self, state: State) -> bool:
        """Whether the player to move wins; also of positions in which nobody can move."""

    @abstractmethod
    def over(self, state: State) -> bool:
        """Whether nobody can move."""

    def winning(self, state: State) -> Sequence[Move]:
        """The moves that win, in the order of :meth:`legal`."""
        return [move for move in self.legal(state) if not self.wins(self.apply(state, move))]

    def choices(self, state: State) -> int:
        """The number of legal moves."""
        return len(self.legal(state))

    def player(self, state: State) -> int:
        turn: int = state[-1]
        return turn

    def outcome(self, state: State) -> int | None:
        if not self.over(state):
            return None
        return WIN if self.wins(state) == (state[-1] == 0) else LOSS


class ImpartialSolver(Solver[State, Move]):
    """The same as :class:`~palaestra.generators.matches.solver.Solver`, without search."""

    rules: Impartial[State, Move]

    def value(self, state: State, low: int = LOSS, high: int = WIN) -> int:
        return WIN if self.rules.wins(state) == (state[-1] == 0) else LOSS

    def best_moves(self, state: State) -> list[Move]:
        return [*(self.rules.winning(state) or self.rules.legal(state))]

    def share(self, state: State) -> float:
        choices = self.rules.choices(state)
        return (len(self.rules.winning(state)) or choices) / choices


class ImpartialMatch(BoardMatch):
    """A match of an impartial game."""

    tags: ClassVar = {"two-players", "perfect-information", "impartial"}

    candidates: ClassVar[int] = 8

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        rules = cls.rules_of(knobs)
        solver = ImpartialSolver(rules)
        best: tuple[tuple[int, float], Any] | None = None
        for state in islice(cls._won(rng, rules, knobs), cls.candidates):
            line = solver.line(state)
            rank = max(0, knobs.least_moves - line.moves), line.random_score
            if best is None or rank < best[0]:
                best = rank, state
            if rank <= (0, knobs.most_chance):
                break
        if best is None:
            raise NoValidTask(f"none of {GAMES} games led to a won position")
        return cls(
            position=rules.encode(best[1]),
            seed_of_opponent=rng.getrandbits(32),
            seat=rules.player(best[1]),
            **cls.fields_of(knobs),
        )

    @classmethod
    def _won(cls, rng: Random, rules: Any, knobs: Any) -> Iterator[Any]:
        for _ in range(GAMES):
            state = cls.opening(rng, rules, knobs)
            if state is not None and not rules.over(state) and rules.wins(state):
                yield state

    def solver(self) -> ImpartialSolver[Any, Any]:
        return ImpartialSolver(self.rules())
