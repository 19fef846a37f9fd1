"""Endgames of go, a Chinese game of more than two thousand years, on boards of up to 13 by 13.

Whole games have been solved by computers on five by five cells (van der Werf, van den Herik and
Uiterwijk, 2003). On larger boards, the positions here have few empty cells, and all legal moves of
the moves that are left are searched: nothing is assumed of what is alive.
"""

from contextlib import suppress
from random import Random
from typing import Any, NamedTuple, Self

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.go.openings import opening
from palaestra.generators.matches.go.rules import Go as GoRules
from palaestra.generators.matches.go.rules import State
from palaestra.generators.matches.go.search import GoSolver, solver_of
from palaestra.generators.matches.solver import TooHard
from palaestra.generators.matches.square_boards import bits
from palaestra.task import NoValidTask, ladder

FIRST = 6
"""How many candidates are looked at for one that is as hard as intended."""


LOOSE = 100
"""What a position lacks that has too many winning moves, or one that captures, at least."""


class Go(BoardMatch):
    """Win an endgame of go on boards of up to 13 by 13 cells against a perfect opponent."""

    version = 2
    answer_type = "cells"
    baseline_note = (
        "The game ends after seven moves at most. A player who searches two plies gets the last "
        "ones right, and the others are among a few in each contested part. With more `moves`, "
        "by hand, it is harder and takes longer to sample."
    )
    most_nodes = 2_000
    candidates = 100

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(3, 4, 5, 7, 9, 13, low=3, high=13)
        free: int = ladder(5, 6, 7, 6, 7, 7, low=3, high=12)  # empty cells but eyes, at most
        parts: int = ladder(1, 1, 1, 2, 2, 3, low=1, high=3)  # of larger boards, contested
        moves: int = ladder(4, 4, 5, 5, 6, 7, low=3, high=10)  # of both players, to the end
        wins: int = ladder(3, 2, 1, 1, 1, 1, low=1, high=9)  # winning moves at the start
        quiet: int = ladder(0, 0, 1, 1, 1, 1, low=0, high=1)  # whether only others capture
        least_moves: int = ladder(2, 2, 3, 3, 3, 4, low=1, high=6)
        most_chance: float = ladder(0.3, 0.1, 0.04, 0.01, 0.006, 0.001, low=1e-6)

    size: int

    @classmethod
    def rules_of(cls, knobs: Any) -> GoRules:
        return GoRules(knobs.size)

    def rules(self) -> GoRules:
        return GoRules(self.size)

    def solver(self) -> GoSolver:
        return solver_of(self.rules(), self.position)

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The first candidate that is as hard as intended, or the hardest of the first ones."""
        rules, hardest = cls.rules_of(knobs), None
        for n, state in enumerate(cls._openings(rng, rules, knobs), 1):
            if hardest is not None and hardest.missing < LOOSE and n > FIRST:
                break
            contest = _contest(rules, state, cls.most_nodes, knobs)
            if contest and (hardest is None or contest[:2] < hardest[:2]):
                hardest = contest
            if contest and not contest.missing and contest.random_score <= knobs.most_chance:
                break
        if hardest is None:
            raise NoValidTask("no position has a margin to win")
        return cls(
            position=rules.encode(hardest.state),
            seed_of_opponent=rng.getrandbits(32),
            seat=hardest.state.turn,
            size=knobs.size,
        )

    @classmethod
    def opening(cls, rng: Random, rules: GoRules, knobs: Any) -> State | None:
        state = opening(rng, rules, knobs.free, knobs.parts)
        if state is None:
            return None
        state = state._replace(left=knobs.moves, ko=0)
        tempting = any(rules.captures(state, move) for move in rules.legal(state))
        return state if tempting or not knobs.quiet else None

    def _example(self) -> str:
        """A cell with a stone, which is not a legal move."""
        start = self.start()
        return self.rules().name(start, next(iter(bits(start.first | start.second))))

    def description(self) -> str:
        start = self.start()
        board, limit = f"{self.size} by {self.size} cells", start.margin - 0.5
        example = self._example()
        return self.phrase(
            f"Go on a board of {board}. X and O take turns to place one stone of their own on an "
            "empty cell, or to pass. Neighbours are the cells above, below, to the left and to the "
            "right. Neighbouring stones of one player form a group, and the empty neighbours of "
            "its stones are its liberties. After a stone is placed, all groups of the other player "
            "without a liberty are removed. A stone is not allowed if its own group has no liberty "
            "after that (suicide), nor if the board would be the same as before the last move of "
            "the other player (ko); the first move of this game is free of the latter rule. The "
            f"game ends after two passes in a row, and after {start.left} moves of both players "
            "together, passes included. A player's area is the number of own stones on the board, "
            "plus the empty cells from which a way over empty cells leads to stones of this player "
            "only; all stones on the board count as alive. X wins if the area of X minus that of O "
            f"is more than {limit}, and otherwise O wins. A move is a cell by its row and column, "
            f"counted from 1 at the top left, such as '{example}', or 'pass'.",
            f"This is a game of go, with area scoring, on {board}; rows and columns are counted "
            "from 1 at the top left. In each turn, a player passes or puts one stone on an empty "
            "cell. Stones of one player that are connected by horizontal or vertical steps are a "
            "group; it lives on its liberties, the empty cells next to it. A new stone first "
            "captures each opposing group that has no liberty any more: it is taken off the board. "
            "If the new stone's group has no liberty then, the move is forbidden. So is a move "
            "that restores the board from before the opponent's last move (the rule of ko), which "
            "does not concern the first move of all. When both players pass one after the "
            f"other, the game is over, and so it is when {start.left} moves have been made in all, "
            "of which each pass is one. No stone is then removed as dead. The area of a player "
            "consists of the own stones and of the empty regions that touch own stones and none of "
            f"the opponent. If X's area minus O's area exceeds {limit}, X has won; if not, O has. "
            f"Reply with a row and column, for example '{example}', or with 'pass'.",
        )


class Contest(NamedTuple):
    """A won position, and how far it is from what is intended."""

    missing: int
    random_score: float
    state: State


def _contest(rules: GoRules, state: State, most_nodes: int, knobs: Any) -> Contest | None:
    """The position with the largest margin that the player to move achieves, to one point; None
    where that is no more than at present, or takes too long to search.
    """
    lead, solver = rules.lead(state) * (-1 if state.turn else 1), GoSolver(rules, most_nodes)
    with suppress(TooHard):
        more = solver.best_lead(state, lead + 1)
        if more is None:
            return None
        best = state._replace(margin=1 - more if state.turn else more)
        wins = solver.best_moves(best)
        missing = max(0, len(wins) - knobs.wins)
        missing += bool(knobs.quiet) and any(rules.captures(best, move) for move in wins)
        if missing:
            return Contest(LOOSE + missing, 1.0, best)
        line = solver.line(best)
        return Contest(max(0, knobs.least_moves - line.moves), line.random_score, best)
    return None
