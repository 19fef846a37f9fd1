"""The first illegal move of a game."""

from itertools import pairwise
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.games import WALKS, AboutGames, GamePuzzle, Simulator
from palaestra.task import InvalidAnswer, Score, Task
from palaestra.verifiers.reading.numbers import integer


class IllegalMovePuzzle(GamePuzzle):
    """A position and moves, of which one is illegal."""

    moves: tuple[str, ...]

    @classmethod
    def around(cls, task: Task, rng: Random, another: Sampler) -> Self:
        simulator, number = Simulator(task), cls.combinator.moves
        position = rng.randrange(number)
        for _ in range(WALKS):
            state = simulator.wandered(rng)
            moves = with_illegal_move(simulator, rng, state, number, position)
            if moves is not None:
                return cls(task=task, position=simulator.rules.encode(state), moves=tuple(moves))
        raise Unsuitable(f"no series of {number} moves has an illegal one that looks legal")

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
        return 1 / len(self.moves)

    def difficulty(self) -> float:
        return float(self.answer())


class IllegalMove(AboutGames):
    """The one illegal move in a series of moves of a game is to be found.

    It would have been legal earlier or later in the series, or for the other player.
    """

    name: ClassVar[str] = "illegal_move"
    template: ClassVar[type[Combination]] = IllegalMovePuzzle

    moves: int = Field(6, ge=2, le=20)


def with_illegal_move(
    simulator: Simulator, rng: Random, state: Any, number: int, position: int
) -> list[str] | None:
    """Names of random moves of which the one at ``position`` is illegal, though it is legal in
    another of the states; None where there is none.
    """
    states = simulator.walk(rng, state, number - 1)
    if states is None:
        return None
    line = [state, *states]
    if simulator.rules.is_over(line[position]):
        return None
    legal = {*simulator.names(line[position])}
    elsewhere = {
        name for each in line if not simulator.rules.is_over(each) for name in simulator.names(each)
    }
    wrong = [
        name for name in sorted(elsewhere - legal) if not is_legal(simulator, line[position], name)
    ]
    if not wrong:
        return None
    moves = [move_between(simulator, one, other) for one, other in pairwise(line)]
    return [*moves[:position], rng.choice(wrong), *moves[position:]]


def is_legal(simulator: Simulator, state: Any, name: str) -> bool:
    """Whether a text is read as a legal move."""
    try:
        simulator.rules.read(state, name)
    except InvalidAnswer:
        return False
    return True


def move_between(simulator: Simulator, state: Any, after: Any) -> str:
    """The name of a move that leads from one state to another one."""
    rules = simulator.rules
    return next(
        rules.name(state, move) for move in rules.legal(state) if rules.apply(state, move) == after
    )
