"""Ultimate tic-tac-toe, in which each cell of a small board sends the opponent to another one."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.ultimate_tic_tac_toe import State
from palaestra.generators.matches.ultimate_tic_tac_toe import (
    UltimateTicTacToe as UltimateTicTacToeRules,
)
from palaestra.task import ladder


class UltimateTicTacToe(BoardMatch):
    """Win three small boards in a line against a perfect opponent, late in the game."""

    answer_type = "cells"
    most_nodes = 2_000
    candidates = 40
    baseline_note = (
        "A player who wins at once, parries, and else counts lines of two, of cells and of small "
        "boards, plays as strong players advise, and wins half of the endings that can be solved."
    )

    class Knobs(BoardMatch.Knobs):
        free: int = ladder(10, 11, 12, 13, 14, 14, low=8, high=18)  # cells in open boards, at most
        choice: int = ladder(1, 3, 6, 7, 8, 8, low=1, high=10)  # first moves, at least
        least_moves: int = ladder(1, 2, 2, 3, 3, 3, low=1, high=8)
        most_chance: float = ladder(0.5, 0.35, 0.12, 0.08, 0.03, 0.004, low=1e-6)

    @classmethod
    def rules_of(cls, knobs: Any) -> UltimateTicTacToeRules:
        return UltimateTicTacToeRules()

    def rules(self) -> UltimateTicTacToeRules:
        return UltimateTicTacToeRules()

    @classmethod
    def opening(cls, rng: Random, rules: UltimateTicTacToeRules, knobs: Any) -> State | None:
        """A position of a random game with few free cells, but many moves."""
        state = rules.start()
        choice = min(knobs.choice, knobs.free - 2)
        while rules.outcome(state) is None:
            moves = rules.legal(state)
            if rules.free(state) <= knobs.free and len(moves) >= choice:
                return state
            state = rules.apply(state, rng.choice(moves))
        return None

    def description(self) -> str:
        return self.phrase(
            "Ultimate tic-tac-toe on 9 by 9 cells, which form nine small boards of 3 by 3 cells. "
            "The small boards are numbered 1, 2, 3 in the top row, 4, 5, 6 in the middle row and "
            "7, 8, 9 in the bottom row. X and O take turns to mark one free cell. The first "
            "player with three marks in a row, column or diagonal of a small board wins this "
            "small board. A small board that is won, or has no free cell, is closed: nobody plays "
            "there any more. The cell that a player marks decides where the opponent plays next: "
            "its position within its small board is the position of that next small board. For "
            "example, after a mark in the top right cell of any small board, the opponent has to "
            "play in small board 3. If that small board is closed, the opponent may play in any "
            "small board that is not closed. The first player who has won three small boards in a "
            "row, column or diagonal wins the game. If all small boards are closed and nobody has, "
            "the game is a draw, which scores 0.5. A move is a cell by its row and column among "
            "all 9, counted from 1 at the top left, such as 'r2c3'.",
            "This is ultimate tic-tac-toe. The board of 9 rows and 9 columns, counted from 1 at "
            "the top left, consists of nine boards of 3 by 3 cells. We number these small boards "
            "from 1 to 9, row by row from the top left, so that small board 5 is in the centre. In "
            "each turn, X or O takes a free cell of the small board whose turn it is. Three own "
            "marks in a line of a small board, also a diagonal one, win this small board. Won and "
            "full small boards are closed to both players, including the free cells in them. The "
            "small board of the next move has the number that the taken cell has in its small "
            "board, if its cells are numbered in the same way: a centre cell, for instance, sends "
            "the opponent to small board 5. A player who is sent to a closed small board chooses "
            "a free cell in any small board that is still open. Whoever first wins three small "
            "boards in a line (a row, a column or a diagonal) wins. It is a draw, worth 0.5, if "
            "every small board is closed before that. Give a move as row and column of the whole "
            "board, for example 'r2c3'.",
        )
