"""The protocol of two-player games of perfect information: rules without texts or rewards.

On it stand :mod:`~palaestra.generators.matches.solver`, which proves positions won, and
:mod:`~palaestra.generators.matches.board_match`, which makes a match of them.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar, TypeVar

from palaestra.generators.game_rules import GameRules
from palaestra.generators.states import decoded
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

LOSS, DRAW, WIN = 0, 1, 2
"""The outcomes of a game for its first player."""

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Hashable)


class Rules(GameRules[State, Move]):
    """The rules of a game for two players, 0 and 1.

    A state is a named tuple of integers, texts and tuples of these, and contains whose turn it is.
    Each game ends after a bounded number of moves, whatever the players do: where positions can
    repeat, the number of moves that are left is part of the state, and the game is a draw when none
    is. Subclasses are immutable and hashable.
    """

    state_type: ClassVar[type[Any]]
    """The named tuple of a state."""

    signs: ClassVar[Sequence[str]] = ("X", "O")
    """The names of the players."""

    @abstractmethod
    def start(self) -> State:
        """The first position of the game."""

    @abstractmethod
    def player(self, state: State) -> int:
        """Whose turn it is."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[Move]:
        """All legal moves, in an order that does not depend on the process; those that are likely
        to be good come first. A state without an outcome has one at least.
        """

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """The state after a legal move."""

    @abstractmethod
    def outcome(self, state: State) -> int | None:
        """:data:`WIN`, :data:`DRAW` or :data:`LOSS` for player 0; None while the game goes on."""

    def solved(self, state: State) -> int | None:
        """The outcome for player 0 of a state that goes on, if both play perfectly, where a theory
        or a search of its own knows it; None where it has to be searched for.
        """
        return None

    @abstractmethod
    def name(self, state: State, move: Move) -> str:
        """A legal move as the prompt writes it. Different moves have different names."""

    @abstractmethod
    def show(self, state: State) -> str:
        """The board as text, with coordinates."""

    def read(self, state: State, text: str) -> Move:
        """The legal move that a text names.

        The default compares words with the names of the legal moves. Raises
        :class:`~palaestra.task.InvalidAnswer` for any other text.
        """
        wanted = plain(text).strip().casefold()
        for move in self.legal(state):
            if self.name(state, move).casefold() == wanted:
                return move
        raise InvalidAnswer(f"{text[:40]!r} is not a legal move")

    def is_over(self, state: State) -> bool:
        return self.outcome(state) is not None

    def mover(self, state: State) -> str:
        return self.signs[self.player(state)]

    def picture(self, state: State) -> Scene | None:
        return self.scene(state, None)

    def scene(self, state: State, last: Move | None) -> Scene | None:
        """What there is to see, where ``last`` is the move that led here."""
        return None

    def judgement(self, state: State, player: int) -> float:
        """How good a position looks for a player at a glance; a rule of thumb without search."""
        return 0.0

    def decode(self, text: str) -> State:
        state: State = self.state_type(*decoded(text))
        return state


def perft(rules: Rules[State, Move], state: State, depth: int) -> int:
    """The number of games of so many plies from a state; a game that is over earlier counts as none
    (the measure by which programs for chess are compared).
    """
    if depth == 0:
        return 1
    if rules.outcome(state) is not None:
        return 0
    moves = rules.legal(state)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, rules.apply(state, move), depth - 1) for move in moves)


def positions_by_ply(rules: Rules[State, Move], plies: int) -> Iterator[int]:
    """How many different positions there are after 0, 1, 2, … plies."""
    states = {rules.start()}
    for _ in range(plies + 1):
        yield len(states)
        going = [state for state in states if rules.outcome(state) is None]
        states = {rules.apply(state, move) for state in going for move in rules.legal(state)}
