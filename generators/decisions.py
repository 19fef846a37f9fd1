"""Judging decisions under chance by their expectation, so that luck does not count.

The regret of a decision is the expectation of an ideal player before it, minus that after it. An
episode is solved if the regrets add up to no more than a tolerance, which the prompt states.
"""

from collections.abc import Hashable, Mapping
from heapq import nlargest
from typing import TypeVar

from palaestra.task import Score

ILLEGAL_MOVES = 3
"""The number of illegal moves that a player may make; another one ends the episode."""

ROUNDING = 1e-9
"""What is below any difference of expectations but for errors of rounding, which differ between
versions of Python, as those of ``sum`` do."""

Move = TypeVar("Move", bound=Hashable)


def right_moves(expectations: Mapping[Move, float], tolerance: float) -> list[Move]:
    """The moves whose expectation is the greatest, but for the tolerance.

    >>> right_moves({"hit": -0.5, "stand": -0.2, "double": -0.2001}, 0.001)
    ['stand', 'double']
    """
    best = max(expectations.values())
    return [move for move, worth in expectations.items() if best - worth <= tolerance]


def best_move(expectations: Mapping[Move, float]) -> Move:
    """The first of the best moves, whatever the errors of rounding are.

    >>> best_move({"hit": 0.1 + 0.2, "stand": 0.3, "double": 0.0})
    'hit'
    """
    return right_moves(expectations, ROUNDING)[0]


def gap(expectations: Mapping[Move, float]) -> float:
    """How much worse the second-best move is; 0 where only one move is legal.

    >>> gap({"hit": -0.5, "stand": -0.2}), gap({"stand": -0.2})
    (0.3, 0.0)
    """
    if len(expectations) < 2:
        return 0.0
    best, second = nlargest(2, expectations.values())
    return round(best - second, 9)


class Decisions:
    """The decisions of an episode so far, with what they give away."""

    def __init__(self, tolerance: float, unit: str) -> None:
        self.tolerance = tolerance
        self.unit = unit
        self._lost = 0.0
        self._number = self._optimal = 0
        self._first_wrong = ""

    def add(self, expectations: Mapping[Move, float], move: Move, where: str) -> None:
        """Enter a move, where all legal ones have these expectations.

        ``where`` names the decision.
        """
        regret = max(expectations.values()) - expectations[move]
        self._lost += regret
        self._number += 1
        self._optimal += regret <= ROUNDING
        if regret > self.tolerance + ROUNDING and not self._first_wrong:
            self._first_wrong = where

    def score(self, result: float, illegal: bool = False, outcome: str = "") -> Score:
        """The score of the episode, which ended with ``result``.

        ``outcome`` are the sentences that state how the last round ended, for the reason.
        """
        parts = {
            "optimal_decisions": self._optimal / max(1, self._number),
            "expectation_lost": round(self._lost, 9),
            "result": result,
        }
        if illegal:
            return Score(0, "too many illegal moves", parts, "malformed")
        if self._lost <= self.tolerance + ROUNDING:
            return Score(1, outcome, parts)
        where = f", first in {self._first_wrong}" if self._first_wrong else ""
        lost = f"decisions gave away {self._lost:.4g} {self.unit} in expectation{where}"
        return Score(0, f"{outcome} Your {lost}." if outcome else lost, parts)


def judging(tolerance: float, unit: str) -> str:
    """The sentences of a prompt that state how decisions are judged.

    >>> "at most 0.001 chips" in judging(0.001, "chips")
    True
    """
    return (
        "You are judged by the expected value of your decisions, not by luck: a decision costs the "
        "difference between the best expected value at that point and that of your move, with the "
        "best play afterwards. All your decisions together may cost at most "
        f"{tolerance:g} {unit}."
    )
