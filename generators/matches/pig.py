"""The rules of the dice game Pig, and its exact solution."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.dice_match import DiceRules
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action

ROLL, HOLD = "roll", "hold"
SYNONYMS = {
    ROLL: (
        "roll again", "roll the die", "roll the die again", "again", "continue", "go on", "r",
        "rolling", "throw", "throw the die", "throw again",
    ),
    HOLD: (
        "stop", "bank", "stay", "stand", "keep", "pass", "end turn", "end my turn", "h", "holding",
        "hold here", "hold now", "hold the turn total",
    ),
}  # fmt: skip


class State(NamedTuple):
    """The scores of both players, whose turn it is, the turn total, and 1 before a roll."""

    first: int
    second: int
    turn: int
    total: int
    rolling: int


@dataclass(frozen=True)
class Pig(DiceRules[State, "str | int"]):
    """Pig up to a goal, with a die of any number of faces."""

    goal: int
    faces: int = 6

    state_type = State

    def start(self) -> State:
        return State(0, 0, 0, 0, 1)

    def player(self, state: State) -> int:
        return state.turn

    def outcome(self, state: State) -> int | None:
        if state[state.turn] + state.total < self.goal:
            return None
        return LOSS if state.turn else WIN

    def legal(self, state: State) -> Sequence["str | int"]:
        return () if state.rolling or self.outcome(state) is not None else (ROLL, HOLD)

    def chances(self, state: State) -> Sequence[tuple["str | int", float]]:
        if not state.rolling:
            return ()
        return [(face, 1 / self.faces) for face in range(1, self.faces + 1)]

    def apply(self, state: State, move: "str | int") -> State:
        if move == ROLL:
            return state._replace(rolling=1)
        first, second, turn, total, _ = state
        if move == HOLD:
            if turn == 0:
                return State(first + total, second, 1, 0, 1)
            return State(first, second + total, 0, 0, 1)
        if move == 1:
            return State(first, second, 1 - turn, 0, 1)
        return State(first, second, turn, total + int(move), 0)

    def win_chance(self, state: State) -> float:
        mine, theirs = state[state.turn], state[1 - state.turn]
        rolled, kept = turn_values(self.goal, self.faces, mine, theirs)
        if mine + state.total >= self.goal:
            worth = 1.0
        elif state.rolling:
            worth = rolled[state.total]
        else:
            worth = max(rolled[state.total], kept[state.total])
        return worth if state.turn == 0 else 1 - worth

    def name(self, state: State, move: "str | int") -> str:
        return str(move)

    def read(self, state: State, text: str) -> str:
        return action(text, SYNONYMS)

    def show(self, state: State) -> str:
        return (
            f"Score of X: {state.first}\nScore of O: {state.second}\n"
            f"Turn total of {self.signs[state.turn]}: {state.total}"
        )

    def news(self, state: State, event: "str | int") -> str:
        return f"{self.signs[state.turn]} rolls {event}."

    def scene(self, state: State, last: "str | int | None") -> Cards:
        rows = (state.first, state.second, state.total)
        cards = tuple((Card(str(number), shape="tile"),) for number in rows)
        return Cards(cards, ("X", "O", f"Turn of {self.signs[state.turn]}"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], str]]:
        def at(least: Callable[[int, int], float]) -> Callable[[State, Random], str]:
            """Hold from a turn total on, which depends on the own and the other score."""

            def choose(state: State, rng: Random) -> str:
                mine, theirs = state[state.turn], state[1 - state.turn]
                return HOLD if state.total >= least(mine, theirs) else ROLL

            return choose

        # A roll gives more than it takes on average as long as the total is below this.
        even = sum(range(2, self.faces + 1))
        goal = self.goal

        def pace(mine: int, theirs: int) -> float:
            """The refined rule of Neller and Presser, for any goal and die."""
            close = max(mine, theirs) >= goal - 1.45 * even
            return goal if close else 1.05 * even + (theirs - mine) / 8

        return {
            f"hold at {even}": at(lambda mine, theirs: even),
            f"hold at {even * 5 // 4}": at(lambda mine, theirs: even * 5 // 4),
            f"hold at {even // 2}": at(lambda mine, theirs: even // 2),
            "hold at a quarter of the goal": at(lambda mine, theirs: goal / 4),
            "hold when in the lead": at(lambda mine, theirs: theirs + 1 - mine),
            "keep pace, and race at the end": at(pace),
            "race when the other player is close": at(
                lambda mine, theirs: goal if theirs >= goal - even else even
            ),
        }


@lru_cache(maxsize=8)
def pig_table(goal: int, faces: int) -> dict[tuple[int, int], float]:
    """The probability to win of a player at the start of a turn, by the scores of this player and
    of the other one.

    Both chances of a pair of scores depend on each other, and else on pairs of a higher sum. For
    fixed decisions each is a linear function of the other one (policy iteration).
    """
    table = dict[tuple[int, int], float]()
    for points in range(2 * goal - 2, -1, -1):
        for low in range(max(0, points - goal + 1), points // 2 + 1):
            high = points - low
            first, second = 0.5, 0.5
            change = 1.0
            while change > 1e-13:
                one = _response(table, goal, faces, (low, high, second))
                other = _response(table, goal, faces, (high, low, first))
                # first = a + b * second, and second = c + d * first
                worth = (one[0] + one[1] * other[0]) / (1 - one[1] * other[1])
                change = abs(worth - first)
                first, second = worth, other[0] + other[1] * worth
            table[low, high], table[high, low] = first, second
    return table


def _response(
    table: Mapping[tuple[int, int], float], goal: int, faces: int, case: tuple[int, int, float]
) -> tuple[float, float]:
    """The constant and the slope of the chance to win at the start of a turn, as a function of the
    other player's chance at the same scores.

    ``case`` are both scores and this chance, for which the decisions are the best ones.
    """
    mine, theirs, q = case
    need = goal - mine
    constants, slopes = [1.0] * (need + faces), [0.0] * (need + faces)
    constant, slope = faces - 1.0, 0.0  # the sums over the rolls that do not end the turn
    for total in range(need - 1, -1, -1):
        a, b = (1 + constant) / faces, (slope - 1) / faces
        if total:
            kept = 1 - table[theirs, mine + total]
            if kept > a + b * q:
                a, b = kept, 0.0
        constants[total], slopes[total] = a, b
        constant += constants[total + 1] - constants[total + faces]
        slope += slopes[total + 1] - slopes[total + faces]
    return constants[0], slopes[0]


@lru_cache(maxsize=4_096)
def turn_values(
    goal: int, faces: int, mine: int, theirs: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The chances to win of the player to move for each turn total, by rolling and by holding."""
    table = pig_table(goal, faces)
    need = goal - mine
    best, rolled, kept = [1.0] * (need + faces), [0.0] * need, [0.0] * need
    bust = 1 - table[theirs, mine]
    for total in range(need - 1, -1, -1):
        rolled[total] = (bust + sum(best[total + 2 : total + faces + 1])) / faces
        kept[total] = 1 - table[theirs, mine + total]
        best[total] = max(rolled[total], kept[total] if total else 0.0)
    return tuple(rolled), tuple(kept)
