"""A simplified game with the tiles of mahjong: one hand, watched through a row of rounds."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

SUITS = "ABC"
Outcome = Literal["peng", "chi", "pass"]


class Tile(NamedTuple):
    """A number from 1 to 9 in one of three suits; tiles are in order of suits, then of numbers."""

    suit: int
    number: int

    def __str__(self) -> str:
        return f"{SUITS[self.suit]}{self.number}"


class Round(NamedTuple):
    """A tile that the player draws, and one that someone else throws away after that."""

    drawn: Tile
    offered: Tile


class After(NamedTuple):
    """How a round went: the outcome, and the hand in order."""

    outcome: Outcome
    hand: tuple[Tile, ...]


def lonely(hand: Sequence[Tile]) -> Tile:
    """What is thrown away: the tile with the fewest tiles of its suit in the hand, of these the
    one with the fewest equal ones, of these the last in order.

    >>> str(lonely([Tile(0, 1), Tile(0, 2), Tile(1, 5)]))
    'B5'
    """
    suits, equal = Counter(tile.suit for tile in hand), Counter(hand)
    return min(hand, key=lambda t: (suits[t.suit], equal[t], -t.suit, -t.number))


def run_with(hand: Sequence[Tile], tile: Tile) -> tuple[Tile, Tile] | None:
    """Two tiles of a hand that make up a run with another one, the lowest such run.

    >>> [str(t) for t in run_with([Tile(0, 1), Tile(0, 3), Tile(0, 4)], Tile(0, 2))]
    ['A1', 'A3']
    """
    for low in range(tile.number - 2, tile.number + 1):
        wanted = [Tile(tile.suit, n) for n in range(low, low + 3) if n != tile.number]
        if all(other in hand for other in wanted):
            return wanted[0], wanted[1]
    return None


def played(hand: Sequence[Tile], rounds: Sequence[Round]) -> list[After]:
    """How the rounds go, one after another."""
    held = sorted(hand)
    hands = []
    for drawn, offered in rounds:
        held = sorted([*held, drawn])
        held.remove(lonely(held))
        outcome: Outcome = "pass"
        if held.count(offered) >= 2:
            outcome, used = "peng", (offered, offered)
        elif pair := run_with(held, offered):
            outcome, used = "chi", pair
        if outcome != "pass":
            for tile in used:
                held.remove(tile)
        hands.append(After(outcome, tuple(held)))
    return hands


def tile(rng: Random, suits: int) -> Tile:
    """A tile of the first few suits."""
    return Tile(rng.randrange(suits), rng.randint(1, 9))


def offer(rng: Random, hand: Sequence[Tile], suits: int) -> Tile:
    """A tile that is near one of a hand in most cases, so that something happens."""
    like = rng.choice(list(hand))
    number = like.number + rng.choice((-1, 0, 0, 0, 1, 2))
    return Tile(like.suit, number) if 1 <= number <= 9 and rng.random() < 0.8 else tile(rng, suits)
