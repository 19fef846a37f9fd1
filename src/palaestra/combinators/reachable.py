"""The number of positions that a game can reach."""

from math import comb, perm
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.games import WALKS, AboutGames, GamePuzzle, Simulator
from palaestra.task import Score, Task
from palaestra.verifiers.reading.numbers import integer

FEWEST, MOST = 6, 3_000
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
            choices = len(simulator.rules.legal(state))
            if len(states) in formulas(choices, number):
                continue
            if len({*map(simulator.shown, states)}) == len(states):
                return cls(task=task, position=simulator.rules.encode(state), moves=number)
        raise Unsuitable(
            f"after {number} moves there are fewer than {FEWEST} or over {MOST} positions"
        )

    def prompt(self) -> str:
        many = f"{self.moves} moves"
        question = self.phrase(
            f"How many different positions are possible after exactly {many}",
            f"Count the different positions that the game can be in exactly {many} from now",
        )
        players = ", those of all players counted together"
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
        """The numbers of series of moves, if all stay legal, or all but those that were made."""
        choices = len(self.simulator.rules.legal(self.state()))
        return [*map(str, formulas(choices, self.moves))]


class Reachable(AboutGames):
    """The positions that a game can reach in exactly so many moves are to be counted."""

    name: ClassVar[str] = "reachable"
    template: ClassVar[type[Combination]] = ReachablePuzzle

    moves: int = Field(3, ge=2, le=4)


def formulas(choices: int, moves: int) -> list[int]:
    """The numbers of positions that are known without the rules: if each move stays legal, if each
    is legal once, and if then the order of a player's moves makes no difference.
    """
    first, second = -(-moves // 2), moves // 2
    return [
        choices**moves,
        perm(choices, moves),
        comb(choices, first) * comb(max(0, choices - first), second),
        comb(choices, moves),
    ]
