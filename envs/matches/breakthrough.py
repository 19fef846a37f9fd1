"""Breakthrough, the game of Dan Troyka (2000)."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.breakthrough import Breakthrough as BreakthroughRules
from palaestra.generators.matches.square_boards import Pieces
from palaestra.task import ladder

CAPTURES = 0.5
"""How often a player of the opening prefers captures to other moves."""


class Breakthrough(BoardMatch):
    """Win an endgame of Breakthrough against a perfect opponent."""

    answer_type = "cells"
    candidates = 36
    baseline_note = (
        "A player who parries threats, captures, and otherwise advances the foremost piece plays "
        "this race well, and makes most of the few moves that are not forced in wins of four to "
        "six moves."
    )

    class Knobs(BoardMatch.Knobs):
        rows: int = ladder(5, low=5, high=6)
        columns: int = ladder(4, 4, 5, 5, 5, low=3, high=5)
        pieces: int = ladder(5, 6, 7, 7, 7, low=5, high=10)  # of both players, at the start
        least_moves: int = ladder(1, 2, 2, 3, 3, low=1, high=12)
        most_chance: float = ladder(1.0, 0.2, 0.15, 0.06, 0.005, low=1e-6)

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> BreakthroughRules:
        return BreakthroughRules(knobs.rows, knobs.columns)

    def rules(self) -> BreakthroughRules:
        return BreakthroughRules(self.rows, self.columns)

    @classmethod
    def opening(cls, rng: Random, rules: BreakthroughRules, knobs: Any) -> Pieces | None:
        state = rules.start()
        while rules.outcome(state) is None:
            if (state.first | state.second).bit_count() <= knobs.pieces:
                sides = state, state._replace(turn=1 - state.turn)
                return None if any(map(rules.threat, sides)) else state
            state = rules.apply(state, _careful(rng, rules, state))
        return None

    def description(self) -> str:
        board = f"{self.rows} rows and {self.columns} columns"
        return self.phrase(
            f"Breakthrough on a board of {board}. X and O take turns to move one of their own "
            "pieces by one row: X moves up, towards row 1, and O moves down. A piece goes straight "
            "ahead, if the cell is empty, or diagonally ahead, if the cell is empty or has a piece "
            "of the other player, which is then captured and removed. Pieces do not capture "
            "straight ahead, and capturing is not compulsory. The first player to have a piece in "
            f"the last row (row 1 for X, row {self.rows} for O) wins; so does a player who "
            "captures all pieces of the other. The player to move is stated below the board. A "
            "move is the cell that the piece leaves and the cell that it "
            "enters, by rows and columns counted from 1 at the top left, such as 'r5c1-r4c1'.",
            f"This is the game Breakthrough. The board has {board}, counted from 1 at the top "
            "left. In each turn, a player moves one own piece to one of the three cells directly "
            "in front of it: straight or diagonally. 'In front' is upwards for X and downwards for "
            "O. A straight move needs an empty cell; a diagonal move may also enter a cell with an "
            "opposing piece, which it captures. Captures are optional. X wins by reaching row 1, O "
            f"by reaching row {self.rows}, and either by capturing every opposing piece. It begins "
            "with the player who is named below the first board. Write a move as the start and the "
            "end of the piece's way, for example 'r5c1-r4c1'.",
        )


def _careful(rng: Random, rules: BreakthroughRules, state: Pieces) -> tuple[int, int]:
    """A random move, more often a capture; if possible, one that does not lose at once."""
    theirs = state.first if state.turn else state.second
    moves = [*rules.legal(state)]
    rng.shuffle(moves)
    if rng.random() < CAPTURES:
        moves.sort(key=lambda move: not theirs >> move[1] & 1)
    safe = (move for move in moves if not rules.threat(rules.apply(state, move)))
    return next(safe, moves[0])
