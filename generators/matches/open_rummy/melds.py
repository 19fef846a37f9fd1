"""Hands of cards in melds: which partition leaves the least deadwood, and what can be laid off.

A meld is three or four cards of equal rank, or three or more consecutive cards of a suit, where the
ace is below the two. A hand is a bit mask: the bit of a card is 16 times its suit plus its rank,
both from 0, so that the ranks of different suits are not adjacent bits.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from palaestra.generators.bitsets import ones

LANE = 16
"""The number of bits between equal ranks of neighbouring suits."""

SUITS = "SHDC"
RANKS = "A23456789TJQK"
MOST_VALUE = 10
"""The value of the ten and of the court cards; an ace counts 1, the other cards their number."""

_LANE = (1 << LANE) - 1
_VALUES = tuple(
    sum(min(rank + 1, MOST_VALUE) for rank in range(len(RANKS)) if cards >> rank & 1)
    for cards in range(1 << len(RANKS))
)
"""The sum of the values of the cards of one suit, by their mask."""


def card_name(card: int) -> str:
    """The rank and the suit of a card.

    >>> card_name(0), card_name(16 + 9), card_name(48 + 12)
    ('AS', 'TH', 'KC')
    """
    return RANKS[card % LANE] + SUITS[card // LANE]


def value_of(hand: int) -> int:
    """The sum of the values of the cards of a hand.

    >>> value_of(1 << 0 | 1 << LANE + 12)
    11
    """
    return (
        _VALUES[hand & _LANE]
        + _VALUES[hand >> LANE & _LANE]
        + _VALUES[hand >> 2 * LANE & _LANE]
        + _VALUES[hand >> 3 * LANE]
    )


@lru_cache(maxsize=1 << 15)
def melds_in(hand: int) -> tuple[int, ...]:
    """All melds of cards of a hand, but for runs of six or more, which consist of shorter ones."""
    runs, sets = hand & hand >> 1 & hand >> 2, _ranks_of_three(hand)
    melds = list[int]()
    for first in ones(runs):
        run = 0b111 << first
        melds.append(run)
        for last in (first + 3, first + 4):
            if not hand >> last & 1:
                break
            run |= 1 << last
            melds.append(run)
    for rank in ones(sets):
        equal = [1 << card for card in range(rank, len(SUITS) * LANE, LANE) if hand >> card & 1]
        for size in range(3, len(equal) + 1):
            melds.extend(map(sum, combinations(equal, size)))
    return tuple(melds)


def _ranks_of_three(hand: int) -> int:
    """The ranks of which a hand has three or four cards, as a mask."""
    first, second = hand & _LANE, hand >> LANE & _LANE
    third, fourth = hand >> 2 * LANE & _LANE, hand >> 3 * LANE
    return first & second & (third | fourth) | third & fourth & (first | second)


def arrangements(hand: int) -> list[tuple[int, ...]]:
    """All choices of disjoint melds of a hand, first that of no meld."""
    chosen: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for meld in melds_in(hand):
        chosen += [((*melds, meld), used | meld) for melds, used in chosen if not used & meld]
    return [melds for melds, _ in chosen]


@lru_cache(maxsize=1 << 16)
def deadwood(hand: int) -> int:
    """The least value of the cards that are left in no meld.

    >>> deadwood(0b1111), deadwood(0b1101)
    (0, 8)
    """
    melds = melds_in(hand)
    return value_of(hand) - _most_value(melds, 0, 0) if melds else value_of(hand)


@lru_cache(maxsize=1 << 16)
def deadwood_after_discard(hand: int) -> int:
    """The least deadwood that is left of a hand after one discard.

    >>> deadwood_after_discard(0b1111), deadwood_after_discard(0b11011)
    (0, 7)
    """
    least = value_of(hand) - _highest(hand)
    for melds in arrangements(hand) if melds_in(hand) else ():
        rest = hand & ~sum(melds)
        # Where all cards are in melds, another arrangement has the card that is discarded.
        if rest:
            least = min(least, value_of(rest) - _highest(rest))
    return least


def _highest(cards: int) -> int:
    """The greatest value of a card."""
    while cards > _LANE:
        cards = cards & _LANE | cards >> LANE
    return min(cards.bit_length(), MOST_VALUE)


def _most_value(melds: Sequence[int], number: int, used: int) -> int:
    """The greatest value of disjoint melds, from a number on, that avoid some cards."""
    most = 0
    for n in range(number, len(melds)):
        if not melds[n] & used:
            value = value_of(melds[n]) + _most_value(melds, n + 1, used | melds[n])
            most = max(most, value)
    return most


def laid_off(melds: Sequence[int], cards: int) -> int:
    """Which of these cards can be laid off on melds of the other player.

    Runs grow first, as a card on a run may make room for the next one, and one on a set does not.
    """
    left = cards
    runs = sum(meld for meld in melds if meld & meld >> 1)
    sets = [meld for meld in melds if not meld & meld >> 1]
    while more := (runs << 1 | runs >> 1) & left:
        runs |= more
        left ^= more
    for meld in sets:
        rank = (meld & -meld).bit_length() - 1
        column = sum(1 << LANE * suit + rank % LANE for suit in range(len(SUITS)))
        left &= ~column
    return cards ^ left


def _after_laying_off(melds: Sequence[int], hand: int) -> int:
    """The least deadwood of a hand whose other cards may be laid off on these melds."""
    least = value_of(hand)
    for own in arrangements(hand):
        rest = hand & ~sum(own)
        least = min(least, value_of(rest & ~laid_off(melds, rest)))
    return least


@lru_cache(maxsize=1 << 14)
def margin(knocker: int, other: int, most: int) -> int:
    """By how much the deadwood of the other hand exceeds that of the player who knocks, with at
    most so much deadwood, where both arrange their cards as is best for them. The other player may
    lay cards off unless the one who knocks has no deadwood.
    """
    margins = list[int]()
    for melds in arrangements(knocker):
        own = value_of(knocker & ~sum(melds))
        if own <= most:
            rest = deadwood(other) if own == 0 else _after_laying_off(melds, other)
            margins.append(rest - own)
    return max(margins)
