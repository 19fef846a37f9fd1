"""The moves between two positions of a game."""

from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination
from palaestra.combinators.games import AboutGames, GamePuzzle, Simulator, listed_moves
from palaestra.task import InvalidAnswer, Score

MOST_CHANCE = 0.3
"""The highest chance of random moves to lead to the later position."""


class MovesBetweenPuzzle(GamePuzzle):
    """Two positions, between which so many moves are asked."""

    path: tuple[str, ...]
    """Moves that lead to the later position."""
    later: str
    """The later position, as its rules encode it."""

    unsuitable: ClassVar[str] = "no position that is so many moves away is hard to reach"

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        rules = simulator.rules
        line = simulator.played(rng, state, cls.combinator.moves)
        if line is None or rules.show(line[-1][1]) == rules.show(state):
            return None
        puzzle = cls(
            task=simulator.task,
            position=rules.encode(state),
            path=tuple(name for name, _ in line),
            later=rules.encode(line[-1][1]),
        )
        return puzzle if puzzle.random_baseline() <= MOST_CHANCE else None

    def prompt(self) -> str:
        moves = "One move" if len(self.path) == 1 else f"Exactly {len(self.path)} moves"
        question = self.phrase(f"{moves} later, the position is this:", f"{moves} led from it to:")
        listed = "Give moves that lead there, those of all players in order, one on each line."
        if len(self.path) == 1:
            listed = "Which move was it?"
        return self.about(f"{question}\n\n{self.shown_later()}\n\n{listed}")

    def shown_later(self) -> str:
        """The later position as the prompt has it."""
        return self.simulator.shown(self.simulator.rules.decode(self.later))

    def answer(self) -> str:
        return "\n".join(self.path)

    def verify(self, answer: str) -> Score:
        simulator, state = self.simulator, self.state()
        moves = listed_moves(simulator, state, answer)
        if len(moves) != len(self.path):
            raise InvalidAnswer(f"expected {len(self.path)} moves, not {len(moves)}")
        states = [*simulator.moved(state, moves)]
        if len(states) < len(self.path):
            return Score(0, f"move {len(states) + 1} is not legal")
        right = simulator.shown(states[-1]) == self.shown_later()
        return Score(1) if right else Score(0, "the moves lead to another position")

    def random_baseline(self) -> float:
        """The chance of random legal moves."""
        simulator, later = self.simulator, self.shown_later()
        chances = simulator.reachable(self.state(), len(self.path))
        return sum(chance for state, chance in chances.items() if simulator.shown(state) == later)

    def difficulty(self) -> float:
        return 1 / self.random_baseline()


class MovesBetween(AboutGames):
    """Moves that lead from one position of a game to another one are to be given.

    All moves that lead there are right.
    """

    name: ClassVar[str] = "moves_between"
    template: ClassVar[type[Combination]] = MovesBetweenPuzzle

    moves: int = Field(2, ge=1, le=3)
