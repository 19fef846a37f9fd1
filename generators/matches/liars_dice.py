"""The rules of liar's dice with one die for each of two players."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.hidden_information import CHANCE, HiddenRules
from palaestra.generators.matches.poker import winnings
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

LIAR = -1
"""The move that doubts the last bid; other moves are the numbers of bids in ascending order."""

_DOUBTS = frozenset(
    ("liar", "call", "doubt", "challenge", "call liar", "call the bid", "doubt it", "doubt the bid",
     "challenge the bid", "dudo", "bluff", "call bluff", "call the bluff")
)  # fmt: skip
_NUMBERS = ("one", "two", "three", "four", "five", "six")
_WORDS = {word: str(n) for n, word in enumerate(_NUMBERS, 1)} | {
    f"{word.removesuffix('x')}{'xes' * word.endswith('x') or 's'}": str(n)
    for n, word in enumerate(_NUMBERS, 1)
}
_BID = re.compile(
    r"(?:(?:bid|raise|raise to|claim) )?([12])"
    r"(?: (?:die|dice|times|time|of|with|showing|face|the|number)){0,3}(?: ?x ?| )([1-6])(?:s| s)?",
    re.ASCII,
)


def _plain_signs(text: str) -> str:
    r"""A text with an x for signs of multiplication, and without other marks of TeX.

    >>> _plain_signs(r"2 \times 3").split()
    ['2', 'x', '3']
    """
    return text.replace("\\times", " x ").replace("\u00d7", " x ").replace("\\", " ")


class State(NamedTuple):
    """The dice of both players, as far as they are rolled, and the bids so far, the last of which
    may be followed by a doubt.
    """

    dice: tuple[int, ...]
    moves: tuple[int, ...]


@dataclass(frozen=True)
class LiarsDice(HiddenRules[State, int]):
    """Each player hides one die of so many faces; bids are on how many of both show a face.

    There is one bid for each face on one die, and then one for each face on two dice.
    """

    faces: int

    def start(self) -> State:
        return State((), ())

    def hands(self) -> Sequence[tuple[int, float]]:
        return [(face, 1 / self.faces) for face in range(1, self.faces + 1)]

    def dealt(self, hand: int, owner: int, rng: Random) -> State:
        other = rng.randint(1, self.faces)
        return State((hand, other) if owner == 0 else (other, hand), ())

    def player(self, state: State) -> int:
        return len(state.moves) % 2 if len(state.dice) == 2 else CHANCE

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return self.hands()

    def legal(self, state: State) -> Sequence[int]:
        bids = range(state.moves[-1] + 1 if state.moves else 0, 2 * self.faces)
        return (*bids, LIAR) if state.moves else tuple(bids)

    def apply(self, state: State, move: int) -> State:
        if len(state.dice) < 2:
            return State((*state.dice, move), ())
        return State(state.dice, (*state.moves, move))

    def outcome(self, state: State) -> float | None:
        if not state.moves or state.moves[-1] != LIAR:
            return None
        number, face = self.bid(state.moves[-2])
        holds = state.dice.count(face) >= number
        doubter = (len(state.moves) - 1) % 2
        return 1.0 if holds == (doubter == 1) else -1.0

    def bid(self, move: int) -> tuple[int, int]:
        """How many dice a bid claims to show which face."""
        return move // self.faces + 1, move % self.faces + 1

    def view(self, state: State, player: int) -> str:
        return f"{state.dice[player]}:{','.join(map(str, state.moves))}"

    def name(self, state: State, move: int) -> str:
        if move == LIAR:
            return "liar"
        number, face = self.bid(move)
        return f"bid {number} x {face}"

    def read(self, state: State, text: str) -> int:
        words = [_WORDS.get(word, word) for word in phrase(_plain_signs(text)).split()]
        body = " ".join(words)
        move = LIAR if body in _DOUBTS else None
        if match := _BID.fullmatch(body):
            number, face = map(int, match.groups())
            move = (number - 1) * self.faces + face - 1 if face <= self.faces else None
        if move is None:
            raise InvalidAnswer("expected a bid, such as 'bid 1 x 1', or 'liar'")
        if move == LIAR and not state.moves:
            raise InvalidAnswer("there is no bid to doubt")
        if move not in self.legal(state):
            raise InvalidAnswer("a bid has to be higher than the last one")
        return move

    def show(self, state: State, player: int) -> str:
        last = self.name(state, state.moves[-1])[4:] if state.moves else "none"
        return f"Your die: {state.dice[player]}\nLast bid: {last}"

    def news(self, state: State, event: object) -> str:
        return ""

    def end(self, state: State, player: int) -> str:
        mine, theirs = state.dice[player], state.dice[1 - player]
        result = winnings(self.outcome(state), player)
        return f"Your die shows {mine}, that of your opponent {theirs}. {result}"

    def scene(self, state: State, player: int) -> Cards:
        number, face = self.bid(state.moves[-1]) if state.moves else (0, 0)
        bid = tuple(Card(str(face), shape="die") for _ in range(number))
        hidden = Card("?", fill="shade", shape="tile")
        own = Card(str(state.dice[player]), shape="die")
        return Cards(((hidden,), (own,), bid), ("Opponent", "You", "Last bid"))
