"""Lines of Action, the game of Claude Soucie (1969)."""

from random import Random
from typing import Any

from palaestra.generators.matches.forced_wins import ForcedMatch
from palaestra.generators.matches.lines_of_action import LinesOfAction as Rules
from palaestra.generators.matches.lines_of_action import State
from palaestra.task import ladder


class LinesOfAction(ForcedMatch):
    """Bring all own pieces together within a number of moves against a perfect opponent."""

    answer_type = "cells"
    baseline_note = (
        "Rules of thumb do not begin a win right at the middle and upper levels, but for the few "
        "tasks for which no such position turns up in time."
    )

    class Knobs(ForcedMatch.Knobs):
        size: int = ladder(4, 5, 5, 5, 5, low=4, high=6)
        pieces: int = ladder(3, 4, 5, 4, 6, low=3, high=6)  # of each player
        choices: int = ladder(4, 8, 10, 10, 12, low=2, high=20)
        wins: int = ladder(3, 2, 2, 3, 1, low=1, high=9)
        least_moves: int = ladder(1, 2, 2, 3, 3, low=1, high=3)
        traps: int = ladder(0, 0, 1, 1, 1, low=0, high=1)
        most_chance: float = ladder(1.0, 0.1, 0.03, 1e-2, 1e-3, low=1e-7)

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> Rules:
        return Rules(knobs.size, knobs.size)

    def rules(self) -> Rules:
        return Rules(self.size, self.size)

    @classmethod
    def random_state(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        cells = range(knobs.size**2)
        chosen = rng.sample(cells, min(2 * knobs.pieces, len(cells)))
        first, second = (sum(1 << cell for cell in chosen[n::2]) for n in (0, 1))
        state = State(first, second, rng.randrange(2))
        mine, theirs = map(rules.groups, rules.view(state))
        # Other positions are seldom won in so many moves.
        return state if mine <= knobs.least_moves + 1 and theirs > 1 else None

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: -1 if start.hunter else 1]
        moves = (start.left + 1) // 2
        board = f"{self.size} by {self.size} cells"
        count = "1 move" if moves == 1 else f"{moves} moves"
        return self.phrase(
            f"Lines of Action on a board of {board}. X and O take turns to move one of their own "
            "pieces in a straight line: along its row, its column or one of its two diagonals, in "
            "either direction. It moves exactly as many cells as there are pieces, of both "
            "players, on this whole line, the moving piece included. It may pass over own pieces, "
            "but not over pieces of the other player, and ends on an empty cell or on a piece of "
            "the other player, which is captured and removed. A player whose pieces are all "
            "connected has won; pieces are connected if they are on neighbouring cells, "
            "horizontally, vertically or diagonally. A single piece counts as connected. If a move "
            "connects the pieces of both players, the player who has made it wins. A player "
            f"without a legal move loses. {hunter} is to move and has to win within {count} of its "
            f"own; otherwise {other} wins. A move is the cell that the piece leaves and the cell "
            "that it enters, by rows and columns counted from 1 at the top left, such as "
            "'r1c2-r3c2'.",
            f"This is the game Lines of Action, with {board}. The aim is to join all of your "
            "pieces into one group, in which pieces touch each other at sides or corners. In a "
            "turn, a player moves one piece along a row, a column or a diagonal. The distance is "
            "the number of all pieces of either colour that lie anywhere on that line, counting "
            "the piece that moves, no more and no less. Own pieces on the way are jumped over; "
            "the other player's pieces block the way, except on the last cell, where such a piece "
            "is captured and leaves the board. A move cannot end on an own piece or off the board. "
            "Whoever has a single group wins at once, with any number of pieces down to one; if "
            "that becomes true of both players by the same move, its mover wins. Who cannot move "
            f"loses. {hunter} moves now and must have won after at most {count} of {hunter}, or "
            f"else {other} is the winner. Write the start and the end of the piece's way, with "
            "rows and columns counted from the top left, for example 'r1c2-r3c2'.",
        )
