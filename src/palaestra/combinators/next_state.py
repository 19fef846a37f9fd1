"""The position of a game after some moves."""

from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.games import WALKS, AboutGames, GamePuzzle, Simulator
from palaestra.task import Score, Task
from palaestra.verifiers.reading.boards import compared_boards


class NextStatePuzzle(GamePuzzle):
    """A position and moves, after which the position is asked."""

    moves: tuple[str, ...]

    @classmethod
    def around(cls, task: Task, rng: Random, another: Sampler) -> Self:
        simulator, number = Simulator(task), cls.combinator.moves
        for _ in range(WALKS):
            state = simulator.wandered(rng)
            played = simulator.played(rng, state, number)
            if played is None:
                continue
            names, last = played
            if simulator.rules.is_over(last):
                continue  # some games have one last position
            if simulator.rules.show(last) != simulator.rules.show(state):
                position = simulator.rules.encode(state)
                return cls(task=task, position=position, moves=tuple(names))
        raise Unsuitable(f"random games end before {number} moves")

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

    def answer(self) -> str:
        *_, last = self.simulator.moved(self.state(), self.moves)
        return self.simulator.rules.show(last)

    def verify(self, answer: str) -> Score:
        return compared_boards(answer, self.answer(), self.simulator.rules.spaces_count)

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
