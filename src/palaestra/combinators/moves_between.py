"""The moves between two positions of a game."""

from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.games import WALKS, AboutGames, GamePuzzle, Simulator, listed_moves
from palaestra.task import InvalidAnswer, Score, Task


class MovesBetweenPuzzle(GamePuzzle):
    """Two positions, between which so many moves are asked."""

    number: int
    later: str
    """The later position, as its rules encode it."""

    @classmethod
    def around(cls, task: Task, rng: Random, another: Sampler) -> Self:
        simulator, number = Simulator(task), cls.combinator.moves
        for _ in range(WALKS):
            state = simulator.wandered(rng)
            states = simulator.walk(rng, state, number)
            if states is not None and simulator.rules.show(states[-1]) != simulator.rules.show(
                state
            ):
                earlier, later = simulator.rules.encode(state), simulator.rules.encode(states[-1])
                puzzle = cls(task=task, position=earlier, number=number, later=later)
                if puzzle.random_baseline() <= MOST_CHANCE:
                    return puzzle
        raise Unsuitable(f"random games have too few moves for {number} that are hard to guess")

    def prompt(self) -> str:
        moves = "One move" if self.number == 1 else f"Exactly {self.number} moves"
        question = self.phrase(f"{moves} later, the position is this:", f"{moves} led from it to:")
        listed = (
            "Which move was it?"
            if self.number == 1
            else ("Give moves that lead there, those of all players in order, one on each line.")
        )
        return self.about(f"{question}\n\n{self.shown_later()}\n\n{listed}")

    def shown_later(self) -> str:
        """The later position as the prompt has it."""
        return self.simulator.shown(self.simulator.rules.decode(self.later))

    def answer(self) -> str:
        simulator, goal = self.simulator, self.simulator.rules.decode(self.later)
        path = moves_to(simulator, self.state(), goal, self.number)
        assert path is not None, "a random game has led there"
        return "\n".join(path)

    def verify(self, answer: str) -> Score:
        simulator, state = self.simulator, self.state()
        moves = listed_moves(simulator, state, answer)
        if len(moves) != self.number:
            raise InvalidAnswer(f"expected {self.number} moves, not {len(moves)}")
        states = [*simulator.moved(state, moves)]
        if len(states) < self.number:
            return Score(0, f"move {len(states) + 1} is not legal")
        right = simulator.shown(states[-1]) == self.shown_later()
        return Score(1) if right else Score(0, "the moves lead to another position")

    def random_baseline(self) -> float:
        """The chance of random legal moves."""
        simulator, chances = self.simulator, {self.state(): 1.0}
        for _ in range(self.number):
            after = dict[Any, float]()
            for state, chance in chances.items():
                moves = [] if simulator.rules.is_over(state) else simulator.rules.legal(state)
                for move in moves:
                    new = simulator.rules.apply(state, move)
                    after[new] = after.get(new, 0.0) + chance / len(moves)
            chances = after
        later = self.shown_later()
        return sum(chance for state, chance in chances.items() if simulator.shown(state) == later)

    def difficulty(self) -> float:
        return 1 / self.random_baseline()


MOST_CHANCE = 0.3
"""The highest chance of random moves to lead to the later position."""


class MovesBetween(AboutGames):
    """Moves that lead from one position of a game to another one are to be given.

    All moves that lead there are right.
    """

    name: ClassVar[str] = "moves_between"
    template: ClassVar[type[Combination]] = MovesBetweenPuzzle

    moves: int = Field(2, ge=1, le=3)


def moves_to(simulator: Simulator, state: Any, goal: Any, number: int) -> list[str] | None:
    """The names of so many moves that lead to a state, by depth-first search; None without any."""
    if number == 0:
        return [] if state == goal else None
    if simulator.rules.is_over(state):
        return None
    rules = simulator.rules
    for move in rules.legal(state):
        rest = moves_to(simulator, rules.apply(state, move), goal, number - 1)
        if rest is not None:
            return [rules.name(state, move), *rest]
    return None
