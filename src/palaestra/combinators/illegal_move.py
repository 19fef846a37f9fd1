"""The first illegal move of a game."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination
from palaestra.combinators.games import AboutGames, GamePuzzle, Simulator
from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.numbers import integer


class IllegalMovePuzzle(GamePuzzle):
    """A position and moves, of which one is illegal."""

    moves: tuple[str, ...]

    unsuitable: ClassVar[str] = "in no series of so many moves does an illegal one look legal"

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        number = cls.combinator.moves
        line = simulator.played(rng, state, number - 1)
        if line is None:
            return None
        names = [name for name, _ in line]
        states = [state, *(after for _, after in line)]
        for position in rng.sample(range(number), number):
            if wrong := tempting_moves(simulator, states, position):
                moves = (*names[:position], rng.choice(wrong), *names[position:])
                return cls(task=simulator.task, position=simulator.rules.encode(state), moves=moves)
        return None

    def prompt(self) -> str:
        moves = "\n".join(f"{n}. {name}" for n, name in enumerate(self.moves, 1))
        question = self.phrase(
            "From this position, somebody lists moves of a game, one after another:",
            "Here is the rest of a game from this position, move by move:",
        )
        return self.about(
            f"{question}\n\n{moves}\n\nExactly one of these moves is illegal where it is made; the "
            "moves after it are legal if it is left out and the same player makes the next one in "
            "its place. Give the number of the illegal move, such as '2'."
        )

    def answer(self) -> str:
        return str(1 + sum(1 for _ in self.simulator.moved(self.state(), self.moves)))

    def verify(self, answer: str) -> Score:
        number = integer(answer, "the number of a move")
        if not 1 <= number <= len(self.moves):
            raise InvalidAnswer(f"expected a number from 1 to {len(self.moves)}")
        return Score(1) if str(number) == self.answer() else Score(0, "it is another move")

    def random_baseline(self) -> float:
        """The chance of a guess where the first move cannot be it, as in most games."""
        return 1 / (len(self.moves) - 1)

    def difficulty(self) -> float:
        return float(self.answer())


class IllegalMove(AboutGames):
    """The one illegal move in a series of moves of a game is to be found.

    It would have been legal earlier or later in the series, or for the other player.
    """

    name: ClassVar[str] = "illegal_move"
    template: ClassVar[type[Combination]] = IllegalMovePuzzle

    moves: int = Field(6, ge=3, le=20)


def tempting_moves(simulator: Simulator, states: Sequence[Any], position: int) -> list[str]:
    """The names of moves that are legal in some of the states of a game and not in that one."""
    here = states[position]
    if simulator.rules.is_over(here):
        return []
    going = [state for state in states if not simulator.rules.is_over(state)]
    elsewhere = {name for state in going for name in simulator.names(state)}
    others = sorted(elsewhere - {*simulator.names(here)})
    return [name for name in others if not is_legal(simulator, here, name)]


def is_legal(simulator: Simulator, state: Any, name: str) -> bool:
    """Whether a text is read as a legal move."""
    try:
        simulator.rules.read(state, name)
    except InvalidAnswer:
        return False
    return True
