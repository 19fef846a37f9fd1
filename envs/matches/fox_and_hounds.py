"""Fox and Hounds (Wolf and Sheep), a traditional game on the dark cells of a chessboard, which
Berlekamp, Conway and Guy analyse in "Winning Ways" (1982).
"""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.fox_and_hounds import FoxAndHounds as FoxAndHoundsRules
from palaestra.generators.matches.fox_and_hounds import State, is_dark
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.square_boards import hop_name
from palaestra.task import ladder

TRIES = 100
"""How many positions are tried in search of one that is won."""


class FoxAndHounds(BoardMatch):
    """Trap the fox or break through the hounds, against a perfect opponent."""

    answer_type = "cells"
    candidates = 60

    class Knobs(BoardMatch.Knobs):
        rows: int = ladder(6, 7, 7, 8, 8, 8, low=5, high=8)
        columns: int = ladder(6, 6, 8, 8, 8, 8, low=4, high=8)  # even
        fox: float = ladder(0.5, 0.5, 0.2, 0.0, low=0.0, high=1.0)  # positions for the fox
        least_moves: int = ladder(2, 4, 9, 12, 15, 17, low=1, high=20)
        most_chance: float = ladder(0.2, 0.008, 5e-5, 2e-5, 8e-9, 4e-10, low=1e-12)

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> FoxAndHoundsRules:
        return FoxAndHoundsRules(knobs.rows, knobs.columns - knobs.columns % 2)

    def rules(self) -> FoxAndHoundsRules:
        return FoxAndHoundsRules(self.rows, self.columns - self.columns % 2)

    @classmethod
    def opening(cls, rng: Random, rules: FoxAndHoundsRules, knobs: Any) -> State | None:
        """Random cells, with the fox below the hindmost hound, where the player to move wins."""
        columns, turn = rules.columns, int(rng.random() >= knobs.fox)
        dark = [n for n in range(rules.rows * columns) if is_dark(n, columns)]
        for _ in range(TRIES):
            fox, *hounds = rng.sample(dark, 1 + columns // 2)
            state = State(fox, sum(1 << n for n in hounds), turn)
            below = fox // columns > min(hounds) // columns
            if below and rules.solved(state) == (LOSS if turn else WIN):
                return state
        return None

    def _example(self) -> str:
        """A move to the row below that is not legal in the first position."""
        rules, start = self.rules(), self.start()
        columns, legal = rules.columns, rules.legal(start)
        ends = [(row * columns, (row + 1) * columns + 1) for row in range(1, rules.rows - 1, 2)]
        ends += [((row + 1) * columns - 1, (row + 2) * columns - 2) for row in (0, 2)]
        return hop_name(next(hop for hop in ends if hop not in legal), columns)

    def description(self) -> str:
        board = f"{self.rows} rows and {self.rules().columns} columns"
        hounds, example = self.rules().columns // 2, self._example()
        return self.phrase(
            f"Fox and Hounds on a board of {board}, of which only the dark cells are used: those "
            "whose row and column, counted from 1 at the top left, have an odd sum. Fox has one "
            f"piece, F. Hounds has {hounds} pieces, H, and moves one of them in each turn. The "
            "players take turns. The fox moves to a diagonally adjacent empty cell, up or down; a "
            "hound moves to a diagonally adjacent empty cell of the row below it, and never back. "
            "Nothing is captured, and passing is not allowed. Fox wins by entering row 1, and also "
            "if it is the turn of Hounds and no hound can move. Hounds wins if it is the turn of "
            "Fox and the fox cannot move. There are no draws, as the hounds run out of moves. The "
            "player to move first is stated below the board. A move is the cell that the piece "
            f"leaves and the cell that it enters, such as '{example}'.",
            f"This is the game of Fox and Hounds, on the dark cells of a board with {board}, which "
            "are counted from 1 at the top left; a cell is dark if its row plus its column is odd. "
            f"One player, Fox, has the piece F, and the other, Hounds, has the {hounds} pieces H. "
            "In each turn, a player moves one own piece diagonally by one cell, onto an empty "
            "cell. The fox may go in all four diagonal directions, the hounds only downwards, to "
            "the next row. No piece is ever removed, and nobody may pass. If the fox reaches the "
            "top row, Fox has won. If the fox is to move but cannot, Hounds has won; if Hounds is "
            "to move but no hound can, Fox has won. A draw is impossible, because hounds only "
            "advance. It begins with the player who is named below the first board. Write the cell "
            f"of the piece and the cell that it moves to, for example '{example}'.",
        )
