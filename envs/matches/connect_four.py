"""Connect Four, the game of Howard Wexler and Ned Strongin (1974)."""

from random import Random
from typing import Self

from palaestra.generators.matches.connect_four import FREE, best_moves, endgame, unaided
from palaestra.generators.matches.line_games import LineGame, Position
from palaestra.generators.matches.line_match import LineMatch
from palaestra.task import ladder


class ConnectFour(LineMatch):
    """Drop stones into columns and get four in a line before the opponent."""

    version = 4
    tags = {"two-players", "perfect-information", "search"}
    answer_type = "moves"

    class Knobs(LineMatch.Knobs):
        rows: int = ladder(5, 5, 6, 6, 6, 6, low=4, high=8)
        columns: int = ladder(5, 6, 7, 7, 7, 7, low=4, high=9)
        forced: int = ladder(1, 2, 2, 3, 4, 5, low=0)  # the win takes up to twice as many moves
        random_score: float = ladder(1.0, 1.0, 0.6, 0.2, 0.12, 0.05, low=0.01)
        depth: int = ladder(5, low=0, high=7)
        endgame: int = ladder(14, low=0, high=16)

    rows: int
    columns: int
    endgame: int
    """The number of free cells from which the opponent plays perfectly."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        game = LineGame(knobs.rows, knobs.columns, 4, gravity=True)
        best = endgame(game, knobs.forced, knobs.random_score, rng) if knobs.forced else None
        start = (
            cls.fields_of(rng, best.moves, best.position)
            if best
            else cls.position(rng, game, knobs.forced)
        )
        return cls(**knobs.model_dump(exclude={"random_score"}) | start)

    def reply(self, game: LineGame, position: Position, rng: Random) -> int:
        """A move that loses as late as possible, or wins as soon, in positions with few free cells.

        Before that, the opponent searches ``depth`` plies.
        """
        if game.free(position) <= self.endgame:
            return rng.choice(best_moves(game, position))
        return super().reply(game, position, rng)

    def perfect(self, game: LineGame, position: Position, moves: int) -> int:
        if game.free(position) <= FREE:
            return best_moves(game, position)[0]
        return super().perfect(game, position, moves)

    def difficulty(self) -> float:
        """How many games a player needs for a win who searches for no more than forced moves."""
        game, start = self.game(), self.start()
        if self.forced and game.free(start) <= FREE:
            return 1 / unaided(game, start)
        return super().difficulty()

    def game(self) -> LineGame:
        return LineGame(self.rows, self.columns, 4, gravity=True)

    def description(self) -> str:
        return self.phrase(
            f"Connect Four on {self.columns} columns of {self.rows} cells, numbered from the left. "
            "X and O take turns to drop a stone into a column that is not full; it falls to the "
            "lowest free cell. The first to have four stones in a row, column or diagonal wins; a "
            "full board is a draw. A move is the number of a column, such as '1'.",
            f"This is Connect Four with {self.rows} rows and {self.columns} columns; column 1 is "
            "on the left. In turn, X and O choose a column that is not full, and a stone falls "
            "onto those already there. Four own stones in a row, column or diagonal win; if the "
            "board is full before that, the game is a draw. A move is the number of a column, for "
            "example '1'.",
        )
