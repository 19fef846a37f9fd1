"""What the rules of games have in common, whether one plays or two, and the tasks that have them.

Questions about positions stand on it, for instance which position follows from a move.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from palaestra.generators.states import decoded, encoded
from palaestra.scenes import Scene

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move", bound=Hashable)


class GameRules(ABC, Generic[State, Move]):
    """The rules of a game with all in view and nothing left to chance. They are immutable."""

    spaces_count: ClassVar[bool] = False
    """Whether the number of spaces on a line of :meth:`show` makes a difference."""

    is_placement: ClassVar[bool] = False
    """Whether a move does nothing but take one of the free cells, so that the number of positions
    some moves later follows from that of the cells.
    """

    @abstractmethod
    def legal(self, state: State) -> Sequence[Move]:
        """All legal moves, in an order that does not depend on the process."""

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """The state after a legal move."""

    @abstractmethod
    def is_over(self, state: State) -> bool:
        """Whether nobody may move any more."""

    @abstractmethod
    def name(self, state: State, move: Move) -> str:
        """A legal move as the prompt writes it. Different moves have different names."""

    @abstractmethod
    def read(self, state: State, text: str) -> Move:
        """The legal move that a text names. Raises :class:`~palaestra.task.InvalidAnswer`."""

    @abstractmethod
    def show(self, state: State) -> str:
        """The board as text."""

    def mover(self, state: State) -> str:
        """The name of the player whose turn it is; empty if there is only one."""
        return ""

    def picture(self, state: State) -> Scene | None:
        """What there is to see of a position."""
        return None

    def encode(self, state: State) -> str:
        """A state as text, equal for equal states."""
        return encoded(state)

    def decode(self, text: str) -> State:
        """The state of a text of :meth:`encode`."""
        state: State = decoded(text)
        return state


class GameTask(ABC):
    """A task that is played by :class:`GameRules` from a first position; a base of classes."""

    @abstractmethod
    def rules(self) -> GameRules[Any, Any]:
        """The rules of this game."""

    @abstractmethod
    def start(self) -> Any:
        """The first position."""

    @abstractmethod
    def description(self) -> str:
        """The rules in words, with the form of a move and an example."""


class WonGame(GameTask):
    """A game whose first player to move is known to win."""

    @abstractmethod
    def winning_moves(self) -> Sequence[Any]:
        """The moves that keep the win in the first position."""

    @abstractmethod
    def wins_by_search(self, move: Any, most_nodes: int) -> bool | None:
        """Whether a move of the first position keeps the win, by another search; None where it
        takes more than so many steps.
        """
