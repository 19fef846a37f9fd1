"""Nine men's morris and its smaller relatives, mill games that are known since antiquity.

Gasser ("Solving nine men's morris", 1996) describes the rules that are used here, except that no
player may jump to any free point.
"""

from random import Random
from typing import Any

from palaestra.generators.matches.forced_wins import ForcedMatch
from palaestra.generators.matches.mill_game import MillGame as Rules
from palaestra.generators.matches.mill_game import State
from palaestra.task import ladder


class MillGame(ForcedMatch):
    """Leave the other player two stones or no move within a number of moves."""

    answer_type = "moves"
    baseline_note = (
        "Rules of thumb do not begin a win right at the middle and upper levels, but for the few "
        "tasks for which no such position turns up in time."
    )

    class Knobs(ForcedMatch.Knobs):
        squares: int = ladder(2, 2, 2, 3, 3, low=2, high=3)  # nested squares of the board
        stones: int = ladder(4, 4, 6, 8, 7, low=3, high=9)  # of the player to move, on the board
        others: int = ladder(3, 3, 4, 4, 4, low=3, high=6)  # of the other player, on the board
        choices: int = ladder(5, 5, 5, 6, 8, low=2, high=12)
        wins: int = ladder(2, 2, 3, 3, 1, low=1, high=9)
        least_moves: int = ladder(1, 2, 3, 3, 3, low=1, high=4)
        traps: int = ladder(0, 0, 1, 1, 1, low=0, high=1)
        most_chance: float = ladder(1.0, 0.2, 0.05, 1e-2, 2e-3, low=1e-7)

    squares: int

    @classmethod
    def rules_of(cls, knobs: Any) -> Rules:
        return Rules(knobs.squares, 3 * knobs.squares)

    def rules(self) -> Rules:
        return Rules(self.squares, 3 * self.squares)

    @classmethod
    def random_state(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        most = rules.men
        mine, theirs = min(knobs.stones, most), min(knobs.others, most)
        chosen = rng.sample(range(8 * rules.squares), mine + theirs)
        own, other = (sum(1 << n for n in each) for each in (chosen[:mine], chosen[mine:]))
        turn = rng.randrange(2)
        return State(*((other, own) if turn else (own, other)), 0, 0, turn)

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: -1 if start.hunter else 1]
        moves = (start.left + 1) // 2
        count = "1 move" if moves == 1 else f"{moves} moves"
        name = {2: "Six men's morris", 3: "Nine men's morris"}[self.squares]
        way, removed = {2: ("a1-a3", "c2"), 3: ("a1-a4", "d2")}[self.squares]
        lines = "the sides of the squares"
        if self.squares == 3:
            lines += " or the lines that connect the middles of the sides"
        return self.phrase(
            f"{name}, after all stones have been placed. X and O have stones on the points of "
            "the board below; '.' is a free point, and points are neighbours if a line connects "
            "them without another point between. The players take turns to move one of their "
            "own stones to a free neighbouring point. There is no flying: a player with exactly "
            "three stones left has to move to a neighbouring point as well. A mill is three own "
            f"stones on the three points of one straight line, along {lines}. A move that brings "
            "a stone into a mill removes one stone of the other player from the board, and says "
            "which one. It must be a stone outside the mills of the other player, unless all of "
            "its stones are in mills: then any of them may be removed. A player who has only "
            f"two stones left, or cannot move, has lost. {hunter} is to move and has to win "
            f"within {count} of its own; otherwise {other} wins. A point is named by the letter "
            "of its column and the number of its row. A move is the point that the stone leaves "
            "and the one that it enters, and after 'x' the point of a removed stone, such as "
            f"'{way}' or '{way} x {removed}'.",
            f"A mill game for X and O ({name.casefold()} without the phase in which stones are "
            "placed). In a turn, a player moves one stone along a line of the board to the next "
            "point, which must be free ('.'). There is no flying: this is so for players with "
            "three stones as well. If the moved stone completes a mill, that is, three own "
            f"stones on one line of three points ({lines}), its player takes a stone of the "
            "opponent off the board in the same move. Stones that are part of a mill may be "
            "taken only if the opponent has no others. The game is lost for a player with fewer "
            f"than three stones, and for a player who is to move but has no legal move. {hunter} "
            f"begins and must have won after at most {count} of {hunter}; if not, {other} is the "
            "winner. Points have names such as c2, with the letter below their column and the "
            "number to the left of their row. Write the start and the end of a move, and if a "
            "mill is completed, 'x' and the point of the stone that is taken, for example "
            f"'{way}' or '{way} x {removed}'.",
        )
