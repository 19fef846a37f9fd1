"""A game of pieces with attributes, of which the opponent chooses each, by Blaise Müller (1991)."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.common_attribute import CommonAttribute as CommonAttributeRules
from palaestra.generators.matches.common_attribute import State
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.task import ladder


class CommonAttribute(BoardMatch):
    """Complete a line of pieces with a common attribute, where the opponent chooses your pieces."""

    baseline_note = (
        "With seven free cells, most moves hand over a winning piece. A player who avoids these, "
        "and leaves few harmless pieces, has few moves to choose from and finds a third of the "
        "wins. Positions with more free cells take too long to solve."
    )

    class Knobs(BoardMatch.Knobs):
        free: int = ladder(5, 6, 7, 7, 7, 7, low=4, high=7)  # free cells at the start
        quiet: int = ladder(2, 4, 6, 6, 6, 6, low=1, high=12)  # moves that are no blunders
        wins: int = ladder(4, 2, 3, 2, 2, 1, low=1, high=9)  # winning moves at the start, at most
        least_moves: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=4)
        most_chance: float = ladder(0.1, 0.02, 0.002, 0.0005, 0.0004, 0.0002, low=1e-6)

    candidates = 5

    @classmethod
    def rules_of(cls, knobs: Any) -> CommonAttributeRules:
        return CommonAttributeRules()

    def rules(self) -> CommonAttributeRules:
        return CommonAttributeRules()

    @classmethod
    def opening(cls, rng: Random, rules: CommonAttributeRules, knobs: Any) -> State | None:
        state = rules.start()
        while rules.outcome(state) is None:
            if rules.free(state) <= knobs.free:
                return state if _hard(rules, state, knobs) else None
            state = rules.apply(state, rng.choice(rules.quiet(state) or rules.legal(state)))
        return None

    def description(self) -> str:
        return self.phrase(
            "A game on a board of 4 by 4 cells with 16 pieces. A piece is a code of four digits, "
            "each 0 or 1, and each code exists once. The players A and B take turns. Each turn has "
            "two parts: the player places the piece in hand on a free cell, and then hands one of "
            "the pieces that are left to the other player, who has to place it next. Whoever "
            "completes a line of four pieces, a row, a column or one of the two long diagonals, "
            "that have the same digit in at least one of the four positions of their codes, wins "
            "at once; it does not matter who placed the other pieces. If all cells are filled "
            "without such a line, the game is a draw. A move is the cell, by row and column from "
            "the top left, and the piece for the other player, such as 'r2c3 0110'. A move that "
            "wins or that places the last piece is the cell alone.",
            "Sixteen pieces bear the binary codes from 0000 to 1111. Two players, A and B, place "
            "them on a board of 4 rows and 4 columns, both counted from 1 at the top left. In a "
            "turn, you put the piece in hand on an empty cell and choose, among the pieces that "
            "are left, the one that your opponent gets in hand. A line is a full row, a full "
            "column or a full diagonal of four cells. A player wins by placing a piece so that the "
            "four codes of a line agree in some position, such as all having 1 as their third "
            "digit. All pieces count, whoever placed them. A full board without such a line is a "
            "draw. Write a move as the cell followed by the piece that you hand over, for example "
            "'r2c3 0110'; leave out the piece if you win or if none is left.",
        )


def _hard(rules: CommonAttributeRules, state: State, knobs: Any) -> bool:
    """Whether few of the moves that do not lose or win at once are winning, but some are."""
    if rules.solved(state) != (WIN, LOSS)[state.turn] or len(rules.quiet(state)) < knobs.quiet:
        return False
    most: int = knobs.wins
    return 1 <= len(rules.winning(state, most + 1)) <= most
