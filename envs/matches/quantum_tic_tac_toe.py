"""Quantum tic-tac-toe, which Allan Goff published in 2006 ("Quantum tic-tac-toe: A teaching
metaphor for superposition in quantum mechanics", American Journal of Physics 74).
"""

from contextlib import suppress
from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.quantum_tic_tac_toe import Move, State
from palaestra.generators.matches.quantum_tic_tac_toe import (
    QuantumTicTacToe as QuantumTicTacToeRules,
)
from palaestra.generators.matches.rules import WIN
from palaestra.generators.matches.solver import Solver, TooHard, move_values
from palaestra.task import ladder

TRIES = 40
"""How many positions are looked at for one that is hard enough."""


class QuantumTicTacToe(BoardMatch):
    """Get three marks in a line, where marks are in two cells, against a perfect opponent."""

    version = 2
    answer_type = "cells"
    most_nodes = 4_000
    candidates = 3

    baseline_note = (
        "Positions that can be solved are won in two moves, seldom in three. A player who looks "
        "two plies ahead at each move, which includes the choices, sees the last move of these "
        "wins, and has to guess the first one only."
    )

    class Knobs(BoardMatch.Knobs):
        free: int = ladder(3, 4, 5, 6, 7, low=2, high=7)  # cells without a mark for good
        traps: int = ladder(0, 0, 1, 1, 1, low=0, high=1)  # 1: what looks best does not win
        least_moves: int = ladder(1, 2, 2, 2, 2, low=1, high=7)
        most_chance: float = ladder(0.5, 0.2, 0.1, 0.05, 0.02, low=1e-6)

    @classmethod
    def rules_of(cls, knobs: Any) -> QuantumTicTacToeRules:
        return QuantumTicTacToeRules()

    def rules(self) -> QuantumTicTacToeRules:
        return QuantumTicTacToeRules()

    @classmethod
    def opening(cls, rng: Random, rules: QuantumTicTacToeRules, knobs: Any) -> State | None:
        """Of some positions that are won, the one where the fewest moves win, or the first where
        few enough do; with traps, one where none of these looks best, if there is one. None of
        them is won by a single move where the win has to take more.
        """
        best: tuple[bool, float] | None = None
        opening = None
        most_share = knobs.most_chance ** (1 / knobs.least_moves)
        for _ in range(TRIES):
            state = cls._random_position(rng, rules, knobs)
            if state is None or (knobs.least_moves > 1 and rules.wins_at_once(state)):
                continue
            solver = Solver(rules, cls.most_nodes // 2)  # the rest is for the line that wins
            with suppress(TooHard):
                if solver.worth(state, rules.player(state)) != WIN:
                    continue
                good = solver.best_moves(state)
                looks_good = bool(knobs.traps) and bool(
                    {*good} & {*cls._best_looking(rules, state)}
                )
                rank = looks_good, len(good) / len(rules.legal(state))
                if best is None or rank < best:
                    best, opening = rank, state
                if not looks_good and rank[1] <= most_share:
                    break
        return opening

    @staticmethod
    def _best_looking(rules: QuantumTicTacToeRules, state: State) -> list[Move]:
        """The moves that look best among those that do not lose at once."""
        player = rules.player(state)
        ahead = move_values(rules, state, 2)
        safe = [move for move in ahead if ahead[move] > -1_000] or [*ahead]
        looks = {move: rules.judgement(rules.apply(state, move), player) for move in safe}
        return [move for move in safe if looks[move] == max(looks.values())]

    @staticmethod
    def _random_position(rng: Random, rules: QuantumTicTacToeRules, knobs: Any) -> State | None:
        """A position of a random game soon after so few cells are free."""
        state, later = rules.start(), rng.randrange(3)
        while rules.outcome(state) is None:
            if state.marks.count(0) <= knobs.free and not rules.is_choice(state):
                if not later:
                    return state
                later -= 1
            state = rules.apply(state, rng.choice(rules.legal(state)))
        return None

    def description(self) -> str:
        return self.phrase(
            "Quantum tic-tac-toe on 3 by 3 cells. X and O take turns. The marks are numbered in "
            "the order in which they are made: X has the odd numbers and O the even ones. A new "
            "mark is placed in two different cells at once, and it will end up in one of the two. "
            "Such a pair is written in small letters, for example 'x5' in both cells. A cell can "
            "have any number of these. Two cells with the same small mark are connected. As soon "
            "as a new pair connects two cells that were already connected, directly or by way of "
            "other cells, it has closed a cycle, and the other player chooses in which of its two "
            "cells the mark of this last pair ends up. This decides all connected pairs: a cell "
            "takes one mark only, so each other small mark in that cell ends up in its other cell, "
            "and so on. Marks that have ended up are written in capital letters ('X5'), and "
            "nothing else can be placed in their cells. Then the player who has chosen goes on "
            "with a mark of their own. If a single cell is left without a capital mark, the player "
            "to move places a mark there for good. Three capital marks of one player in a row, a "
            "column or a diagonal win. If a choice completes lines of both players, the line whose "
            "highest number is lower wins. If all cells have capital marks and there is no such "
            "line, the game is a draw. Passing is not allowed. A move is the two cells of a mark, "
            "by rows and columns counted from 1 at the top left, such as 'r1c1 and r2c3', or the "
            "single cell of a choice or of the last free cell, such as 'r2c3'.",
            "The players X and O alternately mark a board of 3 rows and 3 columns, counted from 1 "
            "at the top left. This is quantum tic-tac-toe: each mark is put into two cells, and "
            "only later becomes a mark of one of them. All marks are numbered, 1, 3, 5 and so on "
            "for X and 2, 4, 6 and so on for O. An undecided mark stands in its two cells with a "
            "small letter, such as o4, and there may be several in a cell. Each undecided mark "
            "links its two cells. When a new mark is put into two cells between which there is "
            "already a chain of links (of one link or more), the opponent of the player who put it "
            "there must say in which of the two cells this new mark becomes definite. That makes "
            "other marks definite as well: a cell has room for one definite mark, so that every "
            "undecided mark in it becomes definite in its other cell, which may push out further "
            "ones in turn. Definite marks have capital letters, such as O4, and their cells are "
            "closed. The player who made the choice then puts a new mark. When just one cell is "
            "not closed, the player whose turn it is puts a definite mark there. A player with "
            "three definite marks in a line (row, column or diagonal) has won the game. Both may "
            "complete a line by the same choice: then the winner is the player whose line has the "
            "smaller highest number. When every cell is closed and nobody has a line, nobody has "
            "won. A turn cannot be left out. Write both cells of a mark, for example 'r1c1 and "
            "r2c3', or one cell, for example 'r2c3', for a choice or for the last cell.",
        )
