"""The rules of a dice game in which a turn's points are lost by one bad roll."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action

HOLD = -1
"""The move that ends a turn; other moves are the numbers of dice."""

Die = tuple[int, ...]
"""The values of the faces; 0 is a bad face, which ends the turn and loses its points."""


class State(NamedTuple):
    """The turns left with the current one, the points that are missing without those of the turn,
    the points of the turn, and the die that is being rolled, or -1.
    """

    turns: int
    missing: int
    points: int
    rolled: int


@lru_cache(maxsize=256)
def faces(die: Die) -> tuple[tuple[int, float], ...]:
    """The different values of a die with their probabilities.

    >>> faces((0, 2, 2, 5))
    ((0, 0.25), (2, 0.5), (5, 0.25))
    """
    return tuple((value, die.count(value) / len(die)) for value in sorted(set(die)))


@dataclass(frozen=True)
class PressYourLuck(ChanceRules[State, int]):
    """Reach a number of points within some turns: roll one of the dice, or hold.

    A win counts 1. A chance event is the value of a face.
    """

    dice: tuple[Die, ...]
    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        if state.rolled >= 0 or state.turns == 0 or state.missing <= 0:
            return ()
        rolls = range(len(self.dice))
        return (*rolls, HOLD) if state.points else tuple(rolls)

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return faces(self.dice[state.rolled]) if state.rolled >= 0 else ()

    def apply(self, state: State, move: int) -> State:
        turns, missing, points, rolled = state
        if rolled < 0:
            if move == HOLD:
                return State(turns - 1, missing - points, 0, -1)
            return State(turns, missing, points, move)
        if move == 0:
            return State(turns - 1, missing, 0, -1)
        if points + move >= missing:
            return State(turns, 0, 0, -1)
        return State(turns, missing, points + move, -1)

    def payoff(self, state: State) -> float:
        return float(state.missing <= 0)

    def name(self, state: State, move: int) -> str:
        return "hold" if move == HOLD else f"roll {letter(move)}"

    def read(self, state: State, text: str) -> int:
        moves = {self.name(state, move): move for move in self.legal(state)}
        return moves[action(text, {name: synonyms(name, len(self.dice)) for name in moves})]

    def show(self, state: State) -> str:
        return (
            f"Points still missing: {state.missing}\nPoints of this turn: {state.points}\n"
            f"Turns left, with this one: {state.turns}"
        )

    def news(self, state: State, event: int) -> str:
        if event == 0:
            return f"Die {letter(state.rolled)} shows X. The points of this turn are lost."
        return f"Die {letter(state.rolled)} shows {event}."

    def end(self, state: State) -> str:
        if state.missing <= 0:
            return "You have reached the target."
        return f"You have run out of turns, with {state.missing} points missing."

    def scene(self, state: State) -> Cards:
        numbers = (state.missing, state.points, state.turns)
        dice = tuple(
            tuple(Card(str(value) if value else "X", shape="tile") for value in die)
            for die in self.dice
        )
        labels = ("Missing", "This turn", "Turns left")
        names = (f"Die {letter(n)}" for n in range(len(self.dice)))
        rows = (*((Card(str(number)),) for number in numbers), *dice)
        return Cards(rows, (*labels, *names))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        return {
            "most points on average": lambda state, rng: self._greedy(state),
            "an even share of each turn": lambda state, rng: self._paced(state),
            "one roll, then hold": lambda state, rng: HOLD if state.points else self._greedy(state),
        }

    def _mean(self, die: Die, points: int) -> float:
        """The mean points of the turn after one more roll."""
        return sum((points + value) * chance for value, chance in faces(die) if value)

    def _greedy(self, state: State) -> int:
        """Roll as long as that makes the points of the turn greater on average."""
        means = [self._mean(die, state.points) for die in self.dice]
        best = max(means)
        return HOLD if state.points >= best else means.index(best)

    def _paced(self, state: State) -> int:
        """Roll the safest die until the turn has its share of the missing points."""
        if state.points * state.turns >= state.missing:
            return HOLD
        return min(range(len(self.dice)), key=lambda n: self.dice[n].count(0) / len(self.dice[n]))


def letter(number: int) -> str:
    """The name of a die.

    >>> letter(1)
    'B'
    """
    return "ABCDEFGH"[number]


def synonyms(name: str, dice: int) -> list[str]:
    """Other ways to write a move, in lower case.

    >>> synonyms("roll B", 2)[:3]
    ['b', 'die b', 'roll die b']
    """
    if name == "hold":
        return ["stop", "bank", "stay", "end the turn", "end turn", "hold the points", "pass"]
    die = name[-1].casefold()
    named = [die, f"die {die}", f"roll die {die}", f"throw {die}", f"throw die {die}",
             f"roll the die {die}"]  # fmt: skip
    alone = ["roll", "roll again", "throw", "roll the die"] if dice == 1 else []
    return named + alone
