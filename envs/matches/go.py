"""Go on small boards, a Chinese game of more than two thousand years, solved by computers on five
by five cells (van der Werf, van den Herik and Uiterwijk, 2003).
"""

from contextlib import suppress
from random import Random
from typing import Any, NamedTuple, Self

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.go import PASS, GoSolver, State, solver_of
from palaestra.generators.matches.go import Go as GoRules
from palaestra.generators.matches.rules import WIN
from palaestra.generators.matches.solver import TooHard
from palaestra.generators.matches.square_boards import bits
from palaestra.task import NoValidTask, ladder

LONGEST = 60
"""The most moves of an opening."""

GREED = 0.3
"""How often a move of the opening is one that looks best."""


class Go(BoardMatch):
    """Win an endgame of go on a small board against a perfect opponent."""

    answer_type = "cells"
    most_nodes = 2_500
    candidates = 10

    class Knobs(BoardMatch.Knobs):
        size: int = ladder(3, 4, 4, 4, 4, 4, low=3, high=5)
        free: int = ladder(5, 6, 7, 7, 8, 8, low=3, high=12)  # empty cells at the start, at most
        moves: int = ladder(4, 5, 6, 7, 7, 7, low=3, high=10)  # of both players, to the end
        wins: int = ladder(3, 2, 1, 1, 1, 1, low=1, high=9)  # winning moves at the start, at most
        quiet: int = ladder(0, 0, 1, 1, 1, 1, low=0, high=1)  # whether only others capture
        least_moves: int = ladder(2, 2, 3, 4, 4, 4, low=1, high=6)
        most_chance: float = ladder(0.3, 0.1, 0.03, 0.01, 0.002, 0.0006, low=1e-6)

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
        """The first candidate that is as hard as intended, or the hardest one."""
        rules, hardest = cls.rules_of(knobs), None
        for state in cls._openings(rng, rules, knobs):
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
        state, most = rules.start(), min(knobs.free, rules.size**2 // 2 + 1)
        for _ in range(LONGEST):
            if rules.free(state) <= most:
                state = state._replace(left=knobs.moves, ko=0)
                tempting = any(rules.captures(state, move) for move in rules.legal(state))
                return state if tempting or not knobs.quiet else None
            moves = [m for m in rules.legal(state) if m != PASS and not rules.fills_eye(state, m)]
            if not moves:
                return None
            move = rng.choice(moves)
            if rng.random() < GREED:
                move = max(moves, key=lambda m: rules.judgement(rules.apply(state, m), state.turn))
            state = rules.apply(state, move)
        return None

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
    lead = rules.lead(state) * (-1 if state.turn else 1)
    best, solver = None, GoSolver(rules, most_nodes)
    with suppress(TooHard):
        for more in range(lead + 1, rules.size**2 + 1, 2):
            wanted = state._replace(margin=1 - more if state.turn else more)
            search = GoSolver(rules, most_nodes)
            if search.worth(wanted, state.turn) != WIN:
                break
            best, solver = wanted, search
        if best is None:
            return None
        wins = solver.best_moves(best)
        missing = max(0, len(wins) - knobs.wins)
        missing += bool(knobs.quiet) and any(rules.captures(best, move) for move in wins)
        if missing:
            return Contest(100 + missing, 1.0, best)
        line = solver.line(best)
        return Contest(max(0, knobs.least_moves - line.moves), line.random_score, best)
    return None
