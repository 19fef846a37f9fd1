"""Notakto, which Bob Koca suggested in 2010: tic-tac-toe where both players make crosses, and
whoever completes the last line loses, as Thane Plambeck and Greg Whitehead analysed it (2013).
"""

import json
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.matches.impartial import ImpartialMatch
from palaestra.generators.matches.notakto import SIZE, State, images, is_dead
from palaestra.generators.matches.notakto import Notakto as NotaktoRules
from palaestra.task import ladder


class Notakto(ImpartialMatch):
    """Leave the last line on several boards to a perfect opponent."""

    class Knobs(ImpartialMatch.Knobs):
        boards: int = ladder(2, 2, 3, 4, 5, 6, low=1, high=8)
        crosses: int = ladder(4, 3, 4, 4, 3, 3, low=1, high=5)  # on a board at the start, at most
        least_moves: int = ladder(2, 4, 5, 7, 9, 11, low=1, high=16)
        most_chance: float = ladder(0.2, 5e-3, 3e-4, 1e-5, 1e-7, 1e-9, low=1e-15)

    @classmethod
    def rules_of(cls, knobs: Any) -> NotaktoRules:
        return NotaktoRules(knobs.boards)

    def rules(self) -> NotaktoRules:
        boards, _ = NotaktoRules(1).decode(self.position)
        return NotaktoRules(len(boards))

    @classmethod
    def opening(cls, rng: Random, rules: NotaktoRules, knobs: Any) -> State:
        boards = rng.choices(_boards(knobs.crosses), k=rules.boards)
        return State(tuple(boards), rng.randrange(2))

    def canonical(self) -> str:
        """The boards without their order, and without rotations and reflections."""
        return json.dumps(sorted(min(images(crosses)) for crosses in self.start().boards))

    def description(self) -> str:
        boards = len(self.start().boards)
        number = "one board" if boards == 1 else f"{boards} boards"
        return self.phrase(
            f"Notakto on {number} of 3 by 3 cells. Both players, P and Q, make crosses (X), and "
            "take turns. In each turn, a player makes one cross in a free cell of any board that "
            "is not dead. A board is dead as soon as it has three crosses in a row, in a column or "
            "in one of its two diagonals, whoever made them; nobody may play on it any more. "
            "The game ends when all boards are dead: the player whose cross makes the last board "
            "dead loses. Passing is not allowed, and there are no draws. The player to move is "
            "stated below the boards. A move is the letter of the board and the cell, by row and "
            "column counted from 1 at the top left, such as 'A r2c3'.",
            f"This is Notakto, a kind of tic-tac-toe in which all marks are crosses; it is played "
            f"by P and Q on {number}. Each board has 3 rows and 3 columns, counted from 1 at the "
            "top left. The players alternate, and each of them has to mark one empty cell of a "
            "living board of their choice with X. All crosses count for both players. Three "
            "crosses in a straight line, horizontal, vertical or diagonal, kill their board, which "
            "is then out of play. Whoever kills the last living board has lost, and the other "
            "player has won. It begins with the player who is named below the first boards. Write "
            "the board and the cell, for example 'A r2c3'.",
        )


@lru_cache(maxsize=16)
def _boards(crosses: int) -> tuple[int, ...]:
    """All boards with at most so many crosses and no line."""
    masks = range(1 << SIZE**2)
    return tuple(mask for mask in masks if mask.bit_count() <= crosses and not is_dead(mask))
