"""The number of positions that a game can reach."""

from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.games import WALKS, AboutGames, GamePuzzle, Simulator
from palaestra.task import Score, Task
from palaestra.verifiers.reading.numbers import integer

FEWEST, MOST = 4, 400
"""How many positions there are."""


class ReachablePuzzle(GamePuzzle):
    """A position from which others are counted."""

    moves: int

    @classmethod
    def around(cls, task: Task, rng: Random, another: Sampler) -> Self:
        simulator, number = Simulator(task), cls.combinator.moves
        for _ in range(WALKS):
            state = simulator.wandered(rng)
            states = simulator.reachable(state, number, MOST)
            if states is None or len(states) < FEWEST:
                continue
            if len({*map(simulator.shown, states)}) == len(states):
                return cls(task=task, position=simulator.rules.encode(state), moves=number)
        raise Unsuitable(
            f"after {number} moves there are fewer than {FEWEST} or over {MOST} positions"
        )

    def prompt(self) -> str:
        many = "1 move" if self.moves == 1 else f"{self.moves} moves"
        question = self.phrase(
            f"How many different positions are possible after exactly {many}",
            f"Count the different positions that the game can be in exactly {many} from now",
        )
        players = "" if self.moves == 1 else ", those of all players counted together"
        whose = " Positions in which different players are to move are different."
        if not self.simulator.rules.mover(self.state()):
            players = whose = ""
        end = self.phrase("?", ".")
        return self.about(
            f"{question}{players}{end}{whose} A game that is over earlier leads to none. Answer "
            "with the number, such as '17'."
        )

    def answer(self) -> str:
        states = self.simulator.reachable(self.state(), self.moves, MOST)
        assert states is not None, "they are counted before"
        return str(len(states))

    def verify(self, answer: str) -> Score:
        number = integer(answer)
        return Score(1) if str(number) == self.answer() else Score(0, "it is another number")

    def difficulty(self) -> float:
        return float(self.answer())

    def shortcuts(self) -> list[str]:
        """The number of legal moves to the power of that of the moves."""
        return [str(len(self.simulator.rules.legal(self.state())) ** self.moves)]


class Reachable(AboutGames):
    """The positions that a game can reach in exactly so many moves are to be counted."""

    name: ClassVar[str] = "reachable"
    template: ClassVar[type[Combination]] = ReachablePuzzle

    moves: int = Field(2, ge=1, le=4)
