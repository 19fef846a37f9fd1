"""The number of positions that a game can reach."""

from math import comb, perm
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination
from palaestra.combinators.games import AboutGames, GamePuzzle, Simulator
from palaestra.task import Score
from palaestra.verifiers.reading.numbers import integer

FEWEST = 6
"""How many positions there are at least."""


class ReachablePuzzle(GamePuzzle):
    """A position from which others are counted."""

    moves: int
    count: int

    unsuitable: ClassVar[str] = (
        f"fewer than {FEWEST} positions are so many moves away, or their number follows from that "
        "of the moves"
    )

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        moves, rules = cls.combinator.moves, simulator.rules
        states = simulator.reachable(state, moves)
        count = len({*map(simulator.shown, states)})
        if count < FEWEST or count < len(states):  # the latter if states differ that look alike
            return None
        if rules.is_placement or count in formulas(len(rules.legal(state)), moves):
            return None
        position = rules.encode(state)
        return cls(task=simulator.task, position=position, moves=moves, count=count)

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
        return str(self.count)

    def verify(self, answer: str) -> Score:
        return Score(1) if integer(answer) == self.count else Score(0, "it is another number")

    def audit(self, answer: str) -> bool:
        """Count them again."""
        states = self.simulator.reachable(self.state(), self.moves)
        return integer(answer) == len({*map(self.simulator.shown, states)})

    def difficulty(self) -> float:
        return float(self.count)

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
