"""The rules of Chopsticks without transfers, with the fingers of hands as sorted numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.limited_wins import LimitedRules
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.chopsticks import tap

LONGEST = 60
"""The moves of both players in a game from the start."""

Hands = tuple[int, ...]
"""The fingers of each hand that is in play, the fewest first."""

Move = tuple[int, int]
"""The fingers of the hand that taps, and those of the hand that is tapped."""


class State(NamedTuple):
    """The hands of both players, whose turn it is, how many moves are left for both together, and
    who has to win with these: the other player wins at their end.
    """

    first: Hands
    second: Hands
    turn: int
    left: int = LONGEST
    hunter: int = 0


@dataclass(frozen=True)
class Chopsticks(LimitedRules[State, Move]):
    """Chopsticks with some hands for each player, whose fingers count modulo a number."""

    hands: int
    modulus: int
    state_type = State
    signs = ("A", "B")

    def start(self) -> State:
        return State((1,) * self.hands, (1,) * self.hands, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        return [(own, other) for own, other, _ in _taps(self.modulus, *_sides(state))]

    def apply(self, state: State, move: Move) -> State:
        first, second, turn, left, hunter = state
        if turn == 0:
            return State(first, _tapped(self.modulus, second, *move), 1, left - 1, hunter)
        return State(_tapped(self.modulus, first, *move), second, 0, left - 1, hunter)

    def outcome(self, state: State) -> int | None:
        if not state.first:
            return LOSS
        if not state.second:
            return WIN
        if state.left:
            return None
        return WIN if state.hunter else LOSS

    def solved(self, state: State) -> int:
        mine, theirs = _sides(state)
        if state.turn == state.hunter:
            won = _catches(self.modulus, mine, theirs, (state.left + 1) // 2)
        else:
            won = not _escapes(self.modulus, mine, theirs, state.left // 2)
        return WIN if won == (state.hunter == 0) else LOSS

    def shortest(self, mine: Hands, theirs: Hands, most: int) -> int | None:
        """With how many own moves the player to move wins at the earliest; None if ``most`` are
        not enough.
        """
        lengths = range(len(theirs), most + 1)
        return next((n for n in lengths if _catches(self.modulus, mine, theirs, n)), None)

    def moves_needed(self, state: State) -> int:
        return self.shortest(*_sides(state), (state.left + 1) // 2) or 0

    def name(self, state: State, move: Move) -> str:
        return f"{move[0]} taps {move[1]}"

    def read(self, state: State, text: str) -> Move:
        own, other = tap(text)
        mine, theirs = _sides(state)
        if own not in mine:
            raise InvalidAnswer(f"you have no hand with {own} fingers")
        if other not in theirs:
            raise InvalidAnswer(f"the other player has no hand with {other} fingers")
        return own, other

    def show(self, state: State) -> str:
        hands = (
            f"{sign}: {' '.join(map(str, fingers)) or 'none'}"
            for sign, fingers in zip(self.signs, state[:2])
        )
        limit = f"Moves left for both players together: {state.left}."
        return "\n".join(["Hands in play:", *hands, "", limit])

    def scene(self, state: State, last: Move | None) -> Cards:
        out = Card("0", shape="tile", tone="muted", fill="shade")
        rows = [
            tuple(Card(str(fingers), shape="tile", fill=fill) for fingers in hands) or (out,)
            for fill, hands in zip(("t3", "t6"), state[:2])
        ]
        return Cards(tuple(rows), labels=tuple(self.signs))

    def judgement(self, state: State, player: int) -> float:
        """The lead in hands, and then in hands of the other player that can be put out at once."""
        first, second = state[:2]
        lead = 10 * (len(first) - len(second))
        lead += sum(self.modulus - each in first for each in second)
        lead -= sum(self.modulus - each in second for each in first)
        return float(lead if player == 0 else -lead)


def _sides(state: State) -> tuple[Hands, Hands]:
    """The hands of the player to move, and those of the other player."""
    return (state.first, state.second) if state.turn == 0 else (state.second, state.first)


@lru_cache(maxsize=1 << 14)
def _tapped(modulus: int, hands: Hands, own: int, other: int) -> Hands:
    """The hands of a player after one of them was tapped."""
    n = hands.index(other)
    fingers = (own + other) % modulus
    rest = hands[:n] + hands[n + 1 :]
    return tuple(sorted((*rest, fingers))) if fingers else rest


@lru_cache(maxsize=1 << 14)
def _taps(modulus: int, mine: Hands, theirs: Hands) -> tuple[tuple[int, int, Hands], ...]:
    """The moves with the hands that the other player has after them, the fewest first."""
    taps = [
        (own, other, _tapped(modulus, theirs, own, other))
        for own in dict.fromkeys(mine)
        for other in dict.fromkeys(theirs)
    ]
    return tuple(sorted(taps, key=lambda each: len(each[2])))


@lru_cache(maxsize=1 << 17)
def _catches(modulus: int, mine: Hands, theirs: Hands, moves: int) -> bool:
    """Whether the player to move wins within so many own moves; each puts out one hand at most."""
    for _, _, after in _taps(modulus, mine, theirs):
        if len(after) >= moves:
            return False
        if not after or not _escapes(modulus, after, mine, moves - 1):
            return True
    return False


@lru_cache(maxsize=1 << 17)
def _escapes(modulus: int, mine: Hands, theirs: Hands, moves: int) -> bool:
    """Whether the player to move is still in play after so many moves of the other player."""
    if moves < len(mine):
        return True
    return any(
        not after or not _catches(modulus, after, mine, moves)
        for _, _, after in _taps(modulus, mine, theirs)
    )
