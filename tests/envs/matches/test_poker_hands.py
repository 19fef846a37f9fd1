"""The strength of poker hands against the published frequencies of categories."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from random import Random

import pytest

from palaestra.generators.matches.texas_holdem.hands import (
    CATEGORIES,
    FLUSH,
    STRAIGHT_FLUSH,
    category,
    strength,
)
from palaestra.verifiers.reading.playing_cards import playing_card

FREQUENCIES = {
    5: (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
    7: (
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848,
        41_584,
    ),
}  # fmt: skip
"""The numbers of sets of so many cards whose best five are of each category, in ascending order:
E. Weisstein, "Poker", MathWorld, and B. Alspach, "7-card poker hands" (2000)."""


def mask(*cards):
    return sum(1 << card for card in cards)


def suits_without_flush(ranks):
    """Cards of these ranks, sorted, in suits that change from card to card: at most two of each."""
    return mask(*(13 * (n % 4) + rank for n, rank in enumerate(ranks)))


def flush_weight(counts):
    """In how many ways cards of so many of each rank contain five of a suit."""
    ways = [1]
    for count in counts:
        outside, inside = comb(3, count), comb(3, count - 1)
        ways = [
            outside * low + inside * high for low, high in zip([*ways, 0], [0, *ways], strict=True)
        ]
    return 4 * sum(ways[5:])


@pytest.mark.parametrize("size", [5, 7])
def test_frequencies_of_categories(size):
    """Sets of cards are counted by their ranks, those with a flush by the ranks of its suit."""
    counts = Counter()
    for ranks in combinations_with_replacement(range(13), size):
        repeats = Counter(ranks).values()
        if max(repeats) <= 4:
            ways = prod(comb(4, count) for count in repeats) - flush_weight(repeats)
            counts[category(strength(suits_without_flush(ranks)))] += ways
    for number in range(5, size + 1):
        for ranks in combinations(range(13), number):
            best = category(strength(mask(*ranks)))
            assert best in {FLUSH, STRAIGHT_FLUSH}
            counts[best] += 4 * comb(39, size - number)
    assert tuple(counts[number] for number in range(9)) == FREQUENCIES[size]
    assert sum(counts.values()) == comb(52, size)


def test_seven_cards_are_worth_their_best_five():
    rng = Random(1)
    for _ in range(300):
        cards = rng.sample(range(52), 7)
        best = max(strength(mask(*five)) for five in combinations(cards, 5))
        assert strength(mask(*cards)) == best


def test_suits_do_not_matter():
    rng = Random(2)
    for _ in range(300):
        cards, suits = rng.sample(range(52), rng.randint(5, 7)), rng.sample(range(4), 4)
        moved = (13 * suits[card // 13] + card % 13 for card in cards)
        assert strength(mask(*moved)) == strength(mask(*cards))


def worth(text):
    return strength(mask(*map(playing_card, text.split())))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AS 2H 3D 4C 5S", "AS AH AD KC QS"),
        ("2S 3H 4D 5C 6S", "AS 2H 3D 4C 5S"),
        ("TS JH QD KC AS", "9S TH JD QC KS"),
        ("2S 2H 2D 3C 3S", "AS KS QS JS 9S"),
        ("3S 3H 3D 2C 2S", "2S 2H 2D AC AS"),
        ("AS AH 2D 2C 3S", "KS KH QD QC AS"),
        ("AS AH 3D 3C 2S", "AS AH 2D 2C KS"),
        ("AS AH 2D 2C 4S", "AD AC 2S 2H 3S"),
        ("2S 2H AD 4C 3S", "2D 2C KD QC JS"),
        ("AS 9H 5D 4C 3S", "AD 9C 5S 4H 2S"),
        ("AS 3S 4S 5S 7S", "KS QS JS TS 8S"),
        ("2S 2H 2D 2C 3S", "AS AH AD KC KS"),
        ("AS 2S 3S 4S 5S", "KS KH KD KC AS"),
        ("KS KH KD KC AS", "KS KH KD KC QS"),
    ],
)
def test_order(better, worse):
    assert worth(better) > worth(worse)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AS KH QD JC 9S 3D 2H", "AD KC QS JH 9D 5S 4H"),
        ("AS AH KD KC QS QH 2D", "AS AH KD KC QD 3C 2S"),
        ("AS AH AD KS KH KD 2C", "AS AH AD KC KS 3D 2S"),
        ("5S 6S 7S 8S 9S 2S 3H", "5H 6H 7H 8H 9H AH KC"),
    ],
)
def test_only_five_cards_count(one, other):
    assert worth(one) == worth(other)


def test_categories_have_names():
    hand = "KS KH KD 2C 2S"
    assert CATEGORIES[category(worth(hand))] == "full house"
