"""The scene after the end of an episode, where the last move or the winning line is to be seen.

A turn is described before its move. The scene of the last turn therefore lacks the move that ends
a game.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from palaestra.episode import Episode
from palaestra.scenes import Grid, Line, Scene
from palaestra.scenes.elements import changed
from palaestra.task import InvalidAnswer

Square = tuple[int, int]
"""A row from the top and a column."""

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


@runtime_checkable
class HasFinalScene(Protocol):
    """A task that describes its scene after the moves of all players."""

    def final_scene(self, moves: Sequence[str]) -> Scene | None:
        """The scene of the final state, or None."""


class LineGame(Protocol):
    """The rules of Connect Four or tic-tac-toe: the part of ``LineGame`` that is used here.

    Stones are bits: cell (row, column) is bit ``row + column * (rows + 1)``, with rows from the
    bottom.
    """

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def columns(self) -> int:
        """The number of columns."""

    @property
    def length(self) -> int:
        """The number of stones in a line."""

    def read(self, move: str, position: Any) -> int:
        """The cell of a move. Raises :class:`InvalidAnswer` if the move is not legal."""

    def lined(self, stones: int) -> bool:
        """Whether the stones contain a line."""

    def scene(self, stones: Sequence[int]) -> Grid:
        """The board with the stones of both players."""


@runtime_checkable
class LineMatch(Protocol):
    """A match of a line game."""

    def game(self) -> LineGame:
        """The rules."""

    def start(self) -> Any:
        """The first position: the stones of the player to move, and those of the opponent."""

    def first(self) -> int:
        """The player who makes the first move."""


def scene_of(episode: Episode) -> Scene | None:
    """The scene of an episode's state: that of the current turn, or the final one."""
    if episode.scores is not None:
        if isinstance(episode.task, HasFinalScene):
            return episode.task.final_scene(episode.moves)
        if isinstance(episode.task, LineMatch):
            return _line_game(episode.task, episode.moves)
    return episode.turn.scene()


def _line_game(task: LineMatch, moves: Sequence[str]) -> Scene:
    """The board of a finished line game, with the last stone and the winning line marked."""
    game, position, player, last = task.game(), task.start(), task.first(), 0
    for move in moves:
        try:
            last = game.read(move, position)
        except InvalidAnswer:
            continue  # an illegal move, after which the same player moves again
        position = type(position)(position[1], position[0] | last)
        player = 1 - player
    line = winning_line(game, position[1])
    return changed(
        game.scene([*position][:: 1 if player == 0 else -1]),
        last=tuple(_squares(game, last)),
        lines=(Line((line[0], line[-1]), "ink", 0.14),) if line else (),
    )


def winning_line(game: LineGame, stones: int) -> list[Square]:
    """The squares of a line in a player's stones, in order; empty where there is none.

    >>> from palaestra.address import Address
    >>> game = Address.parse("matches/tic_tac_toe?level=1").task().game()
    >>> winning_line(game, 0b0001_0001_0001)
    [(2, 0), (2, 1), (2, 2)]
    """
    squares = set(_squares(game, stones))
    for row, column in sorted(squares):
        for down, right in STEPS:
            line = [(row + n * down, column + n * right) for n in range(game.length)]
            if squares.issuperset(line):
                return line
    return []


def _squares(game: LineGame, stones: int) -> list[Square]:
    return [
        (game.rows - 1 - row, column)
        for column in range(game.columns)
        for row in range(game.rows)
        if stones >> (row + column * (game.rows + 1)) & 1
    ]
