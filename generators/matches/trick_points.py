"""The rules of a game of tricks with cards that gain or cost points, all hands open, and those of
its built-in players.

A card is 13 times its suit plus its rank, from 0, as
:mod:`~palaestra.verifiers.reading.playing_cards` numbers it. A hand is a bit mask of cards.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.bitsets import ones
from palaestra.generators.matches.stated_match import DealRules, Planner, Thumb
from palaestra.scenes import Card as Picture
from palaestra.scenes import Cards
from palaestra.scenes.elements import Mark
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.playing_cards import RANKS, SUITS, card_name, playing_card

SIZE = len(RANKS)
SUIT_MASK = (1 << SIZE) - 1
MARKS: tuple[Mark, ...] = ("spade", "heart", "diamond", "club")

Rest = tuple[tuple[int, ...], tuple[int, ...], int]
"""What the rest of a deal depends on: the hands, the trick and its leader."""


class State(NamedTuple):
    """The hands as bit masks, the cards of the trick, who led, and the points that were taken."""

    hands: tuple[int, ...]
    trick: tuple[int, ...]
    leader: int
    points: tuple[int, ...]


class Style(NamedTuple):
    """How a built-in player plays, as the prompt states it."""

    lead: int
    """The card that it leads: 0 the lowest, 1 the highest, 2 the lowest of its longest suit, 3 the
    lowest of its shortest suit.
    """
    follow: int
    """The card with which it follows suit: 0 the highest that does not win so far, else the lowest;
    1 the same, but as the last player its highest instead of the lowest; 2 the lowest; 3 the
    highest; 4 the highest if the trick has more than 0 points so far, else as 0.
    """
    discard: int
    """The card that it discards: 0 one of the fewest points, of these the highest; 1 the highest; 2
    the highest of its shortest suit.
    """


LEADS, FOLLOWS, DISCARDS = 4, 5, 3
"""The number of ways to lead, to follow suit and to discard."""


def highest(cards: Iterable[int]) -> int:
    """The card of the highest rank, of equal ones the first by suit.

    >>> card_name(highest([0, 13, 12 + 39, 12 + 26]))
    'AD'
    """
    return max(cards, key=lambda card: (card % SIZE, -card))


def lowest(cards: Iterable[int]) -> int:
    """The card of the lowest rank, of equal ones the first by suit."""
    return min(cards, key=lambda card: (card % SIZE, card))


def suit_of(hand: int, suit: int) -> int:
    """The cards of a suit in a hand."""
    return hand & SUIT_MASK << SIZE * suit


def by_length(hand: int, sign: int) -> list[int]:
    """The cards of the shortest suit of a hand, with ``sign`` 1, or of the longest one, with -1; of
    equally long ones the first.
    """
    suits = [suit_of(hand, suit) for suit in range(len(SUITS))]
    return ones(min(filter(None, suits), key=lambda cards: sign * cards.bit_count()))


def taker(trick: Sequence[int]) -> int:
    """Which card of a trick wins it, counted from 0: the highest of the suit that was led.

    >>> taker([14, 24, 12, 20])
    1
    """
    suit = trick[0] // SIZE
    return max(range(len(trick)), key=lambda n: trick[n] if trick[n] // SIZE == suit else -1)


@dataclass(frozen=True)
class PointTricks(DealRules[State, int]):
    """Players who win the points of the cards in their tricks, and lose those below 0."""

    values: tuple[int, ...]
    """The points of each card of a suit, by suit."""
    specials: tuple[tuple[int, int], ...]
    """Cards with points of their own, in place of those of their suits."""
    styles: tuple[Style, ...]
    """For each seat how it plays if it is built in."""

    @property
    def names(self) -> Sequence[str]:  # type: ignore[override]  # it follows from the styles
        return _names(len(self.styles))

    def planner(self, seat: int) -> "PointPlanner":
        return PointPlanner(self, seat)

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def player(self, state: State) -> int:
        return (state.leader + len(state.trick)) % len(state.hands)

    def results(self, state: State) -> Sequence[int] | None:
        return None if state.trick or any(state.hands) else state.points

    def value_of(self, cards: Iterable[int]) -> int:
        """The points of cards."""
        points = _points(self.values, self.specials)
        return sum(points[card] for card in cards)

    def legal(self, state: State) -> Sequence[int]:
        hand = state.hands[self.player(state)]
        return ones(playable(hand, state.trick))

    def apply(self, state: State, move: int) -> State:
        hands, trick, leader, points = state
        seat = (leader + len(trick)) % len(hands)
        hands = (*hands[:seat], hands[seat] ^ 1 << move, *hands[seat + 1 :])
        trick = (*trick, move)
        if len(trick) < len(hands):
            return State(hands, trick, leader, points)
        winner = (leader + taker(trick)) % len(hands)
        value = self.value_of(trick)
        points = (*points[:winner], points[winner] + value, *points[winner + 1 :])
        return State(hands, (), winner, points)

    def reply(self, state: State) -> int:
        seat = self.player(state)
        return self.styled(self.styles[seat], state.hands[seat], state.trick, len(state.hands))

    def styled(self, style: Style, hand: int, trick: tuple[int, ...], players: int) -> int:
        """The card that a player of a style plays to a trick."""
        if not trick:
            return _lead(style.lead, hand)
        following = suit_of(hand, trick[0] // SIZE)
        if following:
            last = len(trick) == players - 1
            follow = style.follow
            if follow == 4:
                follow = 3 if self.value_of(trick) > 0 else 0
            return _follow(follow, following, trick[taker(trick)], last)
        return self._discard(style.discard, hand)

    def _discard(self, style: int, hand: int) -> int:
        cards = ones(hand)
        if style == 0:
            points = _points(self.values, self.specials)
            least = min(points[card] for card in cards)
            return highest(card for card in cards if points[card] == least)
        return highest(cards if style == 1 else by_length(hand, 1))

    def news(self, state: State, move: int) -> list[str]:
        names, seat = self.names, self.player(state)
        news = [f"{names[seat]} played {card_name(move)}."]
        if len(state.trick) < len(names) - 1:
            return news
        after = self.apply(state, move)
        value = self.value_of((*state.trick, move))
        return [*news, f"{names[after.leader]} won the trick ({signed(value)})."]

    def name(self, state: State, move: int) -> str:
        return card_name(move)

    def read(self, state: State, text: str) -> int:
        seat = self.player(state)
        name, hand = self.names[seat], state.hands[seat]
        card = playing_card(text, name)
        if not hand >> card & 1:
            raise InvalidAnswer(f"{card_name(card)} is not one of the cards of {name}")
        if not playable(hand, state.trick) >> card & 1:
            raise InvalidAnswer(f"{name} has to follow suit")
        return card

    def show(self, state: State) -> str:
        names, seat = self.names, self.player(state)
        hands = (
            f"{name}: {_listed(in_order(hand))} ({signed(points)})"
            for name, hand, points in zip(names, state.hands, state.points)
        )
        trick = (
            f"{names[(state.leader + n) % len(names)]} {card_name(card)}"
            for n, card in enumerate(state.trick)
        )
        return "\n".join(
            [
                *hands,
                f"Current trick: {', '.join(trick) or 'no card yet'}",
                f"Next to play: {names[seat]}",
            ]
        )

    def scene(self, state: State, last: int | None) -> Cards:
        seat = self.player(state)
        rows = [tuple(map(_pictured, in_order(hand))) for hand in state.hands]
        labels = [
            f"{name}, {signed(points)}" + " (plays next)" * (n == seat)
            for n, (name, points) in enumerate(zip(self.names, state.points))
        ]
        trick = tuple(map(_pictured, state.trick))
        return Cards((*rows, trick), (*labels, f"Trick, led by {self.names[state.leader]}"))

    def thumbs(self) -> Mapping[str, Thumb]:
        """Players of some styles, and one that looks to the end of the trick."""

        def player(style: Style) -> Thumb:
            def choose(state: State, need: int, rng: Random) -> int:
                hand = state.hands[self.player(state)]
                return self.styled(style, hand, state.trick, len(state.hands))

            return choose

        def trick(best: Callable[[Iterable[int]], int]) -> Thumb:
            """The most points in this trick; of equally good cards the highest or lowest."""

            def choose(state: State, need: int, rng: Random) -> int:
                gains = {card: self._gain(state, card) for card in self.legal(state)}
                most = max(gains.values())
                return best(card for card, gain in gains.items() if gain == most)

            return choose

        return {
            "below the highest card, else high as the last": player(Style(0, 1, 0)),
            "below the highest card, else low": player(Style(3, 0, 0)),
            "lowest card": player(Style(0, 2, 0)),
            "take what gains points": player(Style(0, 4, 0)),
            "highest card": player(Style(1, 3, 1)),
            "most points in this trick, high": trick(highest),
            "most points in this trick, low": trick(lowest),
        }

    def _gain(self, state: State, card: int) -> int:
        """The points of a player to move in this trick, if the others are built in."""
        seat = self.player(state)
        after = self.apply(state, card)
        while after.trick:
            after = self.apply(after, self.reply(after))
        return after.points[seat] - state.points[seat]


class PointPlanner(Planner[State, int]):
    """The values of :class:`Planner`, where states that differ in the points so far are one."""

    rules: PointTricks

    def __init__(self, rules: PointTricks, seat: int) -> None:
        super().__init__(rules, seat)
        self._most: dict[Rest, int] = {}

    def value(self, state: State) -> int:
        state = self.settled(state)
        own, key = state.points[self.seat], state[:3]
        if not state.trick and not any(state.hands):
            return own
        most = self._most.get(key)
        if most is None:
            rules, start = self.rules, State(*key, (0,) * len(state.hands))
            most = max(self.value(rules.apply(start, move)) for move in rules.legal(state))
            self._most[key] = most
        return most + own


def signed(points: int) -> str:
    """Points with their sign, as in ``"+3 points"``.

    >>> signed(-1), signed(0), signed(2)
    ('-1 point', '0 points', '+2 points')
    """
    return f"{points:+d}"[points == 0 :] + f" point{'' if abs(points) == 1 else 's'}"


@lru_cache(maxsize=64)
def _points(values: tuple[int, ...], specials: tuple[tuple[int, int], ...]) -> Sequence[int]:
    """The points of all cards."""
    points = [values[card // SIZE] for card in range(SIZE * len(SUITS))]
    for card, value in specials:
        points[card] = value
    return points


@lru_cache(maxsize=8)
def _names(players: int) -> Sequence[str]:
    return tuple(f"P{n + 1}" for n in range(players))


@lru_cache(maxsize=1 << 16)
def _lead(style: int, hand: int) -> int:
    if style < 2:
        return (lowest, highest)[style](ones(hand))
    return lowest(by_length(hand, -1 if style == 2 else 1))


@lru_cache(maxsize=1 << 16)
def _follow(style: int, cards: int, best: int, last: bool) -> int:
    """The card of the suit that was led, of which ``best`` is the highest card of the trick."""
    bottom, top = (cards & -cards).bit_length() - 1, cards.bit_length() - 1
    if style >= 2:
        return bottom if style == 2 else top
    below = cards & (1 << best) - 1
    if below:
        return below.bit_length() - 1
    return top if style == 1 and last else bottom


def playable(hand: int, trick: Sequence[int]) -> int:
    """The cards of a hand that may be played to a trick."""
    return (suit_of(hand, trick[0] // SIZE) or hand) if trick else hand


def in_order(hand: int) -> list[int]:
    """The cards of a hand by suit, the highest of each first."""
    return sorted(ones(hand), key=lambda card: (card // SIZE, -card))


def _listed(cards: Iterable[int]) -> str:
    return " ".join(map(card_name, cards)) or "-"


@lru_cache(maxsize=64)
def _pictured(card: int) -> Picture:
    suit = card // SIZE
    return Picture(RANKS[card % SIZE], mark=MARKS[suit], tone="ink" if suit in {0, 3} else "bad")
