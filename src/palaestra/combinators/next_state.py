"""The position of a game after some moves."""

from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination
from palaestra.combinators.games import AboutGames, GamePuzzle, Simulator
from palaestra.task import Score
from palaestra.verifiers.reading.boards import compared_boards

ENDS = 8
"""How many games are looked at for one that ends in another position."""


class NextStatePuzzle(GamePuzzle):
    """A position and moves, after which the position is asked."""

    moves: tuple[str, ...]

    unsuitable: ClassVar[str] = (
        "random games end before so many moves, or with them and always in the same position"
    )

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        rules = simulator.rules
        line = simulator.played(rng, state, cls.combinator.moves)
        if line is None:
            return None
        last = line[-1][1]
        if rules.is_over(last) and not ends_differ(simulator, rng, state, len(line)):
            return None
        if rules.show(last) == rules.show(state):
            return None
        moves = tuple(name for name, _ in line)
        return cls(task=simulator.task, position=rules.encode(state), moves=moves)

    def prompt(self) -> str:
        moves = "\n".join(f"{n}. {name}" for n, name in enumerate(self.moves, 1))
        one = len(self.moves) == 1
        question = self.phrase(
            f"{'This move is' if one else 'These moves are'} made in the position above:",
            f"The game goes on with {'this move' if one else 'these moves'}:",
        )
        return self.about(
            f"{question}\n\n{moves}\n\nGive the position after {'it' if one else 'them'}. Write it "
            "with all of its lines in the form of the position above, without the line that states "
            "who is to move."
        )

    def last(self) -> Any:
        """The state after the moves."""
        *_, last = self.simulator.moved(self.state(), self.moves)
        return last

    def answer(self) -> str:
        return self.simulator.rules.show(self.last())

    def verify(self, answer: str) -> Score:
        """The line that states who is to move may be there, if it is right."""
        last, spaces_count = self.last(), self.simulator.rules.spaces_count
        score = compared_boards(answer, self.simulator.rules.show(last), spaces_count)
        with_mover = compared_boards(answer, self.simulator.shown(last), spaces_count)
        return with_mover if with_mover.correct else score

    def difficulty(self) -> float:
        return float(len(self.moves) * len(self.answer()))

    def shortcuts(self) -> list[str]:
        return [self.simulator.rules.show(self.state())]


class NextState(AboutGames):
    """The position of a game after some moves is to be written down.

    The position is a few random moves away from the first one of the game. An answer has to have
    the whole position; coordinates may be left out.
    """

    name: ClassVar[str] = "next_state"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = NextStatePuzzle

    moves: int = Field(3, ge=1, le=12)


def ends_differ(simulator: Simulator, rng: Random, state: Any, moves: int) -> bool:
    """Whether random games from a state that end with so many moves end in several positions; in
    others, such as Nim, the answer would be known without the moves.
    """
    lines = (simulator.played(rng, state, moves) for _ in range(ENDS))
    ends = [line[-1][1] for line in lines if line]
    return len({simulator.rules.show(end) for end in ends if simulator.rules.is_over(end)}) > 1
