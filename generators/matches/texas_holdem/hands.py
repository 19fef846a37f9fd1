"""The strength of the best five cards out of five to seven, by masks of bits.

A card is 13 times its suit plus its rank, from 0, as in
:mod:`~palaestra.verifiers.reading.playing_cards`. Cards are a mask with a bit for each of them.
"""

CATEGORIES = (
    "high card", "one pair", "two pair", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush",
)  # fmt: skip
"""The categories of five cards in ascending order, by their numbers."""

(
    HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH
) = range(9)  # fmt: skip

_RANKS = (1 << 13) - 1


def strength(cards: int) -> int:
    """A number that is greater for better cards, and equal for cards of which neither wins.

    A flush excludes a full house and four of a kind, as there are at most seven cards.

    >>> pair_of_aces = 1 << 12 | 1 << 25 | 1 << 0 | 1 << 15 | 1 << 4
    >>> category(strength(pair_of_aces)) == PAIR
    True
    """
    first, second, third, fourth = (cards >> shift & _RANKS for shift in (0, 13, 26, 39))
    for suit in (first, second, third, fourth):
        if suit.bit_count() >= 5:
            top = _straight(suit)
            return _value(STRAIGHT_FLUSH, top) if top else _value(FLUSH, _top(suit, 5))
    once = first | second | third | fourth
    low, high = first | second, third | fourth
    twice = first & second | third & fourth | low & high
    if not twice:
        top = _straight(once)
        return _value(STRAIGHT, top) if top else _value(HIGH_CARD, _top(once, 5))
    fours = first & second & third & fourth
    thrice = first & second & high | third & fourth & low
    return _repeated(once, twice, thrice, fours)


def category(worth: int) -> int:
    """The category of cards of this strength."""
    return worth >> 26


def _repeated(once: int, twice: int, thrice: int, fours: int) -> int:
    """The strength of cards that are no flush, by the ranks that occur so often at least."""
    if fours:
        return _value(FOUR, fours, _top(once ^ fours, 1))
    if thrice:
        three = _top(thrice, 1)
        if twice != three:
            return _value(FULL_HOUSE, three, _top(twice ^ three, 1))
    if top := _straight(once):
        return _value(STRAIGHT, top)
    if thrice:
        return _value(THREE, thrice, _top(once ^ thrice, 2))
    pairs = _top(twice, 2)
    if pairs.bit_count() == 2:
        return _value(TWO_PAIR, pairs, _top(once ^ pairs, 1))
    return _value(PAIR, pairs, _top(once ^ pairs, 3))


def _value(number: int, ranks: int, others: int = 0) -> int:
    """A number that compares categories first, then sets of ranks that have the same size."""
    return number << 26 | ranks << 13 | others


def _top(ranks: int, number: int) -> int:
    """The highest of the ranks, so many.

    >>> bin(_top(0b10111, 2))
    '0b10100'
    """
    for _ in range(ranks.bit_count() - number):
        ranks &= ranks - 1
    return ranks


def _straight(ranks: int) -> int:
    """A bit for the highest rank of the best straight; 0 if there is none.

    >>> _straight(0b1000000001111), _straight(0b111110), _straight(0b1111)
    (8, 32, 0)
    """
    low = ranks << 1 | ranks >> 12  # The ace is also the lowest card.
    starts = low & low >> 1 & low >> 2 & low >> 3 & low >> 4
    return 1 << starts.bit_length() + 2 if starts else 0
