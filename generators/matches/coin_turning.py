"""The rules of games of turning coins, and who wins them.

Hendrik Lenstra's games, after Berlekamp, Conway and Guy, *Winning Ways for Your Mathematical Plays*
(1982), chapter 14: a position is worth as much as the sum of positions with one of its heads each.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple

from palaestra.generators.bitsets import ones
from palaestra.generators.matches.impartial import Impartial
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.moves import numbers

Game = Literal["turtles", "twins", "ruler", "mock turtles", "triplets"]

COINS: dict[Game, tuple[int, int]] = {
    "turtles": (1, 2),
    "twins": (2, 2),
    "mock turtles": (1, 3),
    "triplets": (3, 3),
}
"""How many coins a move turns, at least and at most; the ruler game turns neighbouring coins."""

FILLERS = frozenset(("i", "turn", "turns", "flip", "coin", "coins", "number", "numbers", "over"))
"""Words around numbers of coins that say nothing."""

_NO_COIN = re.compile(r"\d\s*+(?:[:.)]+\s*+\d|coins?\b)|\bthen\b")
"""A number of a move or a number of coins in front of coins, and signs of several moves."""

Move = tuple[int, ...]
"""The numbers of the coins that are turned, from 0, in ascending order."""


class State(NamedTuple):
    """The coins that show heads, as bits, and whose turn it is."""

    heads: int
    turn: int


@dataclass(frozen=True)
class CoinTurning(Impartial[State, Move]):
    """A row of coins; the rightmost coin of a move is turned from heads to tails."""

    size: int
    game: Game
    state_type = State

    def start(self) -> State:
        return State((1 << self.size) - 1, 0)

    def legal(self, state: State) -> Sequence[Move]:
        return [move for last in ones(state.heads) for move in turns(self.game, last)]

    def choices(self, state: State) -> int:
        return sum(len(turns(self.game, last)) for last in ones(state.heads))

    def apply(self, state: State, move: Move) -> State:
        return State(state.heads ^ sum(1 << coin for coin in move), 1 - state.turn)

    def over(self, state: State) -> bool:
        return not any(turns(self.game, last) for last in ones(state.heads))

    def wins(self, state: State) -> bool:
        return self.nim_value(state) != 0

    def winning(self, state: State) -> Sequence[Move]:
        by_change, value = changes(self.game, self.size), self.nim_value(state)
        return [move for last in ones(state.heads) for move in by_change[last].get(value, ())]

    def nim_value(self, state: State) -> int:
        """The size of the heap of Nim that a position is worth."""
        values, value = nim_values(self.game, self.size), 0
        for coin in ones(state.heads):
            value ^= values[coin]
        return value

    def name(self, state: State, move: Move) -> str:
        return ", ".join(str(coin + 1) for coin in move)

    def read(self, state: State, text: str) -> Move:
        words = [word for word in phrase(text).split() if word not in FILLERS]
        what = "the numbers of the coins to turn, such as '1, 2'"
        if _NO_COIN.search(text.casefold()):
            raise InvalidAnswer(f"expected {what}, and no other numbers")
        if "or" in words:
            raise InvalidAnswer(f"expected {what}, without alternatives")
        coins = tuple(sorted(number - 1 for number in numbers(" ".join(words), what)))
        if not set(coins) <= set(range(self.size)):
            raise InvalidAnswer(f"the coins have the numbers from 1 to {self.size}")
        if not state.heads >> coins[-1] & 1:
            raise InvalidAnswer("the rightmost coin of a move has to show heads")
        if coins not in turns(self.game, coins[-1]):
            raise InvalidAnswer("these coins cannot be turned together")
        return coins

    def show(self, state: State) -> str:
        coins = range(self.size)
        width = len(str(self.size))
        signs = " ".join(f"{'TH'[state.heads >> coin & 1]:>{width}}" for coin in coins)
        return f"{' '.join(f'{coin + 1:>{width}}' for coin in coins)}\n{signs}"

    def scene(self, state: State, last: Move | None) -> Cards:
        coins = tuple(
            Card("H" if heads else "T", fill="t4" if heads else "paper", shape="coin")
            for heads in (state.heads >> coin & 1 for coin in range(self.size))
        )
        half = -(-self.size // 2)
        groups = (coins[:half], coins[half:])
        return Cards(groups, (f"1 to {half}", f"{half + 1} to {self.size}"))

    def judgement(self, state: State, player: int) -> float:
        """An even number of heads after an own move, and few of them."""
        heads = state.heads.bit_count()
        good = (heads % 2 == 0) - heads / 100
        return good if state.turn != player else -good


@lru_cache(maxsize=256)
def turns(game: Game, last: int) -> tuple[Move, ...]:
    """All moves whose rightmost coin is this one.

    >>> turns("ruler", 2), turns("twins", 2)
    (((2,), (1, 2), (0, 1, 2)), ((0, 2), (1, 2)))
    """
    if game == "ruler":
        return tuple(tuple(range(first, last + 1)) for first in range(last, -1, -1))
    least, most = COINS[game]
    return tuple(
        (*others, last)
        for number in range(least - 1, most)
        for others in combinations(range(last), number)
    )


@lru_cache(maxsize=64)
def nim_values(game: Game, size: int) -> tuple[int, ...]:
    """The sizes of the heaps of Nim that single heads are worth, by the mex rule.

    >>> nim_values("ruler", 8), nim_values("mock turtles", 5)
    ((1, 2, 1, 4, 1, 2, 1, 8), (1, 2, 4, 7, 8))
    """
    values: list[int] = []
    for last in range(size):
        reached = set()
        for move in turns(game, last):
            value = 0
            for coin in move[:-1]:
                value ^= values[coin]
            reached.add(value)
        values.append(next(n for n in range(len(reached) + 1) if n not in reached))
    return tuple(values)


@lru_cache(maxsize=64)
def changes(game: Game, size: int) -> tuple[dict[int, tuple[Move, ...]], ...]:
    """For each rightmost coin, its moves by what they change of the value of a position."""
    values, table = nim_values(game, size), []
    for last in range(size):
        moves: dict[int, tuple[Move, ...]] = {}
        for move in turns(game, last):
            change = 0
            for coin in move:
                change ^= values[coin]
            moves[change] = (*moves.get(change, ()), move)
        table.append(moves)
    return tuple(table)
