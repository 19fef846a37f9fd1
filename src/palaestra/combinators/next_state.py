"""The position of a game after some moves."""

from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination
from palaestra.combinators.games import AboutGames, GamePuzzle, Simulator
from palaestra.task import Score
from palaestra.verifiers.reading.boards import compared_boards


class NextStatePuzzle(GamePuzzle):
    """A position and moves, after which the position is asked."""

    moves: tuple[str, ...]

    unsuitable: ClassVar[str] = "random games end before so many moves"

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        rules = simulator.rules
        line = simulator.played(rng, state, cls.combinator.moves)
        if line is None or rules.is_over(last := line[-1][1]):  # some games have one last position
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
    template: ClassVar[type[Combination]] = NextStatePuzzle

    moves: int = Field(3, ge=1, le=12)
