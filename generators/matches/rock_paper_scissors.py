"""Repeated throws of signs that beat each other in cycles, and an opponent with a memory of one
throw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from palaestra.generators.matches.simultaneous_match import (
    SimultaneousResponse,
    SimultaneousRules,
)
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.lead_ins import without_lead_in

SIGNS = ("rock", "paper", "scissors", "fire", "water")
"""Each sign beats those before it in a cycle, by an odd number of steps."""

OUTCOMES = ("won", "tied", "lost")
"""How the last throw ended for the player whose strategy it is."""

_VERBS = ("throw ", "show ", "play ", "pick ", "use ", "go with ", "select ", "the ", "sign ")


class State(NamedTuple):
    """The last throws of both players, how many throws are left, the points of player 0 minus those
    of player 1, and what player 0 has chosen in this turn.
    """

    first: int
    second: int
    left: int
    points: int
    written: int | None = None


def beats(one: int, other: int, number: int) -> bool:
    """Whether a sign beats another one, where there are so many signs.

    >>> beats(1, 0, 3), beats(0, 1, 3), beats(0, 2, 3), beats(0, 0, 3)
    (True, False, True, False)
    """
    return (one - other) % number % 2 == 1


@dataclass(frozen=True)
class RockPaperScissors(SimultaneousRules[State, int]):
    """A number of throws; the player of the sign that beats the other one gets points."""

    worth: tuple[tuple[int, ...], ...]
    """The points of each sign against each other one; 0 where it does not win."""

    table: tuple[tuple[int, ...], ...]
    """The percentages of all signs: for each last throw of the other player, and if
    ``by_outcome``, for each outcome of that throw.
    """

    by_outcome: bool

    state_type = State
    beginning = State(0, 0, 1, 0)

    @property
    def number(self) -> int:
        """The number of signs."""
        return len(self.worth)

    def choices(self, state: State, player: int) -> Sequence[int]:
        return range(self.number)

    def turned(self, state: State, first: int, second: int) -> State:
        points = state.points + self.worth[first][second] - self.worth[second][first]
        return State(first, second, state.left - 1, points)

    def outcome(self, state: State) -> float | None:
        return None if state.left else float(state.points)

    def row(self, state: State, player: int) -> Sequence[int]:
        """The percentages of a player's next throw."""
        mine, theirs = state[:2] if player == 0 else (state.second, state.first)
        if not self.by_outcome:
            return self.table[theirs]
        ended = 1 if mine == theirs else 0 if beats(mine, theirs, self.number) else 2
        return self.table[len(OUTCOMES) * theirs + ended]

    def chances_of(self, state: State, player: int) -> Mapping[int, float]:
        return {sign: percent / 100 for sign, percent in enumerate(self.row(state, player))}

    def gain(self, state: State, player: int) -> dict[int, float]:
        """The points that a player expects from each sign in the next throw."""
        chances = self.chances_of(state, 1 - player)
        return {
            sign: sum(
                [
                    chance * (self.worth[sign][other] - self.worth[other][sign])
                    for other, chance in chances.items()
                ]
            )
            for sign in range(self.number)
        }

    def name(self, state: State, move: int) -> str:
        return SIGNS[move]

    def read(self, state: State, text: str) -> int:
        words = phrase(without_lead_in(text))
        for verb in _VERBS:
            words = words.removeprefix(verb)
        for sign in range(self.number):
            if words == SIGNS[sign]:
                return sign
        raise InvalidAnswer(f"expected one of {', '.join(SIGNS[: self.number])}")

    def show(self, state: State, player: int) -> str:
        mine, theirs = state[:2] if player == 0 else (state.second, state.first)
        points = state.points if player == 0 else -state.points
        return (
            f"Last throws: you {SIGNS[mine]}, your opponent {SIGNS[theirs]}\n"
            f"Your points in this round minus your opponent's: {points}\n"
            f"Throws left in this round, with this one: {state.left}"
        )

    def end(self, state: State, player: int) -> str:
        points = state.points if player == 0 else -state.points
        return f"The round is over. Your points in it minus your opponent's: {points}."

    def scene(self, state: State, player: int) -> Table:
        """The points of the own signs, by rows, against those of the opponent; the last throws are
        marked.
        """
        names = SIGNS[: self.number]
        rows = tuple(
            tuple(
                self._cell(self.worth[mine][theirs] - self.worth[theirs][mine])
                for theirs in range(self.number)
            )
            for mine in range(self.number)
        )
        last = (state.first, state.second) if player == 0 else (state.second, state.first)
        return Table(rows, top=names, left=names, last=(last,))

    @staticmethod
    def _cell(points: int) -> Cell:
        fill = "good" if points > 0 else "bad" if points < 0 else "paper"
        return Cell(f"{points:+}" if points else "0", fill=fill)


class ThrowResponse(SimultaneousResponse):
    """The best response; points that were won before make no difference to it."""

    def expectations(self, state: Any) -> Mapping[Any, float]:
        known = super().expectations(state._replace(points=0))
        before = state.points if self.player == 0 else -state.points
        return {move: worth + before for move, worth in known.items()}


@lru_cache(maxsize=32)
def throw_response(rules: RockPaperScissors, player: int) -> ThrowResponse:
    """The best response, which all episodes of a match share."""
    return ThrowResponse(rules, player, 1 << 30)
