"""Matches of deals of tricks with cards that gain or cost points, for any number of players."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from palaestra.generators.matches.stated_match import StatedMatch
from palaestra.generators.matches.trick_points import (
    DISCARDS,
    FOLLOWS,
    LEADS,
    SIZE,
    PointTricks,
    State,
    Style,
    signed,
)
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.playing_cards import RANKS, SUITS, card_name

SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")

OWN = Style(0, 4, 0)
"""How a built-in player at the seat of the lone player would play."""

_LEAD = (
    "its lowest card",
    "its highest card",
    "the lowest card of its longest suit",
    "the lowest card of its shortest suit",
)
_BELOW = "its highest card below the highest card of that suit in the trick, or, if it has none, "
_GAINING = "its highest card if the cards of the trick so far have more than 0 points together"
_FOLLOW = (
    f"{_BELOW}its lowest card",
    f"{_BELOW}its highest card as the last player of the trick and its lowest card otherwise",
    "its lowest card",
    "its highest card",
    f"{_GAINING}, and otherwise {_BELOW}its lowest card",
)
_DISCARD = (
    "the highest of its cards that have the fewest points",
    "its highest card",
    "the highest card of its shortest suit",
)


class PointMatch(StatedMatch):
    """A match of tricks for a number of players that a subclass states."""

    tags: ClassVar = {"cards", "many-players", "perfect-information", "search", "planning"}

    class Knobs(StatedMatch.Knobs):
        """Every such match has these."""

        size: int = ladder(4, 5, 6, 5, 6, 6, low=3, high=8)  # cards of a hand

    candidates: ClassVar[int] = 8

    values: tuple[int, ...]
    """The points of each card of a suit, by suit."""

    specials: tuple[tuple[int, int], ...]
    """Two cards with points of their own, one below 0 and one above."""

    styles: tuple[Style, ...]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        cost, gain, *others = rng.sample(range(len(SUITS)), len(SUITS))
        values = [0] * len(SUITS)
        values[cost], values[gain] = -rng.randint(1, 2), rng.randint(1, 2)
        low, high = (SIZE * suit + rng.choice(cls._ranks(knobs.size)) for suit in others)
        return {
            "values": tuple(values),
            "specials": ((low, -rng.randint(3, 6)), (high, rng.randint(3, 6))),
            "styles": tuple(
                Style(rng.randrange(LEADS), rng.randrange(FOLLOWS), rng.randrange(DISCARDS))
                for _ in range(cls.players)
            ),
        }

    @classmethod
    def _ranks(cls, size: int) -> range:
        """The ranks of the smallest deck that is large enough, up to the ace."""
        number = -(-cls.players * size // len(SUITS))
        return range(SIZE - number, SIZE)

    def rules(self) -> PointTricks:
        seat = self.seat
        styles = (*self.styles[:seat], OWN, *self.styles[seat + 1 :])
        return PointTricks(self.values, self.specials, styles)

    def opening(self, rng: Random, knobs: Any) -> State:
        """Random hands with both special cards, and a random leader."""
        specials = [card for card, _ in self.specials]
        deck = [
            SIZE * suit + rank for suit in range(len(SUITS)) for rank in self._ranks(knobs.size)
        ]
        others = [card for card in deck if card not in specials]
        cards = [*specials, *rng.sample(others, self.players * knobs.size - len(specials))]
        rng.shuffle(cards)
        hands = (cards[n :: self.players] for n in range(self.players))
        masks = tuple(sum(1 << card for card in hand) for hand in hands)
        return State(masks, (), rng.randrange(self.players), (0,) * self.players)

    def canonical(self) -> str:
        # How a built-in player at the own seat would play is no part of the problem.
        styles = tuple(OWN if n == self.seat else each for n, each in enumerate(self.styles))
        same = self.model_copy(update={"styles": styles})
        return same.model_dump_json(exclude={"wording"})

    def total(self, points: int) -> str:
        return signed(points)

    def _range(self) -> tuple[int, int]:
        """The sums of all points below 0 and above 0 in the deals."""
        rules, low, high = self.rules(), 0, 0
        for deal in map(rules.decode, self.deals):
            for hand in deal.hands:
                for card in range(SIZE * len(SUITS)):
                    if hand >> card & 1:
                        value = rules.value_of([card])
                        low, high = low + min(value, 0), high + max(value, 0)
        return low, high

    def by_result(self, points: Sequence[int]) -> Sequence[Score]:
        low, high = self._range()
        return [
            Score((own - low) / (high - low), f"{name} has {signed(own)}, from {low} to +{high}")
            for name, own in zip(self.rules().names, points)
        ]

    def introduction(self, seat: int) -> str:
        name, number = self.rules().names[seat], len(self.deals)
        deals = "The match is a single deal." if number == 1 else f"The match has {number} deals."
        goal = (
            "Between players of whom none is built in, the score of each is its points minus the "
            "sum of all points below 0 in the match, divided by the sum of all points above 0 "
            "minus that of those below 0."
        )
        if seat != self.seat:
            return f"{self.description()}\n\n{deals} {goal}"
        return (
            f"{self.description()}\n\n{deals} Built-in players play as follows.\n"
            f"{self._styles_text()}\n\nIf all other players are built in, {name} wins with "
            f"{signed(self.need)} or more{' in all deals together' * (number > 1)}, and otherwise "
            f"loses. ({goal})"
        )

    def _styles_text(self) -> str:
        lines = [
            f"- {name} leads {_LEAD[style.lead]}. In the suit that was led, it plays "
            f"{_FOLLOW[style.follow]}. Without a card of that suit, it plays "
            f"{_DISCARD[style.discard]}."
            for n, (name, style) in enumerate(zip(self.rules().names, self.styles))
            if n != self.seat
        ]
        ties = (
            "Highest and lowest refer to the rank. Of cards of equal rank, and of suits of equal "
            f"length, such a player chooses the first in the order {', '.join(SUITS)}; suits of "
            "which it has no card do not count."
        )
        return "\n".join([*lines, ties])

    def _points_text(self) -> str:
        suits = [
            f"each card of {SUIT_NAMES[suit]} ({SUITS[suit]}) {signed(value)}"
            for suit, value in enumerate(self.values)
            if value
        ]
        cards = [f"{card_name(card)} {signed(value)}" for card, value in self.specials]
        return f"{', '.join([*suits, *cards])}, and each other card 0"

    def description(self) -> str:
        names, state = self.rules().names, self.session().state
        order, number = ", ".join(names), state.hands[0].bit_count()
        size = len(self._ranks(number))
        ranks = " ".join(reversed(RANKS[-size:]))
        example = self._example(state)
        ten = ", where T is ten" if size > 4 else ""
        return self.phrase(
            f"A game of tricks for {len(names)} players, {order}, with all cards in view. In a "
            f"deal, each player has {number} cards. To a trick, each player plays one card, in the "
            f"order {order}, with {names[0]} again after {names[-1]}. The player who leads may "
            "play any card; the others have to play a card of the suit that was led if they have "
            "one, and otherwise play any card. The highest card of the suit that was led wins the "
            f"trick; there are no trumps. Ranks from the highest are {ranks}{ten}. The winner of a "
            "trick gets the points of all its cards and leads to the next one. The points are: "
            f"{self._points_text()}. A deal ends when all cards have been played. A move is a "
            f"card: its rank and its suit (S, H, D or C), such as '{example}'.",
            f"{len(names)} players sit in a circle in the order {order} and play with open hands "
            f"of {number} cards in each deal. One of them leads a card, and the others follow in "
            "this order, one card each, which is a trick. Whoever has a card of the suit of the "
            "first card must play one; whoever has none plays any card. The trick goes to the "
            "highest card of the suit of the first card, and its player leads the next trick. The "
            f"ranks are, from high to low, {ranks}{ten}; no suit is trumps. Cards have points, "
            f"which go to the winner of their trick: {self._points_text()}. A deal goes on until "
            "no cards are left. Reply with a card as rank and suit letter (spades S, hearts H, "
            f"diamonds D, clubs C), for example '{example}'.",
        )

    def _example(self, state: State) -> str:
        """A card of another player, which is no move of the first turn."""
        hand = state.hands[(self.seat + 1) % self.players]
        return card_name((hand & -hand).bit_length() - 1)
