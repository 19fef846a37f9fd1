"""All legal moves in a position of a game."""

from random import Random
from typing import Any, ClassVar, Self

from palaestra.combination import Combination
from palaestra.combinators.games import (
    MOST_MOVES,
    AboutGames,
    GamePuzzle,
    Simulator,
    listed_moves,
)
from palaestra.task import InvalidAnswer, Score

FEWEST = 3
"""How many legal moves a position has at least."""

TEMPTING = 2
"""How many moves at least are illegal in the position, and legal a few moves before or after."""

NEARBY = 3
"""How many series of how many random moves show what is legal after the position."""


class LegalMovesPuzzle(GamePuzzle):
    """A position whose legal moves are asked."""

    unsuitable: ClassVar[str] = (
        f"it has fewer than {FEWEST} legal moves or more than {MOST_MOVES}, or always the same"
    )

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        names = {*simulator.names(state)}
        if not FEWEST <= len(names) <= MOST_MOVES:
            return None
        if len(legal_nearby(simulator, rng, state) - names) < TEMPTING:
            return None
        return cls(task=simulator.task, position=simulator.rules.encode(state))

    def prompt(self) -> str:
        question = self.phrase(
            "List all moves that are legal in this position",
            "Which moves does the player who is to move have here? List all legal ones",
        )
        return self.about(f"{question}, in any order, one on each line.")

    def answer(self) -> str:
        return "\n".join(sorted(self.simulator.names(self.state())))

    def verify(self, answer: str) -> Score:
        """The part ``progress`` is the number of right moves in that of right or listed ones."""
        simulator, state = self.simulator, self.state()
        legal, moves, illegal = {*simulator.rules.legal(state)}, set(), set[str]()
        for text in listed_moves(simulator, state, answer):
            try:
                moves.add(simulator.rules.read(state, text))
            except InvalidAnswer:
                illegal.add(text.casefold())
        parts = {"progress": len(moves) / (len(legal) + len(illegal))}
        if not moves:
            raise InvalidAnswer("none of the lines is a legal move")
        if illegal:
            return Score(0, f"{min(illegal)[:40]!r} is not a legal move", parts)
        if missing := len(legal) - len(moves):
            return Score(0, f"{missing} legal moves are missing", parts)
        return Score(1, parts=parts)

    def difficulty(self) -> float:
        return float(len(self.simulator.rules.legal(self.state())))


class LegalMoves(AboutGames):
    """All legal moves in a position of a game are to be listed."""

    name: ClassVar[str] = "legal_moves"
    template: ClassVar[type[Combination]] = LegalMovesPuzzle


def legal_nearby(simulator: Simulator, rng: Random, state: Any) -> set[str]:
    """The names of the moves that are legal in the first position or after one of a few moves."""
    near = [simulator.task.start()]
    for _ in range(NEARBY):
        near += [after for _, after in simulator.played(rng, state, NEARBY) or ()]
    going = [each for each in near if not simulator.rules.is_over(each)]
    return {name for each in going for name in simulator.names(each)}
