"""A winning move in a position of a match."""

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar, Self

from palaestra.combination import Combination
from palaestra.combinators.games import AboutGames, GamePuzzle, Simulator
from palaestra.generators.game_rules import WonGame
from palaestra.task import InvalidAnswer, Score, Task

AUDITED = 5_000
"""How many positions the second opinion searches at most."""


class BestMovePuzzle(GamePuzzle):
    """A position that the player to move wins; a move that keeps the win is asked."""

    @classmethod
    def positions(cls, simulator: Simulator, rng: Random) -> Iterator[Any]:
        return iter([simulator.task.start()])

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self:
        return cls(task=simulator.task, position=simulator.rules.encode(state))

    def prompt(self) -> str:
        sign = self.simulator.rules.mover(self.state())
        question = self.phrase(
            f"{sign} can win from here whatever the opponent does. Which move begins such a win?",
            f"With perfect play, {sign} wins this position. Give a first move that keeps the win.",
        )
        return self.about(f"{question} Answer with one move.")

    def winning(self) -> list[str]:
        """The names of the moves that keep the win."""
        state, rules = self.state(), self.simulator.rules
        return [rules.name(state, move) for move in self.task.winning_moves()]

    def answer(self) -> str:
        return self.winning()[0]

    def verify(self, answer: str) -> Score:
        state, rules = self.state(), self.simulator.rules
        name = rules.name(state, rules.read(state, answer))
        return Score(1) if name in self.winning() else Score(0, "the opponent can prevent the win")

    def audit(self, answer: str) -> bool | None:
        """Search from the position after the move; None where this takes too many steps."""
        try:
            move = self.simulator.rules.read(self.state(), answer)
        except InvalidAnswer:
            return False
        wins: bool | None = self.task.wins_by_search(move, AUDITED)
        return wins

    def random_baseline(self) -> float:
        return len(self.winning()) / len(self.simulator.rules.legal(self.state()))

    def difficulty(self) -> float | None:
        effort: float | None = self.task.difficulty()
        return effort


class BestMove(AboutGames):
    """A move that wins a position of a match by force is to be given, in one reply."""

    name: ClassVar[str] = "best_move"
    template: ClassVar[type[Combination]] = BestMovePuzzle

    def refusal(self, base: type[Task]) -> str:
        if not issubclass(base, WonGame):
            return "it is for matches whose positions are solved"
        return super().refusal(base)
