"""A simplified game with the tiles of mahjong: one hand in a sequence of rounds."""

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
    """A tile that the player draws, and one that the neighbour discards after that."""

    draw: Tile
    offered: Tile


class After(NamedTuple):
    """The outcome of a round, and the sorted hand after it."""

    outcome: Outcome
    hand: tuple[Tile, ...]


def discard(hand: Sequence[Tile]) -> Tile:
    """The tile to discard: with the fewest tiles of its suit in the hand, of these the one with
    the fewest equal tiles, of these the last in order.

    >>> str(discard([Tile(0, 1), Tile(0, 2), Tile(1, 5)]))
    'B5'
    """
    suits, equal = Counter(tile.suit for tile in hand), Counter(hand)
    return min(hand, key=lambda t: (suits[t.suit], equal[t], -t.suit, -t.number))


def run_with(hand: Sequence[Tile], tile: Tile) -> tuple[Tile, Tile] | None:
    """Two tiles of a hand that form a run with another tile, the lowest such run.

    >>> [str(t) for t in run_with([Tile(0, 1), Tile(0, 3), Tile(0, 4)], Tile(0, 2))]
    ['A1', 'A3']
    """
    for low in range(tile.number - 2, tile.number + 1):
        others = [Tile(tile.suit, n) for n in range(low, low + 3) if n != tile.number]
        if all(other in hand for other in others):
            return others[0], others[1]
    return None


def played(hand: Sequence[Tile], rounds: Sequence[Round]) -> list[After]:
    """The outcomes of rounds, and the hands after them."""
    held = sorted(hand)
    hands = []
    for own, offered in rounds:
        held = sorted([*held, own])
        held.remove(discard(held))
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
    """A random tile of the first ``suits`` suits."""
    return Tile(rng.randrange(suits), rng.randint(1, 9))


def offer(rng: Random, hand: Sequence[Tile], suits: int) -> Tile:
    """A random tile, mostly equal or close to one of a hand, so that outcomes vary."""
    similar = rng.choice(list(hand))
    number = similar.number + rng.choice((-1, 0, 0, 0, 1, 2))
    return (
        Tile(similar.suit, number) if 1 <= number <= 9 and rng.random() < 0.8 else tile(rng, suits)
    )
